"""The source of a library: a folder or an installed package, read and never run."""

import sys
from pathlib import Path

import pytest

from judgebench.errors import RunError
from judgebench.runs.library import read_library
from tests.runs.helpers import put


def test_a_folder_is_read_as_it_lies(tmp_path: Path) -> None:
    """Its files with their paths; the folder's name is the library's."""
    put(tmp_path / "talk" / "lib" / "talk.rb", "class Chat\nend\n")
    (tmp_path / "talk" / "out").symlink_to(tmp_path)
    found = read_library(folder=tmp_path / "talk")
    assert (found.words, [file.path for file in found.source.files]) == ("talk", ["lib/talk.rb"])
    with pytest.raises(RunError, match="is no folder"):
        read_library(folder=tmp_path / "none")


def test_an_installed_package_is_read_and_not_imported() -> None:
    """Version and files are there, and the interpreter has not loaded a module of it."""
    before = set(sys.modules)
    found = read_library(package="click")
    assert found.version
    assert "core.py" in {file.path for file in found.source.files}
    assert not {name for name in set(sys.modules) - before if name.startswith("click")}


def test_a_package_of_one_module_brings_only_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its neighbours in the folder of packages are not its source; it is not run either."""
    put(tmp_path / "solo.py", "raise SystemExit('was run')\n")
    put(tmp_path / "other.py", "x = 1\n")
    info = tmp_path / "solo-2.0.dist-info"
    put(info / "METADATA", "Metadata-Version: 2.1\nName: solo\nVersion: 2.0\n")
    put(info / "RECORD", "solo.py,,\nsolo-2.0.dist-info/METADATA,,\n../../bin/solo,,\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    found = read_library(package="solo")
    assert found.words == "solo 2.0"
    assert [file.path for file in found.source.files] == ["solo.py"]


def test_a_package_without_source_or_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line that says what to name in its place."""
    with pytest.raises(RunError, match="is not installed here; install it, or name its folder"):
        read_library(package="no-such-package-here")
    info = tmp_path / "bare-1.0.dist-info"
    put(info / "METADATA", "Metadata-Version: 2.1\nName: bare\nVersion: 1.0\n")
    put(info / "RECORD", "bare.py,,\n")
    put(tmp_path / "bare.py", b"\x00\x01")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(RunError, match="brings no source that can be read"):
        read_library(package="bare")
    with pytest.raises(ValueError, match="a folder or a package"):
        read_library()

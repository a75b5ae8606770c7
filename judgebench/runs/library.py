"""Find and read the source of a library: a folder, or a package that is installed.

An installed package is located by its metadata and read as files; it is never
imported, so nothing of it runs.
"""

from importlib import metadata
from pathlib import Path, PurePosixPath

from judgebench.errors import RunError
from judgebench.model.libraries import Library
from judgebench.model.projects import Project
from judgebench.runs.pack import pack, pack_file
from judgebench.text import one_line

_ROOM = 2**40
"""A library is searched and never shown, so its text has no bound of its own."""


def read_library(*, folder: Path | None = None, package: str | None = None) -> Library:
    """Read a library's source.

    Args:
        folder: Where it lies, or
        package: the name under which it is installed beside this product.

    Raises:
        RunError: there is no such folder or package, or it brings no source.
    """
    if (folder is None) == (package is None):
        raise ValueError("name a folder or a package")
    if folder is not None:
        name = one_line(folder.resolve().name, 80)
        return Library(name=name, source=pack(folder, max_chars=_ROOM))
    return _installed(str(package))


def _installed(name: str) -> Library:
    shown = one_line(name, 80)
    try:
        found = metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        what, fix = "is not installed here", "install it, or name its folder"
        raise RunError(f"library {shown}", what, fix) from None
    files = [PurePosixPath(str(file)) for file in found.files or ()]
    tops = dict.fromkeys(
        file.parts[0]
        for file in files
        if file.parts[0] != ".." and not file.parts[0].endswith((".dist-info", ".pth"))
    )
    roots = [Path(str(found.locate_file(top))) for top in tops if top != "__pycache__"]
    projects = [pack(root, max_chars=_ROOM) for root in roots if root.is_dir()]
    projects += [pack_file(root) for root in roots if root.is_file() and root.suffix == ".py"]
    if not any(project.files for project in projects):
        what, fix = "brings no source that can be read", "name the folder of its source"
        raise RunError(f"library {shown}", what, fix)
    return Library(
        name=shown,
        version=one_line(found.version or "", 40),
        source=Project(
            files=tuple(file for project in projects for file in project.files),
            left_out=tuple(one for project in projects for one in project.left_out),
        ),
    )

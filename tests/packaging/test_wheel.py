"""The wheel in an empty folder does what the clone does, with its sample and rubrics."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(*command: str | Path, cwd: Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=env, capture_output=True, text=True,
        check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the tree."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, ".", cwd=ROOT)
    (found,) = folder.glob("judgebench-*.whl")
    return found


@pytest.fixture(scope="module")
def judge(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """`judge` of that wheel in an environment of its own; dependencies are those of this one."""
    folder = tmp_path_factory.mktemp("venv")
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = (folder / "lib").glob("python*/site-packages")
    # Unpacked, not installed: an installer here could take the tree's own installation away.
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
        (entry,) = [name for name in packed.namelist() if name.endswith("entry_points.txt")]
        assert "judge = judgebench.cli.start:main" in packed.read(entry).decode()
    # Only what this environment installed is lent, never the tree.
    lent = [path for path in sys.path if path.endswith("site-packages")]
    (site / "lent.pth").write_text("\n".join(lent) + "\n", encoding="utf-8")
    start = "import sys; sys.argv[0] = 'judge'; from judgebench.cli.main import main; main()"
    return (str(folder / "bin" / "python"), "-c", start)


def test_the_wheel_carries_rubrics_sample_types_and_sql(wheel: Path) -> None:
    """What the package reads at run time is inside it."""
    names = set(zipfile.ZipFile(wheel).namelist())
    for wanted in (
        "judgebench/py.typed",
        "judgebench/data/docs/formats.md",
        "judgebench/data/rubrics/usecase.yaml",
        "judgebench/data/rubrics/answer.yaml",
        "judgebench/data/rubrics/code-8d.yaml",
        "judgebench/data/rubrics/hardening-10d.yaml",
        "judgebench/data/runs/single-item/run.yaml",
        "judgebench/store/schema.sql",
        "judgebench/judges/templates/pointwise/system.md.j2",
        "judgebench/blind/names.txt",
    ):
        assert wanted in names


def test_init_and_score_work_in_an_empty_folder(judge: tuple[str, ...], tmp_path: Path) -> None:
    """`judge init`, `judge score`: the sample's recorded replies, no key, no network."""
    env = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    env.pop("JUDGE_MODEL", None)
    _run(*judge, "init", cwd=tmp_path, env=env)
    assert (tmp_path / "rubrics" / "usecase.yaml").is_file()
    out = _run(*judge, "score", "runs/single-item", "--json", cwd=tmp_path, env=env)
    result = json.loads(out)
    assert result["judging"]["route"] == "replay"
    assert result["counts"]["judgments_scored"] >= 4
    assert list((tmp_path / "reports" / "single-item").glob("*/report.md"))


def test_version_is_the_packages_own(judge: tuple[str, ...], wheel: Path, tmp_path: Path) -> None:
    """`judge --version` says what the wheel's name says."""
    out = _run(*judge, "--version", cwd=tmp_path)
    assert out.strip() == f"judge {wheel.name.split('-')[1]}"

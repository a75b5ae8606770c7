"""Facts by code: what is there, where, and what cannot be said."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgebench.judges.containers import compose_fault, dockerfile_fault
from judgebench.judges.manifests import Unparsed, dependencies
from judgebench.judges.scan import scan
from judgebench.model.facts import Check, CheckKind, Fact, Place, Source
from judgebench.model.projects import LeftOut, Project, ProjectFile
from judgebench.runs.pack import pack


def file(path: str, *lines: str) -> ProjectFile:
    """A file that was read whole."""
    return ProjectFile(path=path, lines=lines, shown=len(lines))


def look(project: Project, kind: str, **more: tuple[str, ...]) -> Fact:
    """The fact of one check."""
    (fact,) = scan(project, [Check(id="c", text="Is it?", kind=CheckKind(kind), **more)])
    assert fact.source is Source.SCAN
    return fact


APP = Project(
    files=(
        file(
            "Dockerfile", "# base", "FROM ruby:3.3", "RUN apt-get update \\", "  # why", "  && true"
        ),
        file("Gemfile", "source 'x'", 'gem "rails", "~> 8"', "gem 'ruby_llm'"),
        file("README.md", "# Notes"),
        file("app/chat.rb", "class Chat", "  TIMEOUT = 30", "  client.timeout = TIMEOUT", "end"),
        file("compose.yaml", "services:", "  web:", "    build: ."),
        file("test/chat_test.rb", "class ChatTest", '  test "asks" do', "  def test_two", "end"),
    ),
    left_out=(LeftOut(path="logo.png", reason="binary", could_hold=False),),
)
HIDDEN = replace(APP, left_out=(LeftOut(path="lib/big.rb", reason="too large", could_hold=True),))
CLOSED = replace(APP, left_out=(LeftOut(path="deep/", reason="closed", could_hold=True),))


def test_files_are_found_by_their_paths_read_or_not() -> None:
    """A name at any depth, whatever its letter case; pictures count as files too."""
    fact = look(APP, "files", paths=("readme*",))
    assert (fact.holds, fact.places, fact.count) == (True, (Place(path="README.md"),), 1)
    assert look(APP, "files", paths=("logo.png",)).holds is True
    missing = look(APP, "files", paths=("LICENSE*",))
    assert (missing.holds, missing.says) == (False, "no file fits LICENSE*")
    assert look(HIDDEN, "files", paths=("LICENSE*",)).holds is False, "its name is known"
    assert look(CLOSED, "files", paths=("LICENSE*",)).holds is None


def test_patterns_give_file_and_line() -> None:
    """Every line is counted, the first places are named; what was not read decides nothing."""
    fact = look(APP, "pattern", patterns=(r"(?i)timeout\s*=",), paths=("app/**",))
    assert fact.places == (Place(path="app/chat.rb", line=2), Place(path="app/chat.rb", line=3))
    assert fact.says == "2 lines, the first in app/chat.rb, line 2"
    assert look(APP, "pattern", patterns=("retry",)).holds is False
    assert look(HIDDEN, "pattern", patterns=("retry",)).holds is None
    assert look(HIDDEN, "pattern", patterns=("retry",), paths=("app/**",)).holds is False
    many = Project(files=(file("a.txt", *["x"] * 20),))
    assert (
        look(many, "pattern", patterns=("x",)).count,
        len(look(many, "pattern", patterns=("x",)).places),
    ) == (20, 8)


def test_a_long_line_is_looked_at_in_part_only() -> None:
    """Patterns see the first 500 characters: no line can hold everything up."""
    long = Project(files=(file("a.txt", " " * 600 + "here"),))
    assert look(long, "pattern", patterns=("here",)).holds is False


def test_dependencies_are_names_in_manifests() -> None:
    """Hyphens, underscores and letter case of a package mean nothing."""
    fact = look(APP, "dependency", names=("Ruby-LLM", "other"))
    assert (fact.holds, fact.places) == (True, (Place(path="Gemfile", line=3),))
    assert (
        look(APP, "dependency", names=("sinatra",)).says == "sinatra: named by none of 1 manifest"
    )
    broken = Project(files=(file("package.json", "{"),))
    fact = look(broken, "dependency", names=("react",))
    assert fact.holds is None
    assert "package.json is not valid JSON" in fact.says


MANIFESTS = {
    "web/package.json": ('{"dependencies": {"react": "1"},', ' "devDependencies": {"@x/y": "2"}}'),
    "composer.json": ('{"require": {"a/b": "1"}, "require-dev": 3}',),
    "pyproject.toml": (
        "[project]", 'dependencies = ["click>=8", "x[y]"]', "[project.optional-dependencies]",
        'dev = ["pytest"]', "[dependency-groups]", 'lint = ["ruff", {include-group = "dev"}]',
        "[tool.poetry.dependencies]", 'flask = "1"', "[tool.poetry.group.dev.dependencies]",
        'black = "1"',
    ),
    "Pipfile": ("[packages]", 'requests = "*"', "[dev-packages]", 'mypy = "*"'),
    "Cargo.toml": ("[dependencies]", 'serde = "1"', "[workspace.dependencies]", 'tokio = "1"'),
    "requirements-dev.txt": ("# note", "-r other.txt", "Django==5", "  uvicorn[standard]>=1"),
    "tool.gemspec": ('s.add_dependency "rake"', "s.add_development_dependency('rspec')"),
    "go.mod": (
        "module x", "require github.com/a/b v1", "require (", "\tgithub.com/c/d v2 // why", ")",
    ),
    "mix.exs": ('{:phoenix, "~> 1"},',),
    "pom.xml": ("<artifactId>junit</artifactId>",),
    "build.gradle.kts": ('implementation("org.x:lib:1.0")',),
    "App.csproj": ('<PackageReference Include="Serilog" Version="1" />',),
}  # fmt: skip
NAMES = {
    "web/package.json": {"react": 1, "@x/y": 2},
    "composer.json": {"a/b": 1},
    "pyproject.toml": {"click": 2, "x": 2, "pytest": 4, "ruff": 6, "flask": 8, "black": 10},
    "Pipfile": {"requests": 2, "mypy": 4},
    "Cargo.toml": {"serde": 2, "tokio": 4},
    "requirements-dev.txt": {"Django": 3, "uvicorn": 4},
    "tool.gemspec": {"rake": 1, "rspec": 2},
    "go.mod": {"github.com/a/b": 2, "github.com/c/d": 4},
    "mix.exs": {"phoenix": 1},
    "pom.xml": {"junit": 1},
    "build.gradle.kts": {"lib": 1},
    "App.csproj": {"Serilog": 1},
}


@pytest.mark.parametrize("path", MANIFESTS)
def test_every_kind_of_manifest_is_read(path: str) -> None:
    """Names with their lines."""
    assert dependencies(path, MANIFESTS[path]) == NAMES[path]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("package.json", "[]"), ("package.json", "[" * 50_000), ("pyproject.toml", "a = "),
        ("Cargo.toml", "x = [" + "[" * 5_000),
    ],
)  # fmt: skip
def test_a_broken_manifest_is_a_fault_in_words(path: str, text: str) -> None:
    """No depth and no bytes raise anything else."""
    with pytest.raises(Unparsed):
        dependencies(path, (text,))


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("tests/test_a.py", "    async def test_a(client):"), ("spec/a_spec.rb", '  it "asks" do'),
        ("src/a.test.tsx", "  it.each('x', () => {"), ("a_test.go", "func TestA(t *testing.T) {"),
        ("src/lib.rs", "    #[tokio::test]"), ("src/test/ATest.java", "  @ParameterizedTest"),
        ("tests/A.cs", "  [Fact]"), ("test/a_test.exs", '  test "asks" do'),
        ("tests/ATest.php", "  public function testA()"), ("app/ATest.kt", "  @Test"),
    ],
)  # fmt: skip
def test_tests_are_counted_in_many_languages(path: str, line: str) -> None:
    """By the form of their lines, in files whose paths speak of tests."""
    project = Project(
        files=(file(path, "x", line, "y", line), file("app/main.py", "def test(): 1"))
    )
    fact = look(project, "tests")
    assert (fact.holds, fact.count) == (True, 2)
    assert fact.says == f"2 tests in 1 file: {path}"


def test_no_test_is_a_fact_too() -> None:
    """Code that only looks like one elsewhere does not count."""
    project = Project(
        files=(file("app/main.py", "def test_x(): 1"), file("tests/data.csv", "test"))
    )
    assert look(project, "tests").holds is False


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (("FROM a", "RUN <<EOF", "anything at all", "EOF", "CMD x"), None),
        (("# syntax=docker/dockerfile:1", "ARG V=1", "FROM a:$V AS b", "", "COPY . ."), None),
        (("# escape=`", "FROM a", "RUN x `", "  y"), None),
        (("FROM a", "RUN <<EOF", "never ends"), ("has no instruction never", 3)),
        (("FROM a", "INSTALL b"), ("has no instruction INSTALL", 2)),
        (("RUN x", "FROM a"), ("begins with RUN, not with FROM", 1)),
        (("FROM",), ("has FROM without anything behind it", 1)),
        (("ARG x=1",), ("names no image to start FROM", 1)),
        ((), ("is empty", 1)),
    ],
)
def test_a_dockerfile_is_read_as_its_tool_would(
    lines: tuple[str, ...], fault: tuple[str, int] | None
) -> None:
    """Instructions, continued lines, here-documents; the line of what is wrong."""
    assert dockerfile_fault(lines) == fault


BOMB = "\n".join(
    ["a0: &a0 {x: 1}"]
    + [f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 30)]
    + ["services:", "  web: {<<: *a29}"]
)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("services:\n  web:\n    image: x\n", None),
        ("x: &c {build: .}\nservices:\n  web:\n    <<: *c\n", None),
        (BOMB, None),
        ("services:\n  web: {ports: []}\n", ("has a service web with neither image nor build", 2)),
        ("services:\n  web: 3\n", ("has a service web that is no mapping", 2)),
        ("services: []\n", ("has an empty list of services", 1)),
        ("version: '3'\n", ("has no services", 1)),
        ("- a\n", ("is no mapping", 1)),
        ("", ("is no mapping", 1)),
        ("a: [\n", ("is not valid YAML", 2)),
        ("[" * 20_000, ("is not valid YAML", 1)),
        ("a: \x07\n", ("is not valid YAML", 1)),
    ],
)
def test_a_compose_file_is_read_and_never_expanded(
    text: str, fault: tuple[str, int] | None
) -> None:
    """Anchors that multiply themselves cost nothing."""
    assert compose_fault(text) == fault


def test_containers_are_facts_with_the_place_of_the_fault() -> None:
    """There and readable; there and broken; not there."""
    assert look(APP, "dockerfile").says == "Dockerfile can be read"
    assert look(APP, "compose").holds is True
    bad = Project(files=(file("Dockerfile", "FROM a", "BUILD"), file("docker-compose.yml", "a: 1")))
    fact = look(bad, "dockerfile")
    assert (fact.holds, fact.places) == (False, (Place(path="Dockerfile", line=2),))
    assert look(bad, "compose").says == "docker-compose.yml has no services"
    assert look(Project(files=()), "dockerfile").says == "no Dockerfile"
    assert look(Project(files=()), "compose").holds is False


def test_a_real_folder_is_scanned_and_nothing_in_it_is_run(tmp_path: Path) -> None:
    """A setup.py that would leave a trace is read as text."""
    (tmp_path / "setup.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    (tmp_path / "requirements.txt").write_text("click\n")
    fact = look(pack(tmp_path), "dependency", names=("click",))
    assert fact.places == (Place(path="requirements.txt", line=1),)
    assert not (tmp_path / "ran").exists()


@given(st.text(max_size=300), st.sampled_from(sorted(MANIFESTS)), st.sampled_from(list(CheckKind)))
def test_no_text_of_a_project_raises(text: str, path: str, kind: CheckKind) -> None:
    """Whatever stands in a file, a check answers."""
    lines = tuple(text.splitlines())
    names = (path, "Dockerfile", "compose.yml", "tests/test_a.py")
    project = Project(files=tuple(file(name, *lines) for name in names))
    check = Check(id="c", text="t", kind=kind, paths=("*",) if kind is CheckKind.FILES else (),
                  patterns=("a",), names=("a",))  # fmt: skip
    (fact,) = scan(project, [check])
    assert "\n" not in fact.says

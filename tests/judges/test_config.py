"""From a name, judges.toml and the environment to a judge; each fault names place and mend."""

import json
from pathlib import Path

import instructor.v2.auto_client as theirs
import pytest

from judgebench.errors import ExitCode, JudgeConfigError
from judgebench.judges.config import NO_KEY, ReplayChoice, api_key, resolve_judge
from judgebench.judges.identity import judge_sha256
from judgebench.judges.judges_file import json_schema
from judgebench.judges.providers import PROVIDERS, is_near
from judgebench.model.collected import Run, Settings, UseCase
from judgebench.model.nouns import Judge, Price

FULL = """\
default = "local"

[judges.local]
model = "Org/small-7b"
base_url = "http://localhost:8000/v1/"
mode = "json_schema"
params = { temperature = 0, seed = 7 }
rpm = 60
tpm = 90_000
timeout_s = 30
max_calls = 2
max_tokens = 900

[judges.local.price]
input_usd = 0
output_usd = 0.5

[judges.hosted]
model = "openrouter/org/large"

[judges.gateway]
model = "large"
base_url = "https://gateway.example/v1"
api_key_env = "GATEWAY_KEY"
"""


@pytest.fixture
def judges_toml(tmp_path: Path) -> Path:
    """A whole judges.toml."""
    path = tmp_path / "judges.toml"
    path.write_text(FULL, encoding="utf-8")
    return path


def judge(name: str | None, path: Path | None = None, **env: str) -> Judge:
    """Resolve a name that must give a judge."""
    found = resolve_judge(name, judges_toml=path, env=env, run=None)
    assert isinstance(found, Judge)
    return found


def test_a_table_of_judges_toml_is_a_judge(judges_toml: Path) -> None:
    """Every key arrives; the model's name is sent letter for letter where base_url is given."""
    found = judge("local", judges_toml)
    assert found == Judge(
        name="local",
        model="Org/small-7b",
        provider="endpoint",
        base_url="http://localhost:8000/v1",
        wire_mode="json_schema",
        params={"temperature": 0, "seed": 7},
        price=Price(input_usd=0, output_usd=0.5, source="judges.toml"),
        rpm=60,
        tpm=90_000,
        timeout_s=30,
        max_calls=2,
        max_tokens=900,
        sha256=judge_sha256(found),
    )


def test_provider_and_model_need_no_file() -> None:
    """As instructor.from_provider spells them; a model's name may hold further slashes."""
    found = judge("openrouter/org/large")
    assert (found.provider, found.model) == ("openrouter", "org/large")
    assert found.base_url == "https://openrouter.ai/api/v1"
    assert found.api_key_env == "OPENROUTER_API_KEY"
    assert (found.max_calls, found.max_tokens, found.wire_mode) == (3, 4096, "auto")


def test_every_provider_is_spelled_as_instructor_does() -> None:
    """A name that we take, it takes."""
    assert set(PROVIDERS) <= set(theirs._PROVIDER_BUILDERS)  # noqa: SLF001 - no public list


def test_openai_base_url_is_honoured_for_openai_only() -> None:
    """As the openai client does; the endpoint is part of the judge's identity."""
    found = judge("openai/m", OPENAI_BASE_URL="http://127.0.0.1:9/v1/")
    assert found.base_url == "http://127.0.0.1:9/v1"
    assert found.sha256 != judge("openai/m").sha256
    assert judge("groq/m", OPENAI_BASE_URL="http://x/v1").base_url == (
        "https://api.groq.com/openai/v1"
    )
    with pytest.raises(JudgeConfigError, match=r"^OPENAI_BASE_URL: is nonsense; write it as"):
        judge("openai/m", OPENAI_BASE_URL="nonsense")


def test_the_order_of_choice(judges_toml: Path, tmp_path: Path) -> None:
    """--judge, JUDGE_MODEL, the default of judges.toml, the run's recording, an error."""
    recording = tmp_path / "recorded.jsonl"
    run = Run(
        name="r", path=tmp_path, use_case=UseCase(key="k"), settings=Settings(), arms=(), items=(),
        replay=recording,
    )  # fmt: skip
    env = {"JUDGE_MODEL": "openai/m"}

    def name(wanted: str | None, path: Path | None, env: dict[str, str]) -> str:
        found = resolve_judge(wanted, judges_toml=path, env=env, run=run)
        return found.name if isinstance(found, Judge) else str(found.path)

    assert name("hosted", judges_toml, env) == "hosted"
    assert name(None, judges_toml, env) == "openai/m"
    assert name(None, judges_toml, {"JUDGE_MODEL": " "}) == "local"
    assert name(None, None, {}) == str(recording)
    with pytest.raises(JudgeConfigError, match="no judge is named; write --judge openai/MODEL"):
        resolve_judge(None, judges_toml=tmp_path / "none.toml", env={}, run=None)


def test_a_recording_is_named_by_its_file(tmp_path: Path) -> None:
    """replay:FILE, also from the environment; a missing file is said at once."""
    file = tmp_path / "r.jsonl"
    file.touch()
    for name, env in ((f"replay:{file}", {}), (None, {"JUDGE_MODEL": f"replay:{file}"})):
        found = resolve_judge(name, judges_toml=None, env=env, run=None)
        assert found == ReplayChoice(path=file)
    with pytest.raises(JudgeConfigError, match=r'^--judge: there is no recording "none\.jsonl"'):
        judge("replay:none.jsonl")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("locl", '"locl" is no known judge; did you mean local?'),
        ("something", '"something" is no known judge; write provider/model'),
        ("opnai/m", '"opnai" is no known provider; did you mean openai/m?'),
        ("zzz/m", '"zzz" is no known provider; give it a table with model and base_url'),
        ("openai/", '"openai/" names no model; write openai/MODEL'),
        ("a\x1b[2Jb", '"a<U+001B>[2Jb" is no known judge'),
        (
            "",
            "--judge: no judge is named; write provider/model, such as openai/MODEL",
        ),
        ("zzz", "or a name from judges.toml: local"),
    ],
)
def test_an_unknown_name_is_one_line_with_a_way_out(
    name: str, message: str, judges_toml: Path
) -> None:
    """The nearest known name, or what to write instead; exit code 2."""
    with pytest.raises(JudgeConfigError) as caught:
        judge(name, judges_toml)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code is ExitCode.USAGE


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default = 3", ":1: default is 3"),
        ("defualt = 'x'", ":1: defualt is not a known key; did you mean default?"),
        ("[judges.a]\nmodel = 'm'", ':2: judges.a.model is "m", and there is no base_url'),
        ("[judges.a]\nbase_url = 'http://x/v1'", ":1: judges.a.model is missing"),
        (
            "[judges.a]\nmodle = 'm'",
            ":2: judges.a.modle is not a known key; did you mean model?",
        ),
        (
            "[judges.a]\nmodel = 'openai/m'\nzzz = 1",
            ":3: judges.a.zzz is not a known key; take it out (judge explain judges lists",
        ),
        ("[judges.a]\nmodel = 'openai/m'\nrpm = 0", ":3: judges.a.rpm is 0"),
        ("[judges.a]\nmodel = 'openai/m'\nmax_calls = 50", ":3: judges.a.max_calls is 50"),
        ("[judges.a]\nmodel = 'openai/m'\ntimeout_s = nan", ":3: judges.a.timeout_s is nan"),
        ("[judges.a]\nmodel = 'openai/m'\nmode = 'xml'", ':3: judges.a.mode is "xml"'),
        (
            "[judges.a]\nmodel = 'openai/m'\nrmp = 3",
            ":3: judges.a.rmp is not a known key; did you mean",
        ),
        ("[judges.a]\nmodel = 'openai/m'\napi_key = 'sk'", "judges.a.api_key is not a known key"),
        (
            "[judges.a]\nmodel = 'openai/m'\napi_key_env = 'sk-1 2'",
            ":3: judges.a.api_key_env is no name of a variable; write that name, never the key",
        ),
        ("[judges.a]\nmodel = 'a b'", ':2: judges.a.model is "a b"'),
        ("[judges.a]\nmodel = 'm'\nbase_url = 'localhost:8000'", "write it as http://HOST:PORT/v1"),
        ("[judges.a]\nmodel = 'm'\nbase_url = 'http://[::1/v1'", "write it as http://HOST:PORT/v1"),
        ("[judges.a]\nmodel = 'm'\nbase_url = 'http://u:p@h/v1'", "holds a user, a query"),
        ("[judges.a]\nmodel = 'm'\nbase_url = 'http://h/v1 '", "holds a blank"),
        ("[judges.a]\nmodel = 'openai/m'\nparams = { n = 3 }", "holds n; take it out"),
        (
            "[judges.a]\nmodel = 'openai/m'\nparams = { max_tokens = 3 }",
            "holds max_tokens; take it out: write max_tokens beside params",
        ),
        ("[judges.a]\nmodel = 'openai/m'\nparams = { top_p = inf }", "is inf; write a finite"),
        ("[judges.a]\nmodel = 'openai/m'\nparams = { a = [{ b = nan }] }", "is nan; write a fin"),
        ("[judges.a]\nmodel = 'openai/m'\nparams = { day = 2026-01-01 }", "judges.a.params.day"),
        ("[judges.a]\nmodel = 'openai/m'\nprice = { input_usd = -1, output_usd = 1 }", "is -1"),
        ("[judges.a]\nmodel = 'openai/m'\nprice = { input_usd = 1 }", "output_usd is missing"),
        ("[judges.a]\nmodel = ", "is not valid TOML"),
        ("default = 'gone'", ':1: default: "gone" is no known judge'),
        (
            "[judges.a]\nmodel = 'm'\nbase_url = 'https://host.example/v1'",
            ":1: judges.a.api_key_env is missing, and https://host.example/v1 is not on this",
        ),
    ],
)
def test_a_fault_in_judges_toml_names_its_place(text: str, message: str, tmp_path: Path) -> None:
    """One line with file, line and key, and what to write."""
    path = tmp_path / "judges.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(JudgeConfigError) as caught:
        judge(None if text.startswith("def") else "a", path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    """Odd bytes are named with their line."""
    path = tmp_path / "judges.toml"
    path.write_bytes(b"default = 'a'\n# \xff\n")
    with pytest.raises(JudgeConfigError, match=r"judges\.toml:2: .*0xff"):
        judge("a", path)


def test_a_value_of_params_may_be_nested(tmp_path: Path) -> None:
    """Lists and tables are sent as they are."""
    path = tmp_path / "judges.toml"
    path.write_text(
        "[judges.a]\nmodel = 'openai/m'\nparams = { stop = ['x'], extra = { a = 1.5 } }\n",
        encoding="utf-8",
    )
    assert judge("a", path).params == {"stop": ["x"], "extra": {"a": 1.5}}


def test_a_key_comes_from_the_environment_and_stands_nowhere_else(judges_toml: Path) -> None:
    """The judge knows the variable's name only."""
    found = judge("gateway", judges_toml, GATEWAY_KEY="sk-secret")
    assert api_key(found, {"GATEWAY_KEY": " sk-secret\n"}) == "sk-secret"
    assert "sk-secret" not in repr(found)
    with pytest.raises(JudgeConfigError, match=r"^GATEWAY_KEY: is not set, and gateway needs"):
        api_key(found, {})
    with pytest.raises(JudgeConfigError, match="cannot be sent") as caught:
        api_key(found, {"GATEWAY_KEY": "sk-sec\u2013ret"})
    assert "sec" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://localhost:8000/v1", True),
        ("http://127.0.0.1:8000/v1", True),
        ("http://[::1]:8000/v1", True),
        ("http://192.168.0.7:8000/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://gpu.local/v1", True),
        ("https://8.8.8.8/v1", False),
        ("https://api.example.com/v1", False),
    ],
)
def test_an_endpoint_nearby_needs_no_key(url: str, near: bool) -> None:  # noqa: FBT001 - a table
    """This machine and private networks; one that is set is used all the same."""
    assert is_near(url) is near
    asked = Judge(name="j", model="m", provider="openai", base_url=url, api_key_env="K")
    assert api_key(asked, {"K": "sk"}) == "sk"
    if near:
        assert api_key(asked, {}) == NO_KEY


def test_a_public_endpoint_without_a_key_is_declared(tmp_path: Path) -> None:
    """An empty api_key_env says that none is needed; so does a provider that has none."""
    path = tmp_path / "judges.toml"
    path.write_text(
        "[judges.a]\nmodel = 'm'\nbase_url = 'https://host.example/v1'\napi_key_env = ''\n",
        encoding="utf-8",
    )
    assert api_key(judge("a", path), {}) == NO_KEY
    assert api_key(judge("ollama/m"), {}) == NO_KEY
    assert judge("anthropic/m").base_url is None


def test_the_json_schema_of_judges_toml_names_every_key() -> None:
    """For editors that complete and check."""
    schema = json_schema()
    assert schema["title"] == "judges.toml"
    table = schema["$defs"]["JudgeTable"]
    assert {"model", "base_url", "api_key_env", "price", "max_calls"} <= set(table["properties"])
    assert table["additionalProperties"] is False
    assert json.loads(json.dumps(schema)) == schema

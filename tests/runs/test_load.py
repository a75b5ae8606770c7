"""Loading item folders, one item, bare folders and run.yaml's faults."""

from pathlib import Path

import pytest

from judgebench.errors import RunError
from judgebench.model.collected import Run
from judgebench.model.reasons import Reason
from judgebench.runs.load import content_sha256, iter_outputs, load_item, load_run, read_output
from tests.runs.helpers import RUN_YAML, put


def test_item_folders_give_run_items_and_outputs(notice: Path) -> None:
    """Everything that run.yaml says stands in the Run; outputs come item by item."""
    run = load_run(notice)
    assert (run.name, run.form, run.declared, run.has_prompt) == ("notice", "items", True, True)
    assert run.use_case.key == "notice.write"
    assert run.use_case.project == "library"
    assert (run.settings.max_tokens, run.settings.cache, run.settings.fallback) == (
        400,
        "off",
        "off",
    )
    assert run.items == ("n1", "n2")
    assert run.arm("north").note == "plain"
    assert run.arm("south").aliases == ("bee",)
    assert run.canaries == ("intake/sorter.py",)
    assert run.ambiguities[0].undefined_fields == ("tone",)
    outputs = list(iter_outputs(run))
    assert [(o.item, o.arm) for o in outputs] == [
        ("n1", "north"),
        ("n1", "south"),
        ("n2", "north"),
        ("n2", "south"),
    ]
    assert outputs[0].text == "The room of north closes at two (n1).\n"
    assert outputs[0].locator.path == "north/n1/output.md"
    assert outputs[0].record.usage.completion_tokens == 70
    assert {o.fault for o in outputs} == {None}
    again = read_output(run, arm="north", item="n1", locator=outputs[0].locator)
    assert again == outputs[0]


def test_item_brings_evidence_and_reference(notice: Path) -> None:
    """Prompt, evidence and reference are in the item, and in its hash."""
    run = load_run(notice)
    item = load_item(run, "n1")
    assert item.prompt == "Write notice n1.\n"
    assert [(e.name, e.text) for e in item.evidence] == [("hours.txt", "Friday: closes at 14:00.")]
    assert item.reference == "We close at two."
    before = item.sha256
    put(notice / "items/n1/reference.md", "We close at three.")
    assert load_item(run, "n1").sha256 != before
    assert load_item(run, "n2").evidence == ()


def test_items_and_arms_are_found_from_folders_in_natural_order(tmp_path: Path) -> None:
    """Without `items` and `arms` the folders decide; i2 stands before i10."""
    put(tmp_path / "r/run.yaml", "use_case: {key: k}\n")
    for item in ("i10", "i2", "i1"):
        put(tmp_path / f"r/items/{item}/prompt.md", "Say it.")
        put(tmp_path / f"r/b/{item}/output.txt", "said")
    put(tmp_path / "r/a/i1/output.json", '{"said": true}')
    put(tmp_path / "r/recorded/one.jsonl", "{}")
    put(tmp_path / "r/scratch/notes.md", "nothing")
    run = load_run(tmp_path / "r")
    assert run.items == ("i1", "i2", "i10")
    assert [arm.id for arm in run.arms] == ["a", "b"]
    assert any("arms found" in note for note in run.notes)
    missing = [(o.arm, o.item) for o in iter_outputs(run) if o.fault is Reason.MISSING]
    assert missing == [("a", "i2"), ("a", "i10")]


def test_one_item_run_needs_no_item_folder(tmp_path: Path) -> None:
    """prompt.md at the top and <arm>/output.md are a run."""
    put(tmp_path / "r/run.yaml", "use_case: {key: k}\narms: [{id: a}, {id: b}]\n")
    put(tmp_path / "r/prompt.md", "Say it.")
    put(tmp_path / "r/evidence/e.txt", "fact")
    put(tmp_path / "r/reference.md", "said")
    put(tmp_path / "r/a/output.md", "said by a")
    put(tmp_path / "r/a/meta.json", {"finish_reason": "stop"})
    put(tmp_path / "r/other/x.md", "no arm")
    run = load_run(tmp_path / "r")
    assert (run.form, run.items) == ("single", ("item",))
    assert any("other" in note for note in run.notes)
    first, second = iter_outputs(run)
    assert first.text == "said by a"
    assert first.record.finish_reason == "stop"
    assert second.fault is Reason.MISSING
    item = load_item(run, "item")
    assert (item.prompt, item.reference, item.evidence[0].text) == ("Say it.", "said", "fact")


def test_bare_folder_takes_answers_and_lists_what_it_skipped(tmp_path: Path) -> None:
    """Every md, txt and json counts but prompt, reference, README, LICENSE and hidden files."""
    for name in ("one.md", "two.txt", "three.json", "README.md", "LICENSE", "LICENSE.md"):
        put(tmp_path / name, "text of " + name)
    put(tmp_path / "prompt.md", "Answer this.")
    put(tmp_path / "reference.md", "the answer")
    put(tmp_path / ".hidden.md", "no")
    put(tmp_path / "data.csv", "a,b")
    put(tmp_path / "project" / "app.py", "pass")
    put(tmp_path / "evidence" / "facts.md", "one fact")
    run = load_run(tmp_path)
    assert (run.form, run.declared, run.items) == ("bare", False, ("item",))
    assert [arm.id for arm in run.arms] == ["one", "three", "two"]
    assert run.settings.max_tokens is None
    taken, skipped = run.notes[0], run.notes[1]
    assert taken == "taken as arms: one.md, three.json, two.txt"
    assert "README.md" in skipped
    assert "LICENSE" in skipped
    assert "data.csv" in skipped
    assert "project/" in skipped
    assert "evidence" not in skipped
    assert ".hidden" not in skipped
    assert load_item(run, "item").reference == "the answer"
    assert [o.text for o in iter_outputs(run)] == [
        "text of one.md",
        "text of three.json",
        "text of two.txt",
    ]


def test_arms_option_decides_in_a_bare_folder(tmp_path: Path) -> None:
    """--arms picks answers, by arm or by file name, even one that would be skipped."""
    for name in ("one.md", "two.md", "README.md", "prompt.md"):
        put(tmp_path / name, "text")
    run = load_run(tmp_path, arms=["two", "README.md"])
    assert [arm.id for arm in run.arms] == ["README.md", "two"]
    assert "one.md" in run.notes[1]
    with pytest.raises(RunError, match=r"has no arm tow; did you mean two\?"):
        load_run(tmp_path, arms=["tow"])


def test_equal_stems_keep_their_whole_names(tmp_path: Path) -> None:
    """a.md and a.txt are two arms."""
    for name in ("a.md", "a.txt", "prompt.md"):
        put(tmp_path / name, "text")
    assert [arm.id for arm in load_run(tmp_path).arms] == ["a.md", "a.txt"]


def test_prompt_comes_from_a_file_or_is_done_without(tmp_path: Path) -> None:
    """Without prompt.md: --prompt FILE, --no-prompt, or a line that names all three."""
    put(tmp_path / "answers/one.md", "text")
    with pytest.raises(RunError, match=r"has no prompt\.md; .*--prompt FILE, or --no-prompt"):
        load_run(tmp_path / "answers")
    ask = put(tmp_path / "ask.txt", "Say it.")
    run = load_run(tmp_path / "answers", prompt=ask)
    assert load_item(run, "item").prompt == "Say it."
    bare = load_run(tmp_path / "answers", no_prompt=True)
    assert (bare.has_prompt, load_item(bare, "item").prompt) == (False, "")
    with pytest.raises(RunError, match="give one of the two"):
        load_run(tmp_path / "answers", prompt=ask, no_prompt=True)
    with pytest.raises(RunError, match="is not there"):
        load_run(tmp_path / "answers", prompt=tmp_path / "nowhere.md")
    with pytest.raises(RunError, match="is not there"):
        load_run(tmp_path / "answers", prompt=tmp_path / "no/where.md")


def test_an_empty_prompt_is_a_fault_of_the_run(tmp_path: Path) -> None:
    """A prompt without a visible character is no prompt."""
    put(tmp_path / "one.md", "text")
    put(tmp_path / "prompt.md", " \n\u200b")
    with pytest.raises(RunError, match="has an empty prompt"):
        load_item(load_run(tmp_path), "item")


def test_arms_over_files_as_they_lie(tmp_path: Path) -> None:
    """`file` and `meta` name an arm's output and record; nothing is renamed."""
    put(
        tmp_path / "run.yaml",
        "arms:\n  - {id: a, file: out/first.md, meta: out/first.json}\n  - {id: b, file: out}\n"
        "items: [{id: q, prompt: out/ask.txt, reference: out/first.md}]\n",
    )
    put(tmp_path / "out/first.md", "said")
    put(tmp_path / "out/first.json", {"finish_reason": "stop", "max_tokens": 9})
    put(tmp_path / "out/ask.txt", "Say it.")
    run = load_run(tmp_path)
    first, second = iter_outputs(run)
    assert (run.form, first.text, first.record.max_tokens) == ("single", "said", 9)
    assert second.project is not None
    assert [file.path for file in second.project.files] == ["ask.txt", "first.json", "first.md"]
    item = load_item(run, "q")
    assert (item.prompt, item.reference) == ("Say it.", "said")
    assert len(content_sha256(run)) == 64


FAULTS = [
    (
        "use_case: {key: k}\narmes: []\n",
        r"run\.yaml:2: armes is not a known key; did you mean arms",
    ),
    (
        "settings: {max_token: 4}\n",
        r":1: settings\.max_token is not a known key; did you mean max_t",
    ),
    ("settings: {max_tokens: many}\n", r"settings\.max_tokens is \"many\"; write a whole number"),
    ("settings: {cache: maybe}\n", r"settings\.cache is \"maybe\"; write"),
    ("arms: [{id: 01}]\n", r'arms\.1\.id is 01, .*write "01" in quotes'),
    ("settings: {max_tokens: 0}\n", r"settings\.max_tokens is 0; write"),
    ("arms:\n  - {id: a}\n  - {id: a}\n", r":3: arms\.2 is a, which stands twice"),
    ("arms:\n  - {id: a}\n  - {id: A}\n", r":3: arms\.2 is A, which differs from a only by case"),
    ('arms: [{id: "caf\u00e9"}, {id: "cafe\u0301"}]\n', r"only by how its letters are encoded"),
    ("arms: [{id: items}]\n", r"arms\.1\.id is items, which is a folder of the run itself"),
    ("arms: [{id: recorded}]\n", r"arms\.1\.id is recorded"),
    ("arms: [{id: a/b}]\n", r"arms\.1 is a/b, which reads like a path"),
    ('arms: [{id: ".."}]\n', r"arms\.1\.id is \.\., which reads like a path"),
    ('arms: [{id: "-rf"}]\n', r"arms\.1\.id is -rf, which reads like a path or an option"),
    ('arms: [{id: ""}]\n', r"arms\.1\.id is ''; write a name"),
    ('arms: [{id: "a\\u202eb"}]\n', r"arms\.1\.id is a<U\+202E>b, which holds invisible"),
    ("items: [../x]\n", r"items\.1 is \.\./x, which reads like a path"),
    ('items: ["C:\\\\x"]\n', r"items\.1 is C:\\x, which reads like a path"),
    ("items: [q, Q]\n", r"items\.2 is Q, which differs from q only by case"),
    ("arms: [{id: a, file: ../x.md}]\n", r"arms\.1\.file is \.\./x\.md; write a path inside"),
    ("arms: [{id: a, meta: m.json}]\n", r"arms\.1\.meta stands alone; name the output's file"),
    ("items: [p, q]\narms: [{id: a, file: x.md}]\n", r"arms\.1\.file names a file in a run of"),
    (
        "replay: recorded/no.jsonl\narms: [{id: a}]\n",
        r"no\.jsonl: is not there; mend replay",
    ),
    ("arms: [{id: a}]\narms: []\n", r"run\.yaml:2: arms stands twice"),
    ("arms: [\n", r"run\.yaml:\d+: is not valid YAML"),
    ("", r"run\.yaml: is empty"),
    ("arms: []\n", r"holds no arms"),
]


@pytest.mark.parametrize(("text", "message"), FAULTS)
def test_faults_of_run_yaml_are_one_line_with_place_and_remedy(
    tmp_path: Path, text: str, message: str
) -> None:
    """File, line, key, what was found, what to write."""
    put(tmp_path / "r/run.yaml", text)
    put(tmp_path / "r/prompt.md", "Say it.")
    for item in ("p", "q"):
        put(tmp_path / f"r/items/{item}/prompt.md", "Say it.")
    with pytest.raises(RunError, match=message) as caught:
        load_run(tmp_path / "r")
    assert "\n" not in str(caught.value)


def test_a_long_run_yaml_is_read_up_to_its_limit(notice: Path) -> None:
    """3 MiB of comments are read, and more than 4 MiB are refused."""
    declared = notice / "run.yaml"
    text = declared.read_text(encoding="utf-8")
    put(declared, text + "# more\n" * 450_000)
    assert load_run(notice).arms
    put(declared, text + "# more\n" * 650_000)
    with pytest.raises(RunError, match="at most 4,194,304 are read"):
        load_run(notice)


def test_folders_that_read_the_same_are_refused(tmp_path: Path) -> None:
    """Two spellings of one accent look like one arm in every table."""
    for name in ("caf\u00e9", "cafe\u0301"):
        put(tmp_path / f"r/{name}/output.md", "Blue.")
    put(tmp_path / "r/prompt.md", "Say it.")
    with pytest.raises(RunError, match="rename one: they read the same"):
        load_run(tmp_path / "r")


def test_paths_that_are_no_run_are_named(tmp_path: Path) -> None:
    """Missing paths, other files, two tables, empty folders: a line each."""
    with pytest.raises(RunError, match="does not exist"):
        load_run(tmp_path / "none")
    with pytest.raises(RunError, match="is a file; name a run folder"):
        load_run(put(tmp_path / "x.pdf", "x"))
    put(tmp_path / "two/outputs.jsonl", "{}")
    put(tmp_path / "two/outputs.csv", "a")
    with pytest.raises(RunError, match="keep one of the two"):
        load_run(tmp_path / "two")
    (tmp_path / "empty").mkdir()
    with pytest.raises(RunError, match=r"prompt\.md|holds no arms"):
        load_run(tmp_path / "empty")
    with pytest.raises(RunError, match="no table, so --map"):
        load_run(tmp_path / "empty", columns={"item": "id"})


def test_found_folders_with_bad_names_are_refused(tmp_path: Path) -> None:
    """Without `arms` a folder name is an id, so it must be a usable one."""
    put(tmp_path / "r/prompt.md", "Say it.")
    put(tmp_path / "r/a/output.md", "x")
    put(tmp_path / "r/A/output.md", "x")
    with pytest.raises(RunError, match="holds A and a; rename one"):
        load_run(tmp_path / "r")
    (tmp_path / "r/A").rename(tmp_path / "r/-x")
    with pytest.raises(RunError, match="holds a folder that is -x"):
        load_run(tmp_path / "r")


def test_missing_prompts_are_named(notice: Path) -> None:
    """An item without prompt.md is a fault of the run, found before anything is judged."""
    (notice / "items/n2/prompt.md").unlink()
    with pytest.raises(RunError, match="has no prompt for n2"):
        load_run(notice)
    assert load_run(notice, no_prompt=True).has_prompt is False


def test_content_hash_follows_what_counts_and_nothing_else(notice: Path) -> None:
    """Outputs, records, prompts and the choice of arms change it; recordings do not."""
    first = content_sha256(load_run(notice))
    assert content_sha256(load_run(notice)) == first
    put(notice / "recorded/replies.jsonl", "{}")
    put(notice / "north/.cache", "x")
    assert content_sha256(load_run(notice)) == first
    assert content_sha256(load_run(notice, arms=["north"])) != first
    seen = {first}
    for name in ("north/n1/output.md", "south/n2/meta.json", "items/n1/evidence/hours.txt"):
        put(notice / name, '{"finish_reason": "length"}')
        seen.add(content_sha256(load_run(notice)))
    put(notice / "run.yaml", RUN_YAML.replace("400", "500"))
    seen.add(content_sha256(load_run(notice)))
    assert len(seen) == 5


def test_a_run_must_come_from_the_loader(notice: Path) -> None:
    """Handing in a bare noun is a fault of ours, not of the user."""
    run = load_run(notice)
    plain = Run(
        name=run.name,
        path=run.path,
        use_case=run.use_case,
        settings=run.settings,
        arms=run.arms,
        items=run.items,
    )
    with pytest.raises(ValueError, match="load_run"):
        content_sha256(plain)


def test_run_names_survive_a_relative_path(notice: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`judge score .` and `..` still name the folder: reports are written under that name."""
    monkeypatch.chdir(notice)
    assert load_run(Path()).name == "notice"
    monkeypatch.chdir(notice / "north")
    assert load_run(Path("..")).name == "notice"


def test_items_and_folders_that_run_yaml_leaves_out_are_noted(notice: Path) -> None:
    """Nothing is dropped in silence."""
    put(notice / "items/n3/prompt.md", "Write n3.")
    run = load_run(notice)
    assert run.items == ("n1", "n2")
    assert "no items of run.yaml, left out: n3" in run.notes


def test_links_among_found_folders_are_faults_of_outputs_or_of_the_run(tmp_path: Path) -> None:
    """A linked arm blocks; a linked items folder or prompt stops the run."""
    put(tmp_path / "r/prompt.md", "Say it.")
    put(tmp_path / "r/b/output.md", "said")
    put(tmp_path / "else/output.md", "stands outside")
    (tmp_path / "r/a").symlink_to("../else")
    run = load_run(tmp_path / "r")
    assert [(o.arm, o.fault) for o in iter_outputs(run)] == [
        ("a", Reason.UNREADABLE),
        ("b", None),
    ]
    assert len(content_sha256(run)) == 64
    (tmp_path / "r/prompt.md").unlink()
    (tmp_path / "r/prompt.md").symlink_to("../else/output.md")
    with pytest.raises(RunError, match=r"prompt\.md: is a link that leaves the run folder"):
        load_run(tmp_path / "r")
    (tmp_path / "r/items").symlink_to("../else")
    with pytest.raises(RunError, match="items: is a link that leaves the run folder"):
        load_run(tmp_path / "r")


def test_a_recording_must_lie_in_the_run(notice: Path) -> None:
    """`replay` may be a link inside, never one that leads out."""
    put(notice.parent / "elsewhere.jsonl", "{}")
    (notice / "recorded").mkdir()
    (notice / "recorded/r.jsonl").symlink_to("../../elsewhere.jsonl")
    put(notice / "run.yaml", RUN_YAML + "replay: recorded/r.jsonl\n")
    with pytest.raises(RunError, match="leaves the run folder"):
        load_run(notice)
    (notice / "recorded/r.jsonl").unlink()
    put(notice / "recorded/r.jsonl", "{}")
    assert load_run(notice).replay == notice / "recorded/r.jsonl"


def test_an_ambiguity_of_an_unknown_item_is_refused_at_its_line(notice: Path) -> None:
    """A slip in the list would leave the item unmarked in silence."""
    text = RUN_YAML.replace("undefined_fields: [tone]", "items: [n1, n22]")
    put(notice / "run.yaml", text)
    with pytest.raises(RunError, match=r"run.yaml:8: .*n22.*no item of the run; did you mean n2"):
        load_run(notice)


def test_an_arm_without_a_folder_is_told_the_nearest_one(notice: Path) -> None:
    """A misspelt arm is a fault of run.yaml where a folder of a near name holds answers."""
    (notice / "south").rename(notice / "Sout")
    with pytest.raises(RunError, match=r"run.yaml:\d+: .*is south, which has no fold.*mean Sout\?"):
        load_run(notice)
    (notice / "south").mkdir()
    assert "no arms of run.yaml, left out: Sout" in load_run(notice).notes


def test_a_misspelt_prompt_is_told_with_its_place(notice: Path) -> None:
    """The path that is missing, and the file that was meant."""
    prompt = notice / "items/n2/prompt.md"
    prompt.rename(prompt.with_name("promt.md"))
    with pytest.raises(
        RunError, match=r"rename items/n2/promt\.md to items/n2/prompt\.md, or give"
    ):
        load_run(notice)
    prompt.with_name("promt.md").unlink()
    with pytest.raises(RunError, match=r"write items/n2/prompt\.md, or give"):
        load_run(notice)


def test_an_arm_of_a_run_is_not_taken_for_a_run(notice: Path) -> None:
    """Its items would be judged as arms."""
    with pytest.raises(RunError, match=r"is an arm, with its answers to items .*the run around it"):
        load_run(notice / "south", no_prompt=True)


def test_a_folder_above_runs_names_them(notice: Path, tmp_path: Path) -> None:
    """A workspace or its runs/ is no run: the line lists what lies below."""
    (tmp_path / "space").mkdir()
    notice.rename(tmp_path / "space" / "notice")
    for place in (tmp_path, tmp_path / "space"):
        with pytest.raises(RunError, match=r"is no run; name one below it: .*space.notice"):
            load_run(place)
    empty = tmp_path / "space" / "empty"
    empty.mkdir()
    with pytest.raises(RunError, match=r"holds no|no prompt"):
        load_run(empty)


def test_a_folder_that_is_nearly_a_run_says_what_it_lacks(tmp_path: Path) -> None:
    """Arms without items, and answers as loose files in folders, are told apart."""
    put(tmp_path / "arms/prompt.md", "Do it.")
    put(tmp_path / "arms/north/q1/output.md", "x")
    with pytest.raises(RunError, match=r"write items/q1/prompt\.md and so on: north/q1 holds"):
        load_run(tmp_path / "arms")
    put(tmp_path / "loose/prompt.md", "Do it.")
    put(tmp_path / "loose/north/q1.md", "x")
    with pytest.raises(RunError, match=r"is ARM/ITEM/output\.md, .* north/q1\.md is none"):
        load_run(tmp_path / "loose")


GRID = [f"{arm}_{item}.md" for arm in ("north", "south-b", "east") for item in ("q1", "q2")]


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (GRID, "names look like 3 (east, north …) × 2 (q1, q2 …); if these are arms and items"),
        ([f"mail-{at}-{arm}.md" for arm in "abc" for at in (1, 2)], " × "),
        (GRID[:-1], ""),
        (GRID[:4], ""),
        ([f"answer{at}.md" for at in range(8)], ""),
        ([f"mail_{at}.md" for at in range(8)], ""),
    ],
)
def test_names_of_arms_and_items_in_one_folder_are_told_of(
    tmp_path: Path, names: list[str], said: str
) -> None:
    """Every first part with every second one: how several items are laid out is said."""
    for name in ("prompt.md", *names):
        put(tmp_path / "loose" / name, "A word.\n")
    run = load_run(tmp_path / "loose")
    assert len(run.arms) == len(names)
    told = [note for note in run.notes if "names look like" in note]
    assert bool(told) is bool(said)
    assert said in "".join(told)

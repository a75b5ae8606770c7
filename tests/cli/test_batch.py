"""`judge batch`: a run that needs words to be read takes the same words on the way back."""

import csv
import json
from pathlib import Path

from tests.marks.space import Space
from tests.pipeline.test_batching import answered

READ = ("--map", "item=Case,arm=System,output=Text,prompt=Question", "--arms", "north,south")


def test_replies_come_back_to_a_run_with_other_names_of_columns(tmp_path: Path) -> None:
    """Export, import and record take --map and --arms; the arm that was left out stays out."""
    folder = tmp_path / "runs" / "harbour"
    folder.mkdir(parents=True)
    with (folder / "outputs.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("Case", "System", "Text", "Question"))
        for at in range(3):
            for arm in ("north", "south", "west"):
                words = f"The harbour opens at {at + 6}, says {arm} pier."
                writer.writerow((f"c{at}", arm, words, f"When does harbour {at} open?"))
    (tmp_path / "judges.toml").write_text(
        'default = "stub"\n[judges.stub]\nmodel = "stub-judge"\n'
        'base_url = "http://127.0.0.1:9/v1"\n',
        encoding="utf-8",
    )
    space = Space(tmp_path)
    out = tmp_path / "open.jsonl"
    sent = space.judge("batch", "export", "runs/harbour", *READ, "--repeats", "1", "--out", out)
    assert sent.code == 0, sent.err
    back = answered(out, tmp_path / "back.jsonl")

    bare = space.judge("batch", "import", "runs/harbour", back)
    assert bare.code == 2
    assert "name each with --map item=COLUMN" in bare.err

    read = space.judge("batch", "import", "runs/harbour", back, *READ, "--json")
    assert read.code == 0, read.err
    found = json.loads(read.out)
    assert found["judging"]["complete"]
    assert {arm["arm"]["id"] for arm in found["arms"]} == {"north", "south"}
    kept = space.judge("batch", "record", "runs/harbour", *READ, "--out", tmp_path / "kept.jsonl")
    assert kept.code == 0, kept.err
    assert kept.out.startswith("6 replies of pass")

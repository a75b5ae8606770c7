"""`judge label`: a person marks answers, on the page in a real Chromium and on a sheet."""

import csv
import http.client
import io
import json
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.acceptance.desk import HARBOUR, MEADOW, Desk, plan
from tests.clock import HANG_S
from tests.stub import StubServer

expect.set_options(timeout=HANG_S * 1000)
Serve = Callable[..., StubServer]
CHROMIUM = shutil.which("chromium")
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
ITEMS = tuple(f"m{number}" for number in range(1, 6))
HOSTILE = (
    "</pre><script>document.title='owned'</script><img src=x onerror=alert(1)>"
    "{{ 7*7 }} \x1b[2J\u202e&lt;b&gt; [l](javascript:alert(1)) by model-0 of firm-0\n" + HARBOUR
)
ASKED = ("clarity", "completeness", "tone")
BY = (
    "SELECT m.item, m.arm, m.criterion, m.mark FROM mark_rows AS m JOIN passes AS p"
    " ON m.pass_id = p.pass_id WHERE p.route = 'people' AND m.label = ? ORDER BY ALL"
)

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@pytest.fixture
def long_scale(desk: Desk) -> Desk:
    """The workspace, with a rubric of twenty marks."""
    path = desk.root / "rubrics" / "bulletin.yaml"
    path.write_text(path.read_text("utf-8").replace("max: 5}", "max: 20}"), "utf-8")
    return desk


@pytest.fixture
def judged(desk: Desk, serve: Serve) -> Desk:
    """Five items, two arms, one of them hostile, and a judge who was there before."""
    desk.make(
        {
            "north": dict.fromkeys(ITEMS, HOSTILE),
            "south": {item: f"{MEADOW} {item}" for item in ITEMS},
        }
    )
    serve(plan("fours"))
    assert desk.score("--no-html").code == 0
    return desk


@pytest.fixture
def browser(judged: Desk) -> Iterator[Browser]:
    """A Chromium, started when all is judged: its event loop would forbid another."""
    assert judged.database.is_file()
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield running
        running.close()


@contextmanager
def serving(desk: Desk, *words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The installed command with its address; killed in the end, if it still runs."""
    process = desk.spawn("label", "runs/bulletin", "--no-browser", *words)
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.communicate(timeout=HANG_S)


def opened(browser: Browser, url: str) -> tuple[Page, list[str]]:
    """An open page, and what it said, or asked for from elsewhere."""
    page = browser.new_page()
    page.set_default_timeout(HANG_S * 1000)
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: heard.append(dialog.message))
    page.on("request", lambda one: None if one.url.startswith(url) else heard.append(one.url))
    page.goto(url)
    return page, heard


def mark(page: Page, keys: str) -> None:
    """Press keys on one answer, each for one question, and wait until all is saved."""
    for key, criterion in zip(keys, ASKED, strict=True):
        page.keyboard.press(key)
        expect(page.locator("#state")).to_have_text(f"{criterion}: saved")


def at(page: Page, number: int) -> None:
    """Wait for one answer, ready for keys."""
    expect(page.locator("h1")).to_have_text(f"Answer {number} of 10")
    expect(page.locator(".question.current")).to_have_count(1)


def onward(page: Page, number: int) -> None:
    """Go to the next answer by keyboard."""
    page.keyboard.press("ArrowRight")
    at(page, number)


@needs_chromium
def test_ten_answers_by_keyboard_through_a_kill(judged: Desk, browser: Browser) -> None:
    """Marks stand in the database after a kill; the next start goes on at the open answer."""
    with serving(judged, "--rater", "Ana") as (process, url):
        page, heard = opened(browser, url)
        for number in range(1, 7):
            at(page, number)
            mark(page, "35c" if number == 2 else "351")
            if number < 6:
                onward(page, number + 1)
        process.send_signal(signal.SIGKILL)
        process.wait(HANG_S)
        page.keyboard.press("2")
        expect(page.locator("#state")).to_contain_text("NOT saved")
        assert heard == ["Failed to load resource: net::ERR_CONNECTION_REFUSED"]
        page.close()
    stored = judged.rows(BY, "Ana")
    assert len(stored) == 18
    assert [row[3] for row in stored].count(None) == 1
    with serving(judged, "--rater", "ana") as (process, url):
        page, heard = opened(browser, url)
        at(page, 7)
        for number in range(7, 11):
            mark(page, "245")
            if number < 10:
                onward(page, number + 1)
        page.keyboard.press("n")
        expect(page.locator("h1")).to_have_text("All 10 answers are marked")
        assert heard == []
        page.close()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=HANG_S)
    assert process.returncode == 0
    assert "Ana: 10 of 10 answers marked" in said
    stored = judged.rows(BY, "Ana")
    assert len(stored) == 30
    assert len({row[:2] for row in stored}) == 10
    assert {row[3] for row in stored if row[2] == "clarity"} == {3.0, 2.0}
    found = json.loads(judged.judge("calibrate", "runs/bulletin", "--json").out)
    assert found["labels"]["people"] == ["Ana"]
    assert found["labels"]["blind"] == "yes"
    assert [axis["counted"]["marks"] for axis in found["axes"]][:3] == [10, 10, 9]


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_is_accessible_and_hostile_text_is_text(
    judged: Desk, browser: Browser, scheme: str
) -> None:
    """Nothing that axe-core finds on any page; the answer's mark-up is shown, not obeyed."""
    with serving(judged) as (_, url):
        page, heard = opened(browser, url)
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        assert Axe().run(page).violations_count == 0
        page.get_by_label("Who marks?").fill("Ben <b>")
        page.keyboard.press("Enter")
        for number in (1, 2):
            at(page, number)
            found = Axe().run(page)
            assert found.violations_count == 0, found.generate_report()
            assert "owned" not in page.title()
            onward(page, number + 1)
        page.goto(f"{url}answer?rater=Ben+%3Cb%3E&n=1")
        texts = [page.locator("section pre").nth(1).text_content() or ""]
        page.goto(f"{url}answer?rater=Ben+%3Cb%3E&n=2")
        texts.append(page.locator("section pre").nth(1).text_content() or "")
        (hostile,) = (text for text in texts if "tag-harbour" in text)
        assert "<script>document.title='owned'</script>" in hostile
        assert "{{ 7*7 }}" in hostile
        assert "model-0" not in hostile
        assert not re.search("[\x1b\u202e]", hostile)
        assert heard == []
        page.close()


@needs_chromium
def test_a_short_text_leaves_room_for_its_marks(judged: Desk, browser: Browser) -> None:
    """Boxes are as tall as their text, up to about half of the window; a longer one scrolls."""
    with serving(judged, "--rater", "Dov") as (_, url):
        page, _ = opened(browser, url)
        page.set_viewport_size({"width": 1100, "height": 1300})
        at(page, 1)
        sizes = "all => all.map(one => [one.clientHeight, one.scrollHeight])"
        for height, whole in page.locator(".texts [role=region]").evaluate_all(sizes):
            assert height == whole < 600
        second = page.locator(".question").nth(1).locator(".buttons").bounding_box()
        assert second is not None
        assert second["y"] + second["height"] < 1300
        page.locator(".texts pre").first.evaluate("one => { one.textContent = 'a\\n'.repeat(999) }")
        ((height, whole),) = page.locator(".texts pre").first.evaluate_all(sizes)
        assert 500 < height < 650 < whole
        page.close()


@needs_chromium
def test_a_mark_can_be_changed_and_taken_back(judged: Desk, browser: Browser) -> None:
    """Another digit is another mark; Delete leaves none; the mouse does the same."""
    with serving(judged, "--rater", "Cyd") as (_, url):
        page, _ = opened(browser, url)
        at(page, 1)
        page.keyboard.press("2")
        expect(page.locator("#state")).to_have_text("clarity: saved")
        page.keyboard.press("ArrowUp")
        page.keyboard.press("4")
        expect(page.locator('[data-criterion="clarity"] [aria-pressed="true"]')).to_have_text("4")
        page.locator('[data-criterion="tone"] [data-mark="5"]').click()
        expect(page.locator("#state")).to_have_text("tone: saved")
        assert [row[2:] for row in judged.rows(BY, "Cyd")] == [("clarity", 4.0), ("tone", 5.0)]
        page.keyboard.press("Delete")
        expect(page.locator('[data-criterion="tone"] [aria-pressed="true"]')).to_have_count(0)
        expect(page.locator("#state")).to_have_text("tone: saved")
        page.reload()
        expect(page.locator('[aria-pressed="true"]')).to_have_count(1)
        assert [row[2:] for row in judged.rows(BY, "Cyd")] == [("clarity", 4.0)]
        page.close()


@needs_chromium
def test_a_long_scale_has_a_field_for_the_mark(long_scale: Desk, browser: Browser) -> None:
    """Digits go into it, Enter or leaving sets it, what is off the scale holds the page."""
    with serving(long_scale, "--rater", "Eve") as (_, url):
        page, heard = opened(browser, url)
        at(page, 1)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        page.keyboard.type("17")
        page.keyboard.press("Enter")
        expect(page.locator("#state")).to_have_text("clarity: saved")
        page.keyboard.type("99")
        page.keyboard.press("ArrowRight")
        expect(page.locator("#state")).to_contain_text("completeness is NOT saved")
        page.keyboard.press("c")
        expect(page.locator("#state")).to_have_text("completeness: saved")
        page.keyboard.type("8")
        page.keyboard.press("ArrowRight")
        at(page, 2)
        assert [row[2:] for row in long_scale.rows(BY, "Eve")] == [
            ("clarity", 17.0), ("completeness", None), ("tone", 8.0),
        ]  # fmt: skip
        page.keyboard.press("ArrowLeft")
        at(page, 1)
        assert page.locator("input").nth(0).input_value() == "17"
        assert heard == []
        page.close()


def ask(
    url: str, path: str = "", *, method: str = "GET", body: str | None = None, **headers: str
) -> tuple[int, str, http.client.HTTPMessage]:
    """One request as somebody else might send it."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", parts.port or 0, timeout=HANG_S)
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, f"{parts.path}{path}", body=body, headers=sent)
    reply = connection.getresponse()
    text = reply.read().decode()
    connection.close()
    return reply.status, text, reply.headers


def said(**changes: object) -> str:
    """What a page sends, changed."""
    made = {"item": "m1", "label": "", "criterion": "tone", "mark": 3, "cannot_judge": False}
    return json.dumps(made | changes)


def test_nobody_else_is_served(judged: Desk) -> None:
    """Without the token, under another name, from another page or in another form: refused."""
    with serving(judged, "--rater", "Ana") as (_, url):
        status, page, headers = ask(url, "answer?n=1")
        assert status == 200
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["Cache-Control"] == "no-store"
        label, item = (re.search(f'data-{name}="([^"]+)"', page) for name in ("label", "item"))
        assert label is not None
        assert item is not None
        good = said(label=label[1], item=item[1])
        port = urlsplit(url).port
        bare = f"http://127.0.0.1:{port}/"
        form = {"Content_Type": "application/json"}
        own = {**form, "Origin": f"http://127.0.0.1:{port}"}
        for path in (
            "",
            "answer",
            "label.js",
            "mark",
            "x" * 32 + "/answer?n=1",
            "ü/".encode().hex(),
        ):
            assert ask(bare, path)[0] == 404, path
        for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", ""):
            assert ask(url, Host=host)[0] == 421, host
            assert ask(url, "mark", method="POST", body=good, Host=host, **own)[0] == 421
        away = {**form, "Origin": "https://evil.example"}
        assert ask(url, "mark", method="POST", body=good, **away)[0] == 403
        assert ask(url, "mark", method="POST", body=good, Content_Type="text/plain")[0] == 404
        assert ask(bare, "mark", method="POST", body=good, **own)[0] == 404
        assert ask(url, "nothing")[0] == 404
        assert ask(url, "mark", method="PUT")[0] == 501
        assert judged.rows(BY, "Ana") == []
        for wrong in (
            "{", "[]", said(), said(label=label[1], item="m9"), "x" * 70_000,
            *(said(label=label[1], item=item[1], **more) for more in (
                {"mark": 6}, {"mark": 2.5}, {"mark": "3"}, {"mark": True}, {"criterion": "total"},
                {"cannot_judge": True}, {"cannot_judge": 1}, {"arm": "north"},
            )),
        ):  # fmt: skip
            assert ask(url, "mark", method="POST", body=wrong, **own)[0] == 400, wrong[:80]
        assert judged.rows(BY, "Ana") == []
        status, text, _ = ask(url, "mark", method="POST", body=good, **own)
        assert (status, json.loads(text)) == (200, {"answers": 0, "answers_all": 10})
        assert [row[2:] for row in judged.rows(BY, "Ana")] == [("tone", 3.0)]


def test_no_page_shows_an_arm_or_a_judges_mark(judged: Desk) -> None:
    """Neither names of arms nor what the judge said stand in any of the ten pages."""
    with serving(judged, "--rater", "Ana") as (_, url):
        pages = [ask(url, f"answer?n={number}")[1] for number in range(1, 11)]
    for page in pages:
        assert not re.search(r"north|south|firm-|model-|stub|rationale", page.split("<main")[1])
        assert 'aria-pressed="true"' not in page
    labels = [re.findall(r'data-label="([A-Z0-9]{4})"', page)[0] for page in pages]
    assert len(set(labels)) == 10


def test_a_sheet_is_blind_safe_and_read_back(judged: Desk) -> None:
    """Filled in, it gives each answer's arm its marks; cells start no formula."""
    words = ("label", "runs/bulletin", "--csv", "the sheet.csv", "--rater", "=Dee")
    made = judged.judge(*words)
    assert made.code == 0, made.err
    assert "judge calibrate runs/bulletin --human 'the sheet.csv' --blind yes" in made.out
    path = judged.root / "the sheet.csv"
    text = path.read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert len(rows) == 10
    assert not re.search(r"north|south|firm-|model-", text)
    assert {row["rater"] for row in rows} == {"'=Dee"}
    for row in rows:
        row["tone"] = "5" if "tag-harbour" in row["the answer"] else "2"
    rows[0]["clarity"] = "3"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    taken = judged.judge("calibrate", "runs/bulletin", "--human", path.name, "--blind", "yes")
    assert taken.code == 0, taken.err
    assert "11 marks taken in" in taken.err
    assert "columns not read" not in taken.err
    stored = judged.rows(BY, "=Dee")
    assert {(row[1], row[3]) for row in stored if row[2] == "tone"} == {
        ("north", 5.0), ("south", 2.0),
    }  # fmt: skip
    again = judged.judge(*words)
    assert again.code == 2
    assert "is there already" in again.err


def test_a_file_goes_in_beside_what_was_said_here(judged: Desk) -> None:
    """An import keeps "cannot judge" and fills it where the person has judged since."""
    with serving(judged, "--rater", "Ana") as (_, url):
        page = ask(url, "answer?n=1")[1]
        label = re.findall(r'data-label="([^"]+)"', page)[0]
        item = re.findall(r'data-item="([^"]+)"', page)[0]
        for criterion in ("tone", "clarity"):
            body = said(label=label, item=item, criterion=criterion, mark=None, cannot_judge=True)
            answer = ask(url, "mark", method="POST", body=body, Content_Type="application/json")
            assert answer[0] == 200
    sheet: Path = judged.root / "more.csv"
    sheet.write_text(f"item,arm,rater,criterion,score\n{item},{label},Ana,tone,4\n", "utf-8")
    taken = judged.judge("calibrate", "runs/bulletin", "--human", "more.csv")
    assert "1 mark taken in" in taken.err
    assert [row[2:] for row in judged.rows(BY, "Ana")] == [("clarity", None), ("tone", 4.0)]


def test_a_changed_mark_leaves_the_old_one_on_record(judged: Desk) -> None:
    """What a person said first stays with the time it was given anew; taken back, too."""
    with serving(judged, "--rater", "Ana") as (_, url):
        page = ask(url, "answer?n=1")[1]
        label = re.findall(r'data-label="([^"]+)"', page)[0]
        item = re.findall(r'data-item="([^"]+)"', page)[0]
        for mark in (3, 5, None):
            body = said(label=label, item=item, mark=mark)
            answer = ask(url, "mark", method="POST", body=body, Content_Type="application/json")
            assert answer[0] == 200
    found = judged.rows("SELECT mark, withdrawn_at IS NULL FROM given_marks ORDER BY entry")
    assert found == [(3.0, False), (5.0, False)]
    assert judged.rows(BY, "Ana") == []


def test_single_answers_of_a_draw_are_marked_in_its_order(judged: Desk) -> None:
    """Judge sample --for means: the sheet holds these answers under their names, no other."""
    made = judged.judge(
        "sample", "runs/bulletin", "--for", "means", "--answers", "4", "--json"
    ).json["packets"]  # fmt: skip
    assert judged.judge("label", "runs/bulletin", "--csv", "a.csv").code == 0
    text = (judged.root / "a.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [[row["item"], row["arm"]] for row in rows] == made


def test_marks_of_an_older_rubric_stay_beside_new_ones(judged: Desk) -> None:
    """Where a criterion was renamed, a file for the new pass keeps marks on the old one."""
    sheet: Path = judged.root / "people.csv"
    sheet.write_text("item,arm,rater,criterion,score\nm1,north,Ana,tone,4\n", "utf-8")
    assert judged.judge("calibrate", "runs/bulletin", "--human", "people.csv").code == 0
    path = judged.root / "rubrics" / "bulletin.yaml"
    path.write_text(path.read_text("utf-8").replace("id: tone", "id: voice"), "utf-8")
    judged.score("--no-html")
    passes = judged.rows("SELECT pass_id FROM passes WHERE route <> 'people' ORDER BY started_at")
    sheet.write_text("item,arm,rater,criterion,score\nm2,north,Ana,voice,3\n", "utf-8")
    words = ("calibrate", "runs/bulletin", "--human", "people.csv", "--pass", passes[-1][0])
    answer = judged.judge(*words)
    assert answer.code == 0, answer.err
    assert {row[2:] for row in judged.rows(BY, "Ana")} == {("tone", 4.0), ("voice", 3.0)}


def test_what_cannot_be_marked_is_said_in_one_line(desk: Desk, judged: Desk) -> None:
    """A run that was not judged, a nameless rater, a missing arm, a changed answer, too many."""
    desk.make({"north": HARBOUR}, name="other")
    for words, why in (
        (("runs/other",), "nothing is stored"),
        (("runs/none",), "nothing is stored"),
        (("runs/bulletin", "--rater", " "), "is no name"),
        (("runs/bulletin", "--arms", "west"), "has no arm west"),
        (("runs/bulletin", "--items", "6"), "at most 5"),
    ):
        answer = judged.judge("label", *words, "--csv", "x.csv")
        assert answer.code == 2
        assert why in answer.err
        assert len(answer.err.strip().splitlines()) == 1
    (judged.run / "south" / "m3" / "output.md").write_text("other", encoding="utf-8")
    answer = judged.judge("label", "runs/bulletin", "--csv", "x.csv")
    assert answer.code == 2
    assert "has changed since it was judged" in answer.err
    assert not (judged.root / "x.csv").exists()


def test_the_newest_draw_is_marked_in_its_order(judged: Desk) -> None:
    """Items of judge sample stand in the sheet as they were drawn, all arms on each."""
    drawn = json.loads(
        judged.judge("sample", "runs/bulletin", "--items", "3", "--seed", "7", "--json").out
    )["items"]
    assert judged.judge("label", "runs/bulletin", "--csv", "a.csv").code == 0
    text = (judged.root / "a.csv").read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["item"] for row in rows] == [item for item in drawn for _ in range(2)]


def test_a_criterion_named_like_another_column_goes_round(desk: Desk, serve: Serve) -> None:
    """Its column has a head of its own, by which calibrate reads the marks back."""
    path = desk.root / "rubrics" / "bulletin.yaml"
    path.write_text(path.read_text("utf-8").replace("id: tone", "id: task"), "utf-8")
    desk.make({"north": HARBOUR, "south": MEADOW})
    serve(plan("fours"))
    assert desk.score("--no-html").code == 0
    made = desk.judge("label", "runs/bulletin", "--csv", "sheet.csv", "--rater", "Dee")
    assert made.code == 0, made.err
    sheet = desk.root / "sheet.csv"
    rows = list(csv.DictReader(io.StringIO(sheet.read_text(encoding="utf-8-sig"))))
    for row in rows:
        row["criterion task"] = "5"
    with sheet.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    taken = desk.judge("calibrate", "runs/bulletin", "--human", "sheet.csv", "--blind", "yes")
    assert "2 marks taken in" in taken.err
    assert {row[2:] for row in desk.rows(BY, "Dee")} == {("task", 5.0)}


def test_a_sheet_says_what_its_draw_leaves_out(desk: Desk, serve: Serve) -> None:
    """Answers of items that not all arms have are counted, and the printed command takes them."""
    desk.make({"north": dict.fromkeys(ITEMS, HARBOUR), "south": {"m1": MEADOW}})
    serve(plan("fours"))
    assert desk.score("--no-html").code == 0
    drawn = desk.judge("sample", "runs/bulletin", "--items", "1")
    assert "Left out: 4 answers of items that not all of these arms have" in drawn.out
    assert " judge sample runs/bulletin --arms north --items 5\n" in drawn.out
    made = desk.judge("label", "runs/bulletin", "--items", "1", "--csv", "a.csv")
    (command,) = (line for line in made.err.splitlines() if line.startswith(" judge label"))
    assert command.strip() == "judge label runs/bulletin --csv FILE --arms north --items 5"
    words = command.replace("FILE", "b.csv").split()[1:]
    assert "5 answers written" in desk.judge(*words).out

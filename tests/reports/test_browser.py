"""The page in a real Chromium: silent, alone, accessible, in light and dark and on paper."""

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from judgebench.model.exhibits import CellFact, Exhibits
from judgebench.model.result import Result
from judgebench.reports import html
from tests.reports import make
from tests.reports.make_exhibits import exhibits
from tests.reports.test_drawing import NAMES
from tests.reports.test_gold import partly_blocked
from tests.reports.test_hostile import RESULTS
from tests.reports.test_html import hostile_page

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PAGES = ("partly blocked", "one item", "all blocked", "many", "hostile")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests of this file."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        yield running
        running.close()


def refused_parts(whole: Result) -> Result:
    """The same with one arm that has a mean, but neither interval nor difference."""
    *others, last = whole.arms
    last = dataclasses.replace(
        last,
        total=make.refused("total", have=2),
        difference=make.refused("difference", have=2),
        placed=False,
    )
    return dataclasses.replace(whole, arms=(*others, last))


def many() -> tuple[Result, Exhibits]:
    """More items and arms than are drawn, under names of any kind, a tenth blocked."""
    names = (
        *NAMES,
        "日本語の長い名前" * 3,
        "🙂🙂",
        "W" * 300,
        *(f"arm-{n}-of-many" for n in range(7)),
    )
    result = make.result(items=45, names=names)
    cells = tuple(
        CellFact(
            arm=arm,
            item=f"{n} {names[n % len(names)]}",
            total=None if n % 10 == at else 1 + (n * at) % 10,
            blocked="provider_window" if n % 10 == at else None,
        )
        for n in range(45)
        for at, arm in enumerate(names)
    )
    found = Exhibits(items=45, cells=cells, marks=(), judged=0, order=(), answers=())
    return result, found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as files."""
    made = tmp_path_factory.mktemp("pages")
    results = {
        "partly blocked": make.extended(refused_parts(partly_blocked())),
        "one item": make.result(items=1),
        "all blocked": make.all_blocked(),
    }
    texts = {name: html.render(one, exhibits(one)).decode() for name, one in results.items()}
    texts["many"] = html.render(*many()).decode()
    texts["hostile"] = hostile_page(RESULTS["partly blocked"])
    for name, text in texts.items():
        (made / f"{name}.html").write_text(text, encoding="utf-8")
    return made


def opened(browser: Browser, path: Path, **changes: Any) -> tuple[Page, list[str]]:  # noqa: ANN401 - options of a page
    """An open page, and all that it said or asked for beyond itself."""
    page = browser.new_page(**changes)
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", lambda request: heard.append(request.url))
    page.on("dialog", lambda dialog: heard.append(dialog.message))
    page.goto(path.as_uri())
    heard.remove(path.as_uri())
    return page, heard


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_silent_alone_and_accessible(
    browser: Browser, folder: Path, name: str, scheme: str
) -> None:
    """No word on the console, no request, and nothing that axe-core finds, details open."""
    page, heard = opened(browser, folder / f"{name}.html", color_scheme=scheme)
    # The page runs no script of its own; this one is the test's.
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert heard == []
    page.close()


def test_a_narrow_page_is_accessible(browser: Browser, folder: Path) -> None:
    """What scrolls in a narrow window can be reached by keyboard: plots as well as tables."""
    page, _ = opened(
        browser, folder / "partly blocked.html", viewport={"width": 390, "height": 800}
    )
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.close()


def test_no_word_of_a_plot_is_cut(browser: Browser, folder: Path) -> None:
    """Every text of every plot stands within its drawing."""
    for name in PAGES:
        page, _ = opened(browser, folder / f"{name}.html")
        cut = page.evaluate(
            """() => [...document.querySelectorAll('svg.plot')].flatMap(svg => {
              const box = svg.getBoundingClientRect()
              return [...svg.querySelectorAll('text')].filter(text => {
                const one = text.getBoundingClientRect()
                return one.left < box.left - 1 || one.right > box.right + 1
                  || one.top < box.top - 1 || one.bottom > box.bottom + 1
              }).map(text => text.textContent)
            })"""
        )
        assert cut == []
        page.close()


def test_a_cell_leads_to_its_answer_by_keyboard(browser: Browser, folder: Path) -> None:
    """Enter opens the table below the picture; on a cell's link it opens the answer."""
    page, _ = opened(browser, folder / "partly blocked.html")
    page.locator("details:has(.matrix) > summary").focus()
    page.keyboard.press("Enter")
    link = page.locator(".matrix a").first
    target = (link.get_attribute("href") or "").removeprefix("#")
    assert not page.locator(f"#{target} > pre").is_visible()
    link.focus()
    page.keyboard.press("Enter")
    assert page.locator(f"#{target} > pre").is_visible()
    page.close()


def test_a_narrow_window_scrolls_no_further_than_itself(browser: Browser, folder: Path) -> None:
    """Wide tables and plots scroll in their own boxes, also with hostile words."""
    for name in PAGES:
        page, _ = opened(browser, folder / f"{name}.html", viewport={"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.close()


def test_dark_is_dark_and_paper_is_white(browser: Browser, folder: Path) -> None:
    """The background follows the reader's scheme; on paper it is white in either."""
    page, _ = opened(browser, folder / "partly blocked.html", color_scheme="dark")
    ground = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(ground) == "rgb(20, 23, 28)"
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert not page.locator("nav").is_visible()
    page.close()


@pytest.mark.parametrize(
    ("scheme", "media", "shades"),
    [
        ("light", "screen", {"rgb(243, 246, 250)", "rgb(95, 159, 212)"}),
        ("dark", "screen", {"rgb(26, 31, 39)", "rgb(37, 98, 155)"}),
        ("dark", "print", {"rgb(243, 246, 250)", "rgb(95, 159, 212)"}),
    ],
)
def test_shades_and_hatching_follow_the_page(
    browser: Browser,
    folder: Path,
    scheme: Literal["light", "dark"],
    media: Literal["screen", "print"],
    shades: set[str],
) -> None:
    """The tiles of the picture have the colours of the table, in light, dark and on paper."""
    page, _ = opened(browser, folder / "many.html", color_scheme=scheme)
    page.emulate_media(media=media, color_scheme=scheme)
    looks = "all => [...new Set(all.map(one => getComputedStyle(one)[{}]))]"
    tiles = page.locator("svg:has(#matrix-t) rect").evaluate_all(looks.replace("{}", "'fill'"))
    assert shades <= set(tiles)
    lines = page.locator("svg:has(#matrix-t) line").evaluate_all(looks.replace("{}", "'stroke'"))
    (hatch,) = lines
    assert hatch in {"rgb(195, 202, 210)", "rgb(69, 78, 89)", "rgb(176, 176, 176)"}
    page.close()


def test_what_is_drawn_of_a_large_run_is_said_beside_it(browser: Browser, folder: Path) -> None:
    """The picture has its part of the run, the table all of it, and no figure is lost."""
    page, _ = opened(browser, folder / "many.html")
    caption = page.locator("figure:has(#matrix-t) figcaption").inner_text()
    assert "the 40 items of 45 on which arms lie furthest apart" in caption
    assert "the first 12 of 14 arms" in caption
    assert page.locator(".matrix tbody tr").count() == 45
    words = page.locator("svg:has(#matrix-t) text").all_text_contents()
    assert len(words) == 40 * 12 + 40 + 12
    assert set(NAMES[1:]) <= {*words}
    assert 'a<a href="https://examp…' in words
    page.close()


def test_a_column_keeps_its_words(browser: Browser, folder: Path) -> None:
    """No reason and no figure reaches into the next column."""
    page, _ = opened(browser, folder / "many.html")
    wide = page.evaluate(
        """() => {
          const svg = document.querySelector('svg:has(#matrix-t)')
          const tile = svg.querySelector('rect').getBoundingClientRect().width
          return [...svg.querySelectorAll('text.halo')]
            .filter(one => one.getBoundingClientRect().width > tile).map(one => one.textContent)
        }"""
    )
    assert wide == []
    page.close()

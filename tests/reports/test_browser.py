"""The page in a real Chromium: silent, alone, accessible, in light and dark and on paper."""

import dataclasses
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

from judgebench.model import Result
from judgebench.reports import html
from tests.reports import make
from tests.reports.make_exhibits import exhibits
from tests.reports.test_gold import partly_blocked
from tests.reports.test_hostile import RESULTS
from tests.reports.test_html import hostile_page

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
ARGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PAGES = ("partly blocked", "one item", "all blocked", "hostile")


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
    """Enter on a cell's link opens the answer that it belongs to."""
    page, _ = opened(browser, folder / "partly blocked.html")
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

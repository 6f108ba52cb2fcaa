"""The library in a browser, by keyboard: empty, the example, and one's own."""

import re

import pytest

from bearoff.app.library.library import open_library
from bearoff.app.serve.library.example import example_library
from tests.app.library.conftest import reviewed

pytest.importorskip("playwright")
from playwright.sync_api import expect

from tests.app.serve.browser import serving
from tests.app.serve.test_page_looks import PHONE, looked_at

LOW = "LwAAwC0AAAAAAA"


@pytest.fixture
def library(tmp_path, monkeypatch):
    """One's own library, empty."""
    monkeypatch.setenv("BEAROFF_DATA", str(tmp_path))
    return open_library()


@pytest.fixture
def address(tmp_path, library):
    with serving(tmp_path) as where:
        yield where


def rows(page, name):
    return page.get_by_role("table", name=name).locator("tbody tr")


def test_an_empty_library_shows_what_one_gets(open_page):
    page = open_page("charts")
    expect(page.locator("main h1")).to_be_attached()
    for key in ("g", "5"):
        page.keyboard.press(key)
    expect(page.locator(".gets li")).to_have_count(3)
    page.get_by_role("link", name="Open an example").press("Enter")
    example = example_library()
    expect(rows(page, "Matches")).to_have_count(example.matches_kept())
    costly = example.search(most=1)[0]
    page.get_by_role("link", name="Search").press("Enter")
    first = rows(page, "Decisions found").first
    expect(first.locator("td").last).to_have_text(f"{costly.judged.cost:.4f}")
    first.get_by_role("link").press("Enter")
    expect(page.locator("#decision")).to_be_focused()
    expect(page.locator("#decision")).to_contain_text(costly.judged.decided)
    page.keyboard.press("j")
    expect(page.locator(".decision")).to_contain_text("2 of ")
    # By click: the decision takes the focus once it is shown.
    page.get_by_role("link", name="Progress").click()
    whole = example.progress().whole.errors
    expect(page.locator(".result strong")).to_have_text(f"{whole.value:.4f}")
    # Nothing can be written into it.
    page.get_by_role("link", name="Saved positions").press("Enter")
    expect(page.locator(".positions li")).to_have_count(1)
    expect(page.locator("main form, main .small")).to_have_count(0)


def test_ones_own_is_searched_saved_and_noted(open_page, library):
    library.keep(*reviewed("gnubg_match.mat"))
    page = open_page("library")
    expect(page.locator("main")).to_contain_text(str(library.file.path))
    page.get_by_role("link", name="Search").press("Enter")
    page.get_by_label("Player").fill("root")
    page.get_by_label("Kind").select_option("play")
    page.get_by_text("More to search by").press("Enter")
    page.get_by_label("Feature").fill("gaps >= 1, stack>2")
    page.get_by_label("Feature").press("Enter")
    costs = "select count(*) from decisions where player = 'root' and kind = 'play' "
    with library.file.reading() as connection:
        (count,) = connection.execute(costs + "and gaps >= 1 and stack > 2").fetchone()
    expect(page.get_by_text(re.compile(f"^{count} "))).to_be_visible()
    page.get_by_label("Feature").fill("gap>1")
    page.get_by_label("Feature").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("'gap'")
    page.get_by_role("button", name="Clear").press("Enter")
    rows(page, "Decisions found").first.get_by_role("link").press("Enter")
    expect(page.locator("#decision")).to_be_focused()
    page.get_by_label("Note").first.fill("look again")
    page.get_by_label("Tags").first.fill("gap, #club")
    page.get_by_label("Tags").first.press("Enter")
    expect(page.locator(".noted")).to_contain_text("look again #gap #club")
    (saved,) = library.notes.saved()
    assert (saved.text, saved.tags) == ("look again", ("gap", "club"))
    page.get_by_role("link", name="Saved positions").press("Enter")
    page.get_by_role("textbox", name="Position").fill("rubbish")
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("rubbish")
    page.get_by_role("textbox", name="Position").fill(LOW)
    page.get_by_role("button", name="Save", exact=True).press("Enter")
    expect(page.locator(".positions li")).to_have_count(2)
    page.get_by_role("button", name="Delete look again").press("Enter")
    expect(page.locator(".positions li")).to_have_count(1)
    assert [one.about for one in library.notes.saved()] == [""]


def test_nothing_keeps_anyone_out(open_page):
    """Every part, on a phone."""
    page = open_page("library", **PHONE)
    reference = example_library().search(most=1)[0].reference
    parts = ["", "/example", "/example/search", "/example/saved", "/example/progress"]
    for part in (*parts, "/saved", f"/example/{reference}"):
        page.goto(f"{page.url.partition('#')[0]}#/library{part}")
        expect(page.locator("main h2").first).to_be_visible()
        expect(page.locator("main [aria-busy=true]")).to_have_count(0)
        looked_at(page, part)


def test_whose_decisions_one_looks_at_is_kept(open_page, library):
    """Chosen once, for all views, over a reload."""
    library.keep(*reviewed("gnubg_match.mat"))
    page = open_page("library/progress")
    asked = page.get_by_role("combobox", name="Of")
    first, other = (asked.locator("option").nth(n).get_attribute("value") for n in (0, 1))
    expect(asked).to_have_value(first)
    asked.select_option(other)
    expect(page.locator(".result strong")).to_be_visible()
    page.reload()
    expect(asked).to_have_value(other)
    assert other in page.evaluate("localStorage.getItem('bearoff.trainer')")

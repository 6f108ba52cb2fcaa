"""Appearance of the web page on a phone, in the dark colour scheme, and in print."""

import re
from pathlib import Path

import psutil
import pytest

from bearoff.app import serve
from tests.app.conftest import ROOT
from tests.app.serve.browser import expect, go, settled

WEB = Path(serve.__file__).with_name("web")

EXACT = "calculator/-BB--------------------bb-:0:0:1:00:0:0:0:0:10"
"""Address of a race of four checkers a side at home, which is answered exactly."""

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}

RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def accessible(page, what=""):
    """Check that the accessibility checker axe finds no problem in either colour scheme."""
    from axe_playwright_python.sync_playwright import Axe

    page.evaluate(Axe().axe_script)
    # Only the contrast depends on the colour scheme.
    for scheme, rules in (("light", RULES), ("dark", ["color-contrast"])):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        # Only violations are described and returned, without selectors, to save time.
        asked = {"runOnly": rules, "resultTypes": ["violations"], "selectors": False}
        wrong = page.evaluate(
            """async (asked) => (await axe.run(document, asked)).violations
                .map(({ id, nodes }) => [id, nodes.map((one) => one.html)])""",
            asked,
        )
        assert not wrong, (what, scheme)


def looked_at(page, what):
    """Check a view of the web page on a phone."""
    assert page.evaluate("document.documentElement.scrollWidth") == 360, what
    accessible(page, what)


def contrast(one, other):
    """Return the WCAG 2 contrast ratio of two colours, each with three values up to 255."""

    def luminance(colour):
        parts = [part / 255 for part in colour]
        line = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * line[0] + 0.7152 * line[1] + 0.0722 * line[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def shown(page, place):
    """Wait until a view of the web page has loaded completely."""
    expect(page.locator("main h1")).to_be_attached()
    if place.startswith("calculator"):
        expect(page.locator(".verdict .action")).to_be_visible()
    settled(page)
    # Elements are pale while they have the attribute aria-busy, so the test waits.
    expect(page.locator("[aria-busy='true']")).to_have_count(0)


def each_view(page, *places):
    """Open the views of the web page one after another; yield the name of each view."""
    for place in places:
        go(page, place)
        # The new title shows that the previous view has disappeared.
        expect(page).to_have_title(re.compile(place.split("/")[0], re.IGNORECASE))
        shown(page, place)
        yield place


def test_a_phone_shows_all_without_moving_sideways(open_page):
    page = open_page(EXACT, **PHONE)
    # On a phone, the page shows only the home boards, so that each point is wide.
    assert page.locator("[data-point='6'] .reach").bounding_box()["width"] > 32
    expect(page.locator("[data-point='7']")).to_have_count(0)
    small = """() => [...document.querySelectorAll("a, button, select, input, .reach")]
        .filter((e) => e.closest("main") && !e.closest(".note"))
        .map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.height < 24 || box.width < 24))"""
    others = ("play", "trainer", "review", "library", "charts", "settings", "glossary")
    for place in each_view(page, EXACT, *others):
        assert page.evaluate("document.documentElement.scrollWidth") == 360, place
        assert page.evaluate(small) == [], place
    # A long file name is broken into several lines.
    go(page, "review")
    files = [("a.txt", b"LwAAwC0AAAAAAA"), ("b" * 99 + ".txt", b"A letter.")]
    page.get_by_label("Matches or lists of positions").set_input_files(
        [{"name": name, "mimeType": "text/plain", "buffer": text} for name, text in files]
    )
    expect(page.get_by_role("region", name="Problems")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    go(page, EXACT)
    page.get_by_role("button", name="Whole board").tap()
    expect(page.locator("[data-point='7']")).to_have_count(1)


def colour(page, selector, name):
    """Return the computed colour of the first element that matches a selector."""
    script = "(e, name) => getComputedStyle(e)[name]"
    text = page.locator(selector).first.evaluate(script, name)
    return tuple(map(int, re.findall(r"\d+", text)[:3]))


def lightness(page):
    """Return the mean of red, green and blue, 0 to 255, of the page's background."""
    return sum(colour(page, "body", "backgroundColor")) // 3


def test_it_is_dark_by_choice_and_told_to_screen_readers_and_printed(open_page):
    page = open_page(EXACT)
    shown(page, EXACT)
    verdict = page.locator(".verdict .action").inner_text()
    expect(page.get_by_role("status")).to_contain_text(verdict)
    points = page.get_by_role("group", name="Your side").get_by_role("spinbutton")
    expect(points).to_have_count(12)
    expect(points.last).to_have_attribute("aria-valuetext", "2 of yours")
    page.emulate_media(color_scheme="dark")
    assert lightness(page) < 40
    page.get_by_role("button", name="Light or dark").click()
    assert lightness(page) > 230
    page.reload()
    assert lightness(page) > 230
    page.evaluate("localStorage.clear()")
    page.emulate_media(color_scheme="light")
    page.reload()
    assert lightness(page) > 230
    page.keyboard.press("t")
    assert lightness(page) < 40
    page.emulate_media(media="print", color_scheme="dark")
    assert lightness(page) == 255
    expect(page.locator(".controls").first).to_be_hidden()
    expect(page.get_by_role("navigation")).to_be_hidden()
    expect(page.get_by_text("XGID=")).to_be_visible()
    expect(page.locator(".verdict .action")).to_be_visible()


def test_nothing_keeps_anyone_out(open_page):
    page = open_page(EXACT)
    for place in each_view(page, EXACT, "play", "trainer", "review", "charts"):
        accessible(page, place)
        # Labels in the same line have equal top edges.
        tops = page.evaluate(
            """() => [...document.querySelectorAll("main legend, main .label")]
                .filter((one) => !one.closest("details"))
                .map((one) => [one.textContent, one.getBoundingClientRect().top])
                .filter(([, top]) => top)"""
        )
        assert len(tops) > 1, place
        for name, top in tops if place != EXACT else ():
            near = [(other, at) for other, at in tops if 0.5 < abs(top - at) < 12]
            assert not near, (place, name, top)


def test_a_review_on_paper_has_both_columns_and_no_controls(open_page):
    page = open_page("review")
    page.set_viewport_size({"width": 720, "height": 1040})
    page.get_by_label("Judge only races").check()
    page.get_by_role("button", name="Open an example").click()
    page.get_by_role("table", name="Decisions").get_by_role("link").first.click()
    expect(page.locator("#decision")).to_be_visible()
    # New results of the running review could replace the parts while they are measured.
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    page.emulate_media(media="print")
    for hidden in (".upload", ".filters", ".decision .row"):
        expect(page.locator(f"{hidden}:visible")).to_have_count(0)
    parts = page.locator(".decision .board"), page.locator(".decision .ask")
    for part in parts:
        expect(part).to_be_visible()
    board, words = (part.bounding_box() for part in parts)
    assert words["x"] > board["x"] + board["width"]
    assert words["x"] + words["width"] > 700


def seconds():
    """Return the processor time that the browser has used, in seconds."""
    browser = psutil.Process().children(recursive=True)
    return sum(sum(process.cpu_times()[:2]) for process in browser)


@pytest.mark.slow
def test_the_page_takes_little_processor_time_to_load(open_page):
    page = open_page(EXACT)
    shown(page, EXACT)
    taken = []
    for _ in range(3):
        before = seconds()
        page.reload()
        shown(page, EXACT)
        taken.append(seconds() - before)
    # Loading the page takes about half of this limit on a busy machine.
    assert 0 < min(taken) < 1.3, taken


def test_the_glossary_has_the_words_of_the_documentation(open_page):
    page = open_page("glossary/epc")
    there = page.locator(".glossary .there")
    expect(there).to_contain_text("EPC")
    expect(there).to_be_focused()
    names = set(page.locator(".glossary dt").all_text_contents())
    written = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    for word in re.findall(r"\*\*([^*]+)\*\*", written):
        assert any(name.startswith(" ".join(word.split())) for name in names), word
    go(page, "settings")
    expect(page.get_by_role("heading", name="My names")).to_be_visible()
    accessible(page, "settings")


def test_files_know_no_other_host():
    files = [path for path in WEB.iterdir() if path.is_file()]
    kinds = {".html", ".css", ".js", ".svg", ".ts", ".json"}
    assert {path.suffix for path in files} <= kinds
    for path in files:
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".js" and path.name != "theme.js":
            assert "\n// @ts-check\n" in text, path.name
        assert not re.findall(r"https?://(?!www\.w3\.org/)", text), path.name
        for name in re.findall(r'(?:from|src|href)[= (]"(?:\./)?([\w/.-]+\.\w+)"', text):
            assert (WEB / name).is_file(), f"{path.name} names {name}"

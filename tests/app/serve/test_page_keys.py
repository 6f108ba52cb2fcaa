"""The web page with changed keyboard shortcuts, and with the browser's forced colours."""

import re

import pytest

from tests.app.serve.browser import expect, keys
from tests.app.serve.test_page_looks import EXACT, colour, contrast, each_view, shown


def test_single_keys_are_changed_and_switched_off(open_page):
    page = open_page("charts")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog")
    go = dialog.get_by_label("then 1 to 6: open a tab")
    for text, is_free in (("t", False), ("7", False), ("b", True)):
        go.fill(text)
        # Draws the whole page again.
        page.evaluate("dispatchEvent(new HashChangeEvent('hashchange'))")
        page.evaluate("new Promise(requestAnimationFrame)")
        go.press("Tab")
        expect(dialog.get_by_role("alert")).to_have_count(0 if is_free else 1)
        expect(go).to_have_value("b" if is_free else "g")
    page.keyboard.press("Escape")
    keys(page, "g", "2")
    expect(page).to_have_title("Charts – bearoff")
    keys(page, "b", "3")
    expect(page).to_have_title("Trainer – bearoff")
    page.reload()  # the browser keeps the setting
    page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_label("Use single-key shortcuts everywhere").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#asked")).to_be_visible()
    before = page.evaluate("document.documentElement.dataset.theme")
    keys(page, "b", "1", "t", "?", "2")
    expect(page).to_have_title("Trainer – bearoff")
    expect(page.locator(".marked")).to_have_count(0)
    expect(dialog).to_be_hidden()
    assert page.evaluate("document.documentElement.dataset.theme") == before
    page.get_by_role("button", name="Keyboard shortcuts").click()
    dialog.get_by_role("button", name="Reset keys").click()
    page.keyboard.press("Escape")
    keys(page, "g", "1")
    expect(page).to_have_title("Calculator – bearoff")
    # Keys work as soon as the help is closed, even before the page is drawn again.
    page.keyboard.press("?")
    dialog.get_by_label("then 1 to 6: open a tab").focus()
    page.evaluate("""() => {
        document.querySelector("dialog").requestClose();
        for (const key of ["g", "3"]) {
            const pressed = new KeyboardEvent("keydown", { key, bubbles: true });
            document.activeElement.dispatchEvent(pressed);
        }
    }""")
    expect(page).to_have_title("Trainer – bearoff")


def test_forced_colours_show_what_is_chosen(open_page):
    page = open_page(EXACT, forced_colors="active")
    names = ("backgroundColor", "color")
    for place in each_view(page, EXACT, "trainer", "review", "charts"):
        chosen, other = (
            [colour(page, f".segments label{part}", name) for name in names]
            for part in (":has(:checked)", ":not(:has(:checked))")
        )
        assert chosen != other, place
        assert contrast(*chosen) >= 4.5, place
        here, away = (
            colour(page, f".top nav a{part}", "borderBottomColor")
            for part in ("[aria-current]", ":not([aria-current])")
        )
        assert here != away, place


def test_edges_of_bars_and_axes_are_three_to_one(open_page):
    page = open_page(EXACT)
    shown(page, EXACT)
    expect(page.locator(".histograms .theirs").first).to_be_attached()
    assert contrast(3 * [255], 3 * [119]) == pytest.approx(4.48, abs=0.01)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        paper = colour(page, "body", "backgroundColor")
        for selector, name in (
            (".histograms .mine", "fill"),
            *((f".histograms .{part}", "stroke") for part in ("theirs", "base")),
            *((f".errorbar .{part}", "stroke") for part in ("span", "base")),
            *((f".ruler {part}", "stroke") for part in ("svg > rect", ".place")),
        ):
            assert contrast(colour(page, selector, name), paper) >= 3, (scheme, selector)
    expect(page.locator(".histograms text.axis").first).to_have_text(re.compile(r"\d0%"))
    expect(page.locator(".scale text")).to_have_text(["0", "+1"])

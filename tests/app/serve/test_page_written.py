"""Format of numbers on the web page, and positions of the page's labels."""

import math

import pytest

from bearoff.app.serve.settings import Settings
from tests.app.serve.browser import expect, holding


def test_a_slow_chart_is_greyed_and_ticks_plurals_and_minus_signs_are_written(open_page):
    page = open_page("charts")
    expect(page.locator(".chart .frame")).to_be_visible()
    let_go = holding(page, "**/api/v1/chart*")
    page.get_by_role("radio", name="EPC").press("Space")
    expect(page.locator("[aria-busy=true] .chart")).to_be_visible()
    expect(page.locator("[aria-busy=true] select")).to_have_count(0)
    let_go()
    expect(page.locator("[aria-busy=true] .chart")).to_have_count(0)
    ticks = """async (most) => (await import("/ui.js")).ticksTo(most)
        .map(({ value, text }) => [value, text])"""
    for most in (0.001, 0.0015, 0.03, 0.045, 0.0999, 0.36, 0.86, 1, 1.6, 2.4, 7, 10, 23):
        found = page.evaluate(ticks, most)
        texts = [text for _, text in found]
        assert 3 <= len(texts) <= 5, (most, texts)
        assert len(set(texts)) == len(texts)
        assert [float(text) for text in texts] == pytest.approx([at for at, _ in found])
        assert found[-2][0] < most <= found[-1][0] * (1 + 1e-9)
    said = page.evaluate(
        """async () => {
            const { counted } = await import("/ui.js");
            const { typeset } = await import("/formula.js");
            return [counted(1, "match", "matches"), counted(0, "match", "matches"),
                counted(1, "decision"), counted(1234, "decision"),
                typeset("(-30 + 9) / 27 = -1"), typeset("3 x 7 - 2 <= 20"),
                typeset("epc-by-table")];
        }"""
    )
    assert said[:4] == ["1 match", "0 matches", "1 decision", "1,234 decisions"]
    assert said[4:] == ["(−30 + 9) / 27 = −1", "3 × 7 − 2 ≤ 20", "epc-by-table"]


def test_the_focus_stays_in_the_view_when_its_control_goes(open_page):
    page = open_page("calculator/-BB--------------------bb-:0:0:1:21:0:0:0:0:10")
    page.get_by_role("button", name="Before the roll").press("Enter")
    expect(page.locator(".board .die")).to_have_count(0)
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Position")).to_be_focused()
    undo = page.get_by_role("button", name="Undo")
    undo.press("Enter")
    expect(undo).to_be_disabled()
    expect(page.locator("main")).to_be_focused()


def test_what_is_too_large_is_told_by_the_limit_of_files(open_page, tmp_path):
    """Sent binary files grow by a third, and each new line of a text takes two bytes."""
    page = open_page("review")
    limit = Settings().body
    given = page.get_by_label("Matches or lists of positions")
    refused = page.get_by_role("alert")
    for name, letter, size, most in (
        ("a.mat", b"a\n", limit, "2.66"),
        ("a.mat", b"\0", limit * 3 // 4 + 1, "2.99"),
        ("a.xg", b"a", limit * 3 // 4 + 1, "2.99"),
    ):
        path = tmp_path / name
        path.write_bytes((letter * size)[:size])
        given.set_input_files(path)
        for stated in (name, f"{math.ceil(size / 1e4) / 100:.2f} MB", f"{most} MB"):
            expect(refused).to_contain_text(stated)
        page.reload()
    # The page sends a file just below the limit, and the server refuses its content.
    path.write_bytes(2_990_000 * b"a")
    with page.expect_response("**/reviews"):
        given.set_input_files(path)
    expect(refused).to_contain_text("a.xg")

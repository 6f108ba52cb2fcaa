"""How the page writes numbers, and where their names stand."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.serve.settings import Settings

pytest.importorskip("playwright")
from playwright.sync_api import expect

Open = Callable[..., Any]

MOST = [0.001, 0.0015, 0.03, 0.045, 0.0999, 0.36, 0.86, 1, 1.6, 2.4, 7, 10, 23]


def test_an_axis_has_round_ticks_no_two_of_which_are_written_alike(open_page: Open) -> None:
    page = open_page("charts")
    ticks = """async (most) => (await import("/ui.js")).ticksTo(most)
        .map(({ value, text }) => [value, text])"""
    for most in MOST:
        found = page.evaluate(ticks, most)
        texts = [text for _, text in found]
        assert 3 <= len(texts) <= 5, (most, texts)
        assert len(set(texts)) == len(texts)
        assert [float(text) for text in texts] == pytest.approx([at for at, _ in found])
        assert found[-2][0] < most <= found[-1][0] * (1 + 1e-9)


def test_one_is_no_plural_and_a_minus_is_no_hyphen(open_page: Open) -> None:
    page = open_page("charts")
    said = page.evaluate(
        """async () => {
            const { counted } = await import("/ui.js");
            const { typeset } = await import("/formula.js");
            const { sentence } = await import("/match.js");
            const still = { player: 0, kind: "play", dice: [6, 6], text: "" };
            return [counted(1, "match", "matches"), counted(0, "match", "matches"),
                counted(1, "decision"), counted(1234, "decision"),
                typeset("(-30 + 9) / 27 = -1"), typeset("3 x 7 - 2 <= 20"),
                typeset("epc-by-table"), sentence(still, {})];
        }"""
    )
    assert said == [
        "1 match",
        "0 matches",
        "1 decision",
        "1,234 decisions",
        "(−30 + 9) / 27 = −1",
        "3 × 7 − 2 ≤ 20",
        "epc-by-table",
        "You 6-6: no checker can move.",
    ]


@pytest.mark.parametrize("place", ["trainer", "charts", "review", "play"])
def test_controls_of_a_line_have_their_names_on_a_line(open_page: Open, place: str) -> None:
    """Their tops differ by no pixel, or they stand in lines of their own."""
    page = open_page(place)
    expect(page.locator("main select, main textarea").first).to_be_visible()
    tops = page.evaluate(
        """() => [...document.querySelectorAll("main legend, main .label")]
            .filter((one) => !one.closest("details"))
            .map((one) => [one.textContent, one.getBoundingClientRect().top])
            .filter(([, top]) => top)"""
    )
    assert len(tops) > 1
    for name, top in tops:
        near = [(other, at) for other, at in tops if 0.5 < abs(top - at) < 12]
        assert not near, (name, top)


def test_a_phone_shows_a_home_race_of_the_trainer_large(open_page: Open) -> None:
    page = open_page("trainer", viewport={"width": 360, "height": 740}, is_mobile=True)
    wish = json.dumps({"kinds": ["n-rolls"]})
    page.evaluate("(wish) => localStorage.setItem('bearoff.trainer', wish)", wish)
    page.reload()
    expect(page.locator(".question .board.home [data-point='6']")).to_be_attached()
    expect(page.locator("[data-point='7']")).to_have_count(0)


def test_the_focus_stays_in_the_view_when_its_control_goes(open_page: Open) -> None:
    page = open_page("calculator/-BB--------------------bb-:0:0:1:21:0:0:0:0:10")
    page.get_by_role("button", name="Before the roll").press("Enter")
    expect(page.locator(".board .die")).to_have_count(0)
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".board [role=spinbutton]:focus")).to_be_attached()
    undo = page.get_by_role("button", name="Undo")
    undo.press("Enter")
    expect(undo).to_be_disabled()
    expect(page.locator("main")).to_be_focused()


def test_a_chart_that_takes_long_is_said_to(open_page: Open) -> None:
    """What is shown is greyed, its controls are not."""
    page, held = open_page("charts"), []
    expect(page.locator(".chart .frame")).to_be_visible()
    page.route("**/api/v1/chart*", lambda route: held.append(route))
    page.get_by_role("radio", name="EPC").press("Space")
    expect(page.get_by_text("The chart is worked out…")).to_be_visible()
    expect(page.locator("[aria-busy=true] .chart")).to_be_visible()
    expect(page.locator("[aria-busy=true] select")).to_have_count(0)
    held[0].continue_()
    expect(page.get_by_text("The chart is worked out…")).to_have_count(0)


def test_what_is_too_large_is_told_by_the_limit_of_the_program(open_page: Open) -> None:
    """Before it is sent: packed files are a third larger then."""
    page = open_page("review")
    limit = Settings().body
    says = f"a request has at most {limit / 1e6:g} MB"
    given = page.get_by_label("Matches or lists of positions")
    refused = page.get_by_role("alert")
    for name, size in (("a.mat", limit + 1), ("a.xg", limit * 3 // 4 + 1)):
        content = {"name": name, "mimeType": "text/plain", "buffer": size * b"a"}
        given.set_input_files([content])
        expect(refused).to_contain_text(says)
        page.reload()
    found = page.request.post(
        f"{page.url.split('#')[0]}api/v1/review",
        data=(limit + 1) * "a",
        headers={"content-type": "application/json"},
    )
    assert says in found.json()["error"]

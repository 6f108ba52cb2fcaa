"""The web page under stress: fast input, waits, and a server that restarts."""

import re
from random import Random

import pytest

from bearoff import Race
from tests.app.serve.browser import entered, expect, go, keys, routed, serving
from tests.app.serve.test_page import FIVE_TWO, cell

SCORE = "--BBCBC------------cbbcba-:0:0:1:00:2:0:0:5:10"
"""Race of fifteen checkers per side at 3-away 5-away, which takes long to solve."""


def answered(page):
    """Check that the web page shows the answer for the race on the board."""
    verdicts = page.locator(".verdicts")
    expect(verdicts).to_have_attribute("aria-busy", "false")
    expect(page.get_by_role("alert")).to_have_count(0)
    race = Race.parse("XGID=" + page.evaluate("localStorage['bearoff.race']"))
    expect(cell(page, "Pips")).to_have_text(str(race.roller.pips))


def test_a_pause_is_waited_for(open_page):
    page = open_page(FIVE_TWO, alone=True)
    answered(page)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("[data-point='6']").focus()
    # No request is sent between two keys, because the page's clock is stopped.
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    keys(page, *12 * ("1", "2"))
    page.clock.resume()
    answered(page)
    races = [url for url in asked if url.endswith("/race")]
    # Key presses in quick succession share requests: 24 presses cause at most 12 requests.
    assert 1 <= len(races) <= 12


def test_a_busy_server_is_asked_again(open_page):
    page = open_page("charts")
    refusal = {"status": 429, "json": {"error": "too many requests wait"}}
    routed(page, "**/api/v1/race", lambda route: route.fulfill(**refusal), times=3)
    page.get_by_role("link", name="Calculator", exact=True).click()
    answered(page)


def test_the_model_answers_first_and_the_wait_is_shown_and_stopped(open_page):
    page = open_page(FIVE_TWO)
    answered(page)

    def hold_exact(route):
        if not route.request.post_data_json["patience"]:
            route.fallback()

    # Solving the race would take minutes and gigabytes, so its request is not sent.
    routed(page, "**/api/v1/race", hold_exact)
    entered(page.get_by_label("Position"), f"XGID={SCORE}")
    expect(page.locator("[data-point='6']")).to_have_attribute("aria-valuenow", "3")
    source = page.locator(".verdict .source")
    stop = page.get_by_role("button", name="Stop")
    expect(source).to_contain_text("fast model")
    stop.click()
    expect(stop).to_have_count(0)
    expect(source).to_contain_text("fast model")
    page.get_by_role("button", name="Continue").click()
    expect(stop).to_be_visible()


def test_what_is_of_before_says_so(open_page):
    page = open_page(FIVE_TWO)
    expect(page.locator(".verdict .source")).to_contain_text("Exact")
    routed(page, "**/api/v1/race", lambda route: None)  # no answer arrives
    page.get_by_label("Match", exact=True).check()
    expect(page.locator(".verdicts")).not_to_contain_text("Exact")
    expect(page.locator(".verdicts")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".verdicts")).to_contain_text("the previous race's answer")


@pytest.fixture
def page(chromium):
    """Return a browser page that may have errors, because the test stops its server."""
    context = chromium.new_context()
    yield context.new_page()
    context.close()


PLACES = {
    "charts": ".chart",
    "trainer": "#asked",
    "trainer/progress": "main .note",
    FIVE_TWO: ".verdict .action",
}


@pytest.mark.parametrize(
    "place",
    [pytest.param(p, marks=[] if p == FIVE_TWO else pytest.mark.slow) for p in PLACES],
)
def test_each_view_recovers_with_the_server_and_a_review_is_sent_anew(
    page, tmp_path, place
):
    rows = page.get_by_role("table", name="Decisions").locator("tbody tr")
    with serving(tmp_path) as address:
        page.goto(f"{address}/#/review")
        page.get_by_label("Judge only races").check()
        page.get_by_role("button", name="Open an example").click()
        expect(rows).to_have_count(25)
    go(page, place)
    expect(page.get_by_role("alert").first).to_be_visible()
    with serving(tmp_path, port=int(address.rpartition(":")[2])):
        expect(page.locator(PLACES[place]).first).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(0)
        go(page, "review")
        page.reload()
        expect(rows).to_have_count(25)


@pytest.mark.slow
def test_a_thousand_fast_inputs_cause_no_error(page, address):
    page.goto(f"{address}/#/{FIVE_TWO}")
    answered(page)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator("[data-point='6']").focus()
    random, names = Random(1), ["0", "1", "2", "3", "ArrowLeft", "ArrowRight", "ArrowUp"]
    for _ in range(10):
        keys(page, *random.choices(names, k=100))
        page.wait_for_timeout(200)  # some requests are sent during this pause
    page.keyboard.press("2")
    answered(page)
    kept = page.evaluate("localStorage['bearoff.race']")
    expect(page).to_have_url(re.compile(re.escape(kept)))
    # If the page did not wait after each change, every change would cause five requests.
    assert len(asked) < 1000

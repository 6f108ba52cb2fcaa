"""The daily set of questions in a browser, from the first question to the summary."""

import re

import pytest

from bearoff.app.library.library import open_library
from bearoff.app.serve.training.statistics import CLIPPED
from tests.app.serve.browser import at_once, entered, expect, holding, until
from tests.app.serve.test_page_looks import PHONE, looked_at
from tests.app.serve.test_page_trainer import LOW, only, pips_seen


@pytest.fixture
def address(own_address):
    return own_address


def answered(page, off=0, *, first=False):
    """Answer a question about a pip count with an error of `off` pips."""
    box = page.get_by_label("Your answer")
    box.focus() if first else expect(box).to_be_focused()
    entered(box, str(pips_seen(page) + off))
    expect(page.locator(".marked")).to_be_visible()


def asks(response):
    return "/training/question" in response.url


def test_a_day_from_the_first_question_to_the_summary(open_page):
    page = open_page("trainer", **PHONE)
    page.get_by_text("Choice of questions").tap()
    only(page, "Pip count")
    page.get_by_text("Choice of questions").tap()
    for number in range(1, 11):
        answered(page, off=7 * (number in (4, 10)), first=number == 1)
        expect(page.locator(".score")).to_contain_text(f"{number} of 10")
        if number == 2:
            looked_at(page, "a question")
        page.keyboard.press("Enter")
    expect(page.locator(".ended h2")).to_be_focused()
    for number in ("8 of 10", "1 day", f" {CLIPPED:g}."):
        expect(page.locator(".ended")).to_contain_text(number)
    back = page.get_by_role("table", name="Questions that will be repeated")
    expect(back.locator("tbody tr")).to_have_count(2)
    expect(back).to_contain_text("in 1 minute")
    looked_at(page, "the summary")
    page.reload()
    expect(page.locator(".ended h2")).to_be_visible()
    page.get_by_role("button", name="Ten more").press("Enter")
    expect(page.locator(".score")).to_contain_text("0 of 10")
    page.evaluate("location.hash = '#/trainer/progress'")
    expect(page.get_by_role("row", name="Pip count")).to_be_visible()
    looked_at(page, "the progress")


def test_a_drill_by_keyboard_alone_where_what_is_no_answer_is_refused(open_page):
    page = open_page("trainer")
    only(page, "Pip count")
    seen = set()
    for off, wrong in ((0, "-5"), (7, "\u0662\u0665"), (0, "1001")):
        box = page.get_by_label("Your answer")
        box.focus() if not seen else expect(box).to_be_focused()
        entered(box, wrong)
        expect(page.get_by_role("alert")).to_contain_text("1000")
        expect(box).to_have_value(wrong)
        key = page.locator(".board").get_attribute("aria-label")
        assert key not in seen
        seen.add(key)
        pips = pips_seen(page)
        entered(box, str(pips + off))
        expect(page.get_by_role("alert")).to_have_count(0)
        told = page.locator(".marked")
        expect(told).to_contain_text(f"{pips} pips")
        expect(told).to_contain_text("Wrong" if off else "Right")
        expect(page.get_by_role("status").last).to_contain_text(f"{pips} pips")
        expect(page.locator(".steps li").last).to_contain_text(f" {pips}")
        for number in ("7 pips", "1 minute") if off else ():
            expect(page.locator(".solution")).to_contain_text(number)
        expect(page.get_by_role("button", name="Next")).to_be_focused()
        page.keyboard.press("Enter")
        expect(told).to_have_count(0)
    expect(page.locator(".score")).to_contain_text("2 right")
    page.get_by_role("link", name="Your errors").press("Enter")
    row = page.get_by_role("row", name="Pip count")
    expect(row.locator("td").nth(1)).to_have_text("33%")
    with page.expect_download() as download:
        page.get_by_role("link", name="All answers as CSV").press("Enter")
    assert download.value.path().read_text().count(",pips,") == 3


def test_hints_skip_undo_and_mistyped_by_keys(open_page):
    page = open_page("trainer")
    only(page, "Take or pass")
    first = page.locator(".board").get_attribute("aria-label")
    page.keyboard.press("s")
    expect(page.locator(".board")).not_to_have_attribute("aria-label", first)
    expect(page.locator(".score")).to_contain_text("0 of 10")
    for count in (1, 2):
        page.keyboard.press("h")
        expect(page.locator(".hints li")).to_have_count(count)
    expect(page.locator(".hints")).to_contain_text(re.compile(r"\d+ pips"))
    asked = page.locator(".board").get_attribute("aria-label")
    page.keyboard.press("1")
    told = page.locator(".marked")
    expect(page.locator(".solution")).to_contain_text("2 hints.")
    if "Right" in told.inner_text():
        page.keyboard.press("u")
        expect(told).to_have_count(0)
        # The test waits until the score is reset. Otherwise, it could read the score before
        # the undo.
        expect(page.locator(".score")).to_contain_text("0 of 10")
        page.keyboard.press("2")
    expect(told).to_contain_text("Wrong")
    page.keyboard.press("w")
    expect(page.locator(".score")).to_contain_text("1 of 10 · 1 right")
    page.keyboard.press("u")
    expect(told).to_have_count(0)
    expect(page.locator(".score")).to_contain_text("0 of 10")
    assert page.locator(".board").get_attribute("aria-label") == asked


PRESS = """setTimeout(() => {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true }));
    document.body.dataset.pressed = "1";
});"""


def test_keys_undo_and_answer_at_any_moment_and_another_tab_counts_the_same(open_page):
    page = open_page("trainer")
    only(page, "Take or pass")
    asked = page.locator(".board").get_attribute("aria-label")
    let_go = holding(page, "**/training/answers")
    page.keyboard.press("1")
    page.keyboard.press("u")  # undoes the answer while the answer is still being sent
    with page.expect_response("**/training/answers/undo"):
        let_go()
    expect(page.locator(".marked")).to_have_count(0)
    expect(page.locator(".score")).to_contain_text("0 of 10")
    assert page.locator(".board").get_attribute("aria-label") == asked
    page.unroute("**/training/answers")
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator(".score")).to_contain_text("0 of 10")
    page.keyboard.press("1")
    for tab in (page, other):
        expect(tab.locator(".score")).to_contain_text("1 of 10")
    expect(page.locator(".marked")).to_be_visible()
    at_once(page, "body:not(:has(.marked)) .choices", PRESS)
    page.keyboard.press("u")
    expect(page.locator("body[data-pressed]")).to_be_attached()
    expect(page.locator(".marked")).to_be_visible()


def test_a_late_summary_does_not_replace_a_newer_one(open_page):
    page = open_page("trainer")
    only(page, "Take or pass")
    other = page.context.new_page()
    requests = []

    def hold_second(route):
        requests.append((route, route.fetch()))
        if len(requests) != 2:
            route.fulfill(response=requests[-1][1])

    other.route("**/training/summary", hold_second)
    other.goto(page.url)
    until(other, lambda: len(requests) == 2)
    page.keyboard.press("1")
    expect(other.locator(".score")).to_contain_text("1 of 10")
    late, response = requests[1]
    late.fulfill(response=response)
    # The question is requested after this summary.
    expect(other.locator(".question")).to_be_visible()
    assert "1 of 10" in other.locator(".score").inner_text()


def test_two_tabs_count_a_question_once(open_page, address):
    page = open_page("trainer")
    with page.expect_response(lambda one: "kinds=pips" in one.url) as asked:
        only(page, "Pip count")
    question = asked.value.json()
    other = page.context.new_page()
    once = []

    def same(route):
        if once:
            route.continue_()
        else:
            once.append(route)
            route.fulfill(json=question)

    other.route("**/training/question*", same)
    other.goto(f"{address}/#/trainer")
    expect(other.locator("#asked")).to_be_visible()
    answered(page, first=True)
    entered(other.get_by_label("Your answer"), "1")
    expect(other.get_by_role("alert")).to_be_visible()
    expect(other.locator(".marked")).to_have_count(0)
    expect(other.locator(".score")).to_contain_text("1 of 10 · 1 right")


def test_the_clock_is_seen_and_told_once(open_page):
    page = open_page("trainer", alone=True)
    page.clock.install()
    page.get_by_label("Time per question").select_option("20")
    only(page, "Pip count")
    timer = page.get_by_role("timer").first
    expect(timer).to_have_attribute("aria-live", "off")
    said = page.get_by_role("status").last
    for passed in (11_000, 3000):
        page.clock.run_for(passed)
        expect(said).to_contain_text("10 seconds")
    page.clock.run_for(8000)
    expect(page.locator(".marked")).to_be_visible()
    expect(page.locator(".score")).to_contain_text("1 of 10 · 0 right")


def test_numbers_can_be_chosen_and_sets_counted(open_page):
    page = open_page("trainer")
    only(page, "Pip count")
    page.get_by_role("radio", name="chosen").press("Space")
    with page.expect_response(asks):
        page.get_by_role("radio", name="Number", exact=True).press("Space")
    size = page.get_by_label("Questions per set")
    for wrong in ("0", "-3", "ten", "\u0663"):
        size.fill(wrong)
        size.press("Tab")
        expect(size).to_have_value("20")
    with page.expect_response(asks) as asked:
        size.fill("1")
        size.press("Tab")
    expect(page.locator(".score")).to_contain_text("0 of 1")
    choices = page.locator(".choices button")
    offered = asked.value.json()["choices"]
    assert len(offered) == 4
    expect(choices).to_have_text([re.compile(rf"\b{one} pips") for one in offered])
    right = re.compile(rf"\b{pips_seen(page)} pips")
    place = [bool(right.search(text)) for text in choices.all_inner_texts()].index(True)
    page.locator("h2#asked").click()
    page.keyboard.press(str(place + 1))
    expect(page.locator(".marked")).to_contain_text("Right")
    page.get_by_role("button", name="Next").press("Enter")
    expect(page.locator(".ended h2")).to_be_focused()
    page.get_by_role("radio", name="Due only").press("Space")
    expect(page.locator("#asked")).to_have_count(0)


def test_ones_own_positions(open_page):
    page = open_page("trainer")
    page.get_by_role("checkbox", name="Your mistakes").press("Space")
    expect(page.locator(".ended h2")).to_contain_text("bearoff library save")
    open_library().notes.save(LOW, "look")
    page.reload()
    expect(page.locator(".ask .note").first).to_contain_text("n1")
    page.keyboard.press("1")
    expect(page.locator(".steps")).to_contain_text("look")
    expect(page.locator(".marked")).to_contain_text(re.compile("Right|Wrong"))
    expect(page.locator(".solution")).to_contain_text("Exact")

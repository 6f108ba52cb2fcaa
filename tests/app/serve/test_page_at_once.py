"""The web page handles input that arrives before the answer to earlier input is shown."""

from tests.app.serve.browser import (
    at_once,
    entered,
    expect,
    go,
    holding,
    painted,
    routed,
    until,
)
from tests.app.serve.no_chance.test_page import number
from tests.app.serve.play.test_page import STILL, Table
from tests.app.serve.test_page import FIVE_TWO, LONG, held, said, spot
from tests.app.serve.test_page_trainer import only


def test_what_is_typed_before_a_field_is_painted_stays(open_page):
    page = open_page("charts")
    act = "here.value = 'typed'; here.dispatchEvent(new Event('input', { bubbles: true }));"
    for place, field in (
        ("calculator", ".notation input"),
        ("settings", ".noting textarea"),
        ("library/example/progress", ".filters input"),
    ):
        at_once(page, field, act)
        go(page, place)
        expect(page.locator(field).first).to_be_visible()
        painted(page)
        expect(page.locator(field).first).to_have_value("typed")


def test_a_refused_play_typed_before_a_move_is_painted_is_told(open_page):
    table = Table(open_page("play", **STILL))
    page = table.page
    page.get_by_label("Type a play").fill("13/x")
    submit = "document.querySelector('aside form button, aside form').requestSubmit();"
    at_once(page, ".board .dice .used", submit)
    table.click(13)
    expect(page.get_by_role("alert")).to_contain_text("13/x")
    painted(page)
    expect(page.get_by_role("alert")).to_contain_text("13/x")


def test_a_control_used_before_a_decision_is_painted_keeps_the_focus(open_page):
    page = open_page("library/example/search")
    at_once(page, ".decision .taking button", "here.focus();")
    page.locator("[aria-labelledby=search] tbody a").first.click()
    expect(page.locator("#decision")).to_be_visible()
    painted(page)
    expect(page.get_by_role("button", name="Copy XGID")).to_be_focused()


def test_a_number_is_named_once_however_often_it_is_pressed(open_page):
    page, asked = open_page("play", **STILL), []
    page.on("request", lambda one: one.url.endswith("/actions") and asked.append(one))
    page.get_by_role("button", name="Begin without dice").click()
    let_go = holding(page, "**/actions")
    number(page, 6).click()
    for other in (5, 3):
        expect(number(page, other)).to_be_disabled()
        page.keyboard.press(str(other))
    let_go()
    expect(page.get_by_role("button", name="Name 6, yours")).to_be_attached()
    expect(number(page, 3)).to_be_enabled()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert len(asked) == 1


def test_a_state_of_before_that_comes_late_is_not_shown(open_page):
    table = Table(open_page("play", **STILL))
    page, kept = table.page, []
    place = f"**/play/matches/{table.match['key']}"
    routed(page, place, lambda route: kept.append((route, route.fetch())), times=1)
    page.evaluate("dispatchEvent(new Event('focus'))")
    until(page, lambda: kept)
    table.type(f"13/{13 - table.high} 13/{13 - table.low}")
    table.press("Play")
    roll = page.get_by_role("button", name="Roll", exact=True)
    expect(roll).to_be_enabled()
    ((route, response),) = kept
    with page.expect_response(lambda one: one.url == route.request.url):
        route.fulfill(response=response)
    painted(page)
    expect(roll).to_be_enabled()


def test_a_question_on_its_way_comes_whatever_another_tab_answers(open_page):
    page = open_page("trainer")
    only(page, "Take or pass")
    board = page.locator(".question .board")
    first = board.get_attribute("aria-label")
    let_go = holding(page, "**/training/question*")
    with page.expect_request("**/training/question*"):
        page.keyboard.press("s")
    with page.expect_response("**/training/summary*"):
        page.evaluate("new BroadcastChannel('bearoff').postMessage('training')")
    let_go()
    expect(board).not_to_have_attribute("aria-label", first)
    # After a change of settings, the old question is marked as busy until the new question
    # arrives.
    page.unroute("**/training/question*")
    let_go = holding(page, "**/training/question*")
    page.get_by_role("checkbox", name="Pip count", exact=True).press("Space")
    question = page.locator(".question")
    expect(question).to_have_attribute("aria-busy", "true")
    let_go()
    expect(question).to_have_attribute("aria-busy", "false")


def test_positions_that_are_read_late_change_nothing_set_since(open_page):
    page, routes = open_page(FIVE_TWO), []
    routed(page, "**/api/v1/position", lambda route: routes.append(route))
    said(page, "Double, take")
    field = page.get_by_label("Position")
    for count in (1, 2):
        entered(field, f"{count} of two")
        until(page, lambda count=count: len(routes) == count)
    here = FIVE_TWO.split("/")[1].replace("--A", "--B")
    for route, xgid in zip(routes, (LONG.split("/")[1], here), strict=True):
        with page.expect_response("**/api/v1/position"):
            route.fulfill(json={"xgid": f"XGID={xgid}"})
        painted(page)
    assert held(page).roller.counts[1] == 2
    # The race of the first text was never shown.
    assert page.evaluate("history.length") == 3
    entered(field, LONG.split("/")[1])
    until(page, lambda: len(routes) == 3)
    page.mouse.click(*spot(page, 3))
    now = held(page)
    with page.expect_response("**/api/v1/position"):
        routes[2].continue_()
    painted(page)
    assert held(page) == now

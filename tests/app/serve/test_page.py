"""Input and answers of the calculator on the web page, tested in a browser."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import chain

from bearoff import Position, Race, Score
from bearoff.analysis.review import Estimates, answer_contact, read_contact
from bearoff.game.records import race_decisions, read_match
from tests.app.conftest import DATA
from tests.app.serve.browser import at_once, entered, expect, go, keys

FIVE_TWO = "calculator/--A--A------------------a-:0:0:1:00:0:0:0:0:10"
"""Race in which the roller wins with 19 of the 36 rolls."""

LONG = "calculator/------BCCCBB-----bbcccb---:0:0:1:00:0:0:0:0:10"
"""Race of fourteen checkers a side, some of them outside the home board."""


def spot(page, point, height=1):
    """Return the pixel position of a checker, from its point and height in the stack."""
    box = page.locator(f"[data-point='{point}'] .reach").bounding_box()
    depth = (height - 0.5) * 0.9 * box["width"]
    y = box["y"] + box["height"] - depth if point <= 12 else box["y"] + depth
    return box["x"] + box["width"] / 2, y


def held(page):
    """Return the race that is encoded in the web page's address."""
    expect(page).to_have_url(re.compile("calculator/-"))
    return Race.parse("XGID=" + page.evaluate("location.hash.split('/')[2]"))


def said(page, text):
    expect(page.locator(".verdict .action")).to_contain_text(text)


def cell(page, row, column=0):
    """Return a cell of a table on the web page, from the row with this heading."""
    heads = page.get_by_role("rowheader", name=row, exact=True)
    return heads.locator("xpath=..").locator("td").nth(column)


def test_a_race_is_set_up_by_clicks_of_which_each_sets_as_many_as_it_is_high(open_page):
    page = open_page()
    page.get_by_role("button", name="Clear").click()
    for point in (5, 2, 24):
        page.mouse.click(*spot(page, point))
    said(page, "Double, take")
    wins = Fraction(19, 36)
    expect(cell(page, "Wins")).to_have_text(f"{float(wins):.2%}")
    expect(cell(page, "double")).to_have_text(f"{2 * float(2 * wins - 1):+.4f}")
    expect(cell(page, "Pips")).to_have_text("7")
    expect(cell(page, "Pips", 1)).to_have_text("1")
    assert held(page) == Race.parse(f"XGID={FIVE_TWO.split('/')[1]}")
    # A click on the topmost checker removes this checker.
    for height, count in ((4, 4), (4, 3), (1, 1)):
        page.mouse.click(*spot(page, 3, height))
        assert held(page).roller.counts[:6] == (0, 1, count, 0, 1, 0)
    # The right button places the opponent's checkers.
    for count in (1, 0):
        page.mouse.click(*spot(page, 9, 1), button="right")
        counts = held(page).opponent.counts
        assert (sum(counts[15:16]), sum(counts)) == (count, count + 1)


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(end[0], end[1] + 3, steps=3)
    page.mouse.move(*end)
    page.mouse.up()


def test_everything_is_done_by_keyboard(open_page):
    page = open_page(FIVE_TWO)
    said(page, "Double, take")
    point = page.locator("[data-point='6']")
    while not point.evaluate("e => e === document.activeElement"):
        page.keyboard.press("Tab")
    keys(page, "ArrowRight", "ArrowDown")  # the 5 point is now empty
    keys(page, "ArrowRight", "+", "+", "-")
    assert held(page).roller.counts[:6] == (0, 1, 0, 1, 0, 0)
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", "Your 4 point")
    expect(focused).to_have_attribute("aria-valuetext", "1 of yours")
    keys(page, "ArrowRight", "x", "3")
    expect(page.locator(".verdict .estimate")).to_be_visible()  # the position has contact
    page.keyboard.press("Delete")
    expect(cell(page, "Wins")).to_have_text(f"{23 / 36:.2%}")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    keys(page, "Escape", "g", "6")
    expect(page).to_have_title("Charts – bearoff")


def test_dice_cube_and_counts_are_set_and_changes_taken_back_and_made_again(open_page):
    page = open_page(FIVE_TWO)
    sixes = page.locator("[data-point='6']")
    sixes.focus()
    keys(page, "2", "4", "3")
    for key, number in (
        *(("Control+z", number) for number in "4200"),
        *(("Control+y", "2"), ("Control+Shift+Z", "4"), ("Control+y", "3")),
    ):
        page.keyboard.press(key)
        expect(sixes).to_have_attribute("aria-valuenow", number)
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    page.get_by_role("button", name="Undo").click()
    expect(sixes).to_have_attribute("aria-valuenow", "4")
    assert held(page).roller.counts[5] == 4
    # In the field, Ctrl-Z undoes typing, not changes of the board.
    page.get_by_label("Position").press("End")
    keys(page, "x", "Control+z")
    expect(sixes).to_have_attribute("aria-valuenow", "4")

    dice = page.get_by_role("group", name="Dice")
    expect(dice.locator("button.roll")).to_have_count(21)
    roll = dice.get_by_role("button", name="6-1")
    expect(roll).to_have_attribute("aria-pressed", "false")
    roll.click()
    expect(page.locator(".board .die")).to_have_count(2)
    expect(roll).to_have_attribute("aria-pressed", "true")
    assert held(page).dice == (6, 1)
    roll.click()
    expect(page.locator(".board .die")).to_have_count(0)
    cube = page.get_by_role("button", name=re.compile("^Cube at"))
    for where, value in (("owned", 2), ("opponent", 2), ("centred", 1)):
        cube.click()
        expect(page.locator("[name=cube]:checked")).to_have_count(1)
        assert (held(page).cube, held(page).cube_value) == (where, value)
    cube.press("Enter")
    assert held(page).cube == "owned"
    sixes.focus()
    for key, now in (("1", "1"), ("2", "12"), ("9", "9"), ("5", "5")):
        page.keyboard.press(key)
        expect(sixes).to_have_attribute("aria-valuenow", now)


def test_the_answer_and_a_refusal_at_its_field_are_seen_without_scrolling(open_page):
    page = open_page(LONG)
    said(page, "ouble")
    expect(page.locator(".verdict .source")).to_contain_text("fast model")
    expect(cell(page, "pass", 2)).to_have_text("")  # the equity of a pass has no error
    expect(cell(page, "take", 2)).not_to_have_text("")
    for width, height in ((360, 740), (900, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        said(page, "ouble")
        box = page.locator(".verdict .action").bounding_box()
        board = page.locator(".board").bounding_box()
        assert box["y"] + box["height"] <= height, width
        if width < 800:
            assert 0 <= box["y"] - (board["y"] + board["height"]) < 80
        else:
            assert box["x"] > board["x"] + board["width"], width
        field = page.get_by_label("Position")
        entered(field, "foo")
        refused = page.locator(".notation").get_by_role("alert")
        expect(refused).to_contain_text("foo")
        box, above = refused.bounding_box(), field.bounding_box()
        assert above["y"] >= 0, width
        assert box["y"] + box["height"] <= height, width
        assert box["y"] - (above["y"] + above["height"]) < 12, width
        field.fill("")
        expect(refused).to_have_count(0)
        field.press("Enter")
        expect(refused).to_have_count(0)


def test_checkers_are_dragged_and_refused_actions_are_announced(open_page):
    page = open_page(FIVE_TWO)
    said(page, "Double, take")
    told, live = page.locator(".told"), page.get_by_role("status")
    page.mouse.move(*spot(page, 5))
    page.mouse.down()
    page.mouse.move(*spot(page, 9), steps=4)
    expect(live).to_contain_text("5 point")
    # The drag is refused: two sides cannot share a point.
    page.mouse.move(*spot(page, 24), steps=4)
    page.mouse.up()
    expect(told).to_contain_text("1 of the opponent's")
    assert held(page).roller.counts[:6] == (0, 1, 0, 0, 1, 0)
    drag(page, spot(page, 5), spot(page, 4))
    expect(told).to_contain_text("4 point")
    assert held(page).roller.counts[:6] == (0, 1, 0, 1, 0, 0)
    low = page.locator(".board .well").nth(1).bounding_box()
    tray = (low["x"] + low["width"] / 2, low["y"] + low["height"] - 12)
    drag(page, spot(page, 4), tray)
    assert held(page).roller.counts[:6] == (0, 1, 0, 0, 0, 0)
    drag(page, tray, spot(page, 8))
    assert held(page).roller.counts[:8] == (0, 1, 0, 0, 0, 0, 0, 1)
    expect(page.locator(".board .off text").nth(1)).to_have_text("13 off")
    page.locator("[data-point='3']").focus()
    keys(page, "9", "ArrowRight", "9")
    expect(told).to_contain_text("15 checkers")


def test_contact_is_estimated_as_the_search_does_and_checkers_put_on_the_bar(open_page):
    page = open_page(FIVE_TWO)
    said(page, "Double, take")
    field = page.get_by_label("Position")
    entered(field, "XGID=-a-aBBC-BA-B-b---bbbb--b-A:1:1:1:64:2:4:0:7:10")
    expect(page.locator(".verdict .estimate")).to_be_visible()
    known = answer_contact(read_contact({"position": field.input_value()}), Estimates())
    best, second = known.play.alternatives[:2]
    said(page, best.name.capitalize())
    expect(page.locator(".onbar.roller")).to_have_count(1)
    row = page.get_by_role("row", name=second.name)
    expect(row).to_contain_text(f"{second.cost:.3f}")
    redouble = page.locator("#before ~ .table")
    for each in known.cube_decision.alternatives:
        expect(redouble.get_by_role("row", name=each.name, exact=False)).to_be_visible()
    # The parts of the page that concern only races are hidden.
    expect(page.locator("#rolls, #distribution, .ruler")).to_have_count(0)
    page.get_by_role("button", name="No dice").click()
    best = known.cube_decision.best.capitalize()
    expect(page.locator(".verdict .action")).to_have_text(best)

    entered(field, "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    expect(page.locator("[data-point='24']")).to_have_attribute("aria-valuenow", "2")
    drag(page, spot(page, 24), spot(page, 25))
    expect(field).to_have_value("XGID=-b----E-C---eE---c-e----AA:0:0:1:00:0:0:0:0:10")
    mine = page.locator("[data-point='25']")
    expect(mine).to_have_attribute("aria-valuetext", "1 of yours")
    mine.press("0")
    page.locator("[data-point='26']").press("x")  # each bar accepts checkers of one side
    page.keyboard.press("ArrowUp")
    expect(field).to_have_value("XGID=-b----E-C---eE---c-e----A-:0:0:1:00:0:0:0:0:10")


def test_links_are_shared_and_the_back_button_takes_back(open_page):
    page = open_page(FIVE_TWO)
    said(page, "Double, take")
    page.wait_for_timeout(1100)  # changes in quicker succession are one step of the history
    page.mouse.click(*spot(page, 5))
    said(page, "Double, pass")
    page.go_back()
    said(page, "Double, take")
    assert held(page).roller.counts[4] == 1
    page.get_by_role("link", name="Charts").click()
    page.get_by_role("link", name="Calculator", exact=True).click()
    assert held(page).roller.counts[4] == 1
    page.goto(page.url.split("#")[0] + "#/calculator/AgAAACAAAAAAAA")
    expect(cell(page, "Pips")).not_to_have_text("7")


def test_notations_are_pasted_anywhere_and_a_refusal_goes_with_its_race(open_page):
    page = open_page(FIVE_TWO)
    field = page.get_by_label("Position")
    for text in (page.url, FIVE_TWO.split("/")[1], "0,1,0,0,1,0 1,0,0,0,0,0"):
        page.get_by_role("button", name="Clear").click()
        expect(page.locator(".verdict")).to_have_count(0)
        entered(field, text)
        said(page, "Double, take")
    page.get_by_role("button", name="Clear").click()
    paste = """text => {
        const data = new DataTransfer();
        data.setData("text", text);
        const options = { clipboardData: data, bubbles: true };
        document.body.dispatchEvent(new ClipboardEvent("paste", options));
    }"""
    race = Race(Position((0, 1, 0, 0, 1, 0)), Position((1, 0, 0, 0, 0, 0)))
    page.evaluate(paste, f"\n Position ID: {race.position_id}\n")
    said(page, "Double, take")
    page.evaluate(paste, "no such thing")
    refused = page.locator(".notation").get_by_role("alert")
    expect(refused).to_contain_text("no such thing")
    said(page, "Double, take")

    for change in (
        lambda: page.mouse.click(*spot(page, 3)),
        page.get_by_role("button", name="Undo").click,
        lambda: go(page, LONG),
    ):
        entered(field, "foo")
        expect(refused).to_contain_text("foo")
        change()
        expect(refused).to_have_count(0)
    expect(field).to_have_value(re.compile("BCCCBB"))
    for wrong in ("foo", "%"):  # % alone is no valid URL encoding
        go(page, f"calculator/{wrong}")
        expect(refused).to_contain_text(wrong)
        go(page, LONG)
        expect(refused).to_have_count(0)
    go(page, "nowhere/else")
    expect(page.get_by_role("alert")).to_contain_text("nowhere")
    page.get_by_role("link", name="Charts").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_address_opened_while_the_page_loads_replaces_the_last_race(open_page):
    page = open_page("settings")
    at_once(page, ".printed", f"location.hash = '#/{LONG}';")
    page.get_by_role("link", name="Calculator").click()
    expect(page.locator(".printed")).to_contain_text("BCCCBB")


def test_score_and_cube_are_chosen_and_addresses_are_the_xgid_of_the_program(open_page):
    page = open_page(FIVE_TWO)
    page.get_by_role("radio", name="Match").check()
    page.get_by_label("You need").select_option("1")
    page.get_by_label("Opponent needs").select_option("3")
    expect(page.get_by_label("Crawford game")).not_to_be_checked()
    assert held(page).score == Score((1, 3), "post-crawford", 3)
    said(page, "No double")  # A player who needs one point gains nothing by doubling.
    page.get_by_label("Crawford game").check()
    said(page, "No cube decision")
    assert held(page).score == Score((1, 3), "crawford", 3)
    page.get_by_role("radio", name="Money").check()
    page.get_by_role("radio", name="Yours").check()
    said(page, "Redouble, take")
    page.get_by_label("Cube value").select_option("8")
    expect(page.locator(".verdict .source")).to_contain_text("8 points")
    assert (held(page).cube, held(page).cube_value) == ("owned", 8)
    page.get_by_role("radio", name="Opponent's").check()
    said(page, "No cube decision")
    page.get_by_role("button", name="Swap sides").click()
    assert held(page).cube == "owned"
    assert held(page).roller.counts[0] == 1
    # The page keeps the score 3-2 in a match to 7, which equals 1-0 in a match to 5.
    go(page, f"{FIVE_TWO.removesuffix(':0:0:0:0:10')}:3:2:0:7:10")
    expect(page.get_by_label("You need")).to_have_value("4")
    page.mouse.click(*spot(page, 3))
    expect(page).to_have_url(re.compile(":3:2:0:7:10$"))
    page.get_by_label("You need").select_option("3")
    expect(page).to_have_url(re.compile(":4:2:0:7:10$"))

    matches = ("gnubg_match.mat", "gnubg_session.mat")
    made = chain(*(race_decisions(read_match(DATA / name))[0] for name in matches))
    races = [one.race.on_points(24) for one in made]
    money = [race for race in races if race.score is None]
    races += [replace(race, jacoby=True) for race in money]
    races += [replace(race, cube="owned", cube_value=16) for race in money]
    for away, game in (((5, 11), "normal"), ((1, 4), "crawford"), ((9, 9), "normal")):
        score, cube = Score(away, game), {"cube": "centred", "cube_value": 1}
        races += [replace(race, score=score, **cube) for race in money]
    script = """async (texts) => {
        const race = await import("/race.js");
        return texts.map((text) => {
            const read = race.fromXgid(text);
            return { ...read, text: race.toXgid(read) };
        });
    }"""
    read = page.evaluate(script, [race.xgid for race in races])
    for race, found in zip(races, read, strict=True):
        again = Race.parse(f"XGID={found['text']}", points=24)
        assert replace(again, score=race.score) == race
        assert tuple(found["roller"][:24]) == race.roller.counts
        assert tuple(found["opponent"][:24]) == race.opponent.counts
        assert found["cube"] == race.cube
        assert found["away"] == (race.score and list(race.score.away))
        assert (again.score and again.score.game) == (race.score and race.score.game)

"""The page after the end of a game: analysis, mistakes of both players, and export."""

import re

from tests.app.serve.browser import expect, resized, routed
from tests.app.serve.play.test_page import STILL, begun

XGID = "-BB--------------------bb-:0:0:1:21:0:0:0:0:10"
JUDGED = {"kind": "play", "xgid": f"XGID={XGID}", "method": "exact", "digits": 4}
JUDGED |= {"decided": "2/off 1/off", "cost": 0.1, "error": 0.0, "best": "2/off(2)"}
JUDGED |= {"reason": "", "seen": True, "mistake": True}
MISTAKE = {"place": 0, "turn_number": 12, "player": 0, "kind": "play", "dice": [2, 1]}
MISTAKE |= {"board": [0] * 26, "pips": [6, 4], "cube_value": 8, "cube_owner": 1}
MISTAKE |= {"xgid": f"XGID={XGID}", "chance": 0.5, "luck": 0.0, "text": "2/off 1/off"}
MISTAKE |= {"decision": JUDGED}


def played(text, error=0.0, **more):
    """Return an example of a mistake with this play and this error."""
    judged = JUDGED | {"decided": text, "error": error, "mistake": error < JUDGED["cost"]}
    return MISTAKE | {"text": text, "decision": judged} | more


TOTAL = {"decisions": 4, "mistakes": 1, "open": 1, "lost": 0.3}
TOTAL |= {"counted": 2, "lost_counted": 0.1, "luck": 0.0, "rating": 25.0}


def give_up(page):
    """Resign a backgammon on the web page, and wait for the analysis of the game."""
    page.locator("details.settings").last.evaluate("all => { all.open = true; }")
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Give up a backgammon").click()
    expect(page.get_by_role("region", name="The game")).to_be_visible()


def found(*moments, number=1, games=(1,)):
    """Return an example of a game's analysis, as the server sends it."""
    summed = {name: len(games) * value for name, value in TOTAL.items()}
    summed["rating"] = TOTAL["rating"]  # the rating is a mean over games, not a sum
    match = {"games": games, "totals": [summed, summed]}
    return {"number": number, "moments": moments, "totals": [TOTAL, TOTAL], "match": match}


def test_a_mistake_is_one_click_from_where_it_is_learned(open_page):
    page, asked = open_page("play", **STILL), []
    match = begun(page, length=1)
    close = played("2/1", 0.2, place=1)
    routed(page, "**/analysis*", lambda route: route.fulfill(json=found(MISTAKE, close)))

    def taken(route):
        asked.append(route.request.post_data_json)
        route.fulfill(json={"question": "n1"})

    routed(page, "**/trainer", taken)
    give_up(page)
    row = page.get_by_role("row", name="2-1: 2/off 1/off")
    expect(row).not_to_contain_text("open")
    expect(row).to_contain_text(re.compile(r"12.* 6, .* 4"))
    expect(page.get_by_role("row", name="2-1: 2/1")).to_contain_text("open 0.1000")
    cards = f"/api/v1/play/matches/{match['key']}/mistakes.apkg?game=1"
    for part, name, address in (
        (row, "Calculator", f"#/calculator/{XGID}"),
        (row, "Flashcard", f"{cards}&place=0"),
        (page, "Flashcards of", cards),
    ):
        link = part.get_by_role("link", name=name)
        expect(link).to_have_attribute("href", address)
    expect(page.get_by_role("region", name="The game")).to_contain_text("0 hints")
    row.scroll_into_view_if_needed()
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    expect(page.locator(".board")).not_to_be_in_viewport(ratio=0.5)
    row.get_by_role("button", name="2-1").click()
    # The board shows the cube value when the mistake was made.
    expect(page.locator(".board .cube")).to_contain_text("8")
    expect(page.locator(".board")).to_be_in_viewport(ratio=0.5)
    row.get_by_role("button", name="Trainer").click()
    expect(page.get_by_role("checkbox", name="Your mistakes")).to_be_checked()
    assert asked == [{"game": 1, "place": 0}]


def test_mistakes_of_the_opponent_and_matches_of_who_declines_are_not_kept(open_page):
    page = open_page("play", **STILL)
    begun(page, length=1)
    theirs = played("2/1", place=1, player=1)
    routed(page, "**/analysis*", lambda route: route.fulfill(json=found(MISTAKE, theirs)))
    give_up(page)
    expect(page.get_by_role("table", name="Your mistakes")).to_contain_text("2/off 1/off")
    page.locator("label", has_text="The opponent's").click()
    table = page.get_by_role("table", name="Mistakes of Weights by hand")
    expect(table).to_contain_text("2-1: 2/1")
    expect(table).to_contain_text(re.compile(r"12.* 4, .* 6"))
    expect(table).not_to_contain_text("2/off 1/off")
    expect(table.get_by_role("link", name="Calculator")).to_be_visible()
    after = page.get_by_role("region", name="The game")
    for name in ("Trainer", "Flashcard"):
        expect(after.get_by_text(name)).to_have_count(0)
    page.evaluate("localStorage.setItem('bearoff.unkept', '1')")
    with page.expect_request("**/reviews") as sent:
        page.get_by_role("button", name="Review the match").click()
    assert sent.value.post_data_json["keep"] is False
    expect(page.get_by_role("checkbox", name="Keep in the library")).not_to_be_checked()


def test_each_game_can_be_chosen_and_the_match_is_summed(open_page):
    page, asked = open_page("play", **STILL), []
    match = begun(page, length=5)

    def analysed(route):
        game = int(route.request.url.rpartition("game=")[2])
        asked.append(game)
        moment = played(f"{game}/off")
        route.fulfill(json=found(moment, number=game, games=tuple(sorted(set(asked)))))

    routed(page, "**/analysis*", analysed)
    give_up(page)
    expect(page.get_by_role("row", name="2-1: 1/off")).to_be_visible()
    page.get_by_role("button", name="Next game").click()
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    give_up(page)
    expect(page.get_by_role("row", name="2-1: 2/off")).to_be_visible()
    sums = page.get_by_role("table", name="Skill and luck")
    # The rating is 500 times the mean cost of a counted decision.
    for row, made, wrong, lost in ((1, "4", "^1", "0.300"), (3, "8", "^2", "0.600")):
        texts = [made, re.compile(wrong), lost, "25.0", "+0.000"]
        expect(sums.get_by_role("row").nth(row).locator("td")).to_have_text(texts)
    chosen = page.get_by_role("region", name="The games").get_by_role("combobox")
    scores = [re.compile(" 1, .*0–0.* 3 "), re.compile(" 2, .*0–3.* 3 ")]
    expect(chosen.locator("option")).to_have_text(scores)
    resized(page, 360, 780)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    resized(page, 1280, 900)
    chosen.select_option("1")
    row = page.get_by_role("row", name="2-1: 1/off")
    cards = f"/api/v1/play/matches/{match['key']}/mistakes.apkg?game=1&place=0"
    expect(row.get_by_role("link", name="Flashcard")).to_have_attribute("href", cards)
    asked.clear()
    page.reload()  # analyses before a restart are not kept
    expect(page.get_by_role("row", name="2-1: 2/off")).to_be_visible()
    expect(sums).to_contain_text("1 of 2")
    page.get_by_role("button", name="Analyse all games").click()
    expect(sums).not_to_contain_text("1 of 2")
    expect(page.get_by_role("row", name="2-1: 2/off")).to_be_visible()
    assert asked == [2, 1]

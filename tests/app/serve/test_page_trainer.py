"""The trainer and the review of matches in a browser, used mostly by keyboard."""

import re
from collections import Counter

import pytest

from bearoff import Race
from bearoff.analysis import formulas
from bearoff.analysis.review import review
from bearoff.answers import Judge
from bearoff.game.records import read_match
from research.public_matches import contents
from tests.app.conftest import SESSION
from tests.app.serve.asking import LOW
from tests.app.serve.browser import expect, resized, routed
from tests.app.serve.test_page_looks import PHONE, accessible, looked_at


def drawn(page, title):
    """Check that the web page shows a question of this kind and is not loading another."""
    expect(page.locator(".question")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".ask .note").first).to_contain_text(title)


def only(page, title):
    """Choose a single kind of question by keyboard, and check that one is asked."""
    box = page.get_by_role("checkbox", name=title, exact=True)
    box.press("Space")
    expect(box).to_be_checked()
    drawn(page, title)


def pips_seen(page):
    """Return your pip count from the accessible description of the board."""
    words = page.locator(".board").get_attribute("aria-label")
    yours = words.split("Opponent")[0]
    return sum(int(n) * int(p) for n, p in re.findall(r"(\d+) on the (\d+) point", yours))


def test_a_choice_is_a_key_and_a_take_is_seen_from_ones_own_side(open_page):
    page = open_page("trainer")
    only(page, "Double or not")
    page.get_by_role("checkbox", name="Take or pass").press("Space")
    double = page.get_by_role("checkbox", name="Double or not")
    double.press("Space")
    drawn(page, "Take or pass")
    expect(double).to_be_focused()
    expect(double).not_to_be_checked()
    page.keyboard.press("2")
    expect(page.locator(".marked")).to_contain_text(re.compile("Right|Wrong"))
    words = page.locator(".board").get_attribute("aria-label")
    expect(page.locator(".solution caption")).to_contain_text("take")
    link = page.get_by_role("link", name="Open in the calculator").get_attribute("href")
    race = Race.parse(link.split("/")[-1])
    # The board shows the doubled player at the bottom, although this player is not on roll.
    for point, count in enumerate(race.opponent.counts, start=1):
        if count:
            assert f"{count} on the {point} point" in words.split("Opponent")[0]


def uploaded(page, path):
    """Have the web page review the races of a match by the fast model."""
    page.get_by_role("radio", name="Fast model").press("Space")
    page.get_by_label("Judge only races").press("Space")
    page.get_by_label("Matches or lists of positions").set_input_files(path)


def test_a_match_is_uploaded_and_a_decision_opened(open_page):
    page = open_page("review")
    uploaded(page, SESSION)
    own = review(read_match(SESSION), Judge(), formulas.get("ladder"))
    rows = page.get_by_role("table", name="Decisions")
    expect(rows.locator("tbody tr")).to_have_count(len(own.judged))
    # The order of decisions in the table can change while some are still being judged.
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    players = page.get_by_role("table", name="Totals")
    for player, count in Counter(one.player for one in own.judged).items():
        row = players.get_by_role("row", name=re.compile(f"^{player}"))
        expect(row.locator("td").first).to_have_text(str(count))
    rows.get_by_role("link").first.press("Enter")
    expect(page.get_by_role("heading", level=2).first).to_be_focused()
    expect(page.locator(".decision .board")).to_be_visible()
    link = page.get_by_role("link", name="Open in the calculator").get_attribute("href")
    assert link.split("/")[-1] in {one.race.xgid for one in own.judged}
    first = page.url
    page.keyboard.press("j")
    expect(page).not_to_have_url(first)
    expect(page.locator(".decision")).to_contain_text(f"2 of {len(own.judged)}")
    page.get_by_role("button", name="Previous").click()
    expect(page).to_have_url(first)
    made = page.locator(".decision tr", has=page.locator(".made"))
    expect(made.locator("td").last).to_have_text(re.compile("best|0[.]"))
    # The review is kept when the page is reloaded or another view is visited.
    page.reload()
    expect(rows.locator("tbody tr")).to_have_count(len(own.judged))
    page.get_by_role("link", name="Charts").click()
    page.get_by_role("link", name="Review", exact=True).click()
    expect(rows.locator("tbody tr")).to_have_count(len(own.judged))
    expect(page.locator("main")).to_contain_text("29 turns")
    page.get_by_label("Kind shown").select_option("take")
    takes = sum(one.kind == "take" for one in own.judged)
    expect(page.locator("[aria-labelledby=decisions] tbody tr")).to_have_count(takes)


def test_what_the_file_says_stands_beside(open_page, tmp_path):
    path = tmp_path / "uwvEbd63UvdX7SDin5o_Iw.bgf"
    path.write_bytes(contents()[path.name])
    page = open_page("review")
    uploaded(page, path)
    page.get_by_role("link", name="12/9 8/6", exact=True).press("Enter")
    decision = page.locator(".decision")
    expect(decision).to_contain_text("BGBlitz, 3ply: 8/6 8/5 is best")
    page.locator(".kept p a").press("Enter")
    expect(page.locator("h2.opened")).to_have_text("Fox \u2013 Harbor8")


def test_an_example_and_pasted_positions_are_judged_and_what_is_none_is_told(open_page):
    page = open_page("review")
    page.get_by_role("button", name="Review positions").press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    page.get_by_label("Judge only races").press("Space")
    page.get_by_role("button", name="Open an example").press("Enter")
    table = page.get_by_role("table", name="Decisions")
    expect(table.locator("tbody tr")).to_have_count(25)
    expect(table.locator(".cost").first).to_be_visible()
    expect(page.get_by_role("table", name="of the races alone")).to_contain_text("guest")
    page.get_by_text("Review something else").click()
    page.get_by_label("Or positions").fill(f"position,decided\n{LOW},take\nnone,take")
    page.get_by_role("button", name="Review positions").press("Enter")
    expect(page.get_by_role("region", name="Problems")).to_contain_text("line 3")
    expect(page.locator("td .cost")).to_have_text("0.0631")
    page.get_by_text("Review something else").click()
    page.get_by_label("Or positions").fill("nothing")
    page.get_by_role("button", name="Review positions").press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("'nothing'")


BEGUN = b""" 1 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 62: 24/18 13/11
  2)                              ????
"""


def test_what_comes_before_the_race_is_an_estimate(open_page):
    page, held = open_page("review"), [True]

    def going(route):
        answer = route.fetch()
        known = answer.json() | ({"status": "running"} if held else {})
        route.fulfill(response=answer, json=known)

    routed(page, "**/reviews/*", going)
    given = {"name": "begun.mat", "mimeType": "text/plain", "buffer": BEGUN}
    page.get_by_label("Matches or lists of positions").set_input_files([given])
    table = page.get_by_role("table", name="Decisions")
    expect(table.locator("tbody tr", has_text="\u2248")).to_have_count(2)
    # While decisions are pending, there is no rating of the whole match.
    rated = page.get_by_role("table", name="Performance rating (PR)")
    expect(rated.locator("caption")).to_contain_text("so far")
    held.clear()
    expect(rated.locator("caption")).to_contain_text("of the whole match")
    expect(rated).to_contain_text("Ann")
    explained = page.get_by_text("\u2248 marks estimates")
    expect(explained).to_contain_text("2 decisions, ")
    table.get_by_role("link", name="24/18 13/11").press("Enter")
    decision = page.locator(".decision")
    expect(decision).to_contain_text("estimate")
    expect(decision.get_by_role("link", name="calculator")).to_have_count(0)
    for point, said in (("24", "2 of yours"), ("20", "2 of the opponent's")):
        place = decision.locator(f"[data-point='{point}']")
        expect(place).to_have_attribute("aria-label", re.compile(said))
    accessible(page, "an estimate")
    page.get_by_role("checkbox", name="Races only").press("Space")
    expect(page.get_by_text("There are no decisions of this kind")).to_be_visible()
    expect(page.get_by_text("0 decisions in races, 0 mistakes")).to_be_visible()
    expect(explained).to_have_count(0)


def test_who_declines_keeps_nothing_until_it_is_chosen_again(open_page):
    page = open_page("review")
    box = page.get_by_role("checkbox", name="Keep in the library")
    expect(box).to_be_checked()
    box.press("Space")
    page.reload()  # the browser remembers the unchecked box
    expect(box).not_to_be_checked()

    def reviewed():
        page.get_by_label("Or positions").fill(f"position,decided\n{LOW},take")
        with page.expect_request("**/reviews") as sent:
            page.get_by_role("button", name="Review positions").press("Enter")
        expect(page.locator("td .cost")).to_have_text("0.0631")
        expect(page.get_by_role("button", name="Stop")).to_have_count(0)
        return sent.value.post_data_json["keep"]

    assert reviewed() is False
    expect(page.locator(".kept")).to_have_count(0)
    page.get_by_text("Review something else").click()
    box.press("Space")
    assert reviewed() is True
    expect(page.locator(".kept p a")).to_be_visible()
    # The mistakes are downloaded as flashcards, and trained.
    with page.expect_download() as saved:
        page.get_by_role("link", name="Flashcards").click()
    assert saved.value.suggested_filename == "decisions.apkg"
    page.get_by_role("button", name="Train them").click()
    expect(page.locator(".ask .note").first).to_contain_text("decision")


def test_where_there_is_no_library_none_is_offered(open_page):
    page = open_page("charts")
    refusal = {"error": "the library keeps one player's games"}
    routed(page, "**/v1/library", lambda route: route.fulfill(status=403, json=refusal))
    page.get_by_role("link", name="Review", exact=True).click()
    expect(page.get_by_role("button", name="Review positions")).to_be_visible()
    expect(page.get_by_role("checkbox", name="Keep in the library")).to_have_count(0)


def test_progress_is_as_wide_as_the_board(open_page):
    page = open_page("trainer", **PHONE)
    page.locator(".wishes-of summary").click()
    only(page, "Last rolls")
    # On a phone, the page shows only the home boards.
    expect(page.locator(".board.home")).to_be_visible()
    for width in (390, 600):
        resized(page, width, 780)
        board, bar = page.evaluate(
            """[".board", ".standing progress"].map(
            (one) => document.querySelector(one).getBoundingClientRect().width)"""
        )
        assert bar == pytest.approx(board, abs=1), width


def test_a_review_keeps_nobody_out(open_page):
    page = open_page("review", **PHONE)
    page.get_by_label("Or positions").fill(f"position,decided\n{LOW},take")
    page.get_by_role("button", name="Review positions").tap()
    page.get_by_role("table", name="Decisions").get_by_role("link").tap()
    expect(page.locator("#decision")).to_be_visible()
    looked_at(page, "a decision")

"""Numbers that the web page shows for a race."""

import json
import re
from itertools import combinations, product

import pytest

import bearoff
from bearoff.answers import Judge
from tests.app.serve.browser import expect, go, resized, routed, until
from tests.app.serve.test_page import FIVE_TWO

LONG = "calculator/---ABCD-B--BA-ca-c-dca----:0:0:1:00:0:0:0:0:10"
"""Race of fifteen checkers a side, some of them outside the home board."""


def rows(page, selector):
    """Return the texts of all cells of the table rows in an element of the web page."""
    found = page.locator(f"{selector} tbody tr")
    expect(found.first).to_be_attached()
    return found.evaluate_all(
        "all => all.map(({ cells }) => [...cells].map((one) => one.textContent.trim()))"
    )


def test_rolls_and_distribution_are_those_of_the_table(open_page):
    page = open_page(FIVE_TWO)
    found = {roll: rest for roll, *rest in rows(page, "[aria-labelledby=rolls]")}
    assert len(found) == 21
    # These are the rolls that bear off checkers on the 5 and 2 points.
    winning = {"5-2", "5-3", "5-4", "6-2", "6-3", "6-4", "6-5"}
    winning |= {"2-2", "3-3", "4-4", "5-5", "6-6"}
    for roll, (play, equity, *_) in found.items():
        assert (equity == "+1.0000") == (roll in winning), (roll, play)
    part = page.get_by_role("region", name="Rolls", exact=True)
    part.get_by_role("button", name="6-1").click()
    expect(page.locator(".board .die")).to_have_count(2)
    plays = rows(page, "[aria-labelledby=plays]")
    assert plays[0][0] == found["6-1"][0]
    # After a roll, the plays come first, followed by the cube decision before the roll.
    expect(page.locator(".verdict .action")).to_have_text(plays[0][0])
    parts = page.locator(".verdicts [aria-labelledby]").evaluate_all(
        "all => all.map((one) => one.getAttribute('aria-labelledby'))"
    )
    assert parts.index("plays") < parts.index("before")
    expect(page.get_by_role("status")).to_contain_text(plays[0][0])
    page.get_by_role("button", name="Before the roll").click()
    expect(page.locator(".board .die")).to_have_count(0)
    page.get_by_text("As a table").click()
    shown = rows(page, "[aria-labelledby=distribution]")
    distribution = {int(rolls): texts for rolls, *texts in shown}
    assert distribution[1] == [f"{19 / 36:.2%}", "100.00%"]
    total = sum(float(mine[:-1]) for mine, _ in distribution.values())
    assert total == pytest.approx(100, abs=0.02)
    heights = "all => all.map((bar) => bar.height.baseVal.value)"
    first, second, *_ = page.locator(".histograms .mine").evaluate_all(heights)
    assert second / first == pytest.approx(float(distribution[2][0][:-1]) / 52.78, abs=1e-3)


def shown_on(page, board):
    """Open the calculator with the race of a board, and wait for all its answers."""
    go(page, f"calculator/{board}:0:0:1:00:0:0:0:0:10")
    expect(page.locator(".printed")).to_contain_text(board)
    expect(page.locator("[aria-busy='true']")).to_have_count(0)


def test_the_marker_of_the_ruler_crosses_no_name_and_words_of_the_chart_are_apart(
    open_page,
):
    page = open_page()
    named = 0
    edges = """all => all.map((one) => one.getBoundingClientRect())
        .map(({ left, right }) => [left, right])"""
    for board in (  # races with win probabilities of 5%, 47%, 72%, 78% and 99%
        "----AB-----------------a--",
        "-AB---A-------------b-----",
        "---AB---------------a--aa-",
        "-----AB------------b---b--",
        "------A------------b-a--a-",
    ):
        shown_on(page, board)
        # Before the exact answer, the ruler may name other zones, so the test waits.
        settled = "main:not(:has([aria-busy='true']))"
        page.locator(f"{settled} .source:has-text('Exact')").wait_for()
        expect(page.locator(".ruler .place")).to_be_attached()
        names = page.locator(".ruler .band").evaluate_all(edges)
        ((place, _),) = page.locator(".ruler .place").evaluate_all(edges)
        named += len(names)
        for left, right in names:
            assert not left - 1 <= place <= right + 1, board
    assert named >= 10
    boxes = """all => all.map((e) => [e.textContent, e.getBBox()])
        .map(([text, { x, y, width, height }]) => [text, x, y + 0.2 * height,
            x + width, y + 0.8 * height])"""  # digits fill only part of a line's height
    boards = ("-NA---------------------n-", "------BCCCBB-----bbcccb---")
    for board, width in product(boards, (360, 1280)):
        shown_on(page, board)
        resized(page, width, 900)
        expect(page.locator(".histograms .tick").nth(2)).to_be_visible()
        found = page.locator(".histograms text").evaluate_all(boxes)
        assert len(found) > 8
        for (one, *a), (other, *b) in combinations(found, 2):
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, (board, width, one, other)


def test_market_losers_a_formula_and_a_scale_that_is_loading(open_page):
    page = open_page("calculator/-BB--------------------bb-:0:0:1:00:0:0:0:0:10")
    marked = [row for row in rows(page, "[aria-labelledby=rolls]") if "▲" in row[-1]]
    assert marked
    assert all(re.search(r"\d+%", row[-1]) for row in marked)
    expect(page.locator("tr.loser")).to_have_count(len(marked))
    chosen = page.get_by_label("Formula")
    expect(chosen.locator("option").nth(1)).to_be_attached()
    chosen.select_option("keith")
    steps = page.locator(".steps li")
    # Keith's formula starts from the pip counts, which are 6 for each side.
    expect(steps.filter(has_text="6").first).to_be_visible()
    decisions = rows(page, "[aria-labelledby=formula]")
    assert all(row[3].startswith("✓") or float(row[3]) > 0 for row in decisions[:3])
    # The scale states no probability while its values are loading.
    expect(page.locator(".ruler .place")).to_be_attached()
    held, holds = [], True

    def handle(route):
        if holds and '"market":true' in (route.request.post_data or ""):
            held.append(route)
        else:
            route.continue_()

    routed(page, "**/api/v1/race", handle)
    page.locator("[data-point='1']").press("3")
    expect(page.locator(".ruler")).to_have_attribute("aria-busy", "true")
    expect(page.locator(".ruler figcaption")).not_to_contain_text("%")
    until(page, lambda: held)  # The page reports a wait before the request arrives here.
    holds = False
    held[-1].continue_()  # earlier requests are obsolete
    expect(page.locator(".ruler")).to_have_attribute("aria-busy", "false")
    expect(page.locator(".ruler figcaption")).to_contain_text("%")


@pytest.mark.parametrize(
    "score", ["0:0:0:0", pytest.param("0:2:0:5", marks=pytest.mark.slow)]
)
def test_games_refine_what_no_table_holds(open_page, score):
    page = open_page(f"calculator/-------B-----A---a--b-----:0:0:1:00:{score}:10")
    expect(page.locator(".errorbar")).to_have_count(4)
    expect(page.locator(".verdicts").get_by_role("alert")).to_have_count(0)


def test_the_chart_has_the_place_of_the_race_and_each_formula_lines_and_a_sheet(open_page):
    page = open_page(LONG)
    race = bearoff.Race.parse("XGID=" + LONG.split("/")[1])
    expect(page.locator(".verdict")).to_be_visible()
    page.get_by_role("link", name="Charts").click()
    lead = race.opponent.pips - race.roller.pips
    expect(page.locator("main")).to_contain_text(f"{race.roller.pips}, lead {lead}")
    expect(page.locator(".chart .place")).to_have_count(1)
    page.get_by_label("Lines of a formula").select_option("keith")
    names = page.locator(".chart .formula-name")
    expect(names).to_have_text(["double", "redouble", "pass"])
    lines = "all => all.map((line) => line.getAttribute('d'))"
    assert len(set(page.locator(".chart .formula").evaluate_all(lines))) == 3
    assert page.locator(".sheets a").first.get_attribute("href").endswith(".pdf")
    # If the lead is outside the chart, the page states the lead in words.
    go(page, "calculator/-AAA-----D------------bb--:0:0:1:00:0:0:0:0:10")
    expect(page.locator(".verdict")).to_be_visible()
    page.get_by_role("link", name="Charts").click()
    expect(page.locator(".chart .beyond")).to_contain_text("−32")
    expect(page.locator(".chart circle.place")).to_have_count(0)

    expect(page.locator(".chart .turn")).to_have_count(3)
    money = page.locator(".chart .turn").first.get_attribute("d")
    chosen = page.get_by_label("Lines of a formula")
    expect(chosen.locator("option").nth(1)).to_be_attached()
    values = "all => all.map(({ value }) => value)"
    _, *names = chosen.locator("option").evaluate_all(values)
    for name in names[::8]:
        chosen.select_option(name)
        expect(page.locator(".chart figcaption")).to_contain_text(f" {name} ")
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".sheets li > span").first).to_be_visible()
    sheets = page.locator(".sheets li > span").all_inner_texts()
    titles = [text.partition(":")[0] for text in sheets]
    assert [title for title in titles if title in names] == names
    page.get_by_label("Match", exact=True).check()
    page.get_by_label("You need").select_option("3")
    page.get_by_label("Opponent needs").select_option("7")
    busy = page.locator("[aria-labelledby=doubling] [aria-busy]")
    expect(busy).to_have_attribute("aria-busy", "false")
    expect(page.locator(".chart .turn").first).not_to_have_attribute("d", money)
    # At 1-away, a second note says that no lead makes a double useful.
    notes = page.locator("[aria-labelledby=doubling] [aria-busy] > .note")
    expect(notes).to_have_count(1)
    page.get_by_label("You need").select_option("1")
    expect(notes).to_have_count(2)
    # The page reports a failure of the server.
    failure = {"error": "there is no ink"}
    routed(page, "**/sheets/*.pdf", lambda route: route.fulfill(status=400, json=failure))
    page.locator(".sheets a").first.click()
    expect(page.get_by_role("alert")).to_contain_text("there is no ink")
    assert page.url.endswith("#/charts")


def test_a_score_shows_chances_to_win_the_match_and_its_take_points(open_page):
    place = "-BB-A---------------a-bb--:0:0:1:00:2:0:0:5:10"
    page = open_page(f"calculator/{place}")
    expect(page.locator(".verdict .source")).to_contain_text("Exact")
    answer = Judge(()).answer(bearoff.Race.parse(f"XGID={place}"))
    assert answer.chance_per_equity is not None
    both = zip(answer.decisions, rows(page, ":nth-match(.verdicts table, 1)"), strict=True)
    for choice, (_, equity, _, match, lost, *_) in both:
        assert equity == f"{choice.equity:+.4f}".replace("-", "\N{MINUS SIGN}")
        assert match == f"{answer.chance(choice.equity):.2%}"
        cost = choice.cost * answer.chance_per_equity
        assert lost == (f"{cost:.2%}" if choice.cost else "")
    # At 4-away 2-away, the take points are 37.1% in the last roll, and 18.6% before it.
    go(page, f"{FIVE_TWO.removesuffix(':0:0:0:0:10')}:2:0:0:4:10")
    for number in ("37.1%", "18.6%", "80.1 to 81.5%"):
        expect(page.locator(".verdicts")).to_contain_text(number)


def test_a_close_verdict_shows_the_error_of_the_next_best_choice(open_page):
    page = open_page("charts")

    def near(route):
        answer = route.fetch()
        known = answer.json() | {"too_close": True, "error": 0.034}
        for number, choice in enumerate(known["decisions"], start=5):
            choice["error"] = number / 100
        known["decisions"][0]["cost"], known["decisions"][1]["cost"] = 0.0, 0.02
        route.fulfill(response=answer, json=known)

    routed(page, "**/api/v1/race", near)
    go(page, LONG)
    expect(page.locator(".verdict")).to_contain_text("error 0.060")
    expect(page.get_by_role("row", name=re.compile("^double "))).to_contain_text("0.020")


def test_what_games_say_is_named_after_them(open_page):
    page = open_page("charts")
    xgid = "---ABCD-B--BA-ca-c-dca----:0:0:1:63:0:0:0:0:10"
    root = page.url.split("#")[0]
    asked = {"position": f"XGID={xgid}", "patience": 0}
    answer = page.request.post(f"{root}api/v1/race", data=asked).json()
    best, second, *others = answer["plays"]
    second |= {"cost": 0.0683, "error": 0.12}
    plays = [best | {"kind": "rollout"}, second, *others]
    result = answer | {"kind": "rollout", "games": 62208, "plays": plays}
    progress = {"part": "plays", "games": 7776, "error": 0.0001, "goal": 0.002}
    progress |= {"no_double": 0.5, "no_double_error": 0.001, "double_take": 0.4}
    progress |= {"double_take_error": 0.001, "action": "no double", "too_close": False}
    progress |= {"missed_double": 0.0, "wrong_double": 0.1, "wrong_take": 0.0}
    progress |= {"wrong_pass": 0.6, "win_probability": 0.123}
    told = [("progress", progress)]

    def tell(route):
        body = "".join(f"event: {kind}\ndata: {json.dumps(of)}\n\n" for kind, of in told)
        route.fulfill(body=body, content_type="text/event-stream")

    routed(page, "**/api/v1/rollout*", tell)
    page.goto(f"{root}#/calculator/{xgid}")
    expect(page.locator("td", has_text="12.30%")).to_have_count(1)
    expect(page.locator("[aria-labelledby='before']")).to_contain_text("No double")
    expect(page.locator(".verdict")).to_contain_text("fast model")
    told.append(("result", result))
    plays_part = page.locator("[aria-labelledby='plays']")
    expect(plays_part.locator("tbody tr").nth(1)).to_contain_text("0.0683, within error")

"""A match on the web page: moves by click, drag and key, hints, and the game's end."""

import io
import random
import re
from itertools import product
from statistics import median

import pytest
from PIL import Image

from bearoff.app.serve.play import opponents
from bearoff.game import Board, legal_plays, read_play
from tests.app.conftest import rows_of
from tests.app.serve.browser import entered, expect, go, holding, keys, routed
from tests.app.serve.test_page import drag
from tests.app.serve.test_page_looks import PHONE, contrast, looked_at

SEED = "00000000000000000000000000000001"

STILL = {"reduced_motion": "reduce"}


def begun(page, **rules):
    """Begin a match with known dice; wait until it is the user's turn."""
    asked = {"opponent": "contact", "length": 5, "seed": SEED} | rules
    match = page.evaluate(
        """async (asked) => {
            const headers = { "content-type": "application/json" };
            const post = async (path, body) =>
                (await fetch(`/api/v1/play/matches${path}`,
                    { method: "POST", headers, body: JSON.stringify(body) })).json();
            let match = await post("", asked);
            const roll = () => post(`/${match.key}/actions`, { do: "roll" });
            const decide = () => post(`/${match.key}/decide`, {});
            match = await roll();
            while (match.needs === "opponent") match = await decide();
            if (match.needs === "roll") match = await roll();
            location.hash = `#/play/${match.key}`;
            return match;
        }""",
        asked,
    )
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    return match


def spot(page, point):
    box = page.locator(f"[data-point='{point}'] .reach").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def counts(page):
    """Return the user's checkers on points 1 to 24, from the description of the board."""
    labels = page.evaluate(
        """[...Array(24).keys()].map((i) => document
            .querySelector(`[data-point="${i + 1}"]`).getAttribute("aria-label"))"""
    )
    return [int(t.split(", ")[1].split()[0]) if "of yours" in t else 0 for t in labels]


def own(board):
    return list(board.roller[:24])


class Table:
    """Match on the web page in which the user has rolled the dice."""

    def __init__(self, page, **rules):
        self.page, self.match = page, begun(page, **rules)
        self.high, self.low = max(self.match["dice"]), min(self.match["dice"])

    def click(self, *points):
        for point in points:
            self.page.mouse.click(*spot(self.page, point))

    def type(self, text):
        entered(self.page.get_by_label("Type a play"), text)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=" " not in name).click()

    def play_best(self):
        """Play the best play in the web page's list of all plays."""
        self.press("All plays")
        best = self.page.locator(".advice tr.best th").first
        expect(best).to_be_visible()
        self.type(best.inner_text().splitlines()[0])
        self.press("Play")

    def after(self, *numbers):
        """Return the user's checkers after moves from the 13 point by these numbers."""
        counts = own(Board(tuple(self.match["board"])))
        for number in numbers:
            counts[12] -= 1
            counts[12 - number] += 1
        return counts


@pytest.fixture
def table(open_page):
    return Table(open_page("play", **STILL))


def test_a_second_tab_follows(table):
    other = table.page.context.new_page()
    other.emulate_media(reduced_motion="reduce")
    other.goto(table.page.url)
    expect(other.get_by_role("button", name="Play", exact=True)).to_be_visible()
    table.page.bring_to_front()
    table.click(13, 13)
    table.press("Play")
    actions = len(table.match["actions"])
    for page in (table.page, other):
        expect(page.locator(".log li")).to_have_count(min(8, actions + 2))
    assert counts(other) == table.after(table.high, table.low)


def test_a_removed_match_leaves_the_list_of_every_tab(table):
    match = f"a[href='#/play/{table.match['key']}']"
    tabs = [table.page, table.page.context.new_page()]
    tabs[1].goto(table.page.url)
    for tab in tabs:
        go(tab, "play")
        expect(tab.locator(match)).to_have_count(1)
    tabs[0].locator("li", has=tabs[0].locator(match)).get_by_role("button").click()
    for tab in tabs:
        expect(tab.locator(match)).to_have_count(0)
        expect(tab.get_by_role("button", name="Begin", exact=True)).to_be_visible()


def test_the_moves_that_the_page_allows_make_all_legal_plays(open_page):
    page, rng = open_page("play"), random.Random(5)
    board, asked = Board.start(), []
    while len(asked) < 80:
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        legal = legal_plays(board, dice).tolist()
        asked.append([board.points, dice, legal])
        board = Board(tuple(rng.choice(legal))).turned
        if board.points_won:
            board = Board.start()
    ends, took = page.evaluate(
        """async (asked) => {
            const { Roll, numbersOf, without } = await import("/moves.js");
            const took = [];
            return [asked.map(([board, dice, legal]) => {
                const began = performance.now();
                const roll = new Roll(legal);
                roll.steps(board, numbersOf(dice));
                took.push(performance.now() - began);
                const ends = new Set(), seen = new Set();
                const go = (now, left) => {
                    const key = `${now} ${left}`;
                    if (seen.has(key)) return;
                    seen.add(key);
                    const steps = roll.steps(now, left);
                    if (roll.isDone(now) || !steps.length) ends.add(String(now));
                    for (const one of steps) go(one.board, without(left, one.die));
                };
                go(board, numbersOf(dice));
                return [...ends].sort();
            }), took];
        }""",
        asked,
    )
    for (_, _, legal), reached in zip(asked, ends, strict=True):
        assert reached == sorted(",".join(map(str, row)) for row in legal)
    assert median(took) < 50  # median in milliseconds; single values may be larger


def test_a_click_moves_the_larger_number_first(table):
    page = table.page
    table.click(13)
    assert counts(page) == table.after(table.high)
    table.press("Undo")
    assert counts(page) == table.after()
    table.press("Swap the dice")
    table.click(13)
    assert counts(page) == table.after(table.low)
    table.press("Undo")
    page.locator("summary", has_text="Settings").click()
    assert spot(page, 1)[0] > spot(page, 12)[0]
    page.get_by_label("Home at the left").check()
    assert spot(page, 1)[0] < spot(page, 12)[0]
    table.click(13)
    assert counts(page) == table.after(table.low)
    table.press("Undo")
    page.locator("label", has_text="Chooses it").click()  # two clicks move a checker
    table.click(13)
    assert counts(page) == table.after()
    table.click(13 - table.low)
    assert counts(page) == table.after(table.low)


def test_a_drag_and_a_reload(table):
    page, high, low = table.page, table.high, table.low
    drag(page, spot(page, 13), spot(page, 13 - high - low))
    play = f"13/{13 - high - low}"
    after = read_play(Board(tuple(table.match["board"])), play, (high, low))
    assert counts(page) == own(after)
    table.press("Play")
    log = page.locator(".log")
    expect(log).to_contain_text(f"{high}-{low}: {play}")
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    shown = counts(page)
    page.reload()  # the server keeps the match while the page is reloaded
    expect(log).to_contain_text(f"{high}-{low}: {play}")
    table.press("Roll")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert counts(page) == shown


def test_moves_by_keys_are_told_and_what_is_no_play_moves_nothing(table):
    page, high, low = table.page, table.high, table.low
    page.locator("[data-point='12']").focus()
    keys(page, "ArrowUp", "Enter")  # moves the focus to the 13 point
    assert counts(page) == table.after(high)
    live = page.locator("#live")
    expect(live).to_have_text(f"13/{13 - high}")
    keys(page, "u", "h")
    expect(live).to_have_text(re.compile(r" \d+\.$"))
    refused = page.get_by_role("alert")
    one, other = f"13/{13 - high}", f"13/{13 - low}"
    for wrong, named in (
        (f"{one} {other}x", f"{other}x"),
        (f"{one} {other} jump", "jump"),
        (f"{one} {other}(5)", f"{other}(5)"),
        (f"{one}* {other}", "hit"),  # the asterisk is wrong, because no checker is hit
    ):
        table.type(wrong)
        expect(refused).to_contain_text(named)
        assert counts(page) == table.after()
    table.type(f"{one} {other}(1)")
    expect(refused).to_have_count(0)
    assert counts(page) == table.after(high, low)
    # The error message disappears with the next valid moves, and the Enter key completes
    # the play.
    table.type("13/x")
    expect(refused).to_have_count(1)
    table.press("Undo")
    expect(refused).to_have_count(0)
    table.type(f"{one} {other}")
    page.keyboard.press("Enter")
    dice = "-".join(map(str, table.match["dice"]))
    expect(page.locator(".log")).to_contain_text(f"{dice}: 13")
    # The opponent's play is announced before the user rolls.
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_visible()
    expect(live).to_have_text(re.compile(r"^(?!You).* \d-\d: "))
    page.locator("h1").click(force=True)
    page.keyboard.press("r")
    expect(live).to_have_text(re.compile(r"^You roll \d-\d\.$"))


def tutored(page, limit):
    page.evaluate(f"localStorage['bearoff.play'] = '{{\"tutor\": \"{limit}\"}}'")


def test_the_tutor_asks_before_dice_move_on(table):
    page = table.page
    tutored(page, "always")
    page.reload()
    table.press("All plays")
    told = page.locator(".advice tbody tr").filter(has=page.locator(".reason"))
    table.type(told.last.locator("th").evaluate("e => e.firstChild.textContent"))
    table.press("Play")
    expect(page.locator(".playbar[role=alert]")).to_contain_text(re.compile(r"0\.\d"))
    table.press("Take it back")
    assert counts(page) == table.after()


def test_the_end_of_a_match_tells_its_seed_and_dice_that_do_not_follow_from_it(table):
    page = table.page
    page.get_by_text("Give up, files, dice").click()
    table.press("Give up a backgammon")  # the confirmation dialog is dismissed
    page.once("dialog", lambda asked: asked.accept())
    table.press("Give up a backgammon")
    expect(page.locator("main")).to_contain_text("3 points")
    # A game without any turn has no chart.
    expect(page.locator(".winning")).to_have_count(0)
    table.press("Next game")
    expect(page.get_by_role("button", name="Roll")).to_be_visible()
    table.press("End it here")
    expect(page.get_by_text(SEED)).to_be_visible()
    thrown = [*table.match["actions"], {"kind": "play", "dice": table.match["dice"]}]
    check = "async (game) => (await import('/dicecheck.js')).checkedDice(game)"
    game = table.match | {"seed": SEED, "actions": thrown}
    right = page.evaluate(check, game)
    wrong = page.evaluate(check, game | {"actions": [{"kind": "play", "dice": [6, 6]}]})
    assert right != wrong
    assert "6-6" in wrong


def has_bar_below(page, bar):
    """Check that a bar of actions is below the board, and on the screen of a phone."""
    board = page.locator(".board").bounding_box()
    assert board["y"] + board["height"] < page.locator(bar).bounding_box()["y"] < 740


def test_a_phone_has_the_board_first_and_actions_within_reach(open_page):
    page = open_page("play", **PHONE, **STILL)
    begun(page)
    looked_at(page, "a match")
    assert page.locator(".board").bounding_box()["width"] > 320
    has_bar_below(page, ".playbar")
    play = page.get_by_role("button", name="Play", exact=True)
    assert play.bounding_box()["height"] >= 44


def test_the_tutor_asks_before_a_costly_double(open_page):
    page = open_page("play", **STILL)
    tutored(page, "0.08")
    table = Table(page, length=0)
    table.play_best()
    double = page.get_by_role("button", name="Double to 2")
    asked = page.get_by_role("alert")
    expect(double.or_(asked)).to_be_visible()
    if asked.count():
        table.press("Play it")
    double.click()
    expect(asked).to_contain_text("no double")
    table.press("Think again")
    expect(page.get_by_role("button", name="Roll")).to_be_visible()
    table.press("What about the cube?")
    expect(page.get_by_role("row", name="No double")).to_contain_text("best")


def test_a_hint_that_comes_late_leaves_what_was_moved(table):
    let_go = holding(table.page, "**/ask")
    table.press("All plays")
    table.click(13)
    assert counts(table.page) == table.after(table.high)
    let_go()
    advice = table.page.locator(".advice")
    expect(advice.locator("tr.best")).to_be_visible()
    assert counts(table.page) == table.after(table.high)
    left_out = len(table.match["legal"]) - 10
    expect(advice).to_contain_text(f" {left_out} more")
    expect(advice.locator("tbody tr")).to_have_count(10)


def test_each_press_of_the_key_of_hints_goes_deeper(table):
    page, high, low = table.page, table.high, table.low
    advice, help_so_far = page.locator(".advice"), page.get_by_text("Help in the match")
    table.type(f"13/{13 - high} 13/{13 - low}")
    page.locator("h1").click(force=True)
    live = page.locator("#live")
    for has_error in (False, False, True, True):
        before = live.text_content()
        page.keyboard.press("h")
        if has_error:
            expect(advice.locator("caption")).to_contain_text("±")
        else:
            expect(live).not_to_have_text(before)
            expect(advice).not_to_contain_text("±")
    table.press("All plays")
    expect(help_so_far).to_contain_text("3 hints")
    table.press("Play")
    expect(page.get_by_role("button", name="Double to 2")).to_be_enabled()
    keys(page, "h", "h", "h")
    expect(page.locator(".advice .best")).to_be_visible()
    page.reload()  # the server keeps the number of hints
    expect(help_so_far).to_contain_text("4 hints")


def test_a_dead_cube_is_marked(open_page):
    page = open_page("play", **STILL)
    table = Table(page, length=1)
    expect(page.locator(".board .dead .cube")).to_have_count(1)
    table.play_best()
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    expect(page.get_by_role("button", name="Double")).to_have_count(0)


def test_it_says_why_it_waits_and_goes_on_by_itself(open_page):
    page, cold = open_page("", **STILL), [True]

    def ready(route):
        route.fulfill(json={"with_dice": not cold[0], "without_dice": False})

    routed(page, "**/play/ready", ready)
    go(page, "play")
    begin = page.get_by_role("button", name="Begin", exact=True)
    expect(page.locator("main [role=status], main .note").first).to_be_visible()
    expect(begin).to_have_count(0)
    cold[0] = False
    expect(begin).to_be_visible()


def test_opponents_are_listed_by_what_their_plays_lose(open_page):
    page = open_page("play", **STILL)
    form = page.get_by_role("region", name="A new match")
    form.locator("label", has_text="Money").click()
    expect(form.get_by_label("Beavers")).to_be_visible()
    # This opponent does not play beavers.
    chosen = form.get_by_role("combobox")
    chosen.select_option("contact")
    expect(form.get_by_label("Beavers")).to_have_count(0)
    listed = chosen.locator("option")
    expect(listed).to_have_count(len(opponents.OPPONENTS))
    texts = " ".join(listed.all_text_contents())
    said = [float(rating) for rating in re.findall(r"PR ([\d.]+)", texts)]
    measured = rows_of(opponents.MEASURED.read_text())
    rows = {row["name"]: float(row["lost"]) for row in measured}
    values = listed.evaluate_all("all => all.map((one) => one.value)")
    assert said == pytest.approx([rows[name] / 2 for name in values], abs=0.051)
    assert values[6:] == sorted(values[6:], key=rows.__getitem__)
    assert values[0] == min(rows, key=rows.__getitem__)
    # Levels are listed from the strongest to the weakest, followed by special opponents.
    assert values[1:6] == [f"level-{level}" for level in range(5, 0, -1)]
    for name in ("level-1", "level-5"):
        chosen.select_option(name)
        (shown,) = re.findall(r"about ([\d.]+)", form.get_by_text("PR about").inner_text())
        assert float(shown) == pytest.approx(rows[name] / 2, abs=0.051)
    form.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("Expert").first).to_be_visible()


def test_sides_differ_whatever_colours_are_seen(table):
    page = table.page
    seen = page.context.new_cdp_session(page)
    spots = []
    for point in (13, 12):
        box = page.locator(f"[data-point='{point}'] .checker").first.bounding_box()
        spots.append((int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)))
    for scheme, kind in product(("light", "dark"), ("deuteranopia", "achromatopsia")):
        page.emulate_media(color_scheme=scheme)
        seen.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        mine, theirs = (picture.getpixel(at) for at in spots)
        assert contrast(mine, theirs) > 7, (scheme, kind)

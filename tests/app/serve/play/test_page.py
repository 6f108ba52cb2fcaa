"""A match on the page: moving by click, drag and key, the tutor, the end of a game."""

import csv
import io
import json
import random
import re
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from app.serve.play import opponents
from game import Board, legal_plays, read_play

pytest.importorskip("playwright")
from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import expect

from tests.app.serve.browser import holding
from tests.app.serve.test_page_looks import PHONE, RULES

Open = Callable[..., Any]

SEED = "00000000000000000000000000000001"

STILL = {"reduced_motion": "reduce"}


def begun(page: Any, **rules: Any) -> dict[str, Any]:
    """Begin a match with known dice, and open it once it is the person's to play."""
    asked = {"opponent": "contact", "length": 5, "seed": SEED} | rules
    match: dict[str, Any] = page.evaluate(
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


def spot(page: Any, point: int) -> tuple[float, float]:
    box = page.locator(f"[data-point='{point}'] .reach").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def counts(page: Any) -> list[int]:
    """The person's checkers on points 1 to 24, as they are described."""
    labels = page.evaluate(
        """[...Array(24).keys()].map((i) => document
            .querySelector(`[data-point="${i + 1}"]`).getAttribute("aria-label"))"""
    )
    return [int(t.split(", ")[1].split()[0]) if "of yours" in t else 0 for t in labels]


def own(board: Board) -> list[int]:
    return list(board.roller[:24])


@pytest.fixture
def table(open_page: Open) -> tuple[Any, dict[str, Any]]:
    page = open_page("play", **STILL)
    return page, begun(page)


def test_parts_of_legal_plays_are_those_of_the_rules(open_page: Open) -> None:
    """What the page lets one do ends in a legal play, and every legal play is reached."""
    page, rng = open_page("play"), random.Random(5)
    board, asked = Board.start(), []
    while len(asked) < 150:
        dice = (rng.randint(1, 6), rng.randint(1, 6))
        legal = legal_plays(board, dice).tolist()
        asked.append([board.points, dice, legal])
        board = Board(tuple(rng.choice(legal))).turned
        if board.points_won:
            board = Board.start()
    found = page.evaluate(
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
    ends, took = found
    for (_, _, legal), reached in zip(asked, ends, strict=True):
        assert reached == sorted(",".join(map(str, row)) for row in legal)
    assert median(took) < 50  # Milliseconds; on a busy machine some take longer.


def test_a_click_moves_the_larger_number_first(table: tuple[Any, dict[str, Any]]) -> None:
    page, match = table
    high, low = max(match["dice"]), min(match["dice"])
    board = Board(tuple(match["board"]))
    page.mouse.click(*spot(page, 13))
    first = own(board)
    first[12] -= 1
    first[12 - high] += 1
    assert counts(page) == first
    page.get_by_role("button", name="Undo").click()
    assert counts(page) == own(board)
    page.get_by_role("button", name="Swap the dice").click()
    page.mouse.click(*spot(page, 13))
    second = own(board)
    second[12] -= 1
    second[12 - low] += 1
    assert counts(page) == second


def test_a_checker_is_dragged_and_the_play_goes_on(
    table: tuple[Any, dict[str, Any]],
) -> None:
    page, match = table
    high, low = max(match["dice"]), min(match["dice"])
    page.mouse.move(*spot(page, 13))
    page.mouse.down()
    x, y = spot(page, 13 - high - low)
    page.mouse.move(x, y - 4, steps=4)
    page.mouse.move(x, y)
    page.mouse.up()
    board = Board(tuple(match["board"]))
    after = read_play(board, f"13/{13 - high - low}", (high, low))
    assert counts(page) == own(after)
    page.get_by_role("button", name="Play", exact=True).click()
    log = page.get_by_role("list", name="The last actions")
    expect(log).to_contain_text(f"You {high}-{low}: 13/{13 - high - low}")
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    shown = counts(page)
    page.reload()  # The server has it all.
    expect(log).to_contain_text(f"You {high}-{low}: 13/{13 - high - low}")
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert counts(page) == shown


def test_two_taps_and_the_keyboard(table: tuple[Any, dict[str, Any]]) -> None:
    page, match = table
    board = Board(tuple(match["board"]))
    high, low = max(match["dice"]), min(match["dice"])
    page.get_by_text("Settings", exact=True).click()
    page.locator("label", has_text="Chooses it").click()
    page.mouse.click(*spot(page, 13))
    assert counts(page) == own(board)
    page.mouse.click(*spot(page, 13 - low))
    moved = own(board)
    moved[12] -= 1
    moved[12 - low] += 1
    assert counts(page) == moved
    page.get_by_role("button", name="Undo").click()
    page.get_by_label("Type a play").fill(f"13/{13 - low} 13/{13 - high}")
    page.keyboard.press("Enter")
    moved[12] -= 1
    moved[12 - high] += 1
    assert counts(page) == moved
    page.get_by_label("Type a play").fill("13/1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("no part of a legal play")


def test_what_is_typed_and_is_no_play_moves_nothing(
    table: tuple[Any, dict[str, Any]],
) -> None:
    page, match = table
    high, low = max(match["dice"]), min(match["dice"])
    board = own(Board(tuple(match["board"])))
    for wrong in (f"13/{13 - low}x", f"13/{13 - low} jump", f"13/{13 - low}(5)"):
        page.get_by_label("Type a play").fill(f"13/{13 - high} {wrong}")
        page.keyboard.press("Enter")
        said = f"A play is typed as 13/7 8/7, bar/22* or 6/off(2), not {wrong.split()[-1]}."
        expect(page.get_by_role("alert")).to_have_text(said)
        assert counts(page) == board
    page.get_by_label("Type a play").fill(f"13/{13 - high}* 13/{13 - low}(1)")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert counts(page)[12] == board[12] - 2
    # What is told of a play is over with its moves, and Enter plays one that is whole.
    page.get_by_label("Type a play").fill("13/x")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_count(1)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_label("Type a play").fill(f"13/{13 - high} 13/{13 - low}")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    dice = "-".join(map(str, match["dice"]))
    expect(page.locator(".log")).to_contain_text(f"You {dice}: 13")


def test_the_tutor_asks_before_dice_move_on(table: tuple[Any, dict[str, Any]]) -> None:
    page, match = table
    page.evaluate(
        "localStorage.setItem('bearoff.play', JSON.stringify({ tutor: 'always' }))"
    )
    page.reload()
    play = page.get_by_role("button", name="Play", exact=True)
    page.get_by_role("button", name="All plays").click()
    told = page.locator(".advice tbody tr").filter(has=page.locator(".reason"))
    worst = told.last
    expect(worst.locator(".reason")).to_contain_text("The best")
    text = worst.locator("th").evaluate("e => e.firstChild.textContent")
    page.get_by_label("Type a play").fill(text)
    page.keyboard.press("Enter")
    play.click()
    expect(page.locator(".playbar[role=alert]")).to_contain_text("That costs")
    page.get_by_role("button", name="Take it back").click()
    assert counts(page) == own(Board(tuple(match["board"])))
    said = "1 hint (1 all plays or the cube), 0 decisions taken back."
    expect(page.get_by_text(said)).to_be_attached()


def test_the_end_of_a_match_tells_its_seed(table: tuple[Any, dict[str, Any]]) -> None:
    page, _ = table
    page.get_by_text("Give up, files, dice").click()
    page.get_by_role("button", name="Give up a backgammon").click()  # Dismissed.
    expect(page.locator(".winning")).to_have_count(0)
    page.once("dialog", lambda asked: asked.accept())
    page.get_by_role("button", name="Give up a backgammon").click()
    expect(page.get_by_text("wins 3 points")).to_be_visible()
    # Nobody had a turn: there is no course of the game to draw.
    expect(page.locator(".winning")).to_have_count(0)
    page.get_by_role("button", name="Next game").click()
    expect(page.get_by_role("button", name="Roll")).to_be_visible()
    page.get_by_role("button", name="End it here").click()
    expect(page.get_by_text(SEED)).to_be_visible()


def test_the_page_checks_the_dice(open_page: Open) -> None:
    """By its own arithmetic; dice that are not the seed's are found."""
    page = open_page("play", **STILL)
    match = begun(page, length=1)
    page.get_by_label("Type a play").fill("13/off")
    game = json.dumps(
        match
        | {
            "seed": SEED,
            "actions": [
                *match["actions"],
                {"kind": "play", "dice": match["dice"]},
            ],
        }
    )
    check = f"import('/dicecheck.js').then((m) => m.checkedDice({game}))"
    assert page.evaluate(check).startswith("The hash is right, and so is every throw")
    wrong = game.replace(json.dumps(match["dice"]), "[6, 6]")
    assert "by the seed" in page.evaluate(check.replace(game, wrong))


def test_the_table_keeps_nobody_out(open_page: Open) -> None:
    page = open_page("play", **STILL)
    begun(page)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = Axe().run(page, options=RULES)
        assert found.violations_count == 0, f"{scheme}: {found.generate_report()}"


def test_a_phone_has_the_board_first_and_actions_under_the_thumb(open_page: Open) -> None:
    page = open_page("play", **PHONE, **STILL)
    begun(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    board = page.locator(".board").bounding_box()
    bar = page.locator(".playbar").bounding_box()
    assert board["width"] > 320
    assert board["y"] + board["height"] < bar["y"] < 740
    play = page.get_by_role("button", name="Play", exact=True)
    assert play.bounding_box()["height"] >= 44


def test_the_tutor_asks_before_a_costly_double(open_page: Open) -> None:
    page = open_page("play", **STILL)
    page.evaluate("localStorage.setItem('bearoff.play', JSON.stringify({ tutor: '0.08' }))")
    begun(page, length=0)
    page.get_by_role("textbox", name="Type a play").fill(first_play(page))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play", exact=True).click()
    double = page.get_by_role("button", name="Double to 2")
    asked = page.get_by_role("alert")
    expect(double.or_(asked)).to_be_visible()
    if asked.count():
        page.get_by_role("button", name="Play it").click()
    double.click()
    expect(asked).to_contain_text("Best is no double.")
    expect(asked).to_contain_text("An estimate")
    page.get_by_role("button", name="Think again").click()
    expect(page.get_by_role("button", name="Roll")).to_be_visible()
    page.get_by_role("button", name="What about the cube?").click()
    row = page.get_by_role("row", name="No double")
    expect(row).to_contain_text("best")


def first_play(page: Any) -> str:
    """The best play by the program."""
    page.get_by_role("button", name="All plays").click()
    best = page.locator(".advice tr.best th").first
    expect(best).to_be_visible()
    return str(best.inner_text()).splitlines()[0]


def test_a_hint_that_comes_late_leaves_what_was_moved(
    table: tuple[Any, dict[str, Any]],
) -> None:
    page, match = table
    let_go = holding(page, "**/ask")
    page.get_by_role("button", name="All plays").click()
    expect(page.get_by_text("It is worked out")).to_be_visible()
    page.mouse.click(*spot(page, 13))
    moved = counts(page)
    assert moved != own(Board(tuple(match["board"])))
    let_go()
    expect(page.locator(".advice tr.best")).to_be_visible()
    assert counts(page) == moved


def test_the_key_of_hints_goes_one_deeper_with_each_press(
    table: tuple[Any, dict[str, Any]],
) -> None:
    """What stands there already is not counted again; ± is told of where there is one."""
    page, match = table
    advice, help_so_far = page.locator(".advice"), page.get_by_text("Help in the match")
    high, low = max(match["dice"]), min(match["dice"])
    page.get_by_label("Type a play").fill(f"13/{13 - high} 13/{13 - low}")
    page.keyboard.press("Enter")
    page.locator("h1").click(force=True)
    page.keyboard.press("h")
    expect(advice).to_contain_text("is better.")
    page.keyboard.press("h")
    expect(advice).to_contain_text("The best play moves from")
    expect(advice).not_to_contain_text("±")
    page.keyboard.press("h")
    expect(advice.locator("caption")).to_contain_text("± as measured")
    page.keyboard.press("h")
    page.get_by_role("button", name="All plays").click()
    said = "3 hints (1 whether a play is the best, 1 which checkers, 1 all plays"
    expect(help_so_far).to_contain_text(said)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Double to 2")).to_be_enabled()
    for _ in range(3):
        page.keyboard.press("h")
    expect(page.locator(".advice .best")).to_be_visible()
    page.reload()  # As the server has counted.
    expect(help_so_far).to_contain_text("4 hints")


def test_hints_say_how_many_plays_they_leave_out(table: tuple[Any, dict[str, Any]]) -> None:
    page, match = table
    first_play(page)
    left = len(match["legal"]) - 10
    assert left > 0
    expect(page.get_by_text(f"and {left} more play")).to_be_visible()
    assert page.locator(".advice tbody tr").count() == 10


def test_beavers_are_for_those_who_know_them(open_page: Open) -> None:
    page = open_page("play", **STILL)
    form = page.get_by_role("region", name="A new match")
    form.locator("label", has_text="Money").click()
    expect(form.get_by_label("Beavers")).to_be_visible()
    form.get_by_role("combobox").select_option("contact")
    expect(form.get_by_label("Beavers")).to_have_count(0)


def test_a_dead_cube_is_marked(open_page: Open) -> None:
    page = open_page("play", **STILL)
    begun(page, length=1)
    expect(page.get_by_text("the cube is dead")).to_be_visible()
    expect(page.locator(".board .dead .cube")).to_have_count(1)
    page.get_by_role("textbox", name="Type a play").fill(first_play(page))
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Roll", exact=True)).to_be_enabled()
    expect(page.get_by_role("button", name="Double")).to_have_count(0)


def test_it_says_why_it_waits_and_goes_on_by_itself(open_page: Open) -> None:
    page, cold = open_page("", **STILL), [True]
    ready = '{"with_dice": %s, "without_dice": false}'
    page.route(
        "**/play/ready",
        lambda route: route.fulfill(
            body=ready % ("false" if cold[0] else "true"), content_type="application/json"
        ),
    )
    page.evaluate("location.hash = '#/play'")
    expect(page.get_by_text("The players are compiled for this machine")).to_be_visible()
    cold[0] = False
    expect(page.get_by_role("button", name="Begin", exact=True)).to_be_visible()


def test_opponents_are_listed_by_what_their_plays_lose(open_page: Open) -> None:
    page = open_page("play", **STILL)
    form = page.get_by_role("region", name="A new match")
    listed = form.get_by_role("combobox").locator("option")
    expect(listed).to_have_count(len(opponents.OPPONENTS))
    texts = " ".join(listed.all_text_contents())
    said = [float(rating) for rating in re.findall(r"PR ([\d.]+)", texts)]
    with opponents.MEASURED.open(encoding="ascii") as file:
        rows = {row["name"]: float(row["lost"]) for row in csv.DictReader(file)}
    del rows["hints"]
    assert said == pytest.approx([lost / 2 for lost in sorted(rows.values())], abs=0.051)
    first = listed.evaluate_all("all => all.map((one) => one.value)")[0]
    assert first == min(rows, key=rows.__getitem__)
    for name in ("level-1", "level-5"):
        form.get_by_role("combobox").select_option(name)
        shown = re.search(r"about ([\d.]+)", form.get_by_text("PR about").inner_text())
        assert shown is not None
        assert float(shown[1]) == pytest.approx(rows[name] / 2, abs=0.051)
    form.get_by_role("button", name="Begin").click()
    expect(page.get_by_text("against Level 5")).to_be_visible()


def test_arrows_reach_and_move_and_every_turn_is_told(
    table: tuple[Any, dict[str, Any]],
) -> None:
    page, match = table
    high, low = max(match["dice"]), min(match["dice"])
    page.locator("[data-point='12']").focus()
    page.keyboard.press("ArrowUp")  # To the 13, on the other row.
    page.keyboard.press("Enter")
    moved = own(Board(tuple(match["board"])))
    moved[12] -= 1
    moved[12 - high] += 1
    assert counts(page) == moved
    live = page.locator("#live")
    expect(live).to_have_text(f"13/{13 - high}")
    page.keyboard.press("u")
    page.keyboard.press("h")
    expect(live).to_have_text(re.compile("^The best play moves from "))
    page.get_by_label("Type a play").fill(f"13/{13 - high - low}")
    page.keyboard.press("Enter")
    page.locator("h1").click(force=True)
    page.keyboard.press("r")
    expect(live).to_have_text(re.compile(r"^Weights by hand \d-\d: "))


def test_a_mirrored_board_moves_as_well(table: tuple[Any, dict[str, Any]]) -> None:
    page, match = table
    assert spot(page, 1)[0] > spot(page, 12)[0]
    page.get_by_text("Settings", exact=True).click()
    page.get_by_label("Home at the left").check()
    assert spot(page, 1)[0] < spot(page, 12)[0]
    page.mouse.click(*spot(page, 13))
    moved = own(Board(tuple(match["board"])))
    moved[12] -= 1
    moved[12 - max(match["dice"])] += 1
    assert counts(page) == moved


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_sides_are_told_apart_whatever_colours_are_seen(
    open_page: Open, scheme: str
) -> None:
    page = open_page("play", color_scheme=scheme, **STILL)
    begun(page)
    seen = page.context.new_cdp_session(page)
    spots = [
        page.locator(f"[data-point='{point}'] .checker").first.bounding_box()
        for point in (13, 12)
    ]
    for kind in ("protanopia", "deuteranopia", "tritanopia", "achromatopsia"):
        seen.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        mine, theirs = (
            picture.getpixel((int(b["x"] + b["width"] / 2), int(b["y"] + b["height"] / 2)))
            for b in spots
        )
        assert contrast(mine, theirs) > 7, kind


def contrast(one: Any, other: Any) -> float:
    """The ratio of WCAG 2, from 1 to 21."""

    def luminance(rgb: Any) -> float:
        parts = [c / 255 for c in rgb]
        linear = [
            c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        ]
        return float(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)

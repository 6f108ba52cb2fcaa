"""The numbers in the tables of docs/sources.md equal those in results/ and in the code.

The blocks of Python on the page are run by tests/app/test_examples.py.
"""

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

import bearoff
from bearoff.game import Board, legal_plays
from bearoff.game.evaluation import Net
from bearoff.game.search import net_mover, play_games
from research.lessons import mean_rolls_by_rules
from research.paper import Results
from tests.app.conftest import ROOT
from tests.published import PAPER_TABLE_1, TRIPLES

PAGE = " ".join((ROOT / "docs/sources.md").read_text(encoding="utf-8").split())
RESULTS = Results(ROOT / "results")


def test_numbers_of_the_hash():
    assert f" {TRIPLES:,} " in PAGE
    assert len(PAPER_TABLE_1) == 10
    assert "Table 1: numbers of ten positions" in PAGE
    quick = RESULTS.page("quick/report.md")
    judged = quick.find(r"over ([\d,]+) pairs, the z-scores")
    pairs = RESULTS.json("quick/run.json")["pairs"]
    assert f"{judged} of {pairs:,} pairs" in PAGE
    assert "The run agrees" in quick.text
    cells = RESULTS.rows("two-sided/fewest-rolls-15.parquet")
    mean = sum(c["gap_mean"] * c["pairs"] for c in cells) / sum(c["pairs"] for c in cells)
    most = max(cell["gap_most"] for cell in cells)
    assert all(f"{100 * gap:.3f} percentage points" in PAGE for gap in (mean, most))


def test_numbers_of_the_lesson_and_without_dice():
    legal = RESULTS.page("agreement/legal-plays.md")
    plays = legal.find(r"([\d,]+) plays\. No")
    assert legal.find(r"legal plays differ: \*\*(\d+)\*\*") == "0"
    assert f" {plays} plays" in PAGE
    coins = RESULTS.page("game/doubling.md").table("coins", "doubles", "share")
    seven = next(row for row in coins if row["coins"] == "7")
    assert f"to {float(seven['share'].rstrip('%')):.0f}% with seven" in PAGE
    page = RESULTS.page("game/no-chance.md")
    said = r"all ([\d,]+) positions of 8 checkers, .*?, the first side wins in 100.0%"
    assert f"the side that names first wins all {page.find(said)} races" in PAGE


def test_numbers_of_the_player():
    legal = RESULTS.page("agreement/legal-plays.md")
    plays, boards = (
        int(legal.find(pattern).replace(",", ""))
        for pattern in (r"([\d,]+) plays\. No", r"boards, ([\d,]+) pairs of a board")
    )
    assert f"[{plays / boards:.1f} on random boards]" in PAGE
    search = RESULTS.page("game/search.md")
    lost = {row["search"]: row["lost"] for row in search.table("search", "lost", "ms")}
    some, none = lost["search at depth 1, 14 of the 21 rolls"], lost["depth 0"]
    assert f"loses {some} thousandths" in PAGE
    assert f"no search at all ({none})" in PAGE
    every = lost["search at depth 1, all rolls, the best 4 plays"]
    assert f"all rolls loses {every}" in PAGE
    deep = {
        row["table"]: int(row["positions"].replace(",", ""))
        for row in search.table("search", "method", "positions")
        if row["method"] == "star2" and row["search"].startswith("depth 2")
    }
    assert 1 - deep["yes"] / deep["no"] == pytest.approx(1 / 5, abs=0.03)
    page = RESULTS.page("game/openings.md")
    accepted = page.find(r"accepted opening play: (\d+ of \d+) at depth 0")
    assert f"an accepted play for {accepted} rolls" in PAGE


def test_one_start_of_eight_checkers_has_both_numbers():
    sides = [
        tuple(np.bincount(points, minlength=7)[1:].tolist())
        for points in combinations_with_replacement(range(1, 7), 8)
    ]
    assert len(sides) == 1287
    true = bearoff.one_sided_table().mean_rolls[bearoff.rank(sides)]
    both = [
        side
        for side, mean in zip(sides, true, strict=True)
        if f"{mean:.3f}" == "4.614"
        and f"{mean_rolls_by_rules(side, double=2):.3f}" == "5.161"
    ]
    assert both == [(1, 3, 1, 0, 1, 2)]


@pytest.mark.parametrize(
    "side", [(0, 0, 0, 0, 0, 1), (0, 2, 0, 0, 1, 2), (3, 0, 1, 0, 0, 1)]
)
def test_the_true_game_by_plain_recursion(side):
    true = bearoff.one_sided_table().mean_rolls[bearoff.rank(side)]
    assert mean_rolls_by_rules(side) == pytest.approx(float(true), abs=1e-12)


def test_plays_of_a_roll_in_games():
    net, seen = net_mover(Net.load()), []

    def move(board, high, low):
        seen.append(Board(tuple(map(int, board))))
        return net(board, high, low)

    play_games(move, move, (1,), 400)
    plays = [len(legal_plays(*pair)) for pair in product(seen[::25], bearoff.ROLLS)]
    # The tolerance is wide, because a double may have hundreds of plays.
    assert np.mean(plays) == pytest.approx(19, abs=2)
    assert "about 19 in games of our neural net" in PAGE

"""The comparison of reviews with the analyses that other programs stored in match files."""

from dataclasses import replace
from pathlib import Path

import pytest

from bearoff.answers import Judge
from bearoff.game.records import read_match
from bearoff.scores.equities import KAZAROSS_XG2
from bearoff.sim.rollouts import Goal
from research.comparisons import further
from research.comparisons.reviewed import pairs_of
from research.comparisons.reviews import SAME, agreement, furthest, page
from research.public_matches import analysed
from tests.two_sided_tables import built

SAMPLE = Path(__file__).parents[2] / "data" / "gnubg_analysed.sgf"


@pytest.fixture(scope="module")
def pairs():
    """Return some decisions at the end of a money game, each with two analyses."""
    found = pairs_of([read_match(SAMPLE)], Judge([built(5)], patience=0.0))
    return [pair for pair in found if pair.ours.method == "exact"]


def test_both_programs_agree_and_the_page_names_what_is_furthest_apart(pairs):
    assert {pair.ours.kind for pair in pairs} >= {"play", "double"}
    assert {pair.file.program for pair in pairs} == {"GNU Backgammon"}
    for pair in pairs:
        assert pair.theirs == pytest.approx(pair.ours.cost, abs=0.005)
        assert len(pair.equities) == (1 if pair.ours.kind == "play" else 2)
        assert max(map(abs, pair.equities)) < 0.05
    assert f"| all | {len(pairs)} |" in agreement(pairs)
    text = page("# Head\n", pairs)
    assert furthest(pairs, lambda pair: abs(pair.off)) in text
    assert text.startswith("# Head\n")


def checkers(pair):
    return sum(pair.ours.race.roller.counts) + sum(pair.ours.race.opponent.counts)


def test_reasons_are_tried_on_both_choices(pairs, tmp_path, monkeypatch):
    some = [
        min((pair for pair in pairs if pair.ours.kind == kind), key=checkers)
        for kind in ("play", "double")
    ]
    (tmp_path / "one.xml").write_bytes(KAZAROSS_XG2.read_bytes())
    monkeypatch.setattr(further, "FOLDER", tmp_path)
    monkeypatch.setattr(further, "METS", ("one",))
    monkeypatch.setattr(further, "LONGER", Goal(0.01, 100_000))
    for row, pair in zip(further.by_tables(some).splitlines()[2:], some, strict=True):
        cells = row.split("|")
        assert float(cells[5]) == pytest.approx(float(cells[4]), abs=0.005)
        assert float(cells[4]) == pytest.approx(pair.theirs, abs=1e-5)
    assert further.by_games(some).count("| possible |") == 2
    off = [replace(pair, theirs=pair.theirs + 0.5) for pair in some]
    assert further.by_games(off).count("| excluded |") == 2


def test_extreme_gammon_at_home_for_money_costs_the_same():
    money = [match for match in analysed() if match.length == 0]
    found = pairs_of(money, Judge([built(6)], patience=0.0))
    home = [pair for pair in found if pair.home and pair.ours.method == "exact"]
    assert len(home) >= 5
    assert {pair.file.program for pair in home} == {"eXtreme Gammon"}
    for pair in home:
        assert abs(pair.off) <= SAME
        assert pair.file.best == pair.ours.best or pair.ours.cost <= pair.ours.error

"""What other programs say, read from their files, beside our review of the same."""

from pathlib import Path

import pytest

from bearoff.answers import Judge
from game.records import parse_match, read_match
from tests.public_matches import contents
from tests.two_sided_tables import built
from verify.reviews import SAME, Pair, agreement, furthest, page, pairs_of

SAMPLE = Path(__file__).parents[1] / "data" / "gnubg_analysed.sgf"


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    """The end of a game for money: exact by the table."""
    found = pairs_of([read_match(SAMPLE)], Judge([built(5)]))
    return [pair for pair in found if pair.ours.method == "exact"]


def test_the_sample_is_read_and_both_agree(pairs: list[Pair]) -> None:
    """GNU Backgammon knows it too."""
    assert {pair.ours.kind for pair in pairs} >= {"play", "double"}
    assert {pair.file.program for pair in pairs} == {"GNU Backgammon"}
    for pair in pairs:
        assert pair.theirs == pytest.approx(pair.ours.cost, abs=0.005)
        assert len(pair.equities) == (1 if pair.ours.kind == "play" else 2)
        assert max(map(abs, pair.equities)) < 0.05
    assert f"| all | {len(pairs)} |" in agreement(pairs)


def test_the_page_names_what_is_furthest_apart(pairs: list[Pair]) -> None:
    text = page("# Head\n", pairs)
    assert furthest(pairs, lambda pair: abs(pair.off)) in text
    assert text.startswith("# Head\n")


def test_extreme_gammon_at_home_for_money_costs_the_same() -> None:
    """Its analysis of a public session, where both are home and few checkers are left."""
    names = [n for n in contents() if n.endswith(".xg")]
    matches = [parse_match(contents()[name], name) for name in sorted(names)]
    money = [match for match in matches if match.length == 0]
    found = pairs_of(money, Judge([built(6)]))
    home = [pair for pair in found if pair.home and pair.ours.method == "exact"]
    assert len(home) >= 5
    assert {pair.file.program for pair in home} == {"eXtreme Gammon"}
    for pair in home:
        assert abs(pair.off) <= SAME
        assert pair.file.best == pair.ours.best or pair.ours.cost <= pair.ours.error

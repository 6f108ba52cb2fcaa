"""GNU Backgammon's analysis, read from what it saved, beside our review of the same."""

from pathlib import Path

import pytest

from bearoff.answers import Judge
from tests.two_sided_tables import built
from verify.peers import gnubg
from verify.review_gnubg import Pair, agreement, analysis_of, furthest, page, pairs_of

SAMPLE = Path(__file__).parents[1] / "data" / "gnubg_analysed.sgf"


@pytest.fixture(scope="module")
def pairs() -> list[Pair]:
    """The end of a game for money: exact by the table."""
    found = pairs_of(SAMPLE, Judge([built(5)]))
    return [pair for pair in found if pair.ours.method == "exact"]


def test_the_sample_is_read_and_both_agree(pairs: list[Pair]) -> None:
    """GNU Backgammon knows it too."""
    said = analysis_of(SAMPLE.read_text())
    assert len(said) > 20
    assert {pair.ours.kind for pair in pairs} >= {"play", "double"}
    for pair in pairs:
        assert pair.theirs == pytest.approx(pair.ours.cost, abs=0.005)
        assert len(pair.equities) == (1 if pair.ours.kind == "play" else 2)
        assert max(map(abs, pair.equities)) < 0.05
    assert f"| all | {len(pairs)} | 100.0% |" in agreement(pairs)


@pytest.mark.skipif(gnubg.find("gnubg") is None, reason="GNU Backgammon is not installed")
def test_the_page_names_what_is_furthest_apart(pairs: list[Pair]) -> None:
    text = page(pairs, 0.01)
    assert furthest(pairs, lambda pair: abs(pair.off)) in text

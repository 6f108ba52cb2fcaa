"""GNU Backgammon's analysis, read from what it saved, beside our review of the same."""

from pathlib import Path

import pytest

from bearoff.answers import Judge
from tests.two_sided_tables import built
from verify.review_gnubg import agreement, analysis_of, furthest, page, pairs_of

SAMPLE = Path(__file__).parents[1] / "data" / "gnubg_analysed.sgf"


def test_the_sample_is_read_and_both_agree() -> None:
    """The end of a game for money: exact by the table, and GNU Backgammon knows it too."""
    said = analysis_of(SAMPLE.read_text())
    assert len(said) > 20
    pairs = [
        pair for pair in pairs_of(SAMPLE, Judge([built(5)])) if pair.ours.method == "exact"
    ]
    assert {pair.ours.kind for pair in pairs} >= {"play", "double"}
    for pair in pairs:
        assert pair.theirs == pytest.approx(pair.ours.cost, abs=0.005)
        assert len(pair.equities) == (1 if pair.ours.kind == "play" else 2)
        assert max(map(abs, pair.equities)) < 0.05
    text = page(pairs, 0.01)
    assert f"| all | {len(pairs)} | 100.0% |" in agreement(pairs)
    assert furthest(pairs, lambda pair: abs(pair.off)) in text

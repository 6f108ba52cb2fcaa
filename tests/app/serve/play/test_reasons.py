"""What is said to differ between plays: what speaks for the best first."""

from app.serve.play.reasons import differences
from game import Board, read_play


def said(roll: tuple[int, int], best: str, played: str) -> str:
    """Of two plays of the first roll."""
    boards = (read_play(Board.start(), text, roll) for text in (best, played))
    return differences(*boards)


def test_what_speaks_for_the_best_comes_first_then_what_speaks_against_it() -> None:
    # The blot on the 4 is hit by a 3, by 2-1 and by 1-1: 14 throws.
    assert said((3, 1), "8/5 6/5", "8/4") == (
        "The best holds the 5 point, leaves 14 fewer shots of 36 (0, not 14), stacks 1 "
        "checker fewer."
    )
    good, bad = said((6, 5), "24/13", "13/2").split(", but ")
    assert good == "The best keeps 1 checker fewer in the opponent's home"
    assert bad.startswith("goes without the 24 point, leaves ")
    only_bad = said((5, 4), "24/20 13/8", "13/4")
    assert only_bad.startswith("The best is better although it goes without the 24 point")
    assert said((5, 4), "13/4", "24/20 13/8").startswith("The best holds the 24 point")
    assert said((3, 1), "8/5 6/5", "6/5 8/5") == ""
    assert "leaves 1 fewer shot of 36" in said((3, 1), "24/20", "24/23 24/21")

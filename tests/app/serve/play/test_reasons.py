"""What is said to differ between plays: what speaks for the best first."""

import re

from bearoff.app.serve.play.reasons import differences
from bearoff.game import Board, read_play


def said(roll, best, played):
    """Of two plays of the first roll."""
    boards = (read_play(Board.start(), text, roll) for text in (best, played))
    return differences(*boards)


def test_what_speaks_for_the_best_comes_first_then_what_speaks_against_it():
    # The blot on the 4 is hit by a 3, by 2-1 and by 1-1: 14 throws.
    found = said((3, 1), "8/5 6/5", "8/4")
    assert re.search("5 point.* 14 .*36.*0, .*14.* 1 checker", found)
    good, bad = said((6, 5), "24/13", "13/2").split(", but ")
    assert ("1 checker" in good, "24 point" in bad) == (True, True)
    for best, played in (("24/20 13/8", "13/4"), ("13/4", "24/20 13/8")):
        assert "24 point" in said((5, 4), best, played)
    assert said((3, 1), "8/5 6/5", "6/5 8/5") == ""
    assert "1 fewer shot " in said((3, 1), "24/20", "24/23 24/21")

"""Second search of choices with similar equities, one roll further ahead than the first.

The first search looks one roll ahead, and the second search two rolls. If several plays are
close, the second search finds better plays, according to eXtreme Gammon's analysis of 13
public matches. In close cube decisions, the second search gains no measurable equity, but
the costs become more accurate; see results/agreement/deeper.md.
"""

from collections.abc import Sequence
from dataclasses import replace

from bearoff import ROLLS, WEIGHTS
from bearoff.game import Board
from bearoff.game.evaluation import Net
from bearoff.game.search import SearchedPlay, Searcher, SearchSettings, SearchStakes
from bearoff.rolls import THROWS
from bearoff.stakes import PASS, CubeOwner, Terms, Values

DEPTH = 2
"""Number of rolls by which the second search looks ahead."""

NEAR = 0.03
"""Largest difference in EMG from the best play at which a play is searched again."""

CLOSE = 0.2
"""Largest difference in EMG between two cube actions at which both are searched again.
Decisions with larger differences are not searched again."""

KEPT = 3
"""Number of plays of each roll, beginning with the best, that are searched for a cube
decision."""


class Deeper:
    """Search of close choices two rolls ahead; each thread needs a separate instance."""

    def __init__(self) -> None:
        net = Net.load()
        self._twice = Searcher(net, SearchSettings(depth=DEPTH, inner_width=2))
        self._once = Searcher(net, SearchSettings(depth=0))

    def plays(
        self, found: Sequence[SearchedPlay], cube: SearchStakes
    ) -> list[SearchedPlay]:
        """Search near-best plays one roll deeper, and sort all plays by equity.

        The equities of all other plays change by as much as the equity of the best play.

        Parameters
        ----------
        found : sequence of SearchedPlay
            All plays by a search one roll ahead, sorted by decreasing equity.
        cube : SearchStakes
            Stakes and cube.
        """
        best = found[0].equity
        near = [play for play in found if best - play.equity <= NEAR]
        if len(near) == 1:
            return list(found)
        again = [
            replace(play, equity=self._twice.worth(play.board, cube), depth=DEPTH)
            for play in near
        ]
        moved = max(play.equity for play in again) - best
        rest = [replace(play, equity=play.equity + moved) for play in found[len(near) :]]
        return sorted([*again, *rest], key=lambda play: -play.equity)

    def cube(self, board: Board, cube: SearchStakes, values: Values) -> bool:
        """Search a close cube decision one roll deeper; return whether it was close.

        Parameters
        ----------
        board : Board
            Board from the viewpoint of the player on roll, who may double or has doubled.
        cube : SearchStakes
            Stakes and cube before the double.
        values : Values
            Equities of the cube actions, found by a search one roll ahead. In a close
            decision, the second search replaces these equities.
        """
        waits, taken = values.no_double.item(), values.double_take.item()
        if min(abs(min(taken, PASS) - waits), abs(taken - PASS)) > CLOSE:
            return False
        terms = cube.terms
        values.no_double[:] = self._equity(board, cube)
        if terms.stakes.score is None:
            values.double_take[:] = 2 * self._equity(board, SearchStakes(terms, "opponent"))
        else:
            after = Terms(terms.stakes, 2 * terms.cube_value, terms.turned)
            equity = self._equity(board, SearchStakes(after, "opponent"))
            values.double_take[:] = terms.equity(after.chance(equity))
        return True

    def _equity(self, board: Board, cube: SearchStakes) -> float:
        """Return the equity of a board by a search two rolls ahead, with the cube."""
        other = SearchStakes(cube.terms.next(), CubeOwner.of(cube.cube).exchanged.cube)

        def worth(play: SearchedPlay) -> float:
            if not any(play.board.roller):
                return play.equity
            return -self._once.decide(play.board.turned, other).equity.item()

        return sum(
            weight / THROWS * max(map(worth, self._once.rate(board, roll, cube)[:KEPT]))
            for roll, weight in zip(ROLLS, WEIGHTS, strict=True)
        )

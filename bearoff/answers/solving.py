"""Solver of races in memory, one by one or in groups, with a time limit.

Only races with all checkers home, or with few checkers outside the home boards, are solved.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from bearoff.errors import MissingTableError, TableError
from bearoff.match_solver import (
    MatchTable,
    RaceGroup,
    groups_of,
    least_seconds,
    match_race,
    match_table,
    may_be_solved,
    money_race,
)
from bearoff.positions import POINTS, Race
from bearoff.scores import MatchEquities, Score
from bearoff.sources import TableSource, terms_of
from bearoff.stakes import Match, Stakes

SOON = 9
"""Maximum number of checkers per player at which a race is solved in about a second."""


_SOON_BEYOND = 5
"""Maximum number of checkers per player at which a race with checkers outside the home
boards is solved in about a second."""


class OutOfPatience(Exception):
    """Raised by a progress callback to stop solving a race that takes too long."""


class Solving:
    """Exact values of races, from match tables in the cache or solved in memory."""

    def __init__(
        self,
        equities: MatchEquities,
        patience: float,
        progress: Callable[[float], None],
    ) -> None:
        self._equities, self.patience, self.progress = equities, patience, progress
        self._held: tuple[TableSource[MatchTable], ...] = ()
        self._stored: dict[tuple[Score, int], TableSource[MatchTable] | None] = {}
        self._too_long: Race | None = None

    @property
    def nbytes(self) -> int:
        """Memory in bytes that the values of the solved races take."""
        return max((one.table.nbytes for one in self._held), default=0)

    def solves(self, race: Race, patience: float | None = None) -> bool:
        """Return whether a race can probably be solved within the time limit.

        This fast check detects most of the races outside the home board that take longer
        than `patience`. By default, the patience is that of `Solving`.
        """
        patience = self.patience if patience is None else patience
        if not (patience > 0 and may_be_solved(race)):
            return False
        return not _is_beyond(race) or least_seconds(race, self._equities) <= patience

    def source(self, race: Race) -> TableSource[MatchTable] | None:
        """Return exact values of a race, solved if needed; None if this takes too long."""
        race = replace(race, dice=None)
        if self._too_long == race:
            return None
        found = self.at_hand(race)
        if found is None or self._takes_long(found.table, race):
            large = _size(race) > SOON or _is_beyond(race)
            if large and least_seconds(race, self._equities) > self.patience:
                # Listing the reachable positions takes 0.1 seconds, so the time limit is
                # checked first.
                self.leave(race)
                return None
            self._held = ()  # Two solved races would need too much memory.
            try:
                table = self._solving(race)
                long = self._takes_long(table, race)
            except TableError:  # The race needs more memory than is allowed.
                long = True
            if long:
                self.leave(race)
                return None
            found = self._hold(table)
        return found

    def at_hand(self, race: Race) -> TableSource[MatchTable] | None:
        """Return exact values that are already available for a race, or None."""
        if self._held:
            stakes = terms_of(race, self._equities).stakes
            for one in self._held:
                if one.table.plays_for(stakes) and one.holds(race):
                    return one
        return self._in_the_cache(race)

    def solved(self, race: Race) -> TableSource[MatchTable] | None:
        """Return exact values of a race with its cube; None if they are not yet solved."""
        found = self.at_hand(race)
        if found is None:
            return None
        value = 1 if race.score is None else race.cube_value
        return None if found.table.estimate_seconds(value, race.cube) else found

    def _in_the_cache(self, race: Race) -> TableSource[MatchTable] | None:
        """Return the cached table that contains a race at a score, or None."""
        if race.score is None or _is_beyond(race):
            return None
        score, size = _score(race), _size(race)
        if (score, size) not in self._stored:
            with suppress(MissingTableError):
                found = match_table(
                    size, score.away, score.game, solve=False, equities=self._equities
                )
                self._stored[score, size] = TableSource(found)
        return self._stored.get((score, size))

    def _hold(self, table: MatchTable) -> TableSource[MatchTable]:
        both = table, table.exchanged()
        self._held = tuple(TableSource(one) for one in both if self._as_asked(one.stakes))
        return self._held[0]

    def _as_asked(self, stakes: Stakes) -> bool:
        """Return whether stakes use the solver's match equity table; true for money."""
        return not isinstance(stakes, Match) or stakes.equities.agree(self._equities)

    def waits(self, race: Race) -> bool:
        """Estimate whether solving a race may take more than a second."""
        small = _size(race) <= (_SOON_BEYOND if _is_beyond(race) else SOON)
        return self.solves(race) and not small and self.at_hand(race) is None

    def leave(self, race: Race) -> None:
        """Exclude a race from being solved from now on."""
        self._too_long, self._held = replace(race, dice=None), ()

    def let_go(self) -> None:
        """Free the memory of the solved races, which are solved again if needed later."""
        self._held = ()

    def groups(self, races: Sequence[Race]) -> list[RaceGroup]:
        """Group races for solving, so that all groups together fit into the time limit."""
        return groups_of(races, self._equities, self.patience)

    def solve(self, group: RaceGroup) -> None:
        """Solve a group of races; free the values of the group that was solved before."""
        self._held = ()
        self._hold(group.solve(self.progress))

    def with_opponents(self, race: Race) -> MatchTable | None:
        """Solve a race against all positions of the opponent; return None if too slow."""
        size = _size(race)
        if _is_beyond(race):
            return None
        found = self._solving(race, opponents=size)
        if found.opponents < size or self._takes_long(found, race):
            return None
        self._hold(found)
        return found

    def _solving(self, race: Race, opponents: int = 0) -> MatchTable:
        money = replace(race.on_points(), score=None, cube_value=1)
        if race.score is None:
            return money_race(
                money,
                jacoby=race.jacoby,
                limit=race.cube_growth,
                opponents=opponents,
                progress=self.progress,
            )
        score = _score(race)
        return match_race(
            money,
            score.away,
            score.game,
            equities=self._equities,
            opponents=opponents,
            progress=self.progress,
        )

    def _takes_long(self, table: MatchTable, race: Race) -> bool:
        value = 1 if race.score is None else race.cube_value
        return table.estimate_seconds(value, race.cube) > self.patience


def _is_beyond(race: Race) -> bool:
    return max(race.roller.highest, race.opponent.highest) > POINTS


def _size(race: Race) -> int:
    return max(race.roller.on_board, race.opponent.on_board)


def _score(race: Race) -> Score:
    """Return the score without the points won so far, which do not affect values."""
    assert race.score is not None
    return Score(race.score.away, race.score.game)

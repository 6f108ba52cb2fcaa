"""Answer races: choose who values them, and turn values into choices and costs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from bearoff.answers.answer import Answer, Side
from bearoff.answers.dice import play_choices
from bearoff.bear_in import bear_in, widen
from bearoff.errors import MissingTableError, PositionError, TableError
from bearoff.match_solver import MatchTable, match_race, match_table
from bearoff.positions import CHECKERS, POINTS, Position, Race
from bearoff.scores import Game, MatchEquities, known_equities
from bearoff.sources import (
    DoublingWindow,
    Market,
    Model,
    Races,
    Source,
    Table,
    doubling_window,
    market_by,
    numbers_of,
    terms_of,
)
from bearoff.stakes import RollersCube, Terms, Values
from bearoff.two_sided import (
    TwoSidedTable,
    build_two_sided_table,
    tables_with_cube,
    two_sided_table,
)

EPC_ERROR = 0.17
"""Pips, root mean square, of a side that is not all home; see docs/rollouts.md."""

PATIENCE = 30.0
"""Seconds that solving a race at a score may take, about, if nothing else is asked for."""

SOLVED = 6
"""Checkers of the table that is built on the spot, in a second or two."""

RollOut = Callable[[Race], Source]
"""Makes the source that values one race, and what can become of it, by games."""


class Judge:
    """Answers races from the best source: exact values, else rollouts or the fast model.

    Parameters
    ----------
    tables : sequence of TwoSidedTable, optional
        With all planes; those in the cache if not given, and one of few checkers is built
        where it is needed.
    roll_out : callable, optional
        Where nothing exact holds a race. By default the fast model values it.
    equities : MatchEquities, optional
        The match equity table.
    progress : callable
        Called with the share done of what takes long.
    patience : float
        Seconds that solving a race at a score may take, about; else it is rolled out or
        left to the fast model. 0 solves none.

    Examples
    --------
    >>> import bearoff
    >>> _ = bearoff.build_two_sided_table(5)
    >>> judge = Judge([bearoff.two_sided_table(5)])
    >>> race = bearoff.Race.parse("XGID=--ABB--------------a-a--b-:0:0:1:61:0:0:0:0:10")
    >>> answer = judge.answer(race)
    >>> answer.kind, answer.action, round(answer.equity, 3)
    ('exact', 'no double', 0.248)
    >>> for play in answer.plays[:2]:
    ...     print(f"{play.name:10} {play.equity:+.3f} {play.cost:.3f}")
    4/off 3/2  -0.179 0.000
    4/off 2/1  -0.402 0.223
    """

    def __init__(
        self,
        tables: Sequence[TwoSidedTable] | None = None,
        *,
        roll_out: RollOut | None = None,
        equities: MatchEquities | None = None,
        progress: Callable[[float], None] = lambda done: None,
        patience: float = PATIENCE,
    ) -> None:
        self._given = tables
        self._roll_out = roll_out
        self._equities = known_equities(equities)
        self._progress = progress
        self._patience = patience
        self._solved: MatchTable | None = None
        self._too_long: Race | None = None

    @cached_property
    def tables(self) -> tuple[Table[TwoSidedTable], ...]:
        """Two-sided tables for money, smaller ones first."""
        return tuple(map(Table, tables_with_cube() if self._given is None else self._given))

    @cached_property
    def model(self) -> Model:
        """The fast model, which knows any race at any stakes."""
        return Model()

    def races(self, races: Sequence[Race]) -> Races:
        """Put races side by side, scores valued by the judge's match equity table."""
        return Races.of(races, self._equities)

    def terms(self, race: Race) -> Terms:
        """Return what a race is played for.

        Raises
        ------
        ScoreError
            If the match equity table does not go as far as its score.
        """
        return terms_of(race, self._equities)

    def source(self, race: Race) -> Source:
        """Choose who values a race, and whatever can become of it.

        Raises
        ------
        PositionError
            If a side has borne off.
        ScoreError
            If the match equity table does not go as far as the race's score.
        """
        check_in_play(race)
        exact = self._exact(race)
        if exact is not None:
            return exact
        if self._roll_out is None or self._certain(race):
            return self.model
        return self._roll_out(race)

    def _certain(self, race: Race) -> bool:
        """Whether a race is decided, so that the model is as exact as rollouts."""
        return bool(self.model.certain(self.races([race]))[0])

    def holds(self, race: Race) -> bool:
        """Whether a race is answered exactly."""
        return self._exact(race) is not None

    def answer(
        self,
        race: Race,
        *,
        market: bool = False,
        played: Position | None = None,
        source: Source | None = None,
    ) -> Answer:
        """Answer one race.

        Parameters
        ----------
        race : Race
            With cube, score and dice, if thrown.
        market : bool
            Whether market losers and the doubling window are asked for, too.
        played : Position, optional
            Where a play leads that is rolled out in any case, if plays are.
        source : Source, optional
            Who values it, such as `model`; by default who knows it best.

        Raises
        ------
        PositionError, ScoreError
            As for `source`.
        """
        check_in_play(race)
        source = self.source(race) if source is None else source
        races = self.races([race])
        answer = _answer(race, source, source.values(races))
        if race.dice is not None:
            answer = replace(
                answer, plays=play_choices(race, races, source, self.model, played)
            )
        if market and answer.may_double:
            answer = replace(
                answer,
                market=self.market(race, source),
                window=self.window(race, source),
            )
        return answer

    def market(self, race: Race, source: Source) -> Market:
        """Follow every exchange of rolls of a roller who may double, by who values it.

        By the fast model instead of rollouts: 441 sequences would take too long.
        """
        rolled = source.kind == "rollout"
        return market_by(self.model if rolled else source, self.races([race]))

    def window(self, race: Race, source: Source) -> DoublingWindow:
        """Find where the action of a roller who may double changes, at these stakes.

        Against every opponent of no more checkers than the race has, if a table holds them
        all; else against typical ones of the fast model.
        """
        table = source.table if isinstance(source, Table) else None
        if isinstance(table, MatchTable):
            table = self._with_opponents(table, race)
        if table is None:
            epcs = bear_in().epc(widen([race.roller.counts]))
            return self.model.window(self.terms(race), race.cube, float(epcs[0]))
        number = numbers_of(table, race)[0]
        cube: RollersCube = "owned" if race.cube == "owned" else "centred"
        terms = self.terms(race)
        return doubling_window(
            table,
            number,
            cube,
            cube_value=terms.cube_value,
            jacoby=terms.stakes.jacoby,
            within=race,  # Whatever table there is.
        )

    def _with_opponents(self, table: MatchTable, race: Race) -> MatchTable | None:
        """Return a table at the race's score that holds every opponent, if that is soon."""
        size = max(side.on_board for side in (race.roller, race.opponent))
        if table.opponents >= size:
            return table
        away, game = _score(race)
        money = replace(race.on_points(POINTS), score=None, cube_value=1)
        found = match_race(
            money,
            away,
            game,
            equities=self._equities,
            opponents=size,
            progress=self._progress,
        )
        if found.opponents < size or self._takes_long(found, race):
            return None
        self._solved = found
        return found

    def seconds(self, race: Race) -> float:
        """Estimate how long a race takes that is to be solved; 0 of others."""
        source = self._exact(race)
        if source is None or isinstance(source.table, TwoSidedTable):
            return 0.0
        seconds: float = source.table.estimate_seconds(race.cube_value, race.cube)
        return seconds

    def shared_source(self, race: Race) -> Source | None:
        """Return who values a race together with others; None if it is asked alone."""
        if race.score is not None and self._roll_out is None:
            home = max(race.roller.highest, race.opponent.highest) <= POINTS
            return None if home and self._patience > 0 else self.model
        if race.score is not None:
            return None
        return self._exact(race) or (None if self._roll_out else self.model)

    def _exact(self, race: Race) -> Table[Any] | None:
        if race.score is None:
            held = (one for one in self.tables if one.holds(race))
            return next(held, None) or self._built(race)
        if max(race.roller.highest, race.opponent.highest) > POINTS:
            return None
        race = replace(race, dice=None)
        if self._too_long == race:
            return None
        solved = self._solved_before(race)
        if solved is None or self._takes_long(solved, race):
            solved = self._solve(race)
        return None if solved is None else Table(solved)

    def _solved_before(self, race: Race) -> MatchTable | None:
        """Return what is solved of a race that this one came of, as its roller has it."""
        solved = self._solved
        if solved is None:
            return None
        for table in (solved, solved.exchanged()):
            same = (table.score.away, table.score.game) == _score(race)
            if same and Table(table).holds(race):
                return table
        return None

    def _takes_long(self, table: MatchTable, race: Race) -> bool:
        return table.estimate_seconds(race.cube_value, race.cube) > self._patience

    def _solve(self, race: Race) -> MatchTable | None:
        """Solve a race and all that it can become; None if that takes too long."""
        self._solved = None  # Two of them would be too much for the memory.
        away, game = _score(race)
        money = replace(race.on_points(POINTS), score=None, cube_value=1)
        size = max(side.on_board for side in (race.roller, race.opponent))
        try:
            try:
                found = match_table(size, away, game, solve=False, equities=self._equities)
            except MissingTableError:
                found = match_race(
                    money, away, game, equities=self._equities, progress=self._progress
                )
            long = self._takes_long(found, race)
        except TableError:  # More than memory allows.
            long = True
        if long:
            self._too_long = race
            return None
        self._solved = found
        return found

    def _built(self, race: Race) -> Table[TwoSidedTable] | None:
        """Build the table of few checkers that holds a race, if tables may be built."""
        checkers = max(race.roller.on_board, race.opponent.on_board)
        highest = max(race.roller.highest, race.opponent.highest)
        if self._given is not None or checkers > SOLVED or highest > POINTS:
            return None
        build_two_sided_table(SOLVED)
        table = Table(two_sided_table(SOLVED))
        self.tables = (table, *self.tables)
        return table


def _score(race: Race) -> tuple[tuple[int, int], Game]:
    assert race.score is not None
    return race.score.away, race.score.game


def check_in_play(race: Race) -> None:
    """Raise `PositionError` if a side has borne off, or has not 15 checkers."""
    for name in ("roller", "opponent"):
        side = getattr(race, name)
        if not side.on_board:
            raise PositionError(f"the {name} has 0 checkers on the board, there is no race")
        if side.checkers != CHECKERS:
            raise PositionError(
                f"races are answered with {CHECKERS} checkers a side, the {name} has "
                f"{side.checkers}"
            )


def _answer(race: Race, source: Source, values: Values) -> Answer:
    counts = widen([race.roller.counts, race.opponent.counts])
    epcs, stds = bear_in().epc(counts).tolist(), bear_in().std_rolls(counts).tolist()
    sides = [
        Side(side.pips, epc, EPC_ERROR if side.highest > POINTS else 0.0, std)
        for side, epc, std in zip((race.roller, race.opponent), epcs, stds, strict=True)
    ]
    return Answer(race, source.kind, sides[0], sides[1], values)

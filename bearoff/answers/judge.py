"""Class `Judge`, which chooses exact values, rollouts or the fast model for each race."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from bearoff.answers.answer import Answer, PlayChoice, SideSummary, kinds_of
from bearoff.answers.dice import play_choices
from bearoff.answers.solving import OutOfPatience, Solving
from bearoff.bear_in import bear_in, widen
from bearoff.errors import PositionError, TableError
from bearoff.one_sided import one_sided_table
from bearoff.positions import CHECKERS, POINTS, Position, Race
from bearoff.rolls import PIPS_PER_ROLL
from bearoff.scores import MatchEquities, known_equities
from bearoff.sources import (
    DoublingWindow,
    Market,
    ModelSource,
    PairTable,
    Races,
    Source,
    TableSource,
    doubling_window,
    market_by,
    numbers_of,
    terms_of,
)
from bearoff.stakes import RollersCube, Terms
from bearoff.two_sided import (
    TwoSidedTable,
    build_two_sided_table,
    tables_with_cube,
    two_sided_table,
)

EPC_ERROR = 0.17
"""Root mean square error, in pips, of the estimated EPC of a position with checkers outside
the home board; see docs/rollouts.md."""

PATIENCE = 30.0
"""Default time limit for solving a race exactly, in seconds."""

SOLVED = 6
"""Maximum number of checkers per player in the two-sided table that a judge builds when a
race first needs the table. Building takes 1 or 2 seconds."""

RollOut = Callable[[Race], Source]
"""Function that returns a source of values, which rolls out a given race and all later
positions of that race."""


class Judge:
    """Evaluator that prefers exact values to rollouts, and rollouts to the fast model.

    Parameters
    ----------
    tables : sequence of TwoSidedTable, optional
        Two-sided tables with cubeful values. By default, the tables in the cache; a table
        for few checkers is built when it is needed.
    roll_out : callable, optional
        Function that returns a source of values for a race without exact values, such as a
        source that makes rollouts. By default, the fast model is used.
    equities : MatchEquities, optional
        Match equity table. By default, Kazaross-XG2.
    progress : callable
        Function that is called with the completed fraction of a long computation. If it
        raises `OutOfPatience`, the race is answered by rollouts or the fast model.
    patience : float
        Time limit for solving a race exactly, in seconds. Races that take longer are
        answered by rollouts or the fast model. With 0, no race is solved.

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
        self.solving = Solving(self._equities, patience, progress)

    @cached_property
    def tables(self) -> tuple[TableSource[TwoSidedTable], ...]:
        """Two-sided tables for money, sorted from few to many checkers."""
        return tuple(
            map(TableSource, tables_with_cube() if self._given is None else self._given)
        )

    @cached_property
    def model(self) -> ModelSource:
        """Fast approximate model, which evaluates any race for money or at any score."""
        return ModelSource()

    def races(self, races: Sequence[Race]) -> Races:
        """Convert `Race` objects to arrays, using the match equity table of the judge."""
        return Races.of(races, self._equities)

    def terms(self, race: Race) -> Terms:
        """Return the stakes and the cube value of a race.

        Raises
        ------
        ScoreError
            If the match equity table does not contain the score.
        """
        return terms_of(race, self._equities)

    def source(self, race: Race) -> Source:
        """Return the source of equities for a race and for all its later positions.

        Raises
        ------
        PositionError
            If a side has borne off all checkers.
        ScoreError
            If the match equity table does not contain the score.
        """
        check_in_play(race)
        return self._exact(race) or self.otherwise(race)

    def otherwise(self, race: Race) -> Source:
        """Return rollouts or the fast model, for a race that has no exact values."""
        if self._roll_out is None or race.cube_growth or self._certain(race):
            return self.model  # Rollouts do not support a limit on the cube.
        return self._roll_out(race)

    def _certain(self, race: Race) -> bool:
        """Return whether the winner and the points won are certain before the roll."""
        return bool(self.model.certain(self.races([race]))[0])

    def holds(self, race: Race) -> bool:
        """Return whether exact values of a race are available, or can be solved in time."""
        return self._exact(race) is not None

    def answer(
        self,
        race: Race,
        *,
        market: bool = False,
        played: Position | None = None,
        source: Source | None = None,
    ) -> Answer:
        """Answer a question about one race.

        Parameters
        ----------
        race : Race
            Race with its cube, score and, if they have been rolled, dice.
        market : bool
            Whether to compute market losers and the doubling window.
        played : Position, optional
            Position after a play that must be part of any rollout of plays.
        source : Source, optional
            Source of the values, for example `model`. By default, the best available
            source.

        Raises
        ------
        PositionError, ScoreError
            In the same cases as by `source`.
        """
        check_in_play(race)
        source = self.source(race) if source is None else source
        races = self.races([race])
        sides = _side(race.roller), _side(race.opponent)
        try:
            values = source.values(races)
        except OutOfPatience:
            self.solving.leave(race)
            source = self.otherwise(race)
            values = source.values(races)
        answer = Answer(race, kinds_of(source.kind, values)[0], *sides, values)
        if race.dice is not None:
            answer = replace(answer, plays=self.plays(race, source, played))
        if market and answer.has_market:
            window = self.window(race, source)
            if window.by_model:
                # The fast model's doubling window may contradict the cube action.
                window = window.including(values)
            answer = replace(answer, market=self.market(race, source), window=window)
        return answer

    def plays(
        self, race: Race, source: Source, played: Position | None = None
    ) -> tuple[PlayChoice, ...]:
        """Return the legal plays of a race's roll with their equities, best play first."""
        return play_choices(race, self.races([race]), source, self.model, played)

    def market(self, race: Race, source: Source) -> Market:
        """Find the sequences of two rolls that lose the market if the roller may double."""
        return market_by(self.source_ahead(source), self.races([race]))

    def source_ahead(self, source: Source) -> Source:
        """Return the fast model if the source makes rollouts; otherwise return the source.

        Rollouts after each of the 21 rolls, or of the 441 pairs of rolls, would take too
        long, so the fast model replaces rollouts.
        """
        return self.model if source.kind == "rollout" else source

    def window(self, race: Race, source: Source) -> DoublingWindow:
        """Return the doubling window of a roller who may double, at the race's stakes.

        The window follows from the values against all opponent positions with at most the
        race's number of checkers, if a table with these values is available. Otherwise, it
        follows from the fast model's values against different EPCs of the opponent.
        """
        table: PairTable | None = source.table if isinstance(source, TableSource) else None
        size = max(race.roller.on_board, race.opponent.on_board)
        if table is not None and table.opponents < size:
            table = self.solving.with_opponents(race)
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
            within=race,  # The doubling window must not depend on which table is available.
        )

    def seconds(self, race: Race) -> float:
        """Estimate the seconds to solve a race; 0 if the race will not be solved."""
        if (source := self._exact(race)) is None:
            return 0.0
        return source.table.estimate_seconds(self.terms(race).cube_value, race.cube)

    def shared_source(self, race: Race) -> Source | None:
        """Return the source that can evaluate a race in one call with other races.

        The result is None for a race that must first be solved or rolled out.
        """
        if (table := self.stored(race)) is not None:
            return table
        if self.solving.solves(race):
            return self.solving.solved(race)
        return None if self._roll_out else self.model

    def _exact(self, race: Race) -> TableSource[PairTable] | None:
        if (table := self.stored(race)) is not None:
            return table
        return self.solving.source(race) if self.solving.solves(race) else None

    def stored(self, race: Race) -> TableSource[TwoSidedTable] | None:
        """Return the money table that contains a race; None if there is none."""
        if race.score is not None:
            return None
        if self.terms(race).stakes.is_chain:
            return None  # Tables for money assume a cube without a limit.
        held = (one for one in self.tables if one.holds(race))
        return next(held, None) or self._built(race)

    def _built(self, race: Race) -> TableSource[TwoSidedTable] | None:
        """Build the small table that contains a race; None if this is not possible."""
        checkers = max(race.roller.on_board, race.opponent.on_board)
        highest = max(race.roller.highest, race.opponent.highest)
        if self._given is not None or checkers > SOLVED or highest > POINTS:
            return None
        try:
            build_two_sided_table(SOLVED)
        except TableError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            # From now on, no table is built, and each race is solved separately.
            self._given = ()
            return None
        table = TableSource(two_sided_table(SOLVED))
        self.tables = (table, *self.tables)
        return table


def check_in_play(race: Race) -> None:
    """Raise `PositionError` unless each side has 15 checkers and has not borne off all."""
    for name in ("roller", "opponent"):
        side = getattr(race, name)
        if not side.on_board:
            raise PositionError(
                f"the {name} has 0 checkers on the board, so there is no race"
            )
        if side.checkers != CHECKERS:
            raise PositionError(
                f"both sides of a race must be positions with {CHECKERS} checkers, but the "
                f"{name} has {side.checkers}"
            )


def _side(side: Position) -> SideSummary:
    if side.highest <= POINTS:
        table, number = one_sided_table(), Position(side.counts[:POINTS]).number
        rolls, std = float(table.mean_rolls[number]), float(table.std_rolls[number])
        return SideSummary(side.pips, rolls * PIPS_PER_ROLL, 0.0, std)
    counts = widen(side.counts)
    epc, std = (float(of(counts)) for of in (bear_in().epc, bear_in().std_rolls))
    return SideSummary(side.pips, epc, EPC_ERROR, std)

"""The judge: it chooses the source for a race and turns values into choices and costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

from bearoff.answers.answer import Answer, PlayChoice, Side, kinds_of
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
"""Root mean square error in pips of the EPC of a side not all home; see docs/rollouts.md.
"""

PATIENCE = 30.0
"""Default limit for solving a race, in seconds."""

SOLVED = 6
"""Checkers per side of the two-sided table that is built on demand in 1 or 2 seconds."""

RollOut = Callable[[Race], Source]
"""Function that returns a rollout source for one race and the races after it."""


class Judge:
    """Answers races from the best source: exact values, else rollouts or the fast model.

    Parameters
    ----------
    tables : sequence of TwoSidedTable, optional
        Tables with all planes. By default those in the cache; a table of few checkers is
        built when it is needed.
    roll_out : callable, optional
        Makes the source for races without exact values. By default this is the fast model.
    equities : MatchEquities, optional
        Match equity table.
    progress : callable
        Called with the share done of a long calculation. If it raises `OutOfPatience`, the
        race is left to rollouts or the fast model.
    patience : float
        Limit for solving a race, in seconds. Races that take longer are rolled out or left
        to the fast model; 0 solves none.

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
        """Two-sided tables for money, from few to many checkers."""
        return tuple(
            map(TableSource, tables_with_cube() if self._given is None else self._given)
        )

    @cached_property
    def model(self) -> ModelSource:
        """The fast model, which values any race at any stakes."""
        return ModelSource()

    def races(self, races: Sequence[Race]) -> Races:
        """Convert races to arrays; scores use the judge's match equity table."""
        return Races.of(races, self._equities)

    def terms(self, race: Race) -> Terms:
        """Return the stakes and cube value of a race.

        Raises
        ------
        ScoreError
            If the match equity table does not reach the score.
        """
        return terms_of(race, self._equities)

    def source(self, race: Race) -> Source:
        """Choose the source for a race and for all races that follow from it.

        Raises
        ------
        PositionError
            If a side has borne off all checkers.
        ScoreError
            If the match equity table does not reach the score.
        """
        check_in_play(race)
        return self._exact(race) or self.otherwise(race)

    def otherwise(self, race: Race) -> Source:
        """Choose the source for a race that has no exact values."""
        if self._roll_out is None or race.cube_growth or self._certain(race):
            return self.model  # Rollouts do not support a cube limit.
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
            Race with its cube, score and, if rolled, dice.
        market : bool
            Whether to add market losers and the doubling window.
        played : Position, optional
            Position after a play that is rolled out in any case, if plays are.
        source : Source, optional
            Source of the values, such as `model`; by default the best one.

        Raises
        ------
        PositionError, ScoreError
            See `source`.
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
            if window.by_model:  # The window's typical opponents may decide otherwise.
                window = window.including(values)
            answer = replace(answer, market=self.market(race, source), window=window)
        return answer

    def plays(
        self, race: Race, source: Source, played: Position | None = None
    ) -> tuple[PlayChoice, ...]:
        """Value the plays of a race's dice, best first; see `answer`."""
        return play_choices(race, self.races([race]), source, self.model, played)

    def market(self, race: Race, source: Source) -> Market:
        """Follow every exchange of rolls after no double, for a roller who may double.

        The fast model replaces rollouts, which would take too long for 441 pairs of rolls.
        """
        rolled = source.kind == "rollout"
        return market_by(self.model if rolled else source, self.races([race]))

    def window(self, race: Race, source: Source) -> DoublingWindow:
        """Find the doubling window of a roller who may double, at the stakes of the race.

        The opponents are all positions with no more checkers than the race has, if a table
        holds them; else typical sides of the fast model.
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
            within=race,  # The window must not depend on which table is at hand.
        )

    def seconds(self, race: Race) -> float:
        """Estimate the seconds to solve a race; 0 if it is not to be solved."""
        if (source := self._exact(race)) is None:
            return 0.0
        return source.table.estimate_seconds(self.terms(race).cube_value, race.cube)

    def shared_source(self, race: Race) -> Source | None:
        """Return the source that values a race together with others; None if there is none.

        A race that is to be solved has no such source until it is solved.
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
        """Return the table for money that holds a race; None if there is none."""
        if race.score is not None:
            return None
        if self.terms(race).stakes.is_chain:
            return None  # Tables for money have a cube without limit.
        held = (one for one in self.tables if one.holds(race))
        return next(held, None) or self._built(race)

    def _built(self, race: Race) -> TableSource[TwoSidedTable] | None:
        """Build the table of few checkers that holds a race, if tables may be built."""
        checkers = max(race.roller.on_board, race.opponent.on_board)
        highest = max(race.roller.highest, race.opponent.highest)
        if self._given is not None or checkers > SOLVED or highest > POINTS:
            return None
        try:
            build_two_sided_table(SOLVED)
        except TableError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            self._given = ()  # The table is not tried again; each race is solved by itself.
            return None
        table = TableSource(two_sided_table(SOLVED))
        self.tables = (table, *self.tables)
        return table


def check_in_play(race: Race) -> None:
    """Raise `PositionError` if a side has borne off, or does not have 15 checkers."""
    for name in ("roller", "opponent"):
        side = getattr(race, name)
        if not side.on_board:
            raise PositionError(
                f"the {name} has 0 checkers on the board, so there is no race"
            )
        if side.checkers != CHECKERS:
            raise PositionError(
                f"races are answered with {CHECKERS} checkers a side, the {name} has "
                f"{side.checkers}"
            )


def _side(side: Position) -> Side:
    if side.highest <= POINTS:
        table, number = one_sided_table(), Position(side.counts[:POINTS]).number
        rolls, std = float(table.mean_rolls[number]), float(table.std_rolls[number])
        return Side(side.pips, rolls * PIPS_PER_ROLL, 0.0, std)
    counts = widen(side.counts)
    epc, std = (float(of(counts)) for of in (bear_in().epc, bear_in().std_rolls))
    return Side(side.pips, epc, EPC_ERROR, std)

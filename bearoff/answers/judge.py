"""Answer races: choose who values them, and turn values into choices and costs."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from bearoff.answers.answer import Answer, Choice, PlayChoice, Side
from bearoff.answers.exact import AtScore, Table
from bearoff.answers.model import Model
from bearoff.answers.races import Races
from bearoff.answers.values import Float64Array, Source, Values, equities_after
from bearoff.bear_in import bear_in, widen
from bearoff.cube import Market
from bearoff.errors import PositionError, ScoreError, TableError
from bearoff.match import MatchEquities
from bearoff.plays import Play, legal_plays
from bearoff.positions import CHECKERS, POINTS, Position, Race
from bearoff.race_model import ERRORS
from bearoff.two_sided import (
    TwoSidedTable,
    build_two_sided_table,
    tables_with_cube,
    two_sided_table,
)

EPC_ERROR = 0.17
"""Pips, root mean square, of a side that is not all home; see docs/long-races.md."""

PATIENCE = 30.0
"""Seconds that solving a race at a score may take, about, if nothing else is asked for."""

SOLVED = 6
"""Checkers of the table that is built on the spot, in a second or two."""

SCREENED, WITHIN = 5, 0.05
"""Plays that a rollout looks at: so many, within so much of the best by the model; more
where the model is less sure."""

_STANDARD_ERRORS = 2.0
"""Within so many nearly all means of games lie."""

RollOut = Callable[[Race], Source]
"""Makes the source that values one race, and what can become of it, by games."""


class Judge:
    """Whoever answers races: exactly where it is known, else as well as is asked for.

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
        Seconds that solving a race at a score may take, about; else it is rolled out.

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
        self._equities = equities
        self._progress = progress
        self._patience = patience
        self._solved: AtScore | None = None
        self._too_long: Race | None = None

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Two-sided tables, smaller ones first."""
        return tuple(map(Table, tables_with_cube() if self._given is None else self._given))

    @cached_property
    def model(self) -> Model:
        """The fast model."""
        return Model()

    def source(self, race: Race) -> Source:
        """Choose who values a race, and whatever can become of it.

        Raises
        ------
        PositionError
            If a side has borne off.
        ScoreError
            If the race is at a score, too long to be solved, and there are no rollouts.
        """
        check_in_play(race)
        exact = self._exact(race)
        if exact is not None:
            return exact
        if self._roll_out is not None:
            return self._roll_out(race)
        if race.score is not None:
            raise ScoreError(
                f"{race.roller} against {race.opponent} is too long to be solved at "
                f"{race.score}, and the fast model knows no scores; bearoff race "
                "without --model rolls it out"
            )
        return self.model

    def holds(self, race: Race) -> bool:
        """Whether a race is answered exactly."""
        return self._exact(race) is not None

    def answer(
        self, race: Race, *, market: bool = False, played: Position | None = None
    ) -> Answer:
        """Answer one race.

        Parameters
        ----------
        race : Race
            With cube, score and dice, if thrown.
        market : bool
            Whether market losers are asked for, too.
        played : Position, optional
            Where a play leads that is rolled out in any case, if plays are.

        Raises
        ------
        PositionError, ScoreError
            As for `source`.
        """
        source = self.source(race)
        races = Races.of([race])
        answer = _answer(race, source, source.values(races))
        if race.dice is not None:
            answer = replace(answer, plays=self._plays(race, source, played))
        if market and answer.action is not None:
            answer = replace(answer, market=self.market(race, source))
        return answer

    def market(self, race: Race, source: Source) -> Market | None:
        """Follow every exchange of rolls of a roller who may double, by who values it.

        None at a score where only rollouts do: 441 sequences take too long.
        """
        if isinstance(source, Table | AtScore):
            return source.market(race)
        return self.model.market(race) if race.score is None else None

    def shared_source(self, race: Race) -> Source | None:
        """Return who values a race together with others; None if it is asked alone."""
        if race.score is not None:
            return None
        return self._exact(race) or (None if self._roll_out else self.model)

    def _exact(self, race: Race) -> Source | None:
        if race.score is None:
            held = (one for one in self.tables if one.holds(race))
            return next(held, None) or self._built(race)
        if max(race.roller.highest, race.opponent.highest) > POINTS:
            return None
        race = replace(race, dice=None)
        if self._too_long == race:
            return None
        found = self._solved and self._solved.of_later(race)
        if found is None or found.estimate_seconds(race.cube) > self._patience:
            found = self._solve(race)
        return found

    def _solve(self, race: Race) -> AtScore | None:
        """Solve a race and all that it can become; None if that takes too long."""
        self._solved = None  # Two of them would be too much for the memory.
        try:
            found = AtScore(race, self._equities, self._progress)
            long = found.estimate_seconds(race.cube) > self._patience
        except TableError:  # More than memory allows.
            long = True
        if long:
            self._too_long = race
            return None
        self._solved = found
        return found

    def _built(self, race: Race) -> Table | None:
        """Build the table of few checkers that holds a race, if tables may be built."""
        checkers = max(race.roller.on_board, race.opponent.on_board)
        highest = max(race.roller.highest, race.opponent.highest)
        if self._given is not None or checkers > SOLVED or highest > POINTS:
            return None
        build_two_sided_table(SOLVED)
        table = Table(two_sided_table(SOLVED))
        self.tables = (table, *self.tables)
        return table

    def _plays(
        self, race: Race, source: Source, played: Position | None
    ) -> tuple[PlayChoice, ...]:
        """Value the plays of the dice, the best first."""
        assert race.dice is not None
        legal = legal_plays(race.roller, race.dice)
        races = Races.of([race])
        sides = widen([play.after.counts for play in legal])
        rows = np.zeros(len(legal), dtype=np.int64)
        if source.kind != "rollout":
            values = equities_after(source, races, rows, sides)
            return _choices(legal, *values, np.full(len(legal), source.kind))
        equities, errors = equities_after(self.model, races, rows, sides)
        unsure = max(float(errors.max()) - max(ERRORS), 0.0)  # Gammons are at stake.
        most = 2 * SCREENED if unsure else SCREENED
        near = np.argsort(-equities, kind="stable")[:most]
        near = near[equities[near] >= equities.max() - WITHIN - unsure]
        if played is not None:
            chosen = (sides == widen(played.counts)).all(axis=1)
            near = np.union1d(near, np.flatnonzero(chosen))
        kinds = np.full(len(legal), "rollout")
        kinds[:] = "model"
        equities[near], errors[near] = equities_after(
            source, races, rows[near], sides[near]
        )
        kinds[near] = "rollout"
        # The model found the others worse; its scale is not the rollouts'.
        others = np.setdiff1d(np.arange(len(legal)), near)
        equities[others] = np.minimum(equities[others], equities[near].min())
        return _choices(legal, equities, errors, kinds)


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
    epcs = bear_in().epc(widen([race.roller.counts, race.opponent.counts]))
    sides = [
        Side(side.pips, float(epc), EPC_ERROR if side.highest > POINTS else 0.0)
        for side, epc in zip((race.roller, race.opponent), epcs, strict=True)
    ]
    answer = Answer(
        race,
        source.kind,
        roller=sides[0],
        opponent=sides[1],
        win_probability=float(values.win_probability[0]),
        gammons_won=_known(values.gammons_won),
        gammons_lost=_known(values.gammons_lost),
        equity=float(values.equity[0]),
        error=float(values.error[0]),
        action=None,
        too_close=False,
        no_double=None,
        double=None,
        take=None,
        pass_=None,
        unit=getattr(source, "unit", None),
        values=values,
    )
    return _with_cube(answer, values) if values.may_double[0] else answer


def _known(chances: Float64Array) -> float | None:
    return None if np.isnan(chances[0]) else float(chances[0])


def _with_cube(answer: Answer, values: Values) -> Answer:
    double = "redouble" if answer.race.cube == "owned" else "double"
    named = {"no double": f"no {double}", "double": double, "take": "take", "pass": "pass"}
    choices = [Choice(named[d], *values.decision(d, 0)) for d in named]
    widened = values.widened(_STANDARD_ERRORS if answer.kind == "rollout" else 1.0)
    return replace(
        answer,
        action=str(action_names(values, np.array([double]))[0]),
        too_close=bool(widened.too_close[0]),
        no_double=choices[0],
        double=choices[1],
        take=choices[2],
        pass_=choices[3],
    )


def action_names(values: Values, double: NDArray[np.str_]) -> NDArray[np.str_]:
    """Name the right actions; `double` is ``double`` or ``redouble`` for each race."""
    actions = values.actions
    add = np.char.add
    doubled = np.where(actions.takes, add(double, ", take"), add(double, ", pass"))
    waits = np.where(actions.too_good, add("too good to ", double), add("no ", double))
    return np.where(actions.doubles, doubled, waits)


def _choices(
    legal: list[Play],
    equities: Float64Array,
    errors: Float64Array,
    kinds: NDArray[np.str_],
) -> tuple[PlayChoice, ...]:
    best = int(np.argmax(equities))
    choices = [
        PlayChoice(
            str(play),
            float(equity),
            float(equities[best] - equity),
            0.0 if equity == equities[best] else float(error + errors[best]),
            play,
            kind,
        )
        for play, equity, error, kind in zip(
            legal, equities, errors, kinds.tolist(), strict=True
        )
    ]
    return tuple(sorted(choices, key=lambda one: (one.cost, one.play.after.number)))

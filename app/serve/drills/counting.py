"""Drills answered by a number about a race: pips, EPC, the chance to win."""

from abc import abstractmethod
from functools import cache
from random import Random
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from analysis import formulas
from analysis.formulas import CountWinRule, counting
from analysis.formulas.writing import Worksheet
from app.serve.drills.asked import (
    Drill,
    Level,
    Line,
    Marked,
    Question,
    board_of,
    number_of,
    thirds,
)
from app.serve.drills.sample import Decisions, Rolls, shipped_sample
from bearoff import PIPS_PER_ROLL, POINTS, BearoffError, Position, Race
from bearoff.bear_in import bear_in, widen

ESTIMATE = "by-shape"
"""The head estimate of an EPC that a solution works out."""

CHANCE = "isight"
"""The formula of a chance that a solution works out."""


class NumberDrill(Drill):
    """A drill whose answer is a number about a race of the sample."""

    unit: ClassVar[str]
    within: ClassVar[float]
    ask: ClassVar[str]

    @abstractmethod
    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        """Say how hard each race is; NaN where it cannot be asked."""

    @abstractmethod
    def truth(self, race: Race) -> float:
        """Return the right answer."""

    @abstractmethod
    def work(self, race: Race, truth: float) -> list[Line]:
        """Work it out."""

    def method(self, race: Race) -> str:
        """Say what the answer is from."""
        return "exact"

    def draw(self, rng: Random, level: Level) -> str:
        """Draw a race of the sample."""
        races = shipped_sample().race
        row = rng.choice(_rows(self, level))
        return race_at(races, row).position_id

    def race(self, rest: str) -> Race:
        """Read the race from its position ID."""
        return Race.parse(rest)

    def question(self, rest: str) -> Question:
        """Ask for the number."""
        return Question(
            key=self.key(rest),
            kind=self.name,
            title=self.title,
            text=self.ask,
            form="number",
            unit=self.unit,
            within=self.within,
            **board_of(self.race(rest)) | {"cube": None},  # type: ignore[arg-type]
        )

    def mark(self, rest: str, given: str) -> Marked:
        """Compare the numbers, as they are shown, to a tenth."""
        number = number_of(given, self.unit)
        race = self.race(rest)
        truth = self.truth(race)
        error = round(number - truth, 2)
        return Marked(
            key=self.key(rest),
            kind=self.name,
            given=f"{number:g}",
            answer=f"{truth:.1f}".removesuffix(".0"),
            right=abs(error) <= self.within,
            error=error,
            method=self.method(race),
            steps=self.work(race, truth),
        )


@cache
def _rows(drill: NumberDrill, level: Level) -> list[int]:
    hard = drill.hardness(shipped_sample().race)
    known = np.flatnonzero(~np.isnan(hard)).tolist()
    return thirds(((float(hard[row]), row) for row in known), level)


class Pips(NumberDrill):
    """The pip count of the side on roll."""

    name, title = "pips", "Pip count"
    unit, within = "pips", 0.0
    text = "Count the pips of the side on roll. Harder with more pips."
    ask = "How many pips do you have?"

    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        """The more pips the harder."""
        return np.asarray(races.rollers @ np.arange(1.0, 25.0))

    def truth(self, race: Race) -> float:
        """Count."""
        return race.roller.pips

    def work(self, race: Race, truth: float) -> list[Line]:
        """Add point by point, the rearmost first, as one counts them."""
        lines, total = [], 0
        for point in range(race.roller.points, 0, -1):
            count = race.roller.counts[point - 1]
            if count:
                total += count * point
                lines.append(
                    Line(
                        words=f"{count} on the {point}",
                        arithmetic=f"{count} x {point} = {count * point}, so far {total}",
                    )
                )
        return lines


class Epc(NumberDrill):
    """The effective pip count of the side on roll."""

    name, title = "epc", "Effective pip count"
    unit, within = "pips", 1.0
    text = "The EPC of the side on roll, all home, within a pip. Harder where the quick \
rules are farther off."
    ask = "What is your effective pip count?"

    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        """By how far the quick rules are off."""
        sides = races.rollers[:, :POINTS]
        hard = np.abs(
            counting.get_estimate(ESTIMATE).epc(sides) - bear_in().epc(widen(sides))
        )
        return np.where(races.rollers[:, POINTS:].any(axis=1), np.nan, hard)

    def truth(self, race: Race) -> float:
        """Look it up; exact with all checkers home."""
        if race.roller.highest > POINTS:
            raise BearoffError("an EPC is asked of a side with all checkers home")
        return float(bear_in().epc(widen([race.roller.counts]))[0])

    def work(self, race: Race, truth: float) -> list[Line]:
        """Estimate it as a player does, and take the true one to its parts."""
        sheet = Worksheet()
        side = race.roller.counts[:POINTS]
        counting.get_estimate(ESTIMATE).work(sheet, side, "your")
        lines = [Line(words=one.words, arithmetic=one.arithmetic) for one in sheet.steps]
        pips = race.roller.pips
        return [
            *lines,
            Line(
                words="in truth: pips and wastage",
                arithmetic=f"{pips} + {truth - pips:.2f} = {truth:.2f}",
            ),
            Line(
                words="or mean rolls times 49/6",
                arithmetic=f"{truth / PIPS_PER_ROLL:.3f} x 8.167 = {truth:.2f}",
            ),
        ]


class Chance(NumberDrill):
    """The roller's chance to win the race without a cube."""

    name, title = "chance", "Chance to win"
    unit, within = "%", 3.0
    text = "Your chance to win without the cube, before the roll, within 3%. Harder where \
a good formula is farther off."
    ask = "What is your chance to win, in percent? There is no cube."

    def hardness(self, races: Decisions) -> NDArray[np.float64]:
        """By how far the formula is off."""
        rule = _chance_rule()
        return np.abs(rule.win_probability(races.rollers, races.opponents) - races.chance)

    def truth(self, race: Race) -> float:
        """Look it up in the sample."""
        races = shipped_sample().race
        return 100 * float(races.chance[row_of(races, race)])

    def method(self, race: Race) -> str:
        """Exact at home, else by rollout."""
        races = shipped_sample().race
        return method_of(races, row_of(races, race), percent=True)

    def work(self, race: Race, truth: float) -> list[Line]:
        """Work a formula out."""
        sheet, rule = Worksheet(), _chance_rule()
        sides = race.roller.counts, race.opponent.counts
        found = rule.chance.work(sheet, *rule.count.work(sheet, sides))
        steps = [Line(words=one.words, arithmetic=one.arithmetic) for one in sheet.steps]
        off = float(found) - truth
        return [
            *steps,
            Line(
                words=f"in truth; {rule.name} is off by {abs(off):.1f}",
                arithmetic=f"{truth:.1f}%",
            ),
        ]


def _chance_rule() -> CountWinRule:
    rule = formulas.get(CHANCE)
    assert isinstance(rule, CountWinRule)
    return rule


def row_of(races: Decisions, race: Race, owned: bool = False) -> int:
    """Return where the sample has a race.

    Raises
    ------
    BearoffError
        If it has not.
    """
    pair = widen([race.roller.counts, race.opponent.counts])
    same = (races.rollers == pair[0]).all(axis=1) & (races.opponents == pair[1]).all(axis=1)
    rows = np.flatnonzero(same & (races.owned == owned))
    if not len(rows):
        raise BearoffError(f"no question is about {race.position_id}; ask for a new one")
    return int(rows[0])


def method_of(races: Decisions, row: int, percent: bool = False) -> str:
    """Say what values of the sample are from."""
    if not races.rolled[row]:
        return "exact"
    if percent:
        return "by rollout"
    return f"by rollout, within {races.error[row]:.4f}"


def race_at(races: Decisions | Rolls, row: int) -> Race:
    """Return a race of the sample, without its cube."""
    pair = races.rollers[row], races.opponents[row]
    sides = (Position(tuple(side.tolist())) for side in pair)
    return Race(*sides).on_points()

"""The drill of the best play of a roll."""

from dataclasses import replace
from functools import cache
from random import Random

import numpy as np

from app.serve.drills.asked import (
    Drill,
    Level,
    Line,
    Marked,
    Option,
    Question,
    board_of,
    thirds,
)
from app.serve.drills.counting import race_at
from app.serve.drills.sample import shipped_sample
from bearoff import BearoffError, Play, Position, Race, parse_roll
from bearoff.bear_in import bear_in, widen

SHOWN = 5
"""Plays that a solution lists, and the one that was chosen."""


class PlayDrill(Drill):
    """How to play a roll; exactly one play is best."""

    name, title = "play", "Best play"
    text = "The best play of a roll, the cube centred. Harder where the next best play \
loses less."

    def draw(self, rng: Random, level: Level) -> str:
        """Draw a roll that was met."""
        rolls = shipped_sample().play
        row = rng.choice(_rows(level))
        high, low = rolls.dice[row].tolist()
        return f"{high}{low} {race_at(rolls, row).position_id}"

    def race(self, rest: str) -> Race:
        """Read dice and position ID."""
        dice, _, position = rest.partition(" ")
        race = Race.parse(position)
        return replace(race, dice=parse_roll(dice))

    def question(self, rest: str) -> Question:
        """Ask for the play; all of them are named."""
        race = self.race(rest)
        return Question(
            key=self.key(rest),
            kind=self.name,
            title=self.title,
            text="You are on roll, for money, the cube in the middle. How do you play?",
            form="choice",
            choices=sorted(one.name for one in _options(race, _row(race))),
            **board_of(race),  # type: ignore[arg-type]
        )

    def mark(self, rest: str, given: str) -> Marked:
        """Compare what the plays are worth; any way to write a play will do."""
        race = self.race(rest)
        options = _options(race, _row(race))
        assert race.dice is not None
        played = str(Play.parse(given.strip(), race.roller, race.dice))
        chosen = next(one for one in options if one.name == played)
        shown = options[:SHOWN]
        return Marked(
            key=self.key(rest),
            kind=self.name,
            given=played,
            answer=options[0].name,
            right=chosen.cost == 0,
            cost=chosen.cost,
            method="exact",
            steps=_steps(race, shown if chosen in shown else [*shown, chosen]),
            options=shown if chosen in shown else [*shown, chosen],
        )


@cache
def _rows(level: Level) -> list[int]:
    rolls = shipped_sample().play
    first = rolls.firsts[:-1]
    lost = rolls.equities[first] - rolls.equities[first + 1]
    return thirds(((-float(cost), row) for row, cost in enumerate(lost)), level)


def _row(race: Race) -> int:
    """Return where the sample has a roll."""
    rolls = shipped_sample().play
    pair = widen([race.roller.counts, race.opponent.counts])
    same = (rolls.rollers == pair[0]).all(axis=1) & (rolls.opponents == pair[1]).all(axis=1)
    rows = np.flatnonzero(same & (rolls.dice == race.dice).all(axis=1))
    if not len(rows):
        raise BearoffError(f"no question is about {race.xgid}; ask for a new one")
    return int(rows[0])


def _options(race: Race, row: int) -> list[Option]:
    """Return the plays, the best first."""
    rolls = shipped_sample().play
    own = slice(rolls.firsts[row], rolls.firsts[row + 1])
    assert race.dice is not None
    best = float(rolls.equities[own][0])
    found = []
    for number, equity in zip(
        rolls.after[own].tolist(), rolls.equities[own].tolist(), strict=True
    ):
        after = Position.from_number(number).counts
        play = Play.between(race.roller, race.dice, after)
        found.append(Option(name=str(play), equity=equity, cost=best - equity))
    return found


def _steps(race: Race, options: list[Option]) -> list[Line]:
    """Say what each play leaves in EPC, which is why most plays are right."""
    assert race.dice is not None
    lines = []
    for one in options:
        after = Play.parse(one.name, race.roller, race.dice).after
        left = f"{after.on_board} left, {after.pips} pips"
        epc = float(bear_in().epc(widen([after.counts]))[0]) if after.on_board else 0.0
        lines.append(Line(words=one.name, arithmetic=f"{left}, EPC {epc:.2f}"))
    return lines

"""Script that plays the games of the example library, between players who make errors.

    python -m tests.app.serve.example_games

The script writes the games into `app/serve/library/games`.
"""

from dataclasses import replace
from itertools import count
from pathlib import Path

from bearoff.app.game.table import GameTable
from bearoff.app.serve import library
from bearoff.game.records import race_decisions, write_match
from bearoff.game.search import ErringPlayer
from bearoff.game.state import GameState

FOLDER = Path(library.__file__).with_name("games")

SPREADS = {"Robin": 0.12, "Kim": 0.05, "Sasha": 0.08}
"""Standard deviation of each player's errors in the values of positions, in points."""

PLAYED = (
    ("2026-02-07", "Sasha", 0, 500),
    ("2026-02-21", "Kim", 0, 600),
    ("2026-03-14", "Kim", 0, 200),
    ("2026-04-11", "Sasha", 0, 300),
    ("2026-05-16", "Kim", 0, 0),
    ("2026-06-06", "Sasha", 3, 100),
    ("2026-07-11", "Sasha", 0, 800),
    ("2026-08-08", "Kim", 3, 700),
    ("2026-09-12", "Sasha", 0, 900),
    ("2026-10-03", "Kim", 3, 400),
)
"""Date, opponent, length (0 for money) and first random seed of each match of Robin's."""

FEWEST, MOST = 12, 26
"""Minimum and maximum number of race decisions in a match of the example library."""


def play(name, length, seed):
    """Play a match between Robin and another player, or a money game if the length is 0."""
    names = ("Robin", name)
    players = [ErringPlayer(one, SPREADS[one]) for one in names]
    table = GameTable(GameState(length=length), names, seed)
    while True:
        state = table.state
        if state.winner is not None:
            if not length or state.match_winner is not None:
                return table
            table.next_game()
        elif state.turn is None:
            table.throw()
        elif state.offers:
            assert state.to_act is not None
            table.take() if players[state.to_act].take(state) else table.drop()
        elif state.dice is None:
            doubles = state.may_double and players[state.turn].double(state)
            table.double() if doubles else table.throw()
        else:
            table.play(players[state.turn].play(state))


def main():
    FOLDER.mkdir(exist_ok=True)
    for day, name, length, first in PLAYED:
        for seed in count(first):
            record = replace(play(name, length, seed).record, date=day)
            if FEWEST <= len(race_decisions(record)[0]) <= MOST:
                write_match(FOLDER / f"{day}.mat", record)
                break


if __name__ == "__main__":
    main()

"""Play the games of the library's example: two who err, one less than the other.

    python -m tests.app.serve.example_games

writes them into `app/serve/library/games`.
"""

from dataclasses import replace
from itertools import count
from pathlib import Path

import app.serve.library
from app.game.table import Table
from game.records import race_decisions, write_match
from game.search import ErringPlayer
from game.state import GameState

FOLDER = Path(app.serve.library.__file__).with_name("games")

SPREADS = {"Robin": 0.12, "Kim": 0.05, "Sasha": 0.08}
"""Points by which each may misjudge a decision."""

PLAYED = (
    ("2026-02-07", "Kim", 0),
    ("2026-02-21", "Sasha", 3),
    ("2026-03-14", "Kim", 0),
    ("2026-04-11", "Sasha", 0),
    ("2026-05-16", "Kim", 3),
    ("2026-06-06", "Sasha", 0),
    ("2026-07-11", "Kim", 0),
    ("2026-08-08", "Kim", 3),
    ("2026-09-12", "Sasha", 0),
    ("2026-10-03", "Sasha", 0),
)
"""Days, Robin's opponents, and lengths."""

FEWEST, MOST = 12, 26
"""Decisions of the races of a match that is shown."""


def play(name: str, length: int, seed: int) -> Table:
    """Play a match, or a game for money."""
    names = ("Robin", name)
    players = [ErringPlayer(one, SPREADS[one]) for one in names]
    table = Table(GameState(length=length), names, seed)
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


def main() -> None:
    """Play and write; of each day the first match that comes to races."""
    FOLDER.mkdir(exist_ok=True)
    for number, (day, name, length) in enumerate(PLAYED):
        for seed in count(100 * number):
            record = replace(play(name, length, seed).record, date=day)
            if FEWEST <= len(race_decisions(record)[0]) <= MOST:
                write_match(FOLDER / f"{day}.mat", record)
                break


if __name__ == "__main__":
    main()

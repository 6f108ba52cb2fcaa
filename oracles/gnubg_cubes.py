"""GNU Backgammon's cube evaluations of many positions in one process."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bearoff.game.state import GameState
from oracles import gnubg

Float64Array = NDArray[np.float64]

_SCRIPT = """
gnubg.command("set threads 1")
gnubg.command("set jacoby off")
how = {{plies: gnubg.evalcontext(1, plies) for plies in (0, 2)}}
flat = {{plies: gnubg.evalcontext(0, plies) for plies in (0, 2)}}
with open({told!r}) as told, open({said!r}, "w") as said:
    for line in told:
        given = [int(word) for word in line.split()]
        board = tuple(given[25:50]), tuple(given[:25])
        value, owner, length, ours, theirs, crawford = given[50:]
        cube = gnubg.cubeinfo(value, owner, 1, length, (theirs, ours), crawford)
        for plies in (0, 2):
            verdict = gnubg.cfevaluate(board, cube, how[plies])
            chances = gnubg.evaluate(board, cube, flat[plies])
            print(verdict[1], verdict[2], *chances[:5], file=said)
"""

PLIES = (0, 2)


def verdicts(states: Sequence[GameState]) -> Float64Array:
    """Return GNU Backgammon's cube evaluations at 0 and 2 plies, shape (n states, 2, 7).

    The values are equities without a double and of a double that is taken, in points at a
    cube of 1 or EMG at a score, and the five outcome probabilities, for the player on roll.
    """
    with tempfile.TemporaryDirectory() as name:
        told, said, script = (str(Path(name, part)) for part in ("told", "said", "ask.py"))
        Path(told).write_text(
            "".join(f"{line(state)}\n" for state in states), encoding="ascii"
        )
        Path(script).write_text(_SCRIPT.format(told=told, said=said), encoding="ascii")
        subprocess.run(
            [str(gnubg.find("gnubg")), "-t", "-q", "-r", "-p", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": name, "LC_ALL": "C"},
            check=True,
        )
        return np.loadtxt(said, ndmin=2).reshape(len(states), len(PLIES), 7)


def line(state: GameState) -> str:
    """Write the board, cube and score in FIBS notation, with the roller as player 1."""
    board, turn = state.board, state.turn
    assert turn is not None
    owner = {"centred": -1, "owned": 1, "opponent": 0}[state.cube]
    parts = [
        *board.roller,
        *board.opponent,
        state.cube_value,
        owner,
        state.length,
        state.won[turn],
        state.won[1 - turn],
        int(state.crawford),
    ]
    return " ".join(map(str, parts))

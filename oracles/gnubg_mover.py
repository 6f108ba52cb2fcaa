"""Players that use GNU Backgammon's plays and cube actions."""

import os
import socket
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from bearoff.game.rules import Board, legal_plays
from bearoff.game.state import GameState
from oracles import gnubg
from oracles.gnubg_cubes import line

BoardArray = NDArray[np.int8]

_SCRIPT = """
import socket
link = socket.socket(socket.AF_UNIX)
link.connect({path!r})
lines = link.makefile("rw")
gnubg.command("set threads 1")
gnubg.command("set jacoby off")
how = gnubg.evalcontext({cubeful}, {plies})
for line in lines:
    numbers = [int(word) for word in line.split()]
    board = tuple(numbers[25:50]), tuple(numbers[:25])
    value, owner, length, ours, theirs, crawford, *dice = numbers[50:]
    cube = gnubg.cubeinfo(value, owner, 1, length, (theirs, ours), crawford)
    if dice:
        said = gnubg.findbestmove(board, cube, how, tuple(dice)) or ()
    else:
        _, waits, taken, passed, decision, _ = gnubg.cfevaluate(board, cube, how)
        said = int(decision in (0, 1, 5, 7, 8)), int(taken <= passed)
    print(*said, file=lines, flush=True)
"""
# GNU Backgammon's numbers for decisions to double are 0 (double, take), 1 (double, pass), 5
# (double, beaver), 7 (redouble, take) and 8 (redouble, pass).


class _Process:
    """Process of GNU Backgammon that answers questions about positions.

    An answer takes some 10 ms of waiting but hardly any processor time, so several may be
    requested at once.

    Parameters
    ----------
    plies : int
        Search depth in plies.
    """

    cubeful = False

    def __init__(self, plies: int = 0) -> None:
        self._plies = plies

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        path = str(folder / "link")
        script = folder / "answer.py"
        script.write_text(
            _SCRIPT.format(path=path, plies=self._plies, cubeful=int(self.cubeful)),
            encoding="ascii",
        )
        with socket.socket(socket.AF_UNIX) as door:
            door.bind(path)
            door.listen(1)
            door.settimeout(60)
            self._process = subprocess.Popen(
                [str(gnubg.find("gnubg")), "-t", "-q", "-r", "-p", str(script)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "HOME": str(folder), "LC_ALL": "C"},
            )
            self._link, _ = door.accept()
        self._lines = self._link.makefile("rw")
        return self

    def __exit__(self, *_: Any) -> None:
        self._process.kill()
        self._process.wait()
        self._link.close()
        self._folder.cleanup()

    def _ask(self, state: GameState, dice: Sequence[int] = ()) -> list[int]:
        print(line(state), *dice, file=self._lines, flush=True)
        answer = self._lines.readline()
        if not answer:
            raise RuntimeError(f"GNU Backgammon fell silent at {state}, {dice}")
        return [int(word) for word in answer.split()]

    def _best(self, state: GameState, dice: tuple[int, int]) -> BoardArray:
        """Return the board after GNU Backgammon's play, from the roller's viewpoint."""
        after = state.board.array.copy()
        numbers = self._ask(state, dice)
        for source, target in zip(numbers[::2], numbers[1::2], strict=True):
            after[source] -= 1
            if target > 0 and after[target] == -1:
                after[target] = 0
                after[0] -= 1
            if target > 0:
                after[target] += 1
        if not (legal_plays(state.board, dice) == after).all(axis=1).any():
            raise RuntimeError(f"{numbers} is no play of {dice} on {state.board}")
        return after


class GnubgMover(_Process):
    """Checker player that makes GNU Backgammon's cubeless plays, without randomness."""

    def __call__(self, board: BoardArray, high: int, low: int) -> BoardArray:
        """Return the board after GNU Backgammon's play, from the opponent's viewpoint."""
        state = GameState(board=Board(tuple(board.tolist())), turn=0)
        return -self._best(state, (high, low))[::-1]


class GnubgPlayer(_Process):
    """Player that plays the checkers and the cube like GNU Backgammon, at any score."""

    cubeful = True
    name = "GNU Backgammon"

    def play(self, state: GameState) -> Board:
        """Return the board after GNU Backgammon's best play."""
        assert state.dice is not None
        return Board(tuple(self._best(state, state.dice).tolist()))

    def double(self, state: GameState) -> bool:
        """Return whether GNU Backgammon doubles; it does not make optional doubles."""
        return bool(self._ask(state)[0])

    def take(self, state: GameState) -> bool:
        """Return whether GNU Backgammon takes."""
        return bool(self._ask(state)[1])

    def evaluate(self, state: GameState) -> Sequence[tuple[Board, float]]:
        """Return an empty sequence, because this player evaluates no plays."""
        return ()

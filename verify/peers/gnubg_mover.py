"""GNU Backgammon's best plays, asked one by one of its Python interpreter over a socket."""

import os
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from game.rules import Board, legal_plays
from verify.peers import gnubg

BoardArray = NDArray[np.int8]

_SCRIPT = """
import socket
link = socket.socket(socket.AF_UNIX)
link.connect({path!r})
lines = link.makefile("rw")
gnubg.command("set threads 1")
cube = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0)
how = gnubg.evalcontext(0, {plies})
for line in lines:
    numbers = [int(word) for word in line.split()]
    mine, theirs = tuple(numbers[:25]), tuple(numbers[25:50])
    move = gnubg.findbestmove((theirs, mine), cube, how, tuple(numbers[50:]))
    print(*(move or ()), file=lines, flush=True)
"""


class GnubgMover:
    """A mover that plays as GNU Backgammon does; a context that ends its process.

    Its plays are cubeless and deterministic. Each takes some 10 ms of waiting, but hardly
    any of the processor, so several may be asked at once.

    Parameters
    ----------
    plies : int
        How many it looks ahead.
    """

    def __init__(self, plies: int = 0) -> None:
        self._plies = plies

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        path = str(folder / "link")
        script = folder / "answer.py"
        script.write_text(_SCRIPT.format(path=path, plies=self._plies), encoding="ascii")
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

    def __call__(self, board: BoardArray, high: int, low: int) -> BoardArray:
        """Return the board after its play, from the other side."""
        given = Board(tuple(board.tolist()))
        print(*given.roller, *given.opponent, high, low, file=self._lines, flush=True)
        answer = self._lines.readline()
        if not answer:
            raise RuntimeError(f"GNU Backgammon fell silent at {given}, {high}-{low}")
        after = board.copy()
        numbers = [int(word) for word in answer.split()]
        for source, target in zip(numbers[::2], numbers[1::2], strict=True):
            after[source] -= 1
            if target > 0 and after[target] == -1:
                after[target] = 0
                after[0] -= 1
            if target > 0:
                after[target] += 1
        if not (legal_plays(given, (high, low)) == after).all(axis=1).any():
            raise RuntimeError(f"{numbers} is no play of {high}-{low} on {given}")
        return -after[::-1]

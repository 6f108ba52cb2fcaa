"""Legal plays as listed by GNU Backgammon."""

import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from oracles import gnubg

BoardArray = NDArray[np.int8]

_SCRIPT = """
import array
for line in (
    "set threads 1", "set confirm new off", "set automatic roll off",
    "set automatic game off", "set automatic move off", "set automatic bearoff off",
    "set player 0 human", "set player 1 human", "set output rawboard on",
    "set evaluation chequer evaluation plies 0",
    "set evaluation chequer evaluation cubeful off", "new session", "set turn 1",
):
    gnubg.command(line)
asked = array.array("b", open("asked", "rb").read())

def answer(board, dice):
    mine = tuple(max(count, 0) for count in board[1:])
    theirs = tuple(max(-count, 0) for count in board[24::-1])
    gnubg.command("set board " + gnubg.positionid((theirs, mine)))
    gnubg.command("set dice %d %d" % dice)
    if gnubg.posinfo()["dice"] != dice or gnubg.board() != (theirs, mine):
        raise ValueError("refused")
    plays = [gnubg.parsemove(hint["move"]) for hint in gnubg.hint(4000)["hint"]]
    array.array("i", [len(plays)]).tofile(found)
    for moves in plays:
        after = board[:]
        for source, target in moves:
            after[source] -= 1
            if target:
                if after[target] < 0:
                    after[target] = 0
                    after[0] -= 1
                after[target] += 1
        after.tofile(found)

with open("found", "wb") as found:
    for k in range(0, len(asked), 28):
        answer(asked[k : k + 26], tuple(asked[k + 26 : k + 28]))
"""


def listed_plays(boards: BoardArray, rolls: NDArray[np.int8]) -> list[BoardArray]:
    """Return the boards after all plays that GNU Backgammon lists for boards and rolls.

    It rates each play without a search, and takes some 10 ms per answer while the processor
    is idle.

    Parameters
    ----------
    boards : ndarray of int8, shape (n, 26)
        Boards from the roller's viewpoint, with both sides on the board.
    rolls : ndarray of int8, shape (n, 2)

    Returns
    -------
    list of ndarray of int8, shape (plays, 26)
        Boards for each board and roll; the board itself if there is no play.

    Raises
    ------
    RuntimeError
        If it is not installed, or refuses a board.
    """
    program = gnubg.find("gnubg")
    if program is None:
        raise RuntimeError(f"GNU Backgammon is not installed. {gnubg.TO_INSTALL}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "asked").write_bytes(np.hstack([boards, rolls]).astype(np.int8).tobytes())
        (folder / "list.py").write_text(_SCRIPT, encoding="ascii")
        subprocess.run(
            [program, "-t", "-q", "-r", "-p", "list.py"],
            cwd=folder,
            env={**os.environ, "HOME": name, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,  # a missing answer shows a refused board
        )
        found = (folder / "found").read_bytes()
    lists, at = [], 0
    for board in boards:
        if at == len(found):
            raise RuntimeError(f"GNU Backgammon refuses {board.tolist()}")
        count = int(np.frombuffer(found, np.int32, 1, at)[0])
        after = np.frombuffer(found, np.int8, 26 * count, at + 4).reshape(count, 26)
        lists.append(after if count else board[np.newaxis])
        at += 4 + 26 * count
    return lists

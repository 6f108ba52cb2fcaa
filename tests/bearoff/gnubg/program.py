"""Calls of GNU Backgammon that evaluate positions with bear-off files written by
`bearoff`.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest

from oracles import gnubg

SHARE = Path("/usr/share/gnubg")
STATE = b"/var/lib/gnubg\0"
"""Folder in which Debian's GNU Backgammon looks for two-sided files."""

SCRIPT = """
import json
answers = []
for mine, theirs in json.load(open("asked.json")):
    board = tuple(tuple(side + [0] * (25 - len(side))) for side in (theirs, mine))
    row = []
    cube = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0)
    row.append(gnubg.evaluate(board, cube, gnubg.evalcontext(0, 0)))
    for owner in (1, -1):
        cube = gnubg.cubeinfo(1, owner, 1, 0, (0, 0), 0)
        row.append(gnubg.cfevaluate(board, cube, gnubg.evalcontext(1, 0))[:4])
    answers.append(row)
json.dump(answers, open("answered.json", "w"))
"""
"""Script for GNU Backgammon that evaluates pairs of positions without a cube, with an owned
and with a centred cube."""


def find(name):
    """Return the path of a GNU Backgammon program, or skip the test."""
    found = gnubg.find(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def evaluate(folder, pairs):
    """Return GNU Backgammon's evaluations of pairs of positions, with the bear-off files in
    the folder.
    """
    program = folder / "gnubg"
    binary = Path(find("gnubg")).read_bytes()
    # This copy of the program reads its bear-off files from the current folder, because the
    # installed folder belongs to root.
    program.write_bytes(binary.replace(STATE, b".\0".ljust(len(STATE), b"\0")))
    program.chmod(0o755)
    for path in SHARE.iterdir():
        if not (folder / path.name).exists():
            (folder / path.name).symlink_to(path)
    (folder / "asked.json").write_text(json.dumps(pairs))
    (folder / "ask.py").write_text(SCRIPT)
    subprocess.run(
        [program, "--tty", "--quiet", "--no-rc", "--pkgdatadir=.", "--python=ask.py"],
        cwd=folder,
        env={**os.environ, "HOME": str(folder), "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )
    return json.loads((folder / "answered.json").read_text())

"""Script that records match files of GNU Backgammon, for tests on machines without this
program.

Run from the repository's root as ``python -m tests.data.record_gnubg_matches``, with
``gnubg`` on the path. The files omit GNU Backgammon's analysis, which takes most of the
bytes.
"""

import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent

PLAYER = """set player {0} gnubg
set player {0} chequerplay evaluation plies 0
set player {0} cubedecision evaluation plies 0
"""
PLAYERS = f"set display off\n{PLAYER.format(0)}{PLAYER.format(1)}set rng mersenne\n"

KEPT = {
    "gnubg_match": (5, "set automatic game on\nnew match 5\n"),
    "gnubg_session": (
        11,
        "set automatic game off\nset jacoby on\nset beavers 0\nnew session\n",
    ),
}


def play(seed, commands, folder):
    """Let GNU Backgammon play a match; return the contents of its .mat and .sgf files."""
    mat, sgf = folder / "match.mat", folder / "match.sgf"
    saves = f'export match mat "{mat}"\nsave match "{sgf}"\nexit\ny\n'
    text = f"{PLAYERS}set seed {seed}\n{commands}{saves}"
    subprocess.run(
        ["gnubg", "-t", "-q"], input=text, text=True, capture_output=True, check=True
    )
    return mat.read_text(), sgf.read_text()


def main():
    for name, (seed, commands) in KEPT.items():
        with tempfile.TemporaryDirectory() as folder:
            mat, sgf = play(seed, commands, Path(folder))
        sgf = re.sub(r"\bD?A(\[[^\]]*\])+", "", sgf)
        (HERE / f"{name}.mat").write_text(mat)
        (HERE / f"{name}.sgf").write_text(sgf)


if __name__ == "__main__":
    main()

"""Compilation of the code that commands and documented functions use.

`bearoff warm` and `make` run this compilation once after an installation. Each task runs
commands on the smallest possible input, in parallel with other tasks. The tables and data
of a task are temporary; the compiled code stays in numba's cache.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bearoff.runtime import cores

RACES = """\
run: tiny
games: 1
seed: 1
pairs:
  - random: {pairs: 1}
  - grid: {by: epc, roller: {from: 15, to: 15, step: 5}, lead: {from: 0, to: 0, step: 1},
      per_cell: 1, draw: visits}
"""
"""Configuration of a tiny simulation with random pairs of positions and pairs from
self-play."""

CUBE = """\
run: tiny
games: 2
seed: 1
table: {checkers: 4}
pairs: [{random: {pairs: 2}}]
players: {roller: PLAYER, opponent: fewest-rolls}
cube: {roller: perfect, opponent: keith, rival: never}
"""
"""Configuration of a tiny simulation with the cube."""

FILES = {
    "races.yaml": RACES,
    "policies.yaml": "run: tiny\ngames: 1\ntable: {checkers: 4}\n"
    "pairs: [{random: {pairs: 1}}]\n"
    "players: {roller: most-checkers-off, opponent: optimal}\n",
    "harvest.yaml": "run: tiny\ngames: 1\npairs: [{harvest: {pairs: 1, games: 100}}]\n",
    "rollouts.yaml": "run: tiny\ngames: 36\ntable: {points: 9}\nrollout: {table: 4}\n"
    "pairs: [{list: [{roller: '[5]', opponent: '[9,9]'}]}]\n",
    "cube.yaml": CUBE.replace("PLAYER", "perfect"),
    "match.yaml": CUBE.replace("PLAYER", "optimal") + "match: {score: 2-4}\n",
    "races.csv": "0,2,2,0,1,1 0,1,2,2,1,1\n"
    "XGID=-A------A-A---a-------a---:0:0:1:00:0:0:0:0:10\n",
}

ARRAYS = """
import numpy as np
import bearoff
from bearoff.analysis import formulas
from bearoff.matchup import EquilibriumCube, JanowskiCube, RacePlayer, strategy_values
from bearoff.race_model import race_model
from bearoff.sources import ModelSource, Races, gammon_chances

bearoff.build_two_sided_table(6)
table, rolls, model = bearoff.two_sided_table(6), bearoff.one_sided_table(), race_model()
x, y = np.random.default_rng(1).integers(1, len(table.places.numbers), (2, 300_000))
for part in (20_000, 300_000):
    bearoff.cube_actions(table, x[:part], y[:part])
table.best_after(x[:9], y[:9], "centred")
table.codes("centred")
chance = bearoff.fewest_rolls_win_probability(np.tile(x, 8), np.tile(y, 8))[:9]
epcs = rolls.epc[x[:9]], rolls.epc[y[:9]]
model.cube_actions(*model.matching_win_probability(*epcs, chance))
sides = np.zeros((2, 9, 24), dtype=np.int8)
sides[:, :, 0] = 1
ModelSource().values(Races(*sides, np.zeros(9, dtype=np.int8)))
gammon_chances(*sides, on_roll=True)  # Reviews leave some races out of a formula's errors.
solved = bearoff.match_table(2, (2, 4))
bearoff.cube_actions(solved, x[:9] % 6 + 1, y[:9] % 6 + 1)
solved.best_after(1, 1)
perfect = RacePlayer(EquilibriumCube())
start = bearoff.Position.parse("0,0,0,2,2,2").number
for cube in (JanowskiCube(0.7), formulas.get("keith")):
    strategy_values(RacePlayer(cube), perfect, starts=[start, start]).gain(start, start)
"""
"""Python code that compiles functions of arrays of races by calling them."""

WHOLE_GAME = """
from bearoff import Position
from bearoff.analysis.review import Estimates, answer_contact, read_contact
from bearoff.game import Board
from bearoff.game.contact import PriorityMover
from bearoff.game.evaluation import Net, explain
from bearoff.game.no_chance import NoChancePosition, search_no_chance, solve_no_chance_race

start = Board.start()
question = read_contact({"position": "4HPwATDgc/ABMA", "dice": "3-1"})
answer_contact(question, Estimates())  # Rates the plays, and decides on the cube.
PriorityMover().rate(start, (6, 1))
Net.load().equity(start)
explain(start)
solve_no_chance_race(Position.parse("1"))
search_no_chance(NoChancePosition.start(6, 5), depth=1)
"""
"""Python code that calls functions of the whole game, with dice and without."""

PAGE = "from bearoff.app.serve.server import compile_all; compile_all()"

_BUILD = ("tables", "build", "--two-sided", "--checkers")

_POPULATION = ("populations", "build")

_ROLLOUT = ("--games", "1", "--quiet")


def _simulate(name: str) -> tuple[str, ...]:
    return ("simulate", f"{name}.yaml", "--to", name, "--quiet")


@dataclass(frozen=True)
class Piece:
    """Task that compiles related functions by calling them.

    Attributes
    ----------
    name : str
        Name shown to the user.
    calls : tuple of tuple of str
        Command-line arguments for each call of the program; ``-c`` runs Python code
        instead.
    """

    name: str
    calls: tuple[tuple[str, ...], ...]


PIECES = (
    Piece(
        "tables and rollouts",
        (
            (*_BUILD, "6"),
            ("rollout", "[1,1,1,1,1]", "0,0,0,0,0,14,1", *_ROLLOUT),
            # In this race, the losing player tries to save the gammon by code of its own.
            ("rollout", "0,0,2,3,3,4,2,1", "0,1,2,2,3,4,1,1,1", *_ROLLOUT),
        ),
    ),
    Piece("the page", (("-c", PAGE),)) if find_spec("fastapi") else Piece("", ()),
    Piece("arrays in Python", (("-c", ARRAYS),)),
    Piece(
        "a score",
        (
            ("cube", "1,0,0,0,0,0", "1,0,0,0,0,0", "--score", "2", "2"),
            ("rollout", "[8]", "[9]", "--score", "2", "2", *_ROLLOUT),
        ),
    ),
    Piece(
        "batches",
        tuple(_simulate(name) for name in ("races", "harvest")),
    ),
    Piece(
        "batches: with the cube, at a match score, rollouts",
        (
            (*_BUILD, "4"),
            *(_simulate(name) for name in ("policies", "cube", "match", "rollouts")),
        ),
    ),
    Piece("the whole game", (("game", "--seed", "2"), ("-c", WHOLE_GAME))),
    Piece(
        "any race",
        (
            ("race", "[5,5,6,7,8]", "[4,4,5,7,9]", "--dice", "6-4"),
            ("race", "[5,5,6,7,8]", "[4,4,5,7,9]", "--score", "2", "2"),
            ("race", "1,1,1,1,1,1", "0,0,0,0,0,14,1", "--jacoby"),
            ("race", "1,0,0,0,0,0", "15,0,0,0,0,0"),
            ("race", "--from", "races.csv", "--to", "answers.csv"),
        ),
    ),
    Piece("larger tables", ((*_BUILD, "8"),)),
    Piece(
        "populations",
        (
            (*_BUILD, "6"),
            (*_POPULATION, "races", "--size", "300", "--checkers", "6", "--to", "p"),
        ),
    ),
)
"""Tasks to run in parallel, the longest first."""


def warm(
    begun: Callable[[str], None] = lambda name: None,
    done: Callable[[str, float], None] = lambda name, seconds: None,
) -> int:
    with tempfile.TemporaryDirectory(prefix="bearoff-warm-") as folder:

        def finish(piece: Piece) -> int:
            begun(piece.name)
            started = time.monotonic()
            code = _finish(piece, Path(folder))
            done(piece.name, time.monotonic() - started)
            return code

        pieces = [piece for piece in PIECES if piece.calls]
        with ThreadPoolExecutor(cores()) as pool:
            return _first_failure(pool.map(finish, pieces))


def _finish(piece: Piece, folder: Path) -> int:
    # Tasks must not share tables or files, so each has its own folder. The folder must not
    # have the name of a package, because it would hide the package.
    desk = folder / f"desk of {piece.name}"
    desk.mkdir()
    for name, text in FILES.items():
        (desk / name).write_text(text, encoding="utf-8")
    environment = os.environ | {
        "BEAROFF_CACHE": str(desk / "cache"),
        "BEAROFF_DATA": str(desk / "data"),
        # If the package is not installed, the subprocess needs PYTHONPATH to find it.
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    return _first_failure(_call(call, desk, environment) for call in piece.calls)


def _call(call: tuple[str, ...], desk: Path, environment: dict[str, str]) -> int:
    program = () if call[0] == "-c" else ("-m", "bearoff.app.main")
    done = subprocess.run(
        [sys.executable, *program, *call],
        cwd=desk,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.stderr.write(done.stderr)
    return done.returncode


def _first_failure(codes: Iterable[int]) -> int:
    return next(filter(None, codes), 0)

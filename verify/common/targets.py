"""Commands that trials interrupt and then run again."""

import json
import os
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bearoff.sim.cubeful import cube_tally
from bearoff.sim.play import tally as counts
from bearoff.sim.rollouts import sums
from verify import ROOT
from verify.common.artifacts import (
    PART_PAIRS,
    answers_phase,
    answers_stored,
    batch_phase,
    games_stored,
    kept_phase,
    pieces_stored,
    planes_phase,
    planes_stored,
    population_phase,
    rows_stored,
    table_phase,
    tables_stored,
)

WORKERS = 2
"""Number of worker processes or threads of every command that uses workers."""


@dataclass(frozen=True)
class Target:
    """Command that a trial interrupts and runs again, and whose results must not change.

    Attributes
    ----------
    name, text : str
        Name and description.
    command : tuple of str
        Arguments of `bearoff`, in which ``{folder}`` stands for the output folder.
    stored : callable
        Function that returns the amount of work stored in a folder, such as a number of
        games.
    phase : callable
        Function that describes the progress of the command, given its folder.
    cut : tuple of str
        Options of `verify.common.broken_command`.
    config : mapping or None
        Configuration of a batch, written to ``{folder}/config.yaml`` as JSON, which is
        YAML.
    races : str
        Content of ``{folder}/races.csv``, if the command reads such a file.
    builds : bool
        Whether the command builds a table, so that its folder is also the cache.
    block : int
        Amount of work in one stored piece, such as a number of games, in the unit of the
        function `stored`. 0 if results are not stored in pieces.
    """

    name: str
    text: str
    command: tuple[str, ...]
    stored: Callable[[Path], int]
    phase: Callable[[Path], str]
    cut: tuple[str, ...] = ()
    config: Mapping[str, object] | None = None
    races: str = ""
    builds: bool = False
    block: int = 0

    def prepare(self, folder: Path, backend: str = "threading") -> None:
        """Create a folder with the files that the command reads."""
        folder.mkdir(parents=True)
        if self.config is not None:
            common = {"run": "batch", "seed": 1, "backend": backend, "workers": WORKERS}
            text = json.dumps(common | dict(self.config))
            (folder / "config.yaml").write_text(text, encoding="utf-8")
        if self.races:
            (folder / "races.csv").write_text(self.races, encoding="utf-8")

    def argv(self, folder: Path, *options: str) -> list[str]:
        """Return the command that runs the target, with options of `broken_command`."""
        child = [sys.executable, "-m", "verify.common.broken_command", *self.cut, *options]
        return [*child, "--", *(part.format(folder=folder) for part in self.command)]

    def environment(self, folder: Path, cache: Path) -> dict[str, str]:
        """Return the environment variables with which the command is started."""
        data = {"BEAROFF_DATA": str(folder / "data")}
        return {
            **os.environ,
            **data,
            "BEAROFF_CACHE": str(folder if self.builds else cache),
        }


SIMULATE = ("simulate", "{folder}/config.yaml", "--to", "{folder}", "-q")


_DATA = ROOT / "tests" / "data"

_MATCHES = ("gnubg_match.mat", "gnubg_session.mat")


def _batch(
    name: str, text: str, width: int, block: int, config: Mapping[str, object]
) -> Target:
    return Target(
        name,
        text,
        SIMULATE,
        lambda folder: games_stored(folder, width),
        batch_phase,
        cut=("--block-games", str(block), "--part-pairs", str(PART_PAIRS)),
        config=config,
        block=block,
    )


def _long_races(count: int) -> str:
    """Return CSV text of races with checkers outside home, each of which is rolled out."""
    chance = random.Random(1)

    def side() -> str:
        return " ".join(map(str, sorted(chance.choices(range(1, 10), k=12), reverse=True)))

    rows = [f"[{side()}],[{side()}]\n" for _ in range(count)]
    return "".join(["roller,opponent\n", *rows])


def targets(size: float = 1.0) -> dict[str, Target]:
    """Return all commands that trials interrupt, by name.

    Parameters
    ----------
    size : float
        Factor by which the number of games in each block is multiplied.
    """
    checkers = {"from": 3, "to": 4}
    races = [
        {"roller": f"[{n},6,5,3,1]", "opponent": f"[7,{m},5,2,2]"}
        for n in (7, 8, 9)
        for m in (4, 6, 8)
    ]
    all_ = [
        _batch(
            "races",
            "a batch of races without the cube, with 24 pairs in 6 result files and 48 "
            "blocks",
            counts.WIDTH,
            int(1_000_000 * size),
            {"pairs": [{"random": {"pairs": 24}}], "games": int(2_000_000 * size)},
        ),
        _batch(
            "cubeful",
            "a batch of games with the cube, with 12 pairs in 3 result files and 24 blocks",
            cube_tally.WIDTH,
            int(50_000 * size),
            {
                "table": {"checkers": 4},
                "pairs": [{"random": {"pairs": 12, "checkers": checkers}}],
                "cube": {"roller": "keith", "opponent": "thorp"},
                "games": int(100_000 * size),
            },
        ),
        _batch(
            "rollouts",
            "a batch of rollouts, with 9 races in 3 result files and 9 blocks",
            1 + sums.WIDTH,
            1,
            {
                "table": {"points": 24},
                "pairs": [{"list": races}],
                "rollout": {"table": 4},
                "games": 10_000,
            },
        ),
        Target(
            "one-sided",
            "the build of the one-sided table of 8 points and 10 checkers",
            ("tables", "build", "--points", "8", "--checkers", "10"),
            tables_stored,
            table_phase,
            builds=True,
        ),
        Target(
            "two-sided",
            "the build of the two-sided table of 7 checkers, in three passes",
            ("tables", "build", "--two-sided", "--checkers", "7"),
            planes_stored,
            planes_phase,
            builds=True,
        ),
        Target(
            "at-score",
            "the build of the two-sided table of 7 checkers at 2-away 4-away",
            ("tables", "build", "--two-sided", "--checkers", "7", "--score", "2", "4"),
            planes_stored,
            planes_phase,
            builds=True,
        ),
        Target(
            "population",
            "the build of a population with the races of 4,096 games",
            (
                *("populations", "build", "races", "--size", "4096", "--checkers", "8"),
                *("--to", "{folder}", "--workers", "2", "-q"),
            ),
            pieces_stored,
            population_phase,
            block=1,
        ),
        Target(
            "race-model",
            "the build of the tables of the fast race model",
            ("race-model",),
            tables_stored,
            table_phase,
            builds=True,
        ),
        Target(
            "answers",
            "the answers to a file of 24 races beyond home, rolled out",
            (
                *("race", "--from", "{folder}/races.csv", "--error", "0.01", "-q"),
                *("--to", "{folder}/answers.parquet"),
            ),
            answers_stored,
            answers_phase,
            races=_long_races(24),
        ),
        Target(
            "library",
            "the library of matches: a match and a session are reviewed and stored",
            (
                *("review", *(str(_DATA / name) for name in _MATCHES)),
                *("--model", "-q"),
            ),
            partial(rows_stored, name="library.sqlite", table="decisions"),
            partial(kept_phase, name="library.sqlite", table="decisions"),
        ),
        Target(
            "training",
            "the trainer, which stores 200 answers one by one",
            ("train",),
            partial(rows_stored, name="training.sqlite", table="answers"),
            partial(kept_phase, name="training.sqlite", table="answers"),
        ),
    ]
    return {target.name: target for target in all_}

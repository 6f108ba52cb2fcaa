"""Waiting times of users, for example for reviews and for answers of the server."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.pages.serve import CONNECTIONS, batches, home_races, singles
from benchmarks.served import Server, running
from benchmarks.suite.commands import command, processes, run
from benchmarks.suite.measure import Benchmark, Setting, Side
from oracles.timing import seconds_of_children

_DATA = Path(__file__).parents[2] / "tests" / "data"

_RACE = ("race", "1,2,2,1,1,1", "2,2,1,1,1,1")

_SMALL = ("race", "1,1,1,1,1,1", "2,1,1,1,1,0")
"""Race with six checkers per side. The first query about this race builds the table that
contains the race."""


def _review(setting: Setting) -> tuple[Side, Side]:
    name = "gnubg_session.mat" if setting.quick else "gnubg_match.mat"
    return processes(setting, ["review", str(_DATA / name), "--json", "--quiet"])


def _score(setting: Setting) -> tuple[Side, Side]:
    return processes(setting, [*_RACE, "--score", "2", "4"])


def _files(setting: Setting) -> tuple[Side, Side]:
    races = home_races(setting.size(20, 2), setting.size(10, 5))
    lines = [
        f'"{race["roller"]}","{race["opponent"]}",{"2-4" if row % 2 else ""}'
        for row, race in enumerate(races)
    ]
    source = setting.folder / "races.csv"
    source.write_text("\n".join(["roller,opponent,score", *lines, ""]), encoding="utf-8")
    target = str(setting.folder / "answers.csv")
    return processes(setting, ["race", "--from", str(source), "--to", target, "--quiet"])


def _first_race(setting: Setting) -> tuple[Side, Side]:
    def first() -> None:
        with tempfile.TemporaryDirectory(dir=setting.folder) as folder:
            empty = {"BEAROFF_CACHE": folder}
            if not setting.quick:  # A quick run only checks that the benchmark works.
                empty["NUMBA_CACHE_DIR"] = f"{folder}/compiled"
            run(command(), *_SMALL, **empty)

    _, baseline = processes(setting, ["--help"])
    return setting.timed(first, 1, seconds_of_children), baseline


def _served(setting: Setting, ask: Callable[[Server], float]) -> tuple[Side, Side]:
    """Return functions that measure requests to a new server, and ``bearoff --help``."""

    def ours() -> float:
        with running() as server:
            return ask(server)

    return ours, processes(setting, ["--help"])[1]


def _one_by_one(setting: Setting) -> tuple[Side, Side]:
    races = home_races(setting.size(1000, 20), 14)

    def ask(server: Server) -> float:
        singles(server, races[: len(races) // 10], CONNECTIONS)
        found = singles(server, races, CONNECTIONS)
        return max(found.processor, 1e-6) / found.answers

    return _served(setting, ask)


def _in_batches(setting: Setting) -> tuple[Side, Side]:
    races = home_races(setting.size(10_000, 20), 14)

    def ask(server: Server) -> float:
        found = batches(server, races, setting.size(5, 1), "model")
        return max(found.processor, 1e-6) / found.answers

    return _served(setting, ask)


_IMPORT = "python -c 'import numpy'"

BENCHMARKS = (
    Benchmark(
        "review",
        "command",
        "bearoff review of a match of GNU Backgammon, without larger tables",
        _IMPORT,
        _review,
        rounds=2,
    ),
    Benchmark(
        "race-at-a-score",
        "command",
        "bearoff race of eight checkers a side at 2-4, without a stored table",
        _IMPORT,
        _score,
        rounds=5,
    ),
    Benchmark(
        "races-in-a-file",
        "command",
        "bearoff race of a file: 20 races of ten checkers a side, half of them at 2-4",
        _IMPORT,
        _files,
        rounds=3,
    ),
    Benchmark(
        "first-race",
        "command",
        "bearoff race of six checkers a side with empty caches",
        _IMPORT,
        _first_race,
        rounds=2,
    ),
    Benchmark(
        "served-one-by-one",
        "answer",
        "bearoff serve, requests of one race for the fast model, processor time of the "
        "server",
        _IMPORT,
        _one_by_one,
        rounds=2,
    ),
    Benchmark(
        "served-in-batches",
        "answer",
        "bearoff serve, requests of 10,000 races for the fast model, processor time of "
        "the server",
        _IMPORT,
        _in_batches,
        rounds=2,
    ),
)

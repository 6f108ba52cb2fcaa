"""Readers of stored tables in C, Rust and JavaScript compile, and find the recorded
values.
"""

import json
import shutil
import subprocess
from functools import cache
from itertools import zip_longest
from typing import Any

import pytest

import bearoff
from bearoff.one_sided import rebuild_one_sided_table
from tests.readers import record_vectors
from tests.two_sided_tables import built

READERS = record_vectors.VECTORS.parent
KNOWN: dict[str, Any] = json.loads(record_vectors.VECTORS.read_text())

COMPILERS = {
    "c": ["cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-o"],
    "rs": ["rustc", "-O", "-D", "warnings", "-o"],
}


@pytest.fixture(scope="module", params=["c", "rs", "mjs"])
def answers(request, tmp_path_factory):
    """Return a function that runs a reader on a table, and splits the lines it prints."""

    @cache
    def command(name):
        source = READERS / f"{name}.{request.param}"
        compiler = COMPILERS.get(request.param, ["node"])
        if shutil.which(compiler[0]) is None:
            pytest.skip(f"{compiler[0]} is not installed")
        if compiler == ["node"]:
            return ["node", source]
        program = tmp_path_factory.mktemp("reader") / name
        subprocess.run([*compiler, program, source], check=True)
        return [program]

    def run(name, folder, sides):
        words = [*command(name), folder, *(",".join(map(str, side)) for side in sides)]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        return [line.split() for line in done.stdout.splitlines()]

    return run


@pytest.mark.parametrize("known", KNOWN["one_sided"], ids=lambda one: f"{one['points']}")
def test_one_sided(answers, known):
    points, checkers = known["points"], known["checkers"]
    folder = bearoff.cache_folder() / f"one-sided-{points:02}x{checkers:02}"
    if not folder.exists():
        rebuild_one_sided_table(points, checkers)
    positions = known["positions"]
    rows = answers("one_sided", folder, [position["counts"] for position in positions])
    for (number, mean, *chances), position in zip(rows, positions, strict=True):
        assert int(number) == position["number"]
        # The last digits of float64 sums depend on the order of the terms.
        assert float(mean) == pytest.approx(position["mean_rolls"], abs=1e-12)
        both = zip_longest(map(float, chances), position["chances"], fillvalue=0.0)
        assert all(abs(ours - theirs) < 1e-12 for ours, theirs in both)


@pytest.mark.parametrize("known", KNOWN["two_sided"], ids=lambda one: f"{one['checkers']}")
def test_two_sided(answers, known):
    pairs = known["pairs"]
    folder = built(known["checkers"], known["points"]).folder
    rows = answers("two_sided", folder, [side for pair in pairs for side in pair["counts"]])
    for (roller, opponent, *rest), pair in zip(rows, pairs, strict=True):
        assert [int(roller), int(opponent)] == pair["numbers"]
        found = dict(zip(rest[::2], map(float, rest[1::2]), strict=True))
        assert found == pytest.approx(pair["values"], abs=1e-12)


def test_the_vectors_are_ours():
    for known in KNOWN["two_sided"]:
        assert record_vectors.two_sided(known["points"], known["checkers"]) == known
    for known in KNOWN["one_sided"]:
        made = record_vectors.one_sided(known["points"], known["checkers"])
        for ours, stored in zip(made["positions"], known["positions"], strict=True):
            assert ours["counts"] == stored["counts"]
            assert ours["chances"] == pytest.approx(stored["chances"], abs=1e-12)

"""Readers of stored tables in C, Rust and JavaScript compile, and find the recorded
values.
"""

import json
import shutil
import subprocess
from itertools import zip_longest
from typing import Any

import pytest

import bearoff
from bearoff.one_sided import rebuild_one_sided_table
from tests.readers import record_vectors

READERS = record_vectors.VECTORS.parent
KNOWN: dict[str, Any] = json.loads(record_vectors.VECTORS.read_text())

COMPILERS = {
    "c": ["cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-o"],
    "rs": ["rustc", "-O", "-D", "warnings", "-o"],
}


@pytest.fixture(scope="module", params=["c", "rs", "mjs"])
def one_sided(request, tmp_path_factory):
    return compiled("one_sided", request.param, tmp_path_factory.mktemp("reader"))


@pytest.fixture(scope="module", params=["c", "rs", "mjs"])
def two_sided(request, tmp_path_factory):
    return compiled("two_sided", request.param, tmp_path_factory.mktemp("reader"))


def compiled(name, language, folder):
    """Compile a reader of stored tables if necessary; return the command that starts it."""
    source = READERS / f"{name}.{language}"
    compiler = COMPILERS.get(language, ["node"])
    if shutil.which(compiler[0]) is None:
        pytest.skip(f"{compiler[0]} is not installed")
    if language not in COMPILERS:
        return ["node", str(source)]
    program = folder / name
    subprocess.run([*compiler, program, source], check=True)
    return [str(program)]


@pytest.mark.parametrize("known", KNOWN["one_sided"], ids=lambda one: f"{one['points']}")
def test_one_sided(one_sided, known):
    points, checkers = known["points"], known["checkers"]
    folder = bearoff.cache_folder() / f"one-sided-{points:02}x{checkers:02}"
    if not folder.exists():
        rebuild_one_sided_table(points, checkers)
    positions = known["positions"]
    texts = [",".join(map(str, position["counts"])) for position in positions]
    done = subprocess.run(
        [*one_sided, folder, *texts], check=True, capture_output=True, text=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == len(positions)
    for line, position in zip(lines, positions, strict=True):
        number, mean, *chances = line.split()
        assert int(number) == position["number"]
        # The last digits of float64 sums depend on the order of the terms.
        assert float(mean) == pytest.approx(position["mean_rolls"], abs=1e-12)
        both = zip_longest(map(float, chances), position["chances"], fillvalue=0.0)
        assert all(abs(ours - theirs) < 1e-12 for ours, theirs in both)


@pytest.mark.parametrize("known", KNOWN["two_sided"], ids=lambda one: f"{one['checkers']}")
def test_two_sided(two_sided, known):
    points, checkers = known["points"], known["checkers"]
    bearoff.build_two_sided_table(checkers, points=points)
    folder = bearoff.two_sided_table(checkers, points).folder
    texts = [",".join(map(str, side)) for pair in known["pairs"] for side in pair["counts"]]
    done = subprocess.run(
        [*two_sided, folder, *texts], check=True, capture_output=True, text=True
    )
    lines = done.stdout.splitlines()
    assert len(lines) == len(known["pairs"])
    for line, pair in zip(lines, known["pairs"], strict=True):
        roller, opponent, *rest = line.split()
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

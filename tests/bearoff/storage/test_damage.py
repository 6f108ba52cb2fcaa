"""Damage to any stored table is reported, or the table is built again."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff.errors import MissingTableError, TableError
from bearoff.one_sided import estimate, opening as one_sided
from bearoff.race_model import opening as race_model
from bearoff.storage import cache, checked_array, sealing
from bearoff.two_sided import opening as two_sided
from bearoff.two_sided.verify import verify_planes
from tests.damage import flipped
from tests.refusals import names, refused
from tests.two_sided_tables import PLANES, stored

MANIFEST = "table.json"
NUMBERS = np.arange(bearoff.position_count(6, 3))
PAIRS = NUMBERS[:, None], NUMBERS

Answers = list[np.ndarray]


@dataclass(frozen=True)
class Kind:
    """Kind of stored table, with its folder name, build function and all answers."""

    folder: str
    build: Callable[[], object]
    answers: Callable[[], Answers]
    opening_builds: bool = False


def one_sided_answers(points, checkers):
    table = one_sided._open_table.__wrapped__(points, checkers)
    numbers = np.arange(len(table))
    ask = table.mean_rolls_of, table.std_rolls_of, table.distribution_of, table.policy_of
    return [of(numbers) for of in ask]


def two_sided_answers():
    two_sided._open_table.cache_clear()
    table = bearoff.two_sided_table(3)
    values = [stored(table, plane, *PAIRS) for plane in PLANES]
    return [*values, table.best_after(1, 1, None)]


def verified():
    found = verify_planes(bearoff.two_sided_table(3).plane_values, samples=0)
    return [np.array(found.bytes)]


def race_model_answers():
    model = race_model.race_model.__wrapped__()
    return [model.planes, model.no_double_values, model.std_rolls]


KINDS = {
    "one-sided": Kind(
        "one-sided-03x02",
        partial(one_sided.rebuild_one_sided_table, 3, 2),
        partial(one_sided_answers, 3, 2),
        opening_builds=True,
    ),
    "one-sided-coded": Kind(
        "one-sided-05x04",
        partial(one_sided.rebuild_one_sided_table, 5, 4),
        partial(one_sided_answers, 5, 4),
    ),
    "two-sided": Kind(
        "two-sided-06-03", partial(bearoff.build_two_sided_table, 3), two_sided_answers
    ),
    "two-sided-verified": Kind(
        "two-sided-06-03", partial(bearoff.build_two_sided_table, 3), verified
    ),
    "race-model": Kind(
        "race-model", race_model.race_model.__wrapped__, race_model_answers, True
    ),
}


@pytest.fixture(scope="module", autouse=True)
def small_blocks():
    """Change limits so that even small tables are stored in several blocks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(race_model, "MOST_BINS", 60)
        patch.setattr(estimate, "SMALL", 100)
        patch.setattr(checked_array, "BLOCK", 256)
        in_blocks = partial(checked_array.describe_file, block=256)
        patch.setattr(cache, "describe_file", in_blocks)
        yield
    # Tables in memory are removed, because they were stored in the format of large tables.
    one_sided._open_table.cache_clear()
    two_sided._open_table.cache_clear()


@dataclass(frozen=True)
class Good:
    """Valid stored table of one kind, and a cache with a copy that tests damage."""

    kind: Kind
    stored: Path
    cache: Path
    answers: Answers

    def copy(self):
        shutil.rmtree(self.cache, ignore_errors=True)
        shutil.copytree(self.stored, self.cache)
        return self.cache / self.kind.folder

    def files(self):
        folder = self.stored / self.kind.folder
        return sorted(path.name for path in folder.iterdir() if path.is_file())

    def content(self, name):
        return (self.stored / self.kind.folder / name).read_bytes()

    def assert_mended(self, folder):
        for name in {*self.files()} - {MANIFEST}:
            # Damage in unused padding at the end of a file changes no answer and may
            # remain, but `verify` finds it.
            if (folder / name).read_bytes() != self.content(name):
                with refused(TableError, folder / name):
                    verified()
        for found, right in zip(self.kind.answers(), self.answers, strict=True):
            assert np.array_equal(found, right)

    def assert_found(self, path):
        """Check that damage to a file raises an error, or that the table is built again."""
        error = None
        try:
            self.kind.answers()
        except TableError as raised:
            error = raised
        if error is None:
            self.assert_mended(path.parent)
        else:
            assert not self.kind.opening_builds
            assert names(str(error)), error
            assert str(path) in str(error) or isinstance(error, MissingTableError)


@pytest.fixture(scope="module", params=KINDS)
def stored_table(request, small_blocks, tmp_path_factory):
    kind, folder = KINDS[request.param], tmp_path_factory.mktemp("good")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BEAROFF_CACHE", str(folder))
        kind.build()
        return kind, folder, kind.answers()


of_each_opening = pytest.mark.parametrize(
    "stored_table", [name for name in KINDS if name != "two-sided-verified"], indirect=True
)
"""Parametrization for damage that is detected when a table is opened."""


@pytest.fixture
def good(stored_table, tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path / "cache"))
    kind, folder, answers = stored_table
    return Good(kind, folder, tmp_path / "cache", answers)


DAMAGES = {
    "first bit": lambda data: flipped(data, 0, 0),
    "last bit": lambda data: flipped(data, -1, 7),
    "cut": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_changed_file(good, damage):
    for name in good.files():
        path = good.copy() / name
        path.write_bytes(DAMAGES[damage](good.content(name)))
        good.assert_found(path)


def test_any_flipped_bit(good):
    rng = np.random.default_rng(9)
    for name in good.files():
        data = good.content(name)
        for at in rng.integers(len(data), size=2).tolist():
            path = good.copy() / name
            path.write_bytes(flipped(data, at, int(rng.integers(8))))
            good.assert_found(path)


@of_each_opening
@pytest.mark.parametrize("in_its_place", [lambda path: None, Path.mkdir])
def test_a_missing_file_or_a_folder_in_its_place(good, in_its_place):
    for name in good.files():
        path = good.copy() / name
        path.unlink()
        in_its_place(path)
        good.assert_found(path)


def test_a_file_in_place_of_another(good):
    others = [p for p in good.stored.rglob("*") if p.suffix in (".npy", ".plane")]
    for k, name in enumerate(good.files()):
        for other in (*others, *others)[k : k + 3]:
            if other.name != name:
                path = good.copy() / name
                shutil.copyfile(other, path)
                good.assert_found(path)


MANIFESTS = [
    *("", "null", "[" * 100_000, '{"table": ["a"], "sha256": null}'),
    json.dumps({"table": {}, "sha256": sealing.seal({})}),
]


@of_each_opening
@pytest.mark.parametrize("text", MANIFESTS, ids=range(len(MANIFESTS)))
def test_a_manifest_of_something_else(good, text):
    path = good.copy() / MANIFEST
    path.write_text(text)
    good.assert_found(path)


@of_each_opening
def test_entries_changed_under_their_seal(good):
    sealed = json.loads(good.content(MANIFEST))
    for key in sealed["table"]:
        path = good.copy() / MANIFEST
        table = {k: v for k, v in sealed["table"].items() if k != key}
        path.write_text(json.dumps({**sealed, "table": table}))
        good.assert_found(path)


@of_each_opening
def test_another_version(good):
    path = good.copy() / MANIFEST
    table = json.loads(path.read_text())["table"]
    (key,) = {"version", "format"} & set(table)
    table[key] += 1
    path.write_text(json.dumps({"table": table, "sha256": sealing.seal(table)}))
    good.assert_found(path)


@of_each_opening
def test_building_again_mends(good):
    files = good.files()
    for name in sorted({MANIFEST, files[0], files[-1]}):
        folder = good.copy()
        (folder / name).write_bytes(good.content(name)[:-1])
        good.kind.build()
        good.assert_mended(folder)

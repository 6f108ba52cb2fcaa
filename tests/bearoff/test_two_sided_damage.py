"""Damage to two-sided tables is told in one sentence, and building again mends it."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bearoff
from bearoff import TableError, two_sided_store
from bearoff.checked import map_file
from bearoff.two_sided_layout import LANES, layout
from bearoff.two_sided_store import load_array, read_manifest, save_array, write_manifest
from tests.two_sided_tables import PLANES, built, stored

SIZE = 3
FILES = [*(f"{plane}.u16" for plane in PLANES), "offsets.npy", "successors.npy"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of a good table, in a cache of its own."""
    copy = tmp_path / built(SIZE).folder.name
    shutil.copytree(built(SIZE).folder, copy)
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    return copy


def use(plane: str) -> object:
    """Open the table and ask all that `plane` (or the successors) must answer."""
    table = bearoff.two_sided_table(SIZE)
    numbers = np.arange(bearoff.position_count(6, SIZE))
    pairs = numbers[:, None], numbers
    if plane == "cubeless":
        return table.win_probability(*pairs)
    if plane in ("offsets", "successors"):
        return table.no_double(1, 1)
    return table.equity(*pairs, plane)  # type: ignore[arg-type]


def flip(path: Path, at: int, bit: int = 0) -> None:
    data = bytearray(path.read_bytes())
    data[at] ^= 1 << bit
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def lengthen(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\0")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def flip_first(path: Path) -> None:
    flip(path, 0)


def flip_last(path: Path) -> None:
    flip(path, -1, 7)


def mended(folder: Path) -> bool:
    """Whether building again gives the bytes of the good table."""
    bearoff.build_two_sided_table(SIZE)
    good = built(SIZE).folder
    return all((folder / n).read_bytes() == (good / n).read_bytes() for n in FILES) and (
        read_manifest(folder)["planes"] == read_manifest(good)["planes"]
    )


@pytest.mark.parametrize(
    "damage", [cut, lengthen, empty, Path.unlink, flip_first, flip_last]
)
@pytest.mark.parametrize("name", FILES)
def test_damage_is_told_on_use_and_by_verify(
    name: str, damage: Callable[[Path], None], folder: Path
) -> None:
    use(name.split(".")[0])
    path = folder / name
    damage(path)
    bearoff.two_sided._open_table.cache_clear()
    table = bearoff.two_sided_table(SIZE)
    for ask in (lambda: use(name.split(".")[0]), lambda: table.verify(samples=0)):
        with pytest.raises(TableError) as caught:
            ask()
        assert str(path) in str(caught.value)
        assert str(caught.value).endswith("build the table again")
        assert "\n" not in str(caught.value)
    assert mended(folder)
    use(name.split(".")[0])
    bearoff.two_sided_table(SIZE).verify()


@pytest.mark.parametrize("plane", PLANES)
def test_verify_finds_any_bit_of_any_block(plane: str, folder: Path) -> None:
    rng = np.random.default_rng(5)
    path = folder / f"{plane}.u16"
    size, blocks = path.stat().st_size, layout(SIZE).blocks
    table = bearoff.two_sided_table(SIZE)
    for _ in range(10):
        at, bit = int(rng.integers(size)), int(rng.integers(8))
        flip(path, at, bit)
        block = at // (size // blocks)
        with pytest.raises(TableError, match=rf"{plane}\.u16 is damaged in block {block};"):
            table.verify()
        flip(path, at, bit)
    table.verify()


@pytest.mark.parametrize("plane", PLANES)
def test_only_what_rests_on_a_damaged_block_is_refused(plane: str, folder: Path) -> None:
    """A block is compared when it is read: 24 GB must open in milliseconds."""
    path = folder / f"{plane}.u16"
    places, good = layout(SIZE), built(SIZE)
    length = path.stat().st_size // places.blocks
    numbers = np.arange(bearoff.position_count(6, SIZE))
    for block in range(places.blocks):
        flip(path, block * length + 7)
        bearoff.two_sided._open_table.cache_clear()
        table = bearoff.two_sided_table(SIZE)
        for x in numbers.tolist():
            if places.slots[x] // LANES == block:
                with pytest.raises(TableError, match=rf"damaged in block {block};"):
                    stored(table, plane, x, numbers)
            else:
                right = stored(good, plane, x, numbers)
                assert np.array_equal(stored(table, plane, x, numbers), right)
        with pytest.raises(TableError, match=rf"damaged in block {block};"):
            table.codes(plane)
        flip(path, block * length + 7)


@pytest.mark.parametrize("checkers", [1, 2, 4])
def test_a_table_of_another_size_in_its_folder(checkers: int, folder: Path) -> None:
    shutil.move(folder, folder.with_name(f"two-sided-{checkers:02}"))
    with pytest.raises(TableError, match=rf"of 3 checkers, not of {checkers}; build"):
        bearoff.two_sided_table(checkers)


@pytest.mark.parametrize(
    ("change", "value"),
    [("step", None), ("error", "1"), ("zero", 0.5), ("crc32", [1]), ("crc32", ["x"] * 7)],
)
def test_a_sealed_manifest_that_says_nonsense(
    change: str, value: object, folder: Path
) -> None:
    manifest = read_manifest(folder)
    manifest["planes"]["owned"][change] = value
    write_manifest(folder, manifest)
    with pytest.raises(TableError, match=r"table.json is damaged; build the table again"):
        bearoff.two_sided_table(SIZE)


def test_nesting_in_a_manifest(folder: Path) -> None:
    (folder / "table.json").write_text("[" * 100_000)
    with pytest.raises(TableError, match=r"table.json is damaged; build the table again"):
        bearoff.two_sided_table(SIZE)


@pytest.mark.parametrize("name", ["offsets.npy", "successors.npy"])
@pytest.mark.parametrize("value", [-1, 40_000])
def test_successors_that_lead_out_of_the_table(name: str, value: int, folder: Path) -> None:
    """Sealed as if they had been written so: compiled code would follow them."""
    array = np.load(folder / name).copy()
    array[5] = np.array(value).astype(array.dtype)
    manifest = read_manifest(folder)
    save_array(folder, name, array, manifest)
    write_manifest(folder, manifest)
    with pytest.raises(TableError, match="build the table again"):
        bearoff.two_sided_table(SIZE).no_double(1, 1)


@pytest.mark.parametrize("above", [0, 1])
def test_successors_that_lead_to_no_lower_level(above: int, folder: Path) -> None:
    """Whoever follows them must come to an end."""
    array = np.load(folder / "successors.npy").copy()
    array[-1] = layout(SIZE).levels[-2 - above]  # Of the last slot.
    manifest = read_manifest(folder)
    save_array(folder, "successors.npy", array, manifest)
    write_manifest(folder, manifest)
    table = bearoff.two_sided_table(SIZE)
    if above:  # It leads a level down.
        table.no_double(1, 1)
    else:
        with pytest.raises(TableError, match="build the table again"):
            table.no_double(1, 1)


def test_the_bytes_that_are_compared_are_those_that_are_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though another file takes the place of the one that is mapped."""
    good = np.load(folder / "offsets.npy")

    def replaced_once_mapped(path: Path, size: int) -> Any:
        mapped = map_file(path, size)
        np.save(folder / "other.npy", np.zeros_like(good))
        (folder / "other.npy").replace(path)
        return mapped

    monkeypatch.setattr(two_sided_store, "map_file", replaced_once_mapped)
    array = load_array(folder, "offsets.npy", read_manifest(folder))
    assert np.array_equal(array, good)


@pytest.mark.parametrize("damage", [cut, empty, flip_first, flip_last])
def test_a_damaged_manifest(damage: Callable[[Path], None], folder: Path) -> None:
    damage(folder / "table.json")
    with pytest.raises(TableError, match=r"table.json is damaged; build the table again"):
        bearoff.two_sided_table(SIZE)
    assert mended(folder)


@pytest.mark.parametrize(
    "text", ["[]", "{}", '{"table": 3}', '{"table": {}, "sha256": ""}']
)
def test_a_manifest_of_something_else(text: str, folder: Path) -> None:
    (folder / "table.json").write_text(text)
    with pytest.raises(TableError, match=r"table.json is damaged; build the table again"):
        bearoff.two_sided_table(SIZE)


def test_a_changed_word_breaks_the_seal(folder: Path) -> None:
    path = folder / "table.json"
    path.write_text(path.read_text().replace('"error": ', '"error": 1'))
    with pytest.raises(TableError, match="damaged"):
        bearoff.two_sided_table(SIZE)


def test_another_version_of_the_format(folder: Path) -> None:
    manifest = read_manifest(folder)
    write_manifest(folder, {**manifest, "format": 1})
    with pytest.raises(TableError, match="has format 1, this program reads 2; build"):
        bearoff.two_sided_table(SIZE)
    assert mended(folder)


def test_a_table_under_another_ones_name_is_built_anew(folder: Path) -> None:
    folder.rename(folder.with_name("two-sided-02"))
    bearoff.build_two_sided_table(2)
    table = bearoff.two_sided_table(2)
    assert read_manifest(table.folder)["checkers"] == 2
    table.verify()


def test_no_table() -> None:
    with pytest.raises(TableError, match=r"there is no two-sided table in .*; build it"):
        bearoff.two_sided_table(14)


def test_only_what_is_damaged_is_built_again(folder: Path) -> None:
    flip(folder / "owned.u16", 1000)
    run = []
    bearoff.build_two_sided_table(SIZE, progress=lambda name, _: run.append(name))
    assert set(run) == {"opponent and owned"}
    flip(folder / "centred.u16", 1000)
    run.clear()
    bearoff.build_two_sided_table(SIZE, progress=lambda name, _: run.append(name))
    # The centred pass reads what the pass before it leaves over, which is not kept.
    assert list(dict.fromkeys(run)) == ["opponent and owned", "centred"]


def test_damaged_leftovers_are_made_again(folder: Path) -> None:
    class Stop(Exception):
        pass

    def stop(name: str, done: float) -> None:
        if name == "centred":
            raise Stop

    bearoff.remove_table(SIZE)
    with pytest.raises(Stop):
        bearoff.build_two_sided_table(SIZE, progress=stop)
    flip(folder / "opponent-rests.i8", 1000)
    assert mended(folder)


def test_a_reader_keeps_what_it_opened(folder: Path) -> None:
    table = bearoff.two_sided_table(SIZE)
    before = stored(table, "cubeless", 40, 50)
    flip(folder / "cubeless.u16", 1000)
    assert mended(folder)
    (folder / "cubeless.u16").write_bytes(b"")
    assert stored(table, "cubeless", 40, 50) == before


def test_the_manifest_never_names_a_plane_being_written(folder: Path) -> None:
    named: list[set[str]] = []

    def look(name: str, done: float) -> None:
        if done < 1:
            named.append(set(read_manifest(folder)["planes"]))

    flip(folder / "owned.u16", 1000)
    bearoff.build_two_sided_table(SIZE, progress=look)
    assert named
    assert all(planes == {"cubeless", "centred"} for planes in named)


def forge(folder: Path, plane: str, x: int, y: int, by: int) -> None:
    """Change one value, and the checksums as if it had been written so."""
    from bearoff.two_sided_store import describe_plane

    places = layout(SIZE)
    codes = np.memmap(folder / f"{plane}.u16", dtype="<u2", mode="r+")
    codes = codes.reshape(places.blocks, places.size, 16)
    slot = int(places.slots[x])
    at = slot // 16, int(places.slots[y]), slot % 16
    codes[at] = int(codes[at]) + by
    codes.flush()  # type: ignore[attr-defined]
    manifest = read_manifest(folder)
    manifest["planes"][plane] |= describe_plane(folder / f"{plane}.u16", places, 1)
    write_manifest(folder, manifest)


@pytest.mark.parametrize("plane", PLANES)
def test_verify_finds_a_wrong_value_whose_checksum_is_right(
    plane: str, folder: Path
) -> None:
    forge(folder, plane, 60, 50, 40)
    table = bearoff.two_sided_table(SIZE)
    # Found in that plane, or in one that rests on it.
    with pytest.raises(TableError, match=r"the plane .* has .* and the values after his"):
        table.verify(samples=100_000)


@pytest.mark.parametrize(("x", "y"), [(0, 33), (33, 0)])
@pytest.mark.parametrize("plane", PLANES)
def test_verify_knows_games_that_are_over(plane: str, x: int, y: int, folder: Path) -> None:
    forge(folder, plane, x, y, 1 if y == 0 else -1)
    with pytest.raises(TableError, match=rf"the plane {plane} of .* values a game"):
        bearoff.two_sided_table(SIZE).verify(samples=0)


def test_verify_says_what_it_compared() -> None:
    found = built(SIZE).verify(samples=500)
    assert (found.checkers, found.samples) == (SIZE, 500)
    assert set(found.differences) == set(PLANES)
    for plane, difference in found.differences.items():
        assert 0 < difference <= 3 * built(SIZE).error(plane) + 5e-6
    assert found.bytes == sum((built(SIZE).folder / name).stat().st_size for name in FILES)

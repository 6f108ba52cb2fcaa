"""Bear-off files in GNU Backgammon's format are read and written, and bad files are
refused.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import bearoff
from bearoff import gnubg
from bearoff.gnubg import OneSidedFile
from bearoff.one_sided import saving_distribution
from oracles import reference
from tests.refusals import refused
from tests.two_sided_tables import built

DATA = Path(__file__).parents[2] / "data"


def recorded(name):
    return gnubg.open_file(DATA / f"gnubg_{name}.bd")


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("two_sided", "two-sided, 6 points and 2 checkers, with the cube"),
        ("cubeless", "two-sided, 6 points and 2 checkers, cubeless"),
        ("gammons", "one-sided, 2 points and 15 checkers, roll distributions, with gammons"
         ", compressed"),
        ("no_gammons", "one-sided, 2 points and 15 checkers, roll distributions, without "
         "gammons, compressed"),
        ("uncompressed", "one-sided, 1 points and 15 checkers, roll distributions, with "
         "gammons"),
        ("normal", "one-sided, 1 points and 15 checkers, only means and standard deviations"
         ", with gammons"),
    ],
)  # fmt: skip
def test_headers_say_what_makebearoff_was_asked_for(name, says):
    file = recorded(name)
    assert file.header.describe() == says
    assert file.path.read_bytes()[:40] == file.header.encode()


@pytest.mark.parametrize("name", ["two_sided", "cubeless"])
def test_recorded_pairs_are_ours(name):
    file = recorded(name)
    # makebearoff rounds values to 1/32767 of a point at each of at most four turns.
    for one in gnubg.compare_two_sided(file, built(3)):
        assert one.values == 28**2
        assert one.largest < 1e-4, one.name


@pytest.mark.parametrize("name", ["gammons", "no_gammons", "uncompressed", "normal"])
def test_recorded_rolls_are_ours(name):
    file = recorded(name)
    found = gnubg.compare_one_sided(file, bearoff.one_sided_table(file.header.points))
    for one in found:
        # The files round probabilities to multiples of 1/65535, and rounding errors
        # accumulate over several rolls.
        assert one.largest < 1e-4, one.name
    kinds = 1 if name == "no_gammons" else 2
    assert len(found) == kinds * (1 if name == "normal" else 2)


def test_a_difference_is_found_where_it_is(tmp_path):
    data = bytearray((DATA / "gnubg_two_sided.bd").read_bytes())
    # Offset of the equity of position 5 against position 7 with a centred cube.
    at = 40 + 8 * (28 * 5 + 7) + 2 * 2
    value = int.from_bytes(data[at : at + 2], "little")
    data[at : at + 2] = (value - 3277).to_bytes(2, "little")
    path = tmp_path / "changed.bd"
    path.write_bytes(data)
    centred = gnubg.compare_two_sided(gnubg.open_file(path), built(3))[2]
    assert centred.at == (5, 7)
    assert centred.largest == pytest.approx(0.1, abs=1e-4)
    assert centred.rms == pytest.approx(0.1 / 28, rel=1e-2)


def test_two_sided_files_hold_our_table_rounded(tmp_path):
    table, path = built(3), tmp_path / "ts.bd"
    done: list[float] = []
    gnubg.write_two_sided(path, table, gnubg.two_sided_header(6, 2), done.append)
    assert done == sorted(done)
    assert done[-1] == 1
    values = gnubg.open_file(path).equities(np.arange(28))
    pairs = np.meshgrid(np.arange(1, 28), np.arange(1, 28), indexing="ij")
    expected = (
        2 * table.win_probability(*pairs) - 1,
        table.no_double(*pairs, "owned"),
        table.no_double(*pairs, "centred"),
        table.equity(*pairs, "opponent"),
    )
    half = 0.501 / 32767.5  # half a step of the file's values, and float64 rounding
    np.testing.assert_allclose(
        values[1:, 1:], np.stack(expected, axis=-1), atol=half, rtol=0
    )
    assert (values[0] == 1).all()
    assert (values[1:, 0] == -1).all()


@pytest.mark.parametrize("gammons", [True, False])
@pytest.mark.parametrize("compressed", [True, False])
def test_one_sided_files_hold_our_table_rounded(tmp_path, gammons, compressed):
    table = bearoff.one_sided_table(3)
    header = gnubg.one_sided_header(3, gammons=gammons, compressed=compressed)
    path = tmp_path / "os.bd"
    gnubg.write_one_sided(path, table, header)
    file = gnubg.open_file(path)
    assert file.header == header
    for one in gnubg.compare_one_sided(file, table):
        # The limit allows for the rounding of float32.
        assert one.largest < 0.501 / 65535 or not one.name.startswith("within"), one.name
    np.testing.assert_array_equal(file.rows(700, 816), file.rows(0, 816)[700:])
    with refused(OSError, "no-such-folder"):
        gnubg.write_one_sided(tmp_path / "no-such-folder" / "os.bd", table, header)


def test_pairs_in_which_gammons_count_are_left_out(tmp_path):
    bearoff.build_two_sided_table(15, points=2)
    header = gnubg.Header(two_sided=True, points=2, checkers=15, cube=True)
    path = tmp_path / "zeros.bd"
    path.write_bytes(header.encode() + bytes(header.file_bytes - 40))
    found = gnubg.compare_two_sided(gnubg.open_file(path), bearoff.two_sided_table(15, 2))
    fewer = bearoff.position_count(2, 14)
    assert [one.values for one in found] == [136**2, fewer**2, fewer**2, fewer**2]
    assert [one.largest for one in found] == [1, 2, 2, 2]


@pytest.mark.parametrize(("points", "checkers"), [(4, 3), (18, 2)])
def test_rolls_to_the_first_checker_off(points, checkers):
    """The distribution of rolls to the first checker off is correct on a board of 18
    points."""
    found = saving_distribution(points, checkers, rolls=20)
    fewer, size = (bearoff.position_count(points, n) for n in (checkers - 1, checkers))
    full = bearoff.unrank(np.arange(fewer, size), points, checkers)
    assert len(found) == len(full)
    for counts, row in zip(full.tolist(), found, strict=True):
        side = tuple(p for p, n in enumerate(counts, 1) for _ in range(n))
        np.testing.assert_allclose(row, _saving(side, checkers), atol=1e-6)


@cache
def _saving(side, start):
    """Return the distribution of the number of rolls to bear off one checker as fast as
    possible.
    """
    if len(side) < start:
        return (1.0, *[0.0] * 19)
    row = np.zeros(20)
    for a in range(1, 7):
        for b in range(1, a + 1):
            ends = [_saving(end, start) for end in reference.successors(side, a, b)]
            best = min(ends, key=lambda row: sum(n * p for n, p in enumerate(row)))
            row[1:] += (1 if a == b else 2) * np.array(best[:-1])
    return tuple((row / 36).tolist())


@pytest.mark.parametrize(
    ("name", "change", "named"),
    [
        ("two_sided", lambda d: d[:-1], "6,311"),
        ("two_sided", lambda d: d + b"0", "6,313"),
        ("uncompressed", lambda d: d[:-2], "damaged"),
        ("gammons", lambda d: d[:500], "1,128"),
        ("gammons", lambda d: d[:-2], "index"),
        ("gammons", lambda d: d[:-1] + b"9", "position 135"),
        ("two_sided", lambda d: b"gnubg-TS-24-02-1" + d[16:], "24 points"),
        ("two_sided", lambda d: b"gnubg-TS-06-16-1" + d[16:], "16 checkers"),
        ("two_sided", lambda d: b"gnubg-H1" + d[8:], "start"),
        ("two_sided", lambda d: b"", "start"),
    ],
)
def test_damage_is_one_sentence(tmp_path, name, change, named):
    path = tmp_path / "damaged.bd"
    path.write_bytes(change((DATA / f"gnubg_{name}.bd").read_bytes()))
    with refused(bearoff.TableError, path, named):
        file = gnubg.open_file(path)
        file.rows(0, file.header.positions)


@pytest.mark.parametrize("name", ["gammons", "no_gammons", "uncompressed", "normal"])
def test_any_bytes_are_read_or_refused(tmp_path, name):
    chance = np.random.default_rng(4)
    data = (DATA / f"gnubg_{name}.bd").read_bytes()
    table = {points: bearoff.one_sided_table(points) for points in (1, 2)}
    refused = 0
    for _ in range(30):
        changed = bytearray(data)
        for at in chance.integers(8, len(data), chance.integers(1, 4)):
            changed[at] = chance.integers(256)
        path = tmp_path / "x.bd"
        path.write_bytes(changed)
        try:
            file = gnubg.open_file(path)
            if isinstance(file, OneSidedFile) and file.header.points in table:
                found = gnubg.compare_one_sided(file, table[file.header.points])
                assert all(np.isfinite([one.largest, one.rms]).all() for one in found)
        except bearoff.TableError:
            refused += 1
    # In a file of normal distributions, most damaged numbers are still valid means.
    assert refused > (0 if name == "normal" else 8)


@pytest.mark.parametrize(
    ("points", "checkers", "cube", "named"),
    [
        (6, 13, True, ("checkers",)), (6, 15, False, ("checkers",)),
        (2, 15, True, ("gammons",)), (6, 16, True, (1, 15)), (24, 1, True, (24,)),
    ],
)  # fmt: skip
def test_files_that_gnubg_would_misread_are_refused(points, checkers, cube, named):
    with refused(bearoff.BearoffError, *named):
        gnubg.two_sided_header(points, checkers, cube=cube)
    gnubg.two_sided_header(6, 12)
    gnubg.two_sided_header(6, 14, cube=False)

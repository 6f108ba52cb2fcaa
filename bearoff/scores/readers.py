"""Functions that read match equity tables from GNU Backgammon's XML and from CSV.

Every number is checked. Match-winning chances must be between 0 and 1, decrease with the
points that the player needs, and increase with the points that the opponent needs. The
chances of both players must add up to 1, unless the table is for players of different
strength.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from bearoff.errors import ScoreError, printable
from bearoff.scores.score import LONGEST
from bearoff.storage import require_regular

Float64Array = NDArray[np.float64]

MOST_BYTES = 1 << 20
"""Maximum size in bytes of a file with a match equity table; typical files are about 20 kB.
"""

ROUNDING = 0.005 + 1e-9
"""Maximum amount by which the sum of both players' chances may differ from 1, which allows
for the rounding of printed tables."""


class TableNumbers(NamedTuple):
    """Match-winning chances of a match equity table, as read from a file."""

    name: str
    before: Float64Array
    post_crawford: Float64Array


def read_numbers(path: Path) -> TableNumbers:
    """Read and check a match equity table; see `bearoff.scores.read_match_equities`."""
    try:
        require_regular(path)
        if path.stat().st_size > MOST_BYTES:
            raise ScoreError(f"{path} is larger than a match equity table can be")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ScoreError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ScoreError(
            f"{path} is neither XML nor CSV, because it is not text"
        ) from error
    return parse_numbers(path, text)


def parse_numbers(path: Path, text: str) -> TableNumbers:
    """Parse and check a match equity table; `path` is for messages and a default name."""
    numbers = _read_xml(path, text) if "<" in text[:200] else _read_csv(path, text)
    check_numbers(path, numbers.before, numbers.post_crawford)
    return numbers


def check_numbers(source: Path | str, before: Float64Array, behind: Float64Array) -> None:
    """Raise `ScoreError` if match-winning chances are missing or contradict each other.

    Chances must be between 0 and 1 and monotonic, and both players' chances must add up to
    1.
    """
    size = max(before.shape, default=0)
    if (
        not 2 <= size <= LONGEST
        or before.shape != (size, size)
        or behind.shape != (2, size)
    ):
        _refuse(
            source,
            f"match-winning chances for n points (2 to {LONGEST}) must have shapes (n, n) "
            f"and, post-Crawford, (2, n), got {before.shape} and {behind.shape}",
        )
    if np.isnan(before).any() or np.isnan(behind).any():
        places = [_place(i, j) for i, j in np.argwhere(np.isnan(before))]
        first = places[0] if places else "post-Crawford"
        _refuse(source, f"the number for {first} is missing; add it")
    for value in (*before.flat, *behind.flat):
        if not 0.0 <= value <= 1.0:
            _refuse(source, f"match-winning chances must be from 0 to 1, got {value:g}")
    for (i, j), message in _contradictions(before, behind):
        _refuse(source, f"{_place(i, j)} is {before[i, j]:g}, {message}")
    for row in behind:
        if (np.diff(row) > 0).any():
            k = int(np.argmax(np.diff(row) > 0)) + 1
            _refuse(
                source,
                f"the chance post-Crawford at {k + 1}-away, {row[k]:g}, must not be larger "
                f"than that at {k}-away",
            )


def _refuse(source: Path | str, what: str) -> NoReturn:
    raise ScoreError(f"{source}: {what}")


def _read_xml(path: Path, text: str) -> TableNumbers:
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ScoreError(f"{path} is not valid XML: {error}") from error
    pre = root.find("pre-crawford-table")
    posts = root.findall("post-crawford-table")
    if root.tag != "met" or pre is None or not posts:
        _refuse(
            path,
            "a match equity file must have <met> with <pre-crawford-table> and "
            "<post-crawford-table>",
        )
    for table in (pre, *posts):
        kind = table.get("type", "explicit")
        if kind != "explicit":
            _refuse(
                path,
                f"the file has parameters of the formula {_shown(kind)!r} instead of "
                "numbers; use a file with numbers",
            )
    for element in (each for table in (pre, *posts) for row in table for each in row):
        if element.tag != "me":
            _refuse(path, f"a row must contain only <me>, got <{_shown(element.tag)}>")
    rows = [
        [_number(path, me.text, f"row {i}, column {k}") for k, me in enumerate(row, 1)]
        for i, row in enumerate(pre.findall("row"), 1)
    ]
    before = _square(path, rows)
    behind: dict[int, list[float]] = {}
    for table in posts:
        player = table.get("player", "both")
        if player not in ("both", "0", "1"):
            _refuse(path, f"the player must be 0, 1 or both, got {_shown(player)!r}")
        values = [
            _number(path, me.text, f"post-Crawford, column {k}")
            for k, me in enumerate(table.iter("me"), 1)
        ]
        for one in (0, 1) if player == "both" else (int(player),):
            behind[one] = values
    if len(behind) != 2:
        _refuse(path, "post-Crawford tables must cover both players")
    name = root.findtext("info/name") or path.stem
    return TableNumbers(_shown(name), before, _behind(path, len(before), behind))


def _read_csv(path: Path, text: str) -> TableNumbers:
    lines = text.splitlines()
    name = path.stem
    for line in lines:
        if line.startswith("#") and line[1:].strip().lower().startswith("name:"):
            name = line.partition(":")[2]
    cells = [
        (number, [cell.strip() for cell in line.split(",")])
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.startswith("#")
    ]
    if not cells or cells[0][1][0].lower() != "away":
        _refuse(path, "the first row must be away,1,2,3,... up to the length of the match")
    size = len(cells[0][1]) - 1
    if cells[0][1][1:] != [str(points) for points in range(1, size + 1)]:
        _refuse(path, "the first row must be away,1,2,3,... up to the length of the match")
    if not 2 <= size <= LONGEST:
        _refuse(path, f"the length of the match must be from 2 to {LONGEST}, got {size}")
    rows: dict[str, list[float]] = {}
    for number, (label, *row) in cells[1:]:
        label = label.lower()
        if label in rows:
            _refuse(path, f"line {number} repeats the row {_shown(label)!r}")
        if label != "post-crawford" and label not in cells[0][1][1:]:
            _refuse(
                path,
                f"line {number} must start with a number of points away, got "
                f"{_shown(label)!r}",
            )
        if len(row) != size:
            _refuse(path, f"line {number} must have {size} numbers, got {len(row)}")
        rows[label] = [
            math.nan if not cell else _number(path, cell, f"line {number}, column {k}")
            for k, cell in enumerate(row, 1)
        ]
    missing = {"post-crawford", *cells[0][1][1:]} - set(rows)
    if missing:
        _refuse(path, f"the row that starts with {min(missing, key=_by_size)} is missing")
    before = _square(path, [rows[str(points)] for points in range(1, size + 1)])
    np.copyto(before, 1.0 - before.T, where=np.isnan(before))
    behind = rows["post-crawford"]
    while behind and math.isnan(behind[-1]):
        behind = behind[:-1]
    table = _behind(path, size, {0: behind, 1: behind})
    return TableNumbers(_shown(name), before, table)


def _by_size(label: str) -> tuple[int, str]:
    return len(label), label


def _shown(text: str) -> str:
    return printable(text[:100])


def _number(path: Path, text: str | None, place: str) -> float:
    try:
        # `float` also accepts digits of other scripts, and underscores such as in "0_5".
        value = float(text if text and text.isascii() and "_" not in text else "")
    except ValueError:
        _refuse(path, f"{place} must be a number, got {_shown(text or '')!r}")
    if not 0.0 <= value <= 1.0:
        _refuse(
            path, f"{place} must be a chance from 0 to 1, not in percent, got {value:g}"
        )
    return value


def _square(path: Path, rows: list[list[float]]) -> Float64Array:
    size = len(rows)
    if not 2 <= size <= LONGEST:
        _refuse(path, f"a table must have from 2 to {LONGEST} rows, got {size}")
    for i, row in enumerate(rows, 1):
        if len(row) != size:
            _refuse(path, f"row {i} must have {size} numbers, got {len(row)}")
    return np.array(rows)


def _behind(path: Path, size: int, values: dict[int, list[float]]) -> Float64Array:
    """Return both players' post-Crawford chances; repeat the last one if one is missing."""
    rows = []
    for player in (0, 1):
        found = values[player]
        if not size - 1 <= len(found) <= size:
            _refuse(
                path, f"the row post-Crawford must have {size} numbers, got {len(found)}"
            )
        rows.append([*found, *[found[-1]] * (size - len(found))])
    return np.array(rows)


def _contradictions(
    before: Float64Array, behind: Float64Array
) -> Iterator[tuple[tuple[int, int], str]]:
    equal = np.array_equal(behind[0], behind[1])
    tests = [
        (
            before[:, 1:] < before[:, :-1],
            (0, 1),
            "less than if the opponent needed one point fewer",
        ),
        (
            before[1:] > before[:-1],
            (1, 0),
            "more than if the player needed one point fewer",
        ),
    ]
    if equal:
        wrong = np.abs(before + before.T - 1.0) > ROUNDING
        message = (
            "and does not add up to 1 with the opponent's; correct one or leave one empty"
        )
        tests.append((wrong, (0, 0), message))
    for wrong, (down, right), message in tests:
        for i, j in np.argwhere(wrong):
            yield (int(i) + down, int(j) + right), message


def _place(i: int, j: int) -> str:
    return f"{i + 1}-away {j + 1}-away"

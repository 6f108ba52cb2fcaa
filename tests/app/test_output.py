"""Output on the screen: tables, and lines that are updated."""

import itertools

import numpy as np
import pytest

from bearoff.app import output
from bearoff.app.progress import LiveLines

WORDS = [
    *("a", "10.5%", "±", "no double", "x y", "+0.1234", "", "6-1 6-2\n5-5", "×2"),
    *("two  blanks", "a longer text of several words", "\n"),
]


@pytest.mark.parametrize("columns", range(1, 7))
def test_tables_are_set_as_by_rich(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    rng = np.random.default_rng(columns)
    plain = 0
    for rows in itertools.chain(range(6), [3] * 60):
        left = [True, *(rng.random(columns - 1) < 0.3)]
        cells = [[str(word) for word in rng.choice(WORDS[:6], columns)]]
        cells += [[str(word) for word in rng.choice(WORDS, columns)] for _ in range(rows)]
        lines = output._narrow_table(left, cells)
        if lines:
            plain += 1
            assert _text(lines) == _text(output._wrapped_table(left, cells))
    assert plain > 5


def _text(lines):
    return "\n".join(line.rstrip() for line in lines).rstrip()


@pytest.mark.parametrize("cell", ["wide 中", "\x1b[1mbold", " indented", "x" * 90])
def test_other_cells_are_left_to_rich(cell):
    assert output._narrow_table([True], [["heading"], [cell]]) == []
    assert output._narrow_table([True], [["heading"], ["plain"]]) != []


def test_live_lines_take_the_place_of_those_before_and_never_two_rows(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    lines = LiveLines()
    lines.show(["head", "x" * 50])
    lines.show(["head"])
    lines.show(["head", "last"])
    first, second, third = "head\n" + "x" * 19 + "\n", "head\n", "head\nlast\n"
    # Before each update, the cursor moves up over the previous rows and clears them.
    shown = first + "\x1b[2F\x1b[J" + second + "\x1b[1F\x1b[J" + third
    assert capsys.readouterr().err == shown

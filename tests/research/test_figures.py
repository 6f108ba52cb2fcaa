"""Numbers in the figures of the paper."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import bearoff
from research.figures import plot_over_numbers
from tests.app.conftest import only_sentence


@pytest.fixture
def ax():
    return Figure().add_subplot()


def test_every_position_is_on_the_figures(ax, table):
    dots = plot_over_numbers(table.epc, 6, 15, ax=ax)[-1]
    assert (dots.get_xdata() == np.arange(54264)).all()
    assert (dots.get_ydata() == table.epc).all()
    # The positions of fifteen checkers come last, and the label "15" is centred over them.
    labels = {text.get_text(): text.get_position()[0] for text in ax.texts}
    assert (
        labels["15"] == (bearoff.position_count(6, 14) + bearoff.position_count(6, 15)) / 2
    )


def test_figures_are_drawn_for_any_table(research, tmp_path):
    answer = research(
        *("figures", "--to", str(tmp_path)), *("--points", "4", "--checkers", "5")
    )
    assert answer.code == 0, answer.err
    written = [Path(line) for line in answer.out.splitlines()]
    assert all(path.stat().st_size > 5000 for path in written)
    names = {path.name for path in written}
    assert names == {
        f"figure-{name}.{ending}"
        for name in ("3-pips", "4-epc")
        for ending in ("png", "svg")
    }


def test_figures_cannot_go_where_a_file_is(research, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    only_sentence(research("figures", "--to", str(blocked)))

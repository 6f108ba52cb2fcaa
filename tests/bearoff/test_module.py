"""The package `bearoff`: its version, its types, and the display of values in notebooks."""

import inspect
import subprocess
import sys
from importlib.metadata import version
from xml.etree import ElementTree

import numpy as np
import pytest

import bearoff
from bearoff import matchup, race_model
from tests.two_sided_tables import built

CHECKERS = 3


def test_the_package_is_the_command_and_has_a_version():
    assert bearoff.__version__ == version("bearoff")
    told = subprocess.run(
        [sys.executable, "-m", "bearoff", "--version"], capture_output=True, text=True
    )
    assert (told.returncode, told.stdout) == (0, f"bearoff {bearoff.__version__}\n")


def test_signatures_name_their_types():
    public = {name: getattr(bearoff, name) for name in dir(bearoff) if name[0] != "_"}
    for name, one in list(public.items()):
        if inspect.isclass(one):
            methods = {f"{name}.{key}": value for key, value in vars(one).items()}
            public |= {key: value for key, value in methods.items() if callable(value)}
    called = {name: one for name, one in public.items() if inspect.isfunction(one)}
    shown = {name: str(inspect.signature(one)) for name, one in called.items()}
    assert "counts: 'Sides'" in shown["rank"]
    assert "TwoSidedTable.equity" in shown
    assert [name for name, text in shown.items() if "numpy." in text] == []


@pytest.mark.parametrize("cube", ["center", "Centered", "CENTRED "])
def test_a_centred_cube_is_read_in_every_spelling(cube):
    player = matchup.RacePlayer(matchup.NeverDoubles())
    values = matchup.strategy_values(player, player, checkers=CHECKERS)
    model, score = race_model.race_model(), bearoff.match_table(CHECKERS, (3, 5))
    table = built(CHECKERS)
    for ask in (
        lambda cube: bearoff.cubeful_equity(0.7, cube),
        lambda cube: values.equity(5, 7, cube=cube),
        lambda cube: model.equity(30.0, 33.0, cube),
        lambda cube: model.cube_actions(30.0, 33.0, cube).double_take,
        lambda cube: table.equity(5, 7, cube),
        lambda cube: score.value(5, 7, cube=cube),
        lambda cube: bearoff.cube_actions(table, [5], [7], cube).no_double,
    ):
        assert np.array_equal(ask(cube), ask("centred"))
    assert bearoff.Race((1,), (2,), cube=cube).cube == "centred"


def cells(shown):
    """Return the cells of an object's HTML table, row by row."""
    table = ElementTree.fromstring(f"<div>{shown._repr_html_()}</div>").find("table")
    return [[cell.text for cell in row] for row in table]


def test_a_notebook_shows_tables_and_values():
    table, score = built(CHECKERS), bearoff.match_table(CHECKERS, (3, 5))
    assert [str(table.folder)] == [row[1] for row in cells(table) if "two-sided" in row[0]]
    assert ["positions", "54,264"] in cells(bearoff.one_sided_table())
    assert str(score.score) in cells(score)[0]
    values = bearoff.cube_actions(table, range(1, 13), 5)
    head, *rows = cells(values)
    assert len(rows) == 10
    assert "12 races" in values._repr_html_()
    assert [row[head.index("action")] for row in rows] == values.action[:10].tolist()
    shown = [float(row[head.index("double_take")]) for row in rows]
    assert shown == values.double_take[:10].round(4).tolist()
    assert "races" not in bearoff.cube_actions(table, [5], [7])._repr_html_()

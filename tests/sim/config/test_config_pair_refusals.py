"""Every rule of the sources of pairs: what is reported of a value, and where."""

# ruff: noqa: E501 (messages stand on one line, as they are read)

from typing import Any

import pytest

from bearoff import PositionError, Race
from sim.config.errors import show
from tests.sim.config.refusals import GOOD, refusal, refusal_of_source, says

OVER = "all checkers are off and the game is over..."


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"roller": 1}, ".opponent: missing; expected a position"),
        ({}, ".roller: missing; expected a position\n"
             "pairs[0].list[0].opponent: missing; expected a position"),
        (5, ": expected a mapping with roller, opponent, race, got 5"),
        ("0,0,0,5,5,5", ": expected a mapping with roller, opponent, race, got '0,0,0,5,5,5'"),
        ({"roller": 1, "opponent": 1, "race": "x"},
         ": expected either roller and opponent, or race alone, got both"),
        ({"roller": 1, "opponent": 1, "weight": 2},
         ".weight: unknown key; expected one of roller, opponent, race"),
        ({"roller": "0,0,0,5,5,6", "opponent": 1},
         ".roller: a side has at most 15 checkers, got 16 in '0,0,0,5,5,6'"),
        ({"roller": "(1,0,0,0,5,5,5)", "opponent": 1},
         ".roller: a vector's numbers add up to 15 checkers, those of '(1,0,0,0,5,5,5)' to 16"),
        ({"roller": "[7]", "opponent": 1},
         ".roller: checkers stand on points 1 to 6, or 0 for off; got 7 in '[7]'"),
        ({"roller": 1, "opponent": 54264},
         ".opponent: position numbers run from 0 to 54263, got 54264"),
        ({"roller": -1, "opponent": 1}, ".roller: position numbers run from 0 to 54263, got -1"),
        ({"roller": 10**5000, "opponent": 1},
         ".roller: position numbers run from 0 to 54263, got a number of more than 60 digits"),
        ({"roller": "9" * 100, "opponent": 1},
         f".roller: position numbers run from 0 to 54263, got {'9' * 100}"),
        ({"roller": [1, 1], "opponent": 1},
         '.roller: expected a position, such as "0,0,0,5,5,5" or its number, got a list of 2; '
         "put the list in quotes"),
        ({"roller": 1.5, "opponent": 1},
         '.roller: expected a position, such as "0,0,0,5,5,5" or its number, got 1.5'),
        ({"roller": True, "opponent": 1},
         '.roller: expected a position, such as "0,0,0,5,5,5" or its number, got true'),
        ({"roller": 0, "opponent": 1}, f".roller: {OVER}"),
        ({"roller": 1, "opponent": "0,0,0,0,0,0"}, f".opponent: {OVER}"),
        ({"roller": "LwAAwC0AAAAAAA", "opponent": 1},
         ".roller: 'LwAAwC0AAAAAAA' carries both sides; write 'race:' in front of it, in "
         "place of roller and opponent"),
        ({"race": "XGID=-CBA-------------------ad-:0:0:1:00:2:4:0:7:10"},
         ".race: 'XGID=-CBA-------------------ad-:0:0:1:00:2:4:0:7:10' is at 5-away 3-away "
         "(2-4 to 7), and all races of a batch are at one score: say it by 'match:', and the "
         "sides as roller and opponent"),
        ({"race": 8887}, ".race: expected a position ID or an XGID, got 8887"),
        ({"race": "8887"},
         ".race: two sides are given by an XGID, an OGID, a position ID or a board drawn in "
         "text, got '8887'"),
        ({"race": "AAAAAAAAAAAAAA"},
         ".race: a side has all checkers off and the game is over in 'AAAAAAAAAAAAAA'..."),
    ],
    ids=show,
)  # fmt: skip
def test_listed_pairs(entry: Any, message: str) -> None:
    assert says(
        refusal({**GOOD, "pairs": [{"list": [entry]}]}), f"pairs[0].list[0]{message}"
    )


@pytest.mark.parametrize(
    "text", ["XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "[1]"]
)
def test_what_bearoff_refuses_is_reported_in_its_words(text: str) -> None:
    with pytest.raises(PositionError) as caught:
        Race.parse(text)
    entry = {"race": text}
    assert says(refusal_of_source("list", [entry]), f"[0].race: {caught.value}")


def test_the_start_of_a_harvest_is_judged_like_a_list() -> None:
    harvest = {"pairs": 1, "start": [{"roller": 0, "opponent": 1}]}
    assert says(refusal_of_source("harvest", harvest), f".start[0].roller: {OVER}")


@pytest.mark.parametrize(
    ("roller", "lead", "message"),
    [
        ((20, 10), (0, 4), ".roller.to: expected 20 (the 'from') or more, got 10..."),
        ((10, 20, 0), (0, 4), ".roller.step: ...0.01 to 1000, got 0"),
        ((10, 20, -1), (0, 4), ".roller.step: ...0.01 to 1000, got -1"),
        ((10, 20), (0, float("inf")), ".lead.to: ...-1000 to 1000, got inf"),
        ((10, 20), (float("nan"), 1), ".lead.from: ...-1000 to 1000, got "
                                      "nan"),
        ((10, 20), (0, 10**400), ".lead.to: ...-1000 to 1000, got a number "
                                 "of more than 60 digits"),
        ((10, 20, 0.5), (0, 4), ".roller: pips are whole numbers, got 10 to 20 by 0.5..."),
        ((10, 20), (-0.5, 4), ".lead: pips are whole numbers, got -0.5 to 4 by 1..."),
        ((0, 20), (0, 4), ".roller: the roller has at least one checker on the board, so counts "
                          "start at 1; got 0"),
        ((10, 91), (0, 4), ".roller: a side of 15 checkers on 6 points has at most 90 pips, got "
                           "91"),
        ((80, 90), (11, 20), ".lead: no cell has a position: the opponent's count, which is the "
                             "roller's plus the lead, never lies from 1 to 90"),
        ((1, 5), (-9, -5), ".lead: no cell has a position: the opponent's count, which is the "
                           "roller's plus the lead, never lies from 1 to 90"),
    ],
    ids=show,
)  # fmt: skip
def test_grids_by_pips(
    roller: tuple[float, ...], lead: tuple[float, ...], message: str
) -> None:
    spans = [dict(zip(("from", "to", "step"), span)) for span in (roller, lead)]  # noqa: B905
    grid = {"roller": spans[0], "lead": spans[1]}
    assert says(refusal_of_source("grid", grid).replace("1,000", "1000"), message)


def test_the_size_of_a_grid_is_bounded() -> None:
    roller, lead = {"from": 1, "to": 90, "step": 0.05}, {"from": -10, "to": 20, "step": 0.5}
    assert says(
        refusal_of_source("grid", {"by": "epc", "roller": roller, "lead": lead}),
        ".lead: a grid has at most 100,000 cells, got 1,781 x 61...",
    )
    roller, lead = {"from": 1, "to": 90}, {"from": 0, "to": 9}
    assert says(
        refusal_of_source("grid", {"roller": roller, "lead": lead, "per_cell": 100_000}),
        ".per_cell: a source gives at most 10,000,000 pairs, got 900 cells of 100,000...",
    )


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({"checkers": {"from": 1, "to": 16}}, ".checkers: a side has at most 15 checkers, got "
                                              "16"),
        ({"pips": {"from": 1, "to": 91}}, ".pips: a side has at most 90 pips, got 91"),
        ({"pips": {"from": 0, "to": 9}}, ".pips.from: ...1 to 1,000, "
                                         "got 0"),
        ({"pips": {"from": 9, "to": 8}}, ".pips.to: expected 9 (the 'from') or more, got 8; "
                                         "exchange the two"),
        ({"pips": {"from": 9}}, ".pips.to: missing; ...1 to 1,000"),
        ({"checkers": {"from": 1, "to": 2}, "pips": {"from": 13, "to": 90}},
         ".pips: no position has 1 to 2 checkers and 13 to 90 pips"),
        ({"checkers": {"from": 14, "to": 15}, "pips": {"from": 1, "to": 13}},
         ".pips: no position has 14 to 15 checkers and 1 to 13 pips"),
    ],
)  # fmt: skip
def test_random_pairs(limits: dict[str, Any], message: str) -> None:
    assert says(refusal_of_source("random", {"pairs": 1, **limits}), message)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("pairs.xls", "expected a path that ends in .csv or .parquet, got 'pairs.xls'"),
        (5, "expected a path that ends in .csv or .parquet, got 5"),
        ("a\n.csv", "expected a path of at most 1000 printable characters, got 'a\\n.csv'"),
        ("\ud800.csv", "expected a path of at most 1000 printable characters, got "
                       "'\\ud800.csv'"),
    ],
)  # fmt: skip
def test_paths_of_files(path: Any, message: str) -> None:
    assert says(refusal_of_source("file", {"path": path}), f".path: {message}")

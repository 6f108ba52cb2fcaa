"""Every invalid value in a configuration is reported with its place."""

import re
import textwrap
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st

from bearoff import PositionError, Race
from bearoff.sim.config.errors import MOST_SHOWN, ConfigError, show
from bearoff.sim.config.load import json_schema, load_config, parse_config
from tests.refusals import names
from tests.sim.config.refusals import CUBE, GOOD, SCORE, problems, refusal, span, with_value

NAN, INF = float("nan"), float("inf")
CRAWFORD = {"score": "3-1", "crawford": True}
CUBED = {"cube": CUBE}

VALUES: dict[str, list[Any]] = {
    "run": ["Quick", "../x", "x" * 65, 5],
    "description": ["x" * 501],
    "games": ["5", "1,000", "many", True, 0, 2.5, NAN, INF, [1], {}, object()],
    "seed": [-1, 2**64, None],
    "backend": ["threads", "joblib", True],
    "workers": [0, 1025, True, "all"],
    "scheduler": ["x:1"],
    "output": [""],
    "table": [6],
    "table.points": [25],
    "table.checkers": [16, "15"],
    "players": ["fewest-rolls"],
    "players.roller": ["fewest-roll", "best"],
    "players.opponent": ["Fewest_Pips"],
    "standard_error.target": [0, 0.51, -1e-9, NAN, "1%", True],
    "standard_error.at_most": [0],
    "pairs": [[], {"list": []}, None],
    "pairs[0]": [5, {}],
    "pairs[0].list[0]": [5, "0,0,0,5,5,5"],
    "pairs[0].list[0].roller": [[1, 1], 1.5, True],
    "pairs[0].list[0].race": [8887],
    "pairs[0].grid.by": ["pip"],
    "pairs[0].grid.roller.step": [0, -1],
    "pairs[0].grid.lead.to": [INF, 10**400],
    "pairs[0].random.pips.from": [0],
    "pairs[0].every.rollers.from": [0],
    "pairs[0].file.path": ["pairs.xls", 5],
    "cube": [3, "perfect"],
    "cube.position": ["owned"],
    "cube.value": [0, 2048],
    "cube.rival": [5, ""],
    "cube.rival.janowski": [1.5],
    "match": [7],
    "match.score": [3],
    "match.length": [0],
    "match.crawford": ["yes"],
    "match.equities": [3],
    "rollout.first_rolls": [6, "3r"],
    "rollout.luck": [1, "yes"],
    "rollout.table": [16],
}  # fmt: skip
"""Invalid values, by their place in a configuration."""

JUDGED: dict[str, list[Any]] = {
    "run": ["x\n"],
    "description": ["\ud800"],
    "games": [10**5000],
    "workers": [2.0],
    "output": ["s4://x", "hdf://x", "s3://", "gs://?x=1", "a\0b", " out"],
    "pairs[0].list[0].roller": [
        "0,0,0,5,5,6", "(1,0,0,0,5,5,5)", "[7]", -1, 10**5000, "9" * 100, "LwAAwC0AAAAAAA",
    ],
    "pairs[0].list[0].opponent": [54264],
    "pairs[0].list[0].race": ["8887", "AAAAAAAAAAAAAA"],
    "pairs[0].grid.lead.from": [NAN],
    "pairs[0].every.rollers.from": [60_000],
    "pairs[0].every.opponents.to": [54_264],
    "pairs[0].file.path": ["a\n.csv", "\ud800.csv"],
    "cube.value": [3],
    "rollout.cube_value": [3],
}  # fmt: skip
"""Invalid values that the schema accepts, because only the program can judge them."""

KEYS = {
    "gmaes": "games", "table.point": "points", "players.oponent": "opponent",
    "rollout.lucky": "luck", "cube.positon": "position", "match.lenght": "length",
    "pairs[0].every.roller": "rollers", "pairs[0].list[0].weight": "race",
    "pairs[0].per_cell": "pairs[].grid",
}  # fmt: skip
"""Unknown keys, each with the key that the error message suggests."""

Rule = tuple[dict[str, Any], str, tuple[Any, ...]]
"""Change of a valid configuration, with the place and words of the error message."""

TOGETHER: list[Rule] = [
    ({"standard_error": {"target": 0.1}}, "standard_error", ("games",)),
    ({"games": None}, "standard_error", ("games",)),
    ({"scheduler": "tcp://x:1"}, "scheduler", ("dask", "threading")),
    ({"players": {"opponent": "perfect"}}, "cube", ("opt",)),
    ({"pairs": [{"grids": {}}]}, "pairs[0]", ("'grids'", "'grid'")),
    ({"pairs": [{"roller": 1}]}, "pairs[0]", ("'roller'",)),
    ({"pairs": [{"random": {"pairs": 1}, "harvest": {"pairs": 1}}]}, "pairs[0]",
     ("random", "harvest")),
    ({"pairs": [{"list": [{"roller": 1}]}]}, "pairs[0].list[0].opponent", ()),
    ({"pairs": [{"list": [{"roller": 1, "opponent": 1, "race": "x"}]}]}, "pairs[0].list[0]",
     ("race",)),
    ({"pairs": [{"random": {"pairs": 1, "pips": {"from": 9}}}]}, "pairs[0].random.pips.to",
     ()),
    ({"cube": {"roller": "x"}}, "cube.opponent", ()),
    *(({"cube": CUBE | {"rival": rival}}, f"cube.rival{place}", named)
      for rival, place, named in (
          ({"janowsky": 1}, "", ("'janowsky'", "'janowski'")),
          ({"janowski": 1, "take": "x"}, "", ("janowski", "take")),
          ({"janowski": 1, "thresholds": 1}, "", ("janowski", "thresholds")),
          ({"thresholds": {"double": 0.7, "redouble": 1, "take": "a"}}, ".thresholds.take",
           ("'a'",)),
          ({"thresholds": {"double": 0.7, "redouble": 0.7}}, ".thresholds.take", ()),
          ({"centred": "x", "owned": "x"}, ".take", ()),
          ({"centred": "x", "owned": {"take": "x"}, "take": "x"}, ".owned", ("'take'",)),
          ({"centred": "x", "owned": "y", "take": CUBE}, ".take", ("'roller'",)),
      )),
    (CUBED | {"games": None, "standard_error": {"target": 0.1}}, "standard_error",
     ("cube", "games")),
    (CUBED | {"match": {"length": 7}}, "match.score", ()),
    ({"table": {"points": 13}, "pairs": [{"list": [{"roller": 1, "opponent": 1}]}]},
     "rollout", (13, 12)),
    ({"table": {"points": 13}, "rollout": {}}, "rollout", ("pairs[0]", 12)),
    ({"players": {"roller": "optimal"}, "rollout": {}}, "rollout", ("'players'",)),
    (CUBED | {"rollout": {}}, "rollout", ("cube",)),
]  # fmt: skip
"""Changes of a valid configuration that contradict other keys, or require a missing key."""

JUDGED_TOGETHER: list[Rule] = [
    *(({"pairs": [{"list": [entry]}]}, f"pairs[0].list[0].{place}", named)
      for entry, place, named in (
          ({"roller": 0, "opponent": 1}, "roller", ("over",)),
          ({"roller": 1, "opponent": "0,0,0,0,0,0"}, "opponent", ("over",)),
          ({"race": "XGID=-CBA-------------------ad-:0:0:1:00:2:4:0:7:10"}, "race",
           ("2-4 to 7", "match")),
      )),
    ({"pairs": [{"harvest": {"pairs": 1, "start": [{"roller": 0, "opponent": 1}]}}]},
     "pairs[0].harvest.start[0].roller", ("over",)),
    ({"pairs": [{"every": {"rollers": {"from": 9, "to": 8}}}]}, "pairs[0].every.rollers.to",
     (9, 8)),
    ({"pairs": [{"random": {"pairs": 1}}, {"every": {"rollers": {"to": 200}}}]}, "pairs",
     ("pairs[1]", "10,852,600")),
    *(({"pairs": [{"random": {"pairs": 1, **limits}}]}, f"pairs[0].random.{place}", named)
      for limits, place, named in (
          ({"checkers": {"from": 1, "to": 16}}, "checkers", (15, 16)),
          ({"pips": {"from": 1, "to": 91}}, "pips", (90, 91)),
          ({"pips": {"from": 9, "to": 8}}, "pips.to", (9, 8)),
          ({"checkers": {"from": 1, "to": 2}, "pips": {"from": 13, "to": 90}}, "pips",
           (2, 13)),
          ({"checkers": {"from": 14, "to": 15}, "pips": {"from": 1, "to": 13}}, "pips",
           (14, 13)),
      )),
    # Each case begins with the ranges of the roller's count and of the lead.
    *(({"pairs": [{"grid": {"roller": span(*roller), "lead": span(*lead), **more}}]},
       f"pairs[0].grid.{place}", named)
      for roller, lead, more, place, named in (
          ((20, 10), (0, 4), {}, "roller.to", (20, 10)),
          ((10, 20, 0.5), (0, 4), {}, "roller", (0.5,)),
          ((10, 20), (-0.5, 4), {}, "lead", (-0.5,)),
          ((0, 20), (0, 4), {}, "roller", (0,)),
          ((10, 91), (0, 4), {}, "roller", (90, 91)),
          ((80, 90), (11, 20), {}, "lead", (90,)),
          ((1, 5), (-9, -5), {}, "lead", (90,)),
          ((1, 90, 0.05), (-10, 20, 0.5), {"by": "epc"}, "lead", ("1,781", 61)),
          ((1, 90), (0, 9), {"per_cell": 100_000}, "per_cell", (900, "100,000")),
      )),
    (CUBED | {"players": {"roller": "random-play"}}, "cube", ("random-play",)),
    *((CUBED | {"match": match}, place, named)
      for match, place, named in (
          ({"score": "three"}, "match", ("'three'",)),
          ({"score": "9-2", "length": 7}, "match", (6, 9)),
          ({"score": "3-1"}, "match", ("3-away 1-away", "crawford")),
          ({"score": "3-5", "crawford": True}, "match", ("3-away 5-away", "crawford")),
          (SCORE | {"equities": "a,b\n1,2\n"}, "match", ("own table",)),
          (SCORE | {"equities": "no/such.csv"}, "match.equities", ("no/such.csv",)),
      )),
    ({"match": SCORE}, "match", ("cube", "rollout")),
    ({"rollout": {"jacoby": True}, "match": SCORE}, "match", ("jacoby",)),
    ({"cube": CUBE | {"value": 2}, "match": CRAWFORD}, "match", ("Crawford", 1)),
    ({"rollout": {"cube_value": 2}, "match": CRAWFORD}, "match", ("Crawford", 1)),
    ({"rollout": {"table": 6, "table_points": 8}, "match": SCORE}, "match",
     ("rollout.table_points",)),
    ({"rollout": {"cube_value": 2}}, "match", ("rollout.cube_value", 1)),
]  # fmt: skip
"""Invalid combinations that the schema accepts, because only the program can judge them."""


def shown(value):
    """Return the part of an invalid value that every error message shows."""
    if isinstance(value, bool | None):
        return {None: "nothing", True: "true", False: "false"}[value]
    if isinstance(value, int | float):
        return "60 digits" if value > 10**60 and value != INF else value
    return repr(value)[1:10].rstrip("'") if isinstance(value, str) else ""


def cases(values, rules):
    """Return invalid configurations, each with the place and the words that must be
    reported.
    """
    single = [(place, value, shown(value)) for place in values for value in values[place]]
    return [
        *((with_value(place, value), place, (text,)) for place, value, text in single),
        *(({**GOOD, **change}, place, named) for change, place, named in rules),
    ]


MISSING = {"run": "run", "pairs": "pairs", "games": "standard_error"}
REFUSED = [
    *((with_value(key, {}), key, (near,)) for key, near in KEYS.items()),
    *(({key: GOOD[key] for key in GOOD if key != absent}, place, ())
      for absent, place in MISSING.items()),
    *cases(VALUES, TOGETHER),
]  # fmt: skip


@pytest.mark.parametrize(
    ("config", "place", "named"), [*REFUSED, *cases(JUDGED, JUDGED_TOGETHER)], ids=show
)
def test_a_wrong_value_is_reported_once_at_its_place(config, place, named):
    (problem,) = problems(config)
    assert problem.path == place
    assert names(problem.message, *named), problem


@pytest.mark.parametrize(
    "text", ["XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10", "[1]"]
)
def test_what_bearoff_refuses_is_reported_in_its_words(text):
    (problem,) = problems(with_value("pairs[0].list[0].race", text))
    with pytest.raises(PositionError, match=f"^{re.escape(problem.message)}$"):
        Race.parse(text)


def test_a_wrong_table_casts_no_doubt_on_positions():
    far = {"from": 1, "to": 500}
    pairs = [
        {"list": [{"roller": "0,0,0,0,0,0,0,5", "opponent": 10**9}, {"race": "x"}]},
        {"grid": {"roller": far, "lead": {"from": 0, "to": 4}}},
        {"random": {"pairs": 1, "pips": far}},
    ]
    (problem,) = problems({**GOOD, "pairs": pairs, "table": {"points": 80}})
    assert problem.path == "table.points"


def test_every_problem_is_reported_at_once_with_its_line_and_a_long_list_is_cut(tmp_path):
    path = tmp_path / "batch.yaml"
    path.write_text(
        textwrap.dedent("""\
        run: Quick
        pairs:
          - list:
              - {roller: "0,0,0,5,5,6", opponent: "0,0,0,5,5,5"}
              - {roller: 0,0,0,5,5,5, opponent: 1}
              - opponent: 1
          - grid:
              by: !pips pips
              roller:
                from: 80
                to: 20
              lead: {from: -4, to: 16, step: 0}
        gmaes: 5
        seed: 1
        seed: 2
        """)
    )
    found = problems(path)
    assert {problem.file for problem in found} == {str(path)}
    assert [(problem.line, problem.path) for problem in found] == [
        (1, "run"), (1, "standard_error"), (4, "pairs[0].list[0].roller"),
        (5, "pairs[0].list[1]"), (6, "pairs[0].list[2].roller"), (8, "pairs[1].grid.by"),
        (11, "pairs[1].grid.roller.to"), (12, "pairs[1].grid.lead.step"), (13, "gmaes"),
        (15, "seed"),
    ]  # fmt: skip
    error = refusal({**GOOD, "pairs": [{"list": [{"roller": 0, "opponent": 0}] * 100}]})
    assert len(error.problems) == 200
    lines = str(error).splitlines()
    assert len(lines) == MOST_SHOWN + 1
    assert str(200 - MOST_SHOWN) in lines[-1]


@pytest.mark.parametrize("text", ["", "# nothing\n", "- a", "quick", "[" * 1000])
def test_a_file_that_is_no_mapping_is_refused(text, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    (problem,) = problems(path)
    assert (problem.file, problem.path) == (str(path), "")


@pytest.mark.parametrize(
    ("config", "place", "named"),
    [
        (None, "", "nothing"), (b"x.yaml", "", "bytes"), (["x"], "", "list"),
        ("run: x\ngames: 1", "", "lines"), ("", "", "name"), ({1: 2}, "", 1),
        ({"table": {None: 2}}, "table", "nothing"),
    ],
)  # fmt: skip
def test_what_is_no_configuration_is_refused(config, place, named):
    assert any(p.path == place and names(p.message, named) for p in problems(config))


def test_a_mapping_that_holds_itself_is_refused():
    config: dict[str, Any] = dict(GOOD)
    config["table"] = config
    (problem,) = problems(config)
    assert problem.path.startswith("table.table.table")


def test_text_is_reported_by_the_name_given():
    text = "{run: 5, games: 1, pairs: [random: {pairs: 1}]}"
    (problem,) = refusal(text, parse_config, file="stdin").problems
    assert (problem.file, problem.line, problem.path) == ("stdin", 1, "run")


def test_an_error_of_every_pair_of_too_many_is_refused_with_its_place():
    every = {"run": "x", "pairs": [{"every": {}}], "standard_error": {"target": 0.001}}
    (problem,) = problems(every)
    assert problem.path == "standard_error"
    assert names(problem.message, "pairs[0]", "2,944,473,169", "70.7 GB")
    few = {"every": {"rollers": {"to": 100}}}
    assert load_config({**every, "pairs": [few]}).games is None
    # The missing standard error of the rollout is reported only once.
    again = problems({**every, "rollout": {}})
    assert not any(names(problem.message, "standard_error") for problem in again)


def _keys(node):
    if isinstance(node, dict):
        return set(node.get("properties", ())).union(*map(_keys, node.values()))
    return set()


# Strategies for random YAML values, which include keys and words of real configurations.
WORDS = st.sampled_from(sorted(_keys(json_schema()))) | st.sampled_from(
    ["uniform", "visits", "epc", "fewest-rolls", "auto", "dask", "1,1", "[1]", "p.csv", "x"]
)
SCALARS = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | WORDS
)
TREES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(WORDS | st.text(max_size=5), inner, max_size=5)
    ),
    max_leaves=25,
)


@settings(max_examples=50)
@given(st.dictionaries(WORDS, TREES, max_size=8))
@example({"run": "x", "games": 10**4400, "pairs": [{"random": {"pairs": 1}}]})
@example({"run": "x", "games": 1, "pairs": [{"list": [{"roller": -(10**4400)}]}]})
@example({"run": "x", "games": 1, "pairs": [{"list": {"race": None}}], "table": None})
@example({"formulas": "\x1f"})
def test_any_mapping_is_a_configuration_or_refused(tree):
    problems = None
    try:
        load_config(tree)
    except ConfigError as error:
        problems = error.problems
    assert problems is None or problems
    for problem in problems or ():
        assert problem.message.isprintable()
        assert problem.path.isprintable()

"""Every rule of a configuration: what is reported of a value that breaks it, and where."""

# ruff: noqa: E501 (messages stand on one line, as they are read)

import textwrap
from pathlib import Path
from typing import Any

import pytest

from sim.config.errors import MOST_SHOWN, ConfigError, show
from sim.config.load import load_config, parse_config
from tests.sim.config.refusals import GOOD, refusal, refusal_of, says

GAMES = "... 1 to 1,000,000,000,000"
RUN = "... at most 64 ..."
SOURCES = "list, file, grid, random, harvest, every"
PLAYERS = (
    "one of fewest-rolls, most-checkers-off, fewest-pips, random-play, optimal, perfect"
)
BACKENDS = "one of threading, loky, sequential, dask"


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("games", "5", f"expected {GAMES}, got '5'..."),
        ("games", "1,000", f"expected {GAMES}, got '1,000'..."),
        ("games", "many", f"expected {GAMES}, got 'many'"),
        ("games", True, f"expected {GAMES}, got true"),
        ("games", 0, f"expected {GAMES}, got 0"),
        ("games", 2.5, f"expected {GAMES}, got 2.5"),
        ("games", float("nan"), f"expected {GAMES}, got nan"),
        ("games", float("inf"), f"expected {GAMES}, got inf"),
        ("games", 10**5000, f"expected {GAMES}, got a number of more than 60 digits"),
        ("games", [1], f"expected {GAMES}, got a list of 1"),
        ("games", {}, f"expected {GAMES}, got an empty mapping"),
        ("games", object(), f"expected {GAMES}, got a value of type object"),
        ("seed", -1, "...0 to 18,446,744,073,709,551,615, got -1"),
        ("seed", 2**64, "...0 to 18,446,744,073,709,551,615, got "
                        "18446744073709551616"),
        ("seed", None, "...0 to 18,446,744,073,709,551,615, got "
                       "nothing"),
        ("run", "Quick", f"expected {RUN}, got 'Quick'"),
        ("run", "../x", f"expected {RUN}, got '../x'"),
        ("run", "x\n", f"expected {RUN}, got 'x\\n'"),
        ("run", "x" * 65, f"expected {RUN}, got '{'x' * 40}'... (65 characters)"),
        ("run", 5, f"expected {RUN}, got 5..."),
        ("description", "x" * 501, "expected text of at most 500 characters, got "
                                   f"'{'x' * 40}'... (501 characters)"),
        ("description", "\ud800", "expected text of at most 500 characters, got '\\ud800'"),
        ("table", 6, "expected a mapping with points, checkers, got 6"),
        ("players", "fewest-rolls", "expected a mapping with roller, opponent, got "
                                    "'fewest-rolls'"),
        ("backend", "threads", f"expected {BACKENDS}, got 'threads'; did you mean 'threading'?"),
        ("backend", "joblib", f"expected {BACKENDS}, got 'joblib'"),
        ("backend", True, f"expected {BACKENDS}, got true"),
        ("workers", 0, "expected auto or a whole number from 1 to 1024, got 0"),
        ("workers", 1025, "expected auto or a whole number from 1 to 1024, got 1025"),
        ("workers", True, "expected auto or a whole number from 1 to 1024, got true"),
        ("workers", "all", "expected auto or a whole number from 1 to 1024, got 'all'"),
        ("workers", 2.0, "expected auto or a whole number from 1 to 1024, got 2.0"),
        ("scheduler", "tcp://x:1", "only the backend dask has a scheduler, the backend is "
                                   "threading"),
        ("scheduler", "x:1", "expected an address such as tcp://10.0.0.5:8786, got 'x:1'"),
        ("output", "", "expected text of 1 to 1000 characters, got ''"),
        ("output", "s4://x", "expected a folder or a URI of s3, gs, gcs, hdfs, abfs, abfss, "
                             "file, got 's4://x'"),
        ("output", "hdf://x", "expected a folder or a URI of s3, gs, gcs, hdfs, abfs, abfss, "
                              "file, got 'hdf://x'; did you mean 'hdfs'?"),
        ("output", "s3://", "expected a bucket, such as s3://bucket/folder, got 's3://'"),
        ("output", "gs://?x=1", "expected a bucket, such as gs://bucket/folder, "
                                "got 'gs://?x=1'"),
        ("output", "a\0b", "expected printable text without outer blanks, got 'a\\x00b'"),
        ("output", " out", "expected printable text without outer blanks, got ' out'"),
        ("standard_error", {"target": 0.1}, "expected either games or standard_error, got both; "
                                            "remove one"),
        ("pairs", [], "expected a list of at least one, got an empty list"),
        ("pairs", {"list": []}, "expected a list of at least one, got a mapping..."),
        ("pairs", None, "expected a list of at least one, got nothing"),
    ],
    ids=show,
)  # fmt: skip
def test_plain_values(key: str, value: Any, message: str) -> None:
    assert says(refusal_of(key, value), f": {message}")


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("table", {"points": 25}, ".points: ...1 to 24, got 25"),
        ("rollout", {"first_rolls": 6}, ".first_rolls: expected one of 1, 36, 1296, got 6"),
        ("rollout", {"first_rolls": "3r"}, ".first_rolls: expected one of 1, 36, 1296, got '3r'"),
        ("rollout", {"luck": 1}, ".luck: expected true or false, got 1"),
        ("rollout", {"lucky": True}, ".lucky: unknown key; did you mean 'luck'?"),
        ("rollout", {"table": 16}, ".table: ...1 to 15, got 16"),
        ("table", {"checkers": 16}, ".checkers: ...1 to 15, got 16"),
        ("table", {"checkers": "15"}, ".checkers: ...1 to 15, got "
                                      "'15'..."),
        ("table", {"point": 6}, ".point: unknown key; did you mean 'points'?"),
        ("players", {"roller": "fewest-roll"}, f".roller: expected {PLAYERS}, got "
                                               "'fewest-roll'; did you mean 'fewest-rolls'?"),
        ("players", {"opponent": "Fewest_Pips"}, f".opponent: expected {PLAYERS}, got "
                                                 "'Fewest_Pips'; did you mean 'fewest-pips'?"),
        ("players", {"oponent": "fewest-pips"}, ".oponent: unknown key; did you mean "
                                                "'opponent'?"),
        ("pairs", [5], f"[0]: expected a mapping with one of {SOURCES}, got 5"),
        ("pairs", [{}], f"[0]: expected a mapping with one of {SOURCES}, got an empty mapping"),
        ("pairs", [{"grids": {}}], f"[0]: expected one of {SOURCES}, got the key 'grids'; did "
                                   "you mean 'grid'?"),
        ("pairs", [{"roller": 1}], f"[0]: expected one of {SOURCES}, got the key 'roller'"),
        ("pairs", [{"every": {"roller": {}}}], "[0].every.roller: unknown key; did you mean "
                                               "'rollers'?"),
        ("pairs", [{"every": {"rollers": {"from": 0}}}],
         "[0].every.rollers.from: ...1 to 17,383,859, got 0"),
        ("pairs", [{"every": {"rollers": {"from": 9, "to": 8}}}],
         "[0].every.rollers.to: expected 9 (the 'from') or more, got 8..."),
        ("pairs", [{"every": {"rollers": {"from": 60000}}}],
         "[0].every.rollers.from: the table's positions are numbered up to 54263, got 60000"),
        ("pairs", [{"every": {"opponents": {"to": 54264}}}],
         "[0].every.opponents.to: the table's positions are numbered up to 54263, got 54264"),
        ("pairs", [{"random": {"pairs": 1}}, {"every": {"rollers": {"to": 200}}}],
         ": pairs[1] gives 10,852,600 pairs, which take 260.5 MB of memory beside other sources; "
         "take at most 10,000,000, or play plain races of this source alone for a number of "
         "games, which takes none"),
        ("pairs", [{"random": {"pairs": 1}, "harvest": {"pairs": 1}}],
         "[0]: expected one kind of source in an item, got random and harvest..."),
        ("pairs", [{"random": {"pairs": 1}, "per_cell": 1}],
         "[0].per_cell: unknown key; it belongs in pairs[].grid"),
    ],
)  # fmt: skip
def test_values_within_mappings(key: str, value: Any, message: str) -> None:
    assert says(refusal_of(key, value), message)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (0, "... 0, at most 0.5, got 0"),
        (0.51, "... 0, at most 0.5, got 0.51"),
        (-1e-9, "... 0, at most 0.5, got -1e-09"),
        (float("nan"), "... 0, at most 0.5, got nan"),
        ("1%", "... 0, at most 0.5, got '1%'"),
        (True, "... 0, at most 0.5, got true"),
    ],
)
def test_standard_errors(target: Any, message: str) -> None:
    config = {"run": "x", "pairs": GOOD["pairs"], "standard_error": {"target": target}}
    assert says(refusal(config), f"standard_error.target: {message}")


def test_the_cap_of_a_standard_error() -> None:
    config = {"run": "x", "pairs": GOOD["pairs"]}
    assert says(
        refusal({**config, "standard_error": {"target": 0.1, "at_most": 0}}),
        f"standard_error.at_most: expected {GAMES}, got 0",
    )


def test_neither_games_nor_standard_error() -> None:
    config = {"run": "x", "pairs": GOOD["pairs"]}
    message = "standard_error: expected games or standard_error, got neither"
    assert says(refusal(config), message)
    assert says(refusal({**config, "games": None}), message)


def test_a_wrong_table_casts_no_doubt_on_positions() -> None:
    pairs = [
        {"list": [{"roller": "0,0,0,0,0,0,0,5", "opponent": 10**9}, {"race": "x"}]},
        {"grid": {"roller": {"from": 1, "to": 500}, "lead": {"from": 0, "to": 4}}},
        {"random": {"pairs": 1, "pips": {"from": 1, "to": 500}}},
    ]
    message = "...1 to 24, got 80"
    assert says(
        refusal({**GOOD, "pairs": pairs, "table": {"points": 80}}),
        f"table.points: {message}",
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"table": {"points": 13}, "pairs": [{"list": [{"roller": 1, "opponent": 1}]}]},
            "rollout: races on 13 points can only be rolled out; add 'rollout: {}', or use "
            "at most 12 points",
        ),
        (
            {"table": {"points": 13}, "pairs": [{"random": {"pairs": 1}}], "rollout": {}},
            "rollout: pairs[0] draws from a one-sided table, which has at most 12 points; "
            "list the pairs, or give a file",
        ),
        (
            {"players": {"roller": "optimal"}, "rollout": {}},
            "rollout: rollouts are played by fewest-rolls players...",
        ),
        (
            {"cube": {"roller": "never", "opponent": "never"}, "rollout": {}},
            "rollout: rollouts estimate every state of the cube...",
        ),
    ],
)
def test_what_rollouts_cannot_go_with(change: dict[str, Any], message: str) -> None:
    assert says(refusal({**GOOD, **change}), message)


def test_every_problem_is_reported_at_once_with_its_line(tmp_path: Path) -> None:
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
    file = str(path)
    expected = [
        f"F:1: run: expected {RUN}, got 'Quick'",
        "F:1: standard_error: expected games or standard_error, got neither",
        "F:4: pairs[0].list[0].roller: a side has at most 15 checkers, got 16 in '0,0,0,5,5,6'",
        "F:5: pairs[0].list[1]: a key is text, got 0...",
        "F:6: pairs[0].list[2].roller: missing; expected a position",
        "F:8: pairs[1].grid.by: anchors, aliases and tags (&, * and !) are not read...",
        "F:11: pairs[1].grid.roller.to: expected 80 (the 'from') or more, got 20...",
        "F:12: pairs[1].grid.lead.step: ...0.01 to 1,000, got 0",
        "F:13: gmaes: unknown key; did you mean 'games'?",
        "F:15: seed: the key is given twice, first on line 14...",
    ]
    assert says(refusal(path).replace(file, "F"), "\n".join(expected))


def test_a_long_list_of_problems_is_cut_but_kept() -> None:
    entries = [{"roller": 0, "opponent": 0}] * 100
    with pytest.raises(ConfigError) as caught:
        load_config({**GOOD, "pairs": [{"list": entries}]})
    assert len(caught.value.problems) == 200
    lines = str(caught.value).splitlines()
    assert len(lines) == MOST_SHOWN + 1
    assert lines[-1] == f"... and {200 - MOST_SHOWN} more problems"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected a mapping of keys such as 'run: quick', got an empty file"),
        (
            "# nothing\n",
            "expected a mapping of keys such as 'run: quick', got an empty file",
        ),
        ("- a", "expected a mapping of keys such as 'run: quick', got a list of 1"),
        ("quick", "expected a mapping of keys such as 'run: quick', got 'quick'"),
        ("[" * 1000, "values are nested deeper than 20"),
    ],
)
def test_what_is_no_mapping(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.write_text(text)
    assert refusal(path).endswith(f": {message}")


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (None, "expected the path of a YAML file or a mapping, got nothing"),
        (b"x.yaml", "expected the path of a YAML file or a mapping, got a value of type bytes"),
        (["x"], "expected the path of a YAML file or a mapping, got a list of 1"),
        ("run: x\ngames: 1", "expected the path of a YAML file, got several lines, and there is "
                             "no file of that name"),
        ("", "a file needs a name, got none"),
        ({1: 2}, "a key is text, got 1"),
        ({"table": {None: 2}}, "table: a key is text, got nothing"),
    ],
)  # fmt: skip
def test_what_is_no_configuration(config: Any, message: str) -> None:
    assert refusal(config).endswith(message)


def test_a_mapping_that_holds_itself() -> None:
    config: dict[str, Any] = dict(GOOD)
    config["table"] = config
    assert says(
        refusal(config),
        "table.table.table...: lists and mappings are nested deeper than 20",
    )


def test_text_is_reported_by_the_name_given() -> None:
    with pytest.raises(ConfigError, match=r"^stdin:1: run: expected"):
        parse_config("{run: 5, games: 1, pairs: [random: {pairs: 1}]}", file="stdin")


def test_an_error_of_every_pair_of_too_many_is_refused_with_its_place() -> None:
    every: dict[str, Any] = {"run": "x", "pairs": [{"every": {}}]}
    refused = (
        "pairs[0] gives 2,944,473,169 pairs, which take 70.7 GB of memory with "
        "standard_error..."
    )
    error = {"target": 0.001}
    assert says(refusal({**every, "standard_error": error}), f"standard_error: {refused}")
    few = {"every": {"rollers": {"to": 100}}}
    assert load_config({**every, "pairs": [few], "standard_error": error}).games is None
    # What rollouts are refused for is not reported again.
    assert "with standard_error" not in refusal(
        {**every, "standard_error": error, "rollout": {}}
    )

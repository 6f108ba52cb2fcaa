"""The YAML reader keeps line numbers, and refuses unsafe features quickly and with little
memory.
"""

import os
import socket
from pathlib import Path

import pytest

from bearoff.analysis.formulas.files import load_formulas
from bearoff.sim.config import ConfigError, load_config, read_yaml_file
from bearoff.sim.config.errors import MOST_SHOWN
from bearoff.sim.config.yaml_source import (
    DEEPEST,
    LARGEST_FILE,
    LONGEST_NUMBER,
    MOST_PROBLEMS,
    read_yaml,
)
from tests.refusals import names
from verify.common.processes import memory_limit
from verify.fuzzing.case import time_limit


def problems(text):
    """Return the problems that are found when a YAML text is read, fatal or not."""
    try:
        return read_yaml(text).problems
    except ConfigError as error:
        return list(error.problems)


def places(text):
    return [(problem.line, problem.path) for problem in problems(text)]


def test_every_value_has_the_line_of_its_key_or_dash():
    source = read_yaml(
        "# a comment\nrun: quick\npairs:\n  - list:\n      - {roller: 1,\n"
        "         opponent: 2}\n  -\n    random:\n      pairs:\n        5\n"
    )
    listed, random = {"list": [{"roller": 1, "opponent": 2}]}, {"random": {"pairs": 5}}
    assert source.value == {"run": "quick", "pairs": [listed, random]}
    assert source.lines == {
        (): 2, ("run",): 2, ("pairs",): 3, ("pairs", 0): 4, ("pairs", 0, "list"): 4,
        ("pairs", 0, "list", 0): 5, ("pairs", 0, "list", 0, "roller"): 5,
        ("pairs", 0, "list", 0, "opponent"): 6, ("pairs", 1): 8,
        ("pairs", 1, "random"): 8, ("pairs", 1, "random", "pairs"): 9,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True), ("~", None), ("", None), ("1_000_000", 1_000_000), ("1e6", 1e6),
        ("010", 10), ("0x1F", 31), ("0o12", 10), ("+10", 10),
        ('"5"', "5"), ("'true'", "true"), ("\ufeff5", 5),
        # YAML reads infinity as a number, but configurations may not contain infinity.
        (".inf", float("inf")), ("-.inf", float("-inf")), ("1e999", float("inf")),
        *((text, text) for text in (
            "yes", "on", "1:30:00", "2026-11-21", "0,0,0,5,5,5", "-_", "=", "<<",
        )),
    ],
)  # fmt: skip
def test_scalars_are_those_of_yaml_1_2(text, value):
    assert read_yaml(text).value == value
    assert type(read_yaml(text).value) is type(value)


def test_a_key_that_occurs_twice_keeps_its_first_value():
    text = "a: 1\nb: {c: 2}\na: 3\n'a': 4"
    assert read_yaml(text).value == {"a": 1, "b": {"c": 2}}
    assert places(text) == [(3, "a"), (4, "a")]
    assert all(names(problem.message, 1) for problem in problems(text))


ALIAS_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(9 * ['*' + old])}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)


@pytest.mark.parametrize(
    ("text", "reported"),
    [
        # Configurations may not use anchors, aliases, tags or directives.
        ("a: &x 1", [(1, "a")]), ("a: *x", [(1, "a")]),
        ("a: &x [*x]", [(1, "a"), (1, "a[0]")]),
        ("&x a: 1", [(1, "")]), ("*x : 1", [(1, "")]), ('a: !!int "3"', [(1, "a")]),
        ("a: !!python/object/apply:os.system ['false']", [(1, "a")]),
        ("a: !mine {}", [(1, "a")]),
        ("a: !!binary aGVsbG8=", [(1, "a")]), ("%YAML 1.1\n---\na: yes", [(1, "")]),
        ("%TAG ! tag:x,2026:\n---\na: 1", [(1, "")]),
        # Files with two documents, keys that are not text, or forbidden characters are
        # refused.
        ("a: 1\n---\nb: 2", [(2, "")]), ("1: x\nnull: y", [(1, ""), (2, "")]),
        ("a: {b: 0,0,5}", [(1, "a")]), ("? [a, b]\n: 1", [(1, "")]),
        ("{{a: 1}: 1}", [(1, "")]),
        ("a: \x07", [(1, "")]), ("a: 1\n\nb: \x00", [(3, "")]),
        # Files with broken YAML syntax are refused.
        ("a: [1, 2", [(1, "")]), ("a: 1\n b: 2", [(2, "")]), ("a: 'x", [(1, "")]),
        ("\t- x", [(1, "")]), ("a: b: c", [(1, "")]), ("}", [(1, "")]),
        # A character beyond the range of Unicode is reported.
        ('a: 1\nb: "\\UFFFFFFFF"\n', [(2, "")]),
    ],
)  # fmt: skip
def test_what_yaml_may_not_hold_is_reported_with_its_place(text, reported):
    assert places(text) == reported
    assert all("\n" not in problem.message for problem in problems(text))


def test_an_alias_bomb_is_never_built_and_what_is_unreadable_is_marked():
    assert len(problems(ALIAS_BOMB)) == 9 + 8 * 9
    source = read_yaml("a: !x 1\nb: {c: 0,0}\nd: 5")
    assert source.unreadable == {("a",), ("b",)}


@pytest.mark.parametrize("opening", ["[", "{a: ", "- "])
def test_nesting_is_bounded(opening):
    (problem,) = problems(opening * 100_000)
    assert names(problem.message, DEEPEST)
    read_yaml("[" * DEEPEST + "]" * DEEPEST)


@pytest.mark.parametrize(
    "text", ["9" * 5000, "0x" + "f" * 5000, "0." + "1" * 5000, "-" + "9" * 60]
)
def test_the_length_of_numbers_is_bounded(text):
    (problem,) = problems(f"games: {text}")
    assert (problem.line, problem.path) == (1, "games")
    assert names(problem.message, LONGEST_NUMBER, len(text))
    assert read_yaml(f"games: '{text}'").value == {"games": text}


def refused(path):
    with pytest.raises(ConfigError) as caught:
        read_yaml_file(path)
    (problem,) = caught.value.problems
    assert problem.file == str(path)
    return problem


def test_files_that_cannot_be_opened(tmp_path):
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        for name, kind in (
            ("none.yaml", "no such file"), ("", "folder"), ("file/x.yaml", "directory"),
            ("pipe", "pipe"), ("socket", "socket"),
        ):  # fmt: skip
            assert names(refused(tmp_path / name).message, kind)
    for name in ("a\0b", "x" * 5000):
        refused(name)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path):
    path = tmp_path / "x.yaml"
    path.touch(mode=0)
    assert names(refused(path).message, "permissions")


def test_a_file_that_is_too_large_or_in_another_encoding(tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(b"#" * LARGEST_FILE)
    read_yaml_file(path)
    path.write_bytes(b"#" * (LARGEST_FILE + 1))
    assert names(refused(path).message, f"{LARGEST_FILE:,}")
    path.write_bytes("run: a\ndescription: é\n".encode("latin-1"))
    problem = refused(path)
    assert problem.line == 2
    assert names(problem.message, "UTF-8", "0xe9")
    path.write_bytes("run: a\n".encode("utf-16"))
    assert names(refused(path).message, "UTF-8", "0xff")
    for end in (b"\r\n", b"\r"):
        path.write_bytes(b"\xef\xbb\xbfrun: a\ngames: 5\n".replace(b"\n", end))
        assert read_yaml_file(path).value == {"run": "a", "games": 5}


LIMIT = 300.0
"""Time limit in seconds for each file."""

MEMORY = 256 << 20
"""Maximum number of additional bytes of memory."""

GOOD = 'run: x\ngames: 10\npairs: [list: [{roller: "1", opponent: "1"}]]\n'


def filled(piece, start="", end=""):
    """Return a YAML text of the largest allowed size, which mostly repeats one piece."""
    return start + piece * ((LARGEST_FILE - len(start) - len(end)) // len(piece)) + end


PAIRS = "run: x\ngames: 1\npairs:\n"

HOSTILE = {
    "bomb": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: [*c, *c]\n",
    "digits": "games: " + "9" * 100_000,
    "fraction": "games: 1." + "9" * 100_000,
    **{text: text * 100_000 for text in ("[", "{", "{a: ", "- ", "? ")},
    "merge": GOOD + "<<: {seed: 1}\n",
    "long key": GOOD + "k" * 100_000 + ": 1\n",
    "steering key": GOOD + '"\\e[31m\\u202e": 1\n',
    "half a character": GOOD + '"\\ud800": 1\n',
    "half in a value": GOOD + 'description: "\\udfff"\n',
    "character too large": GOOD + 'description: "\\UFFFFFFFF"\n',
    "version": "%YAML 1." + "9" * 10_000 + "\n---\n" + GOOD,
    "directive later": GOOD + "...\n%YAML 1." + "9" * 10_000 + "\n---\n",
    "empty": "",
}  # fmt: skip
LARGE = {
    **{text: filled(text) for text in (" ", "\n", "a: 1\n", "%A b\n")},
    "one word": filled("x", "run: "),
    "many words": filled("x y ", "run: "),
    "many lines": filled(" x\n", "run: |\n"),
    "escapes": filled("\\n", 'run: "', '"'),
    "other keys": "".join(f"k{n}: 1\n" for n in range(45_000)),
    "items": filled("- 1\n", "run: x\npairs:\n"),
    "no keys": filled(":,", "run: {", "}"),
    **{text: filled(text, "run: [", "]") for text in
       ("1,", "[],", "&a x,", "*a,", "!a x,")},
    "races": filled("  - {roller: 1, opponent: 2}\n", f"{PAIRS}- list:\n"),
    "no races": filled("  - {roller: x, opponent: y}\n", f"{PAIRS}- list:\n"),
    "junk": filled("- {a: x}\n", PAIRS),
}  # fmt: skip
BYTES = {
    "UTF-16": GOOD.encode("utf-16"),
    "UTF-16 without a mark": GOOD.encode("utf-16-be"),
    "Latin-1": (GOOD + "description: café\n").encode("latin-1"),
    "half in UTF-8": GOOD.replace("x", "\ud800").encode("utf-8", "surrogatepass"),
    "100 MB": b"# x\n" * 25_000_000,
}


def refusal(load, path):
    """Load YAML that must be refused quickly and with little memory; return the error
    message.
    """
    with memory_limit(MEMORY), time_limit(LIMIT), pytest.raises(ConfigError) as caught:
        load(path)
    lines = str(caught.value).split("\n")
    assert len(lines) <= MOST_SHOWN + 1
    for line in lines:
        assert line.isprintable()
        assert len(line) < 1000
        assert line.startswith((f"{path}:", "... and "))
    return lines


@pytest.mark.parametrize(
    ("load", "name"),
    [
        *((load_config, name) for name in (*HOSTILE, *BYTES)),
        *((load_formulas, name) for name in ("bomb", "digits", "[", "empty", "100 MB")),
    ],
)
def test_hostile(load, name, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_bytes(BYTES[name] if name in BYTES else HOSTILE[name].encode())
    lines = refusal(load, path)
    has_lines = name not in ("empty", "100 MB")
    assert any(line[len(f"{path}:")].isdigit() for line in lines) == has_lines or (
        load is load_formulas  # the error about a missing formula names the first line
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_hostile_and_large(name, tmp_path):
    path = tmp_path / "x.yaml"
    path.write_text(LARGE[name])
    refusal(load_config, path)


@pytest.mark.parametrize("load", [load_config, load_formulas])
def test_names_of_files(load, tmp_path):
    within = ("", "a\nb.yaml", "\x1b[31m.yaml", "n" * 300)
    for path in (*(tmp_path / name for name in within), Path("\0"), Path("\ud800")):
        with pytest.raises(ConfigError) as caught:
            load(path)
        assert str(caught.value).isprintable()


def test_reading_stops_after_many_values_or_problems(monkeypatch):
    *_, last = found = problems("a: 1\n" * (MOST_PROBLEMS + 9))
    assert len(found) == MOST_PROBLEMS + 1
    assert names(last.message, f"{MOST_PROBLEMS:,}")
    monkeypatch.setattr("bearoff.sim.config.yaml_source.MOST_VALUES", 1000)
    assert len(read_yaml("- 1\n" * 999).value) == 999
    first, *_ = problems("- 1\n" * 1000)
    assert first.line == 1000
    assert names(first.message, "1,000")

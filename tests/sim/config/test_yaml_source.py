"""The YAML reader keeps line numbers and refuses unsafe features."""

import os
import socket

import pytest

from bearoff.sim.config import ConfigError, read_yaml_file
from bearoff.sim.config.yaml_source import DEEPEST, LARGEST_FILE, LONGEST_NUMBER, read_yaml
from tests.refusals import names


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
    path = tmp_path / "large.yaml"
    path.write_bytes(b"#" * LARGEST_FILE)
    read_yaml_file(path)
    path.write_bytes(b"#" * (LARGEST_FILE + 1))
    assert names(refused(path).message, f"{LARGEST_FILE:,}")
    path = tmp_path / "latin.yaml"
    path.write_bytes("run: a\ndescription: é\n".encode("latin-1"))
    problem = refused(path)
    assert problem.line == 2
    assert names(problem.message, "UTF-8", "0xe9")
    path.write_bytes("run: a\n".encode("utf-16"))
    assert names(refused(path).message, "UTF-8", "0xff")
    for end in (b"\r\n", b"\r"):
        path.write_bytes(b"\xef\xbb\xbfrun: a\ngames: 5\n".replace(b"\n", end))
        assert read_yaml_file(path).value == {"run": "a", "games": 5}

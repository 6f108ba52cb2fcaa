"""YAML is read with its lines and without its dangers."""

import os
import socket
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from sim.config.errors import ConfigError
from sim.config.yaml_source import (
    DEEPEST,
    LARGEST_FILE,
    LONGEST_NUMBER,
    YamlSource,
    read_yaml,
    read_yaml_file,
)


def problems(text: str) -> list[str]:
    """What reading finds wrong, whether it could go on or not."""
    try:
        source = read_yaml(text)
    except ConfigError as error:
        return [str(problem) for problem in error.problems]
    return [str(problem) for problem in source.problems]


def test_every_value_has_the_line_of_its_key_or_dash() -> None:
    source = read_yaml(
        "# a comment\n"
        "run: quick\n"
        "pairs:\n"
        "  - list:\n"
        "      - {roller: 1,\n"
        "         opponent: 2}\n"
        "  -\n"
        "    random:\n"
        "      pairs:\n"
        "        5\n"
    )
    assert source.value == {
        "run": "quick",
        "pairs": [{"list": [{"roller": 1, "opponent": 2}]}, {"random": {"pairs": 5}}],
    }
    assert source.lines == {
        (): 2,
        ("run",): 2,
        ("pairs",): 3,
        ("pairs", 0): 4,
        ("pairs", 0, "list"): 4,
        ("pairs", 0, "list", 0): 5,
        ("pairs", 0, "list", 0, "roller"): 5,
        ("pairs", 0, "list", 0, "opponent"): 6,
        ("pairs", 1): 8,
        ("pairs", 1, "random"): 8,
        ("pairs", 1, "random", "pairs"): 9,
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("~", None),
        ("", None),
        ("1_000_000", 1_000_000),
        ("1e6", 1e6),
        ("010", 10),
        ("0x1F", 31),
        ("1:30:00", "1:30:00"),
        ("2026-11-21", "2026-11-21"),
        ("0,0,0,5,5,5", "0,0,0,5,5,5"),
        ("-_", "-_"),
        ("=", "="),
        ("<<", "<<"),
        ('"5"', "5"),
        ("'true'", "true"),
        ("\ufeff5", 5),
    ],
)
def test_scalars_are_those_of_yaml_1_2(text: str, value: object) -> None:
    assert read_yaml(text).value == value
    assert type(read_yaml(text).value) is type(value)


def test_infinity_is_a_number_for_the_rules_to_refuse() -> None:
    assert read_yaml("[.inf, -.inf, 1e999]").value == [
        float("inf"),
        float("-inf"),
        float("inf"),
    ]


def test_a_key_that_occurs_twice_keeps_its_first_value() -> None:
    source = read_yaml("a: 1\nb: {c: 2}\na: 3\n'a': 4")
    assert source.value == {"a": 1, "b": {"c": 2}}
    assert [str(problem) for problem in source.problems] == [
        "3: a: the key is given twice, first on line 1; keep one of them",
        "4: a: the key is given twice, first on line 1; keep one of them",
    ]


ALIAS_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(9 * ['*' + old])}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)

NO_ALIAS = NO_TAG = (
    "anchors, aliases and tags (&, * and !) are not read; write the value out, or quote "
    "text that starts with one of them"
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a: &x 1", [f"1: a: {NO_ALIAS}"]),
        ("a: *x", [f"1: a: {NO_ALIAS}"]),
        ("a: &x [*x]", [f"1: a: {NO_ALIAS}", f"1: a[0]: {NO_ALIAS}"]),
        ("&x a: 1", [f"1: {NO_ALIAS}"]),
        ("*x : 1", [f"1: {NO_ALIAS}"]),
        ("a: !!python/object/apply:os.system ['false']", [f"1: a: {NO_TAG}"]),
        ('a: !!int "3"', [f"1: a: {NO_TAG}"]),
        ("a: !mine {}", [f"1: a: {NO_TAG}"]),
        ("a: !!binary aGVsbG8=", [f"1: a: {NO_TAG}"]),
        ("%YAML 1.1\n---\na: yes", ["1: directives ('%') are not read; remove the line"]),
        (
            "%TAG ! tag:x,2026:\n---\na: 1",
            ["1: directives ('%') are not read; remove the line"],
        ),
        ("a: 1\n---\nb: 2", [
            "2: this is not YAML: expected a single document in the stream, but found "
            "another document",
        ]),
        ("1: x\nnull: y", [
            "1: a key is text, got 1; put it in quotes",
            "2: a key is text, got nothing; put it in quotes",
        ]),
        ("a: {b: 0,0,5}", [
            "1: a: a key is text, got 0; put text that has commas in quotes, as in "
            '"0,0,0,5,5,5"',
        ]),
        ("? [a, b]\n: 1", ["1: a key is text, not a list or a mapping"]),
        ("{{a: 1}: 1}", ["1: a key is text, not a list or a mapping"]),
        ("a: \x07", ["1: the character '\\x07' is not allowed in YAML"]),
        ("a: 1\n\nb: \x00", ["3: the character '\\x00' is not allowed in YAML"]),
    ],
)  # fmt: skip
def test_what_yaml_may_not_hold(text: str, told: list[str]) -> None:
    assert problems(text) == told


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a: [1, 2", 1),
        ("a: 1\n b: 2", 2),
        ("a: 'x", 1),
        ("\t- x", 1),
        ("a: b: c", 1),
        ("}", 1),
    ],
)
def test_broken_syntax_is_one_line_with_its_place(text: str, line: int) -> None:
    (told,) = problems(text)
    assert told.startswith(f"{line}: this is not YAML: ")
    assert "\n" not in told


def test_an_alias_bomb_is_never_built() -> None:
    told = problems(ALIAS_BOMB)
    assert len(told) == 9 + 8 * 9
    assert all(NO_ALIAS in problem for problem in told)


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "[{a: "])
def test_nesting_is_bounded(opening: str) -> None:
    (told,) = problems(opening * 100_000)
    assert told.endswith(f"values are nested deeper than {DEEPEST}")
    read_yaml("[" * DEEPEST + "]" * DEEPEST)


@pytest.mark.parametrize(
    "text", ["9" * 5000, "0x" + "f" * 5000, "0." + "1" * 5000, "-" + "9" * 60]
)
def test_the_length_of_numbers_is_bounded(text: str) -> None:
    (told,) = problems(f"games: {text}")
    assert told == (
        f"1: games: a number has at most {LONGEST_NUMBER} characters, got {len(text)}; "
        "quote it if it is text"
    )
    assert read_yaml(f"games: '{text}'").value == {"games": text}


def test_what_could_not_be_read_is_marked() -> None:
    source = read_yaml("a: !x 1\nb: {c: 0,0}\nd: 5")
    assert source.unreadable == {("a",), ("b",)}


def refused(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        read_yaml_file(path)
    (problem,) = caught.value.problems
    assert problem.file == str(path)
    return str(problem).removeprefix(str(path))


def test_files_that_cannot_be_opened(tmp_path: Path) -> None:
    assert "there is no such file" in refused(tmp_path / "none.yaml")
    assert "this is a folder" in refused(tmp_path)
    (tmp_path / "file").touch()
    assert "Not a directory" in refused(tmp_path / "file" / "x.yaml")
    os.mkfifo(tmp_path / "pipe")
    assert "this is a pipe" in refused(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket"))
        assert "this is a socket" in refused(tmp_path / "socket")
    with pytest.raises(ConfigError, match="embedded null byte"):
        read_yaml_file("a\0b")
    with pytest.raises(ConfigError, match="File name too long"):
        read_yaml_file("x" * 5000)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "x.yaml"
    path.touch(mode=0)
    assert refused(path).endswith("the file may not be read; change its permissions")


def test_a_file_that_is_too_large(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_bytes(b"#" * LARGEST_FILE)
    read_yaml_file(path)
    path.write_bytes(b"#" * (LARGEST_FILE + 1))
    assert "has at most 524,288 bytes" in refused(path)


def test_text_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "latin.yaml"
    path.write_bytes("run: a\ndescription: é\n".encode("latin-1"))
    assert (
        refused(path)
        == ":2: expected UTF-8 text, got the byte 0xe9; save the file as UTF-8"
    )
    path.write_bytes("run: a\n".encode("utf-16"))
    assert "expected UTF-8 text, got the byte 0xff" in refused(path)
    path.write_bytes(b"\xef\xbb\xbfrun: a\r\ngames: 5\r\n")
    assert read_yaml_file(path).value == {"run": "a", "games": 5}


MARKS = "-:?&*!|>'\"%@`{}[],#\n\t \\\x85\ufeff~a1é"
WORDS = ("- ", ": ", "\n  ", "|-\n", "---", "...", "<<", "%YAML 1.2\n")
TOKENS = ("!!str", "&a ", "*a", "0x", "1e", ".inf")
YAML_PIECES = st.sampled_from([*MARKS, *WORDS, *TOKENS])


@given(st.lists(YAML_PIECES, max_size=40).map("".join) | st.text(max_size=100))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        source = read_yaml(text)
    except ConfigError as error:
        told = error.problems
    else:
        told = source.problems
        assert isinstance(source, YamlSource)
    for problem in told:
        assert problem.message.isprintable()

"""YAML text to plain values, with the line of each and without YAML's dangers.

The reader follows the parser's events, so that nothing is ever built that the text does
not spell out: no alias is followed, no tag obeyed, and nesting, length of numbers, number
of values and size of the file are bounded. Scalars are those of YAML 1.2's core schema;
whatever else is plain (a date, say) is text.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path as FilePath
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceStartEvent,
)
from ruamel.yaml.nodes import ScalarNode
from ruamel.yaml.reader import ReaderError

from sim.config_errors import ConfigError, Path, Problem, format_path, show

LARGEST_FILE = 2**19
"""Bytes of a configuration; lists longer than this belong in a CSV or Parquet file."""

MOST_VALUES = 20_000
"""Keys, values, lists and mappings in all: about a second of reading and judging."""

MOST_PROBLEMS = 1000
"""Problems after which reading stops."""

DEEPEST = 20
"""Mappings and lists within one another; a configuration needs seven."""

LONGEST_NUMBER = 60
"""Characters of a number."""

_TAG = "tag:yaml.org,2002:"
_NO_REFERENCES = "anchors and aliases (& and *) are not read; write the value out, or quote"


@dataclass(frozen=True)
class YamlSource:
    """What a YAML text says.

    Attributes
    ----------
    value : object
        Dicts, lists, text, numbers, booleans and None.
    lines : mapping of path to int
        Line of each value, from 1: that of its key or, in a list, of its first character.
    problems : tuple of Problem
        What the text may not contain but could be read past.
    unreadable : frozenset of path
        Where those are; what `value` holds there means nothing.
    """

    value: Any
    lines: Mapping[Path, int]
    problems: tuple[Problem, ...] = ()
    unreadable: frozenset[Path] = frozenset()


def read_yaml_file(path: str | os.PathLike[str]) -> YamlSource:
    """Read a YAML file.

    Raises
    ------
    ConfigError
        If there is no such file, or it is too large, not UTF-8 or not YAML.
    """
    name = os.fspath(path)
    if not name:
        message = "a file needs a name, got none"
        raise ConfigError([Problem(None, None, "", message)])
    try:
        # Opening a pipe waits for somebody to write to it; the shell's are under /dev.
        if FilePath(path).is_fifo() and not name.startswith("/dev/"):
            raise OSError("it is a pipe")
        with FilePath(path).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise ConfigError([_unopened(name, error)]) from error
    if len(data) > LARGEST_FILE:
        message = (
            f"a configuration has at most {LARGEST_FILE:,} bytes and this file has more; "
            "put long lists of pairs in a CSV or Parquet file and name it under 'file'"
        )
        raise ConfigError([Problem(name, None, "", message)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = (
            f"expected UTF-8 text, got the byte 0x{data[error.start]:02x}; save the file "
            "as UTF-8"
        )
        raise ConfigError([Problem(name, line, "", message)]) from error
    return read_yaml(text, name)


def read_yaml(text: str, file: str | None = None) -> YamlSource:
    r"""Read YAML text; `file` is the name that problems give it.

    Raises
    ------
    ConfigError
        If the text is not YAML, holds more than one document or is nested too deeply.

    Examples
    --------
    >>> source = read_yaml("run: quick\npairs:\n  - random: {pairs: 5}\n")
    >>> source.value
    {'run': 'quick', 'pairs': [{'random': {'pairs': 5}}]}
    >>> source.lines["pairs", 0, "random", "pairs"]
    3
    """
    return _Builder(file).build(text)


def _unopened(name: str, error: OSError | ValueError) -> Problem:
    reasons: dict[type[Exception], str] = {
        FileNotFoundError: "there is no such file",
        IsADirectoryError: "a YAML file is needed, this is a folder",
        PermissionError: "the file may not be read; change its permissions",
    }
    reason = reasons.get(type(error))
    if reason is None:
        cause = getattr(error, "strerror", None) or str(error)
        reason = f"the file cannot be read: {cause}"
    return Problem(name or repr(name), None, "", reason)


@dataclass
class _Frame:
    """A mapping or list under construction; `key` is the mapping's key in hand."""

    path: Path
    value: dict[str, Any] | list[Any]
    flow: bool = False
    key: str | None = None
    key_is_lost: bool = False
    key_lines: dict[str, int] = field(default_factory=dict)


class _Builder:
    """Builds one document from the parser's events."""

    def __init__(self, file: str | None) -> None:
        self._file = file
        self._yaml = YAML(typ="safe", pure=True)
        self._lines: dict[Path, int] = {}
        self._problems: list[Problem] = []
        self._unreadable: set[Path] = set()
        self._stack: list[_Frame] = []
        self._root: Any = None
        self._documents = 0
        self._values = 0
        self._line = 1

    def build(self, text: str) -> YamlSource:
        try:
            for event in self._events(text):
                self._take(event)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            said = ", ".join(str(s) for s in (error.context, error.problem) if s)
            self._fail(
                mark.line + 1 if mark else None, f"this is not YAML: {_one_line(said)}"
            )
        except ReaderError as error:
            line = text.count("\n", 0, error.position) + 1
            self._fail(
                line, f"the character {text[error.position]!r} is not allowed in YAML"
            )
        except YAMLError as error:
            self._fail(None, f"this is not YAML: {_one_line(str(error))}")
        return YamlSource(
            self._root, self._lines, tuple(self._problems), frozenset(self._unreadable)
        )

    def _events(self, text: str) -> Iterator[Event]:
        self._refuse_directives(text)
        events: Iterator[Event] = self._yaml.parse(text)
        while True:
            try:
                event = next(events)
            except StopIteration:
                return
            except (ValueError, OverflowError):  # ruamel's int() and chr()
                self._fail(
                    self._line,
                    "this is not YAML: the number of a character (\\U) or of a version "
                    "(%YAML) is out of range",
                )
            self._line = event.start_mark.line + 1
            yield event

    def _refuse_directives(self, text: str) -> None:
        """Refuse them before the parser, which passes over those it does not know."""
        for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
            if line.startswith("%"):
                self._fail(number, "directives ('%') are not read; remove the line")
            if line.strip() and not line.lstrip().startswith("#"):
                return

    def _take(self, event: Event) -> None:
        if isinstance(event, DocumentStartEvent):
            self._documents += 1
            line = event.start_mark.line + 1
            if self._documents > 1:
                self._fail(line, "one document is expected, a second begins here ('---')")
        elif isinstance(event, CollectionEndEvent):
            self._stack.pop()
        elif isinstance(event, NodeEvent):
            self._take_node(event)

    def _take_node(self, event: NodeEvent) -> None:
        line = event.start_mark.line + 1
        self._values += 1
        if self._values > MOST_VALUES:
            self._fail(
                line,
                f"a configuration has at most {MOST_VALUES:,} keys and values and this "
                "file has more; put long lists of pairs in a CSV or Parquet file and name "
                "it under 'file'",
            )
        frame = self._stack[-1] if self._stack else None
        if frame and isinstance(frame.value, dict) and not self._has_key(frame):
            self._take_key(frame, event, line)
            return
        path = self._place(frame)
        if frame and isinstance(frame.value, dict) and frame.key is not None:
            self._lines.setdefault(path, frame.key_lines[frame.key])
        else:
            self._lines.setdefault(path, line)
        value = self._open(event, path, line)
        if frame is None:
            self._root = value
        elif isinstance(frame.value, list):
            frame.value.append(value)
        else:
            if frame.key is not None:
                frame.value.setdefault(frame.key, value)
            frame.key, frame.key_is_lost = None, False

    def _has_key(self, frame: _Frame) -> bool:
        return frame.key is not None or frame.key_is_lost

    def _place(self, frame: _Frame | None) -> Path:
        if frame is None:
            return ()
        if isinstance(frame.value, list):
            return (*frame.path, len(frame.value))
        # A value whose key is lost is only read to get past it.
        return (*frame.path, "?" if frame.key is None else frame.key)

    def _take_key(self, frame: _Frame, event: NodeEvent, line: int) -> None:
        if not isinstance(event, ScalarEvent):
            self._fail(line, "a key is text, not a list, a mapping or an alias", frame.path)
        self._check_properties(event, frame.path, line)
        key = self._scalar(event, frame.path, line)
        if not isinstance(key, str):
            frame.key_is_lost = True
            if frame.flow and frame.path not in self._unreadable:
                # {roller: 0,0,5} is read as four keys, three of them stray.
                hint = 'put text that has commas in quotes, as in "0,0,0,5,5,5"'
                self._note(line, f"a key is text, got {show(key)}; {hint}", frame.path)
            elif not frame.flow:
                message = f"a key is text, got {show(key)}; put it in quotes"
                self._note(line, message, frame.path, unreadable=False)
        elif key in frame.key_lines:
            frame.key_is_lost = True
            first = frame.key_lines[key]
            message = f"the key is given twice, first on line {first}; keep one of them"
            self._note(line, message, (*frame.path, key), unreadable=False)
        else:
            frame.key = key
            frame.key_lines[key] = line

    def _open(self, event: NodeEvent, path: Path, line: int) -> Any:
        self._check_properties(event, path, line)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, path, line)
        if isinstance(event, SequenceStartEvent | MappingStartEvent):
            if len(self._stack) == DEEPEST:
                self._fail(
                    line, f"lists and mappings are nested deeper than {DEEPEST}", path
                )
            is_list = isinstance(event, SequenceStartEvent)
            frame = _Frame(path, [] if is_list else {}, flow=bool(event.flow_style))
            self._stack.append(frame)
            return frame.value
        return None

    def _check_properties(self, event: NodeEvent, path: Path, line: int) -> None:
        if isinstance(event, AliasEvent) or event.anchor:
            self._note(line, f"{_NO_REFERENCES} text that starts with one of them", path)
        elif isinstance(event, ScalarEvent | CollectionStartEvent) and event.tag:
            self._note(line, "tags (!) are not read; remove it, or quote the text", path)

    def _scalar(self, event: ScalarEvent, path: Path, line: int) -> Any:
        node_tag = str(self._yaml.resolver.resolve(ScalarNode, event.value, event.implicit))
        kind = node_tag.removeprefix(_TAG)
        if kind not in ("int", "float", "bool", "null"):
            return self._text(event.value, path, line)
        if len(event.value) > LONGEST_NUMBER:
            message = (
                f"a number has at most {LONGEST_NUMBER} characters, got "
                f"{len(event.value)}; quote it if it is text"
            )
            self._note(line, message, path)
            return None
        try:
            return self._yaml.constructor.construct_object(
                ScalarNode(node_tag, event.value)
            )
        except ValueError:  # "-_" passes for a number until it is read
            return event.value

    def _text(self, text: str, path: Path, line: int) -> str:
        """Refuse what no text has: halves of characters, which only escapes can spell."""
        halves = [c for c in text if "\ud800" <= c <= "\udfff"]
        if halves:
            message = f"{halves[0]!r} is half a character; write the whole of it"
            self._note(line, message, path)
            return text.encode(errors="replace").decode()
        return text

    def _note(
        self, line: int | None, message: str, path: Path, *, unreadable: bool = True
    ) -> None:
        self._problems.append(Problem(self._file, line, format_path(path), message))
        if unreadable:
            self._unreadable.add(path)
        if len(self._problems) == MOST_PROBLEMS:
            message = f"reading stopped after {MOST_PROBLEMS:,} problems"
            self._problems.append(Problem(self._file, line, "", message))
            raise ConfigError(self._problems)

    def _fail(self, line: int | None, message: str, path: Path = ()) -> NoReturn:
        self._note(line, message, path)
        raise ConfigError(self._problems)


def _one_line(text: str) -> str:
    return " ".join(text.split())

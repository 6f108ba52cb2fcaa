"""Safe conversion of YAML text to Python values, with the line number of each value.

The parser is ruamel.yaml. YAML aliases and tags are reported as problems. The nesting
depth, the length of numbers, the number of values and the file size are limited. Only the
numbers, booleans and null of YAML 1.2's core schema are converted; everything else, such as
a date, is text.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Any, NoReturn

from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode
from ruamel.yaml.reader import ReaderError

from bearoff.sim.config.errors import ConfigError, Path, Problem, format_path, show
from bearoff.sim.storage import require_file

LARGEST_FILE = 2**19
"""Maximum size of a configuration file in bytes. Long lists should be in CSV or Parquet
files."""

MOST_VALUES = 20_000
"""Maximum number of keys and values in a configuration."""

MOST_PROBLEMS = 1000
"""Number of problems after which parsing stops."""

DEEPEST = 20
"""Maximum nesting depth of lists and mappings in a configuration."""

LONGEST_NUMBER = 60
"""Maximum number of characters with which a number may be written."""

_TAG = "tag:yaml.org,2002:"
_NO_PROPERTIES = (
    "anchors, aliases and tags (&, * and !) are not supported; write the value or quote "
    "text that starts with one of them"
)


@dataclass(frozen=True)
class YamlSource:
    """Parsed YAML text, with the line number of each value.

    Attributes
    ----------
    value : object
        Value of the YAML text, made of dicts, lists, strings, numbers, booleans and None.
    lines : mapping of path to int
        Line number of each value, counted from 1: the line of its key or, for an item of a
        list, the line of its first character.
    problems : tuple of Problem
        Forbidden constructs in the text, which did not stop the parser.
    unreadable : frozenset of path
        Paths of the values that could not be parsed. At these paths, `value` contains None
        or replacement text.
    """

    value: Any
    lines: Mapping[Path, int]
    problems: tuple[Problem, ...] = ()
    unreadable: frozenset[Path] = frozenset()


def read_yaml_file(path: str | os.PathLike[str]) -> YamlSource:
    """Read and parse a YAML file.

    Raises
    ------
    ConfigError
        If the file does not exist, is too large, is not UTF-8 or is not YAML.
    """
    name = os.fspath(path)
    try:
        if not name.startswith("/dev/"):  # such as a shell's pipe
            require_file(name)
        with FilePath(name).open("rb") as file:
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        message = getattr(error, "strerror", None) or str(error)
        raise ConfigError([Problem(name or "''", None, "", message)]) from error
    if len(data) > LARGEST_FILE:
        message = (
            f"the configuration has more than {LARGEST_FILE:,} bytes; "
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
    r"""Parse YAML text; error messages name the file `file`.

    Examples
    --------
    >>> source = read_yaml("run: quick\npairs:\n  - random: {pairs: 5}\n")
    >>> source.value
    {'run': 'quick', 'pairs': [{'random': {'pairs': 5}}]}
    >>> source.lines["pairs", 0, "random", "pairs"]
    3
    """
    return _Reader(file).read(text)


class _BoundError(ComposerError):
    """Raised if a YAML document exceeds the limits on its size, nesting or numbers."""


class _Composer(Composer):
    """Builder of YAML nodes that limits their number and depth, and notes tags."""

    def __init__(self, loader: Any = None) -> None:
        super().__init__(loader)
        self.warn_double_anchors = False
        self.refused: set[int] = set()
        self._values = 0
        self._nested = 0

    def get_single_node(self) -> Any:
        try:
            return super().get_single_node()
        except (ValueError, OverflowError):  # from int() or chr() in ruamel
            message = (
                "this is not YAML: the number of a character (\\U) or of a version (%YAML) "
                "is out of range"
            )
            mark = self.loader.reader.get_mark()
            raise _BoundError(None, None, message, mark) from None

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.parser.peek_event()
        self._values += 1
        if self._values > MOST_VALUES:
            message = (
                f"a configuration may have at most {MOST_VALUES:,} keys and values; put "
                "lists of pairs in a CSV or Parquet file and name it under 'file'"
            )
            raise _BoundError(None, None, message, event.start_mark)
        if self._nested == DEEPEST:
            message = f"values are nested deeper than {DEEPEST}"
            raise _BoundError(None, None, message, event.start_mark)
        if isinstance(event, AliasEvent):
            self.parser.get_event()
            node = ScalarNode(f"{_TAG}null", "", event.start_mark, event.end_mark)
        else:
            self._nested += 1
            node = super().compose_node(parent, index)
            self._nested -= 1
        if event.anchor is not None or event.ctag is not None:
            self.refused.add(id(node))
        return node


class _Reader:
    """Converter of one YAML document to Python values."""

    def __init__(self, file: str | None) -> None:
        self._file = file
        self._yaml = YAML(typ="safe", pure=True)
        self._yaml.Composer = _Composer
        self._lines: dict[Path, int] = {}
        self._problems: list[Problem] = []
        self._unreadable: set[Path] = set()

    def read(self, text: str) -> YamlSource:
        root = self._compose(text)
        value = None if root is None else self._value(root, (), _line(root))
        return YamlSource(
            value, self._lines, tuple(self._problems), frozenset(self._unreadable)
        )

    def _compose(self, text: str) -> Node | None:
        # The YAML parser would silently ignore unknown directives.
        for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
            if line.startswith("%"):
                self._fail(number, "directives ('%') are not supported; remove the line")
            if line.strip() and not line.lstrip().startswith("#"):
                break
        try:
            node: Node | None = self._yaml.compose(text)
        except MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            message = ", ".join(str(s) for s in (error.context, error.problem) if s)
            if not isinstance(error, _BoundError):
                message = f"this is not YAML: {message}"
            self._fail(mark.line + 1 if mark else None, " ".join(message.split()))
        except ReaderError as error:
            line_number = text.count("\n", 0, error.position) + 1
            character = text[error.position]
            self._fail(line_number, f"the character {character!r} is not allowed in YAML")
        except YAMLError as error:
            self._fail(None, f"this is not YAML: {' '.join(str(error).split())}")
        return node

    def _value(self, node: Node, path: Path, line: int) -> Any:
        self._lines[path] = line
        self._check_properties(node, path, line)
        if isinstance(node, MappingNode):
            return self._mapping(node, path)
        if isinstance(node, SequenceNode):
            items = enumerate(node.value)
            return [self._value(item, (*path, i), _line(item)) for i, item in items]
        return self._scalar(node, path, line)

    def _mapping(self, node: MappingNode, path: Path) -> dict[str, Any]:
        values: dict[str, Any] = {}
        first: dict[str, int] = {}
        for key_node, item in node.value:
            line = _line(key_node)
            if not isinstance(key_node, ScalarNode):
                self._fail(line, "a key must be text, not a list or a mapping", path)
            if self._check_properties(key_node, path, line):
                continue
            key = self._scalar(key_node, path, line)
            if not isinstance(key, str):
                self._note_key(key, path, line, flow=bool(node.flow_style))
            elif key in first:
                message = (
                    f"the key occurs twice, first in line {first[key]}; remove one of them"
                )
                self._note(line, message, (*path, key), unreadable=False)
            else:
                first[key] = line
                values[key] = self._value(item, (*path, key), line)
        return values

    def _note_key(self, key: Any, path: Path, line: int, *, flow: bool) -> None:
        if not flow:
            message = f"a key must be text, got {show(key)}; put it in quotes"
            self._note(line, message, path, unreadable=False)
        elif path not in self._unreadable:
            # YAML parses {roller: 0,0,5} as a mapping with the keys "roller", 0 and 5.
            hint = 'put text that has commas in quotes, as in "0,0,0,5,5,5"'
            self._note(line, f"a key must be text, got {show(key)}; {hint}", path)

    def _check_properties(self, node: Node, path: Path, line: int) -> bool:
        refused = id(node) in self._yaml.composer.refused
        if refused:
            self._note(line, _NO_PROPERTIES, path)
        return refused

    def _scalar(self, node: Node, path: Path, line: int) -> Any:
        if str(node.tag).removeprefix(_TAG) not in ("int", "float", "bool", "null"):
            return self._text(node.value, path, line)
        if len(node.value) > LONGEST_NUMBER:
            message = (
                f"a number may have at most {LONGEST_NUMBER} characters, got "
                f"{len(node.value)}; quote it if it is text"
            )
            self._note(line, message, path)
            return None
        try:
            return self._yaml.constructor.construct_object(node)
        # YAML's pattern for numbers matches the texts "-_" and "", which cannot be
        # converted to a number.
        except (ValueError, IndexError):
            return node.value

    def _text(self, text: str, path: Path, line: int) -> str:
        """Return a text; report a problem if it has half of a UTF-16 surrogate pair."""
        halves = [c for c in text if "\ud800" <= c <= "\udfff"]
        if halves:
            message = f"{halves[0]!r} is half of a character; write the whole character"
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


def _line(node: Node) -> int:
    return int(node.start_mark.line) + 1

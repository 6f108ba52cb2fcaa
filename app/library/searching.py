"""Search conditions of the library in SQL."""

import re
from collections.abc import Iterator
from datetime import date
from math import isfinite

from bearoff import BearoffError
from bearoff.app.library.tables import COUNTED, MOST_DECISIONS, decision_number
from bearoff.app.library.wanted import KINDS, PHASES, Wanted
from bearoff.checks import did_you_mean

SORTS = {"cost": "cost DESC, id", "date": "day DESC, id", "pips": "pips DESC, id"}
"""SQL sort order for each sort key of a search."""

_NUMBERS = (*COUNTED, "pips", "lead")

_HOME = 6

_MATCH_OF = f"id / {MOST_DECISIONS}"
"""SQL expression that computes the number of a decision's match from the number of the
decision."""


class SearchError(BearoffError):
    """Error for a search of the library with an invalid parameter."""


Condition = tuple[str, list[object]]


LONGEST = 200
"""Maximum length, in characters, of each text in a search. A search may have a tenth as
many conditions on board features."""

MOST_MATCHES = 10**9
"""Largest match number that a search accepts."""


def condition(wanted: Wanted) -> Condition:
    """Return a search for decisions as an SQL condition, and the condition's values.

    Examples
    --------
    >>> condition(Wanted(player="Ann", feature=("gaps>=2",)))
    ('player = ? AND gaps >= ?', ['Ann', 2])
    """
    _refuse_endless(wanted)
    parts = list(_parts(wanted))
    values = [value for _, given in parts for value in given]
    return " AND ".join(text for text, _ in parts) or "1", values


def match_condition(wanted: Wanted) -> Condition:
    """Return a search for matches as an SQL condition, and the condition's values."""
    _refuse_endless(wanted)
    parts: list[Condition] = []
    # A name in a search may belong to either player.
    for name in (wanted.player, wanted.opponent):
        if name:
            parts.append(("? COLLATE NOCASE IN (player0, player1)", [name]))
    parts += _days(wanted)
    if wanted.text:
        parts.append(
            (
                f"id IN (SELECT rowid / {MOST_DECISIONS} FROM words WHERE words MATCH ?)",
                [_words(wanted.text)],
            )
        )
    if wanted.match is not None:
        parts.append(("id = ?", [wanted.match]))
    values = [value for _, given in parts for value in given]
    return " AND ".join(text for text, _ in parts) or "1", values


def _refuse_endless(wanted: Wanted) -> None:
    """Raise an error for texts and numbers in a search that are too large for SQLite."""
    for name, value in vars(wanted).items():
        for text in value if isinstance(value, tuple) else [value]:
            if isinstance(text, str) and len(text) > LONGEST:
                raise SearchError(
                    f"{name} may have at most {LONGEST} characters, got {len(text):,}: "
                    f"{text[:20]!r}..."
                )
    if len(wanted.feature) > LONGEST // 10:
        raise SearchError(
            f"a search may have at most {LONGEST // 10} conditions on board features, "
            f"got {len(wanted.feature)}"
        )
    if wanted.cost is not None and not isfinite(wanted.cost):
        raise SearchError(
            f"the cost must be a number in EMG such as 0.05, got {wanted.cost}"
        )
    if wanted.match is not None and not 0 < wanted.match < MOST_MATCHES:
        raise SearchError(
            f"a match must have a number from 1 up, such as 12, got {wanted.match}"
        )


def _parts(wanted: Wanted) -> Iterator[Condition]:
    for column in ("player", "opponent"):
        if name := getattr(wanted, column):
            yield f"{column} = ?", [name]
    yield from _days(wanted)
    if wanted.kind:
        if wanted.kind not in KINDS:
            raise SearchError(
                f"the kind of a decision must be one of {', '.join(KINDS)}, got "
                f"{wanted.kind!r}{did_you_mean(wanted.kind, KINDS)}"
            )
        yield "kind = ?", [wanted.kind]
    if wanted.phase:
        if wanted.phase not in PHASES:
            raise SearchError(
                f"the phase must be {' or '.join(PHASES)}, got "
                f"{wanted.phase!r}{did_you_mean(wanted.phase, PHASES)}"
            )
        yield "contact = ?", [wanted.phase == "contact"]
    if wanted.stakes:
        yield "stakes >= ? AND stakes < ?", [wanted.stakes, wanted.stakes + "\U0010ffff"]
    if wanted.pips:
        low, high = _range(wanted.pips)
        yield "pips BETWEEN ? AND ?", [low, high]
    if wanted.cost is not None:
        yield "cost >= ?", [wanted.cost]
    if wanted.mistakes:
        yield "mistake", []
    for feature in wanted.feature:
        yield _feature(feature)
    if wanted.structure:
        yield "home GLOB ?", [_structure(wanted.structure)]
    if wanted.text:
        of_match = f"{_MATCH_OF} IN (SELECT rowid / {MOST_DECISIONS} FROM words WHERE"
        # The first condition follows from the second, but is faster, and excludes most
        # decisions.
        yield (
            f"{of_match} words MATCH ?) AND "
            "(id IN (SELECT rowid FROM words WHERE words MATCH ?) OR "
            f"{of_match} words MATCH ? AND rowid % {MOST_DECISIONS} = 0))",
            [_words(wanted.text)] * 3,
        )
    if wanted.tag:
        found = "SELECT {} FROM notes WHERE tags LIKE ? ESCAPE '!'"
        yield (
            f"(id IN ({found.format('decision')}) OR {_MATCH_OF} IN "
            f"({found.format('match')} AND decision IS NULL))",
            [tag_pattern(wanted.tag)] * 2,
        )
    if wanted.match is not None:
        numbers = [decision_number(match, 0) for match in (wanted.match, wanted.match + 1)]
        yield "id >= ? AND id < ?", [*numbers]


def _days(wanted: Wanted) -> list[Condition]:
    found: list[Condition] = []
    if wanted.since:
        found.append(("day >= ?", [_day(wanted.since)]))
    if wanted.until:
        # The character "~" sorts after digits and dashes. A year or month followed by "~"
        # therefore sorts after all days of the year or month.
        found.append(("day <= ?", [_day(wanted.until) + "~"]))
    return found


def _day(text: str) -> str:
    """Return a day, month or year; raise an error if it is not valid."""
    if re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", text, re.ASCII):
        try:
            date.fromisoformat((text + "-01-01")[:10])
            return text
        except ValueError:
            pass
    raise SearchError(
        f"a date must be written as 2026-05-17, 2026-05 or 2026, got {text!r}"
    )


def _range(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d{1,4})?(?:(-)(\d{1,4})?)?", text.strip(), re.ASCII)
    if not text.strip(" -") or found is None:
        raise SearchError(f"a range must be written as 40-70, 40-, -70 or 55, got {text!r}")
    low, dash, high = found.groups()
    least = int(low or 0)
    most = int(high) if high else (10_000 if dash else least)
    if most < least:
        raise SearchError(f"the limits of a range must be in ascending order, got {text!r}")
    return least, most


def _feature(text: str) -> Condition:
    found = re.fullmatch(r"\s*(\w+)\s*(<=|>=|==|=|<|>)\s*(-?\d{1,4})\s*", text, re.ASCII)
    if found is None:
        raise SearchError(
            f"a feature must be written like gaps>=2, got {text!r}; available features are "
            f"{', '.join(_NUMBERS)}"
        )
    name, sign, number = found.groups()
    if name not in _NUMBERS:
        raise SearchError(
            f"unknown feature {name!r}{did_you_mean(name, _NUMBERS)}; available features "
            f"are {', '.join(_NUMBERS)}"
        )
    return f"{name} {sign} ?", [int(number)]


def _structure(text: str) -> str:
    """Return the SQL pattern of a search for home points such as ``3,3,*,0,2+,1``.

    Examples
    --------
    >>> _structure("3,3,*,0,2+,1")
    '33?0[2-9A-F]1'
    """
    pattern = []
    for part in text.replace(" ", "").split(","):
        found = re.fullmatch(r"(\*)|(\d\d?)(\+)?", part, re.ASCII)
        if found is None or int(found[2] or 0) > 15:
            raise SearchError(
                "a structure must list the checkers on the ace to six points like "
                f"3,3,*,0,2+,1, where * is any number and 2+ is two or more; got {text!r}"
            )
        digit = f"{int(found[2] or 0):X}"
        if found[1]:
            pattern.append("?")
        elif not found[3]:
            pattern.append(digit)
        else:
            pattern.append(f"[{digit}-9A-F]" if digit.isdigit() else f"[{digit}-F]")
    if len(pattern) != _HOME:
        raise SearchError(
            f"a structure must have all {_HOME} points of the home board, from the ace "
            f"point to the six point; got {len(pattern)} in {text!r}"
        )
    return "".join(pattern)


def _words(text: str) -> str:
    """Return a full-text query for all words of a text; each word may be a prefix."""
    words = re.findall(r"\w+", text)
    if not words:
        raise SearchError(f"a text search needs at least one word, got {text!r}")
    return " ".join(f'"{word}"*' for word in words)


def tag_pattern(tag: str) -> str:
    """Return an SQL pattern that matches notes with a given tag."""
    name = tag.strip().lower()
    for sign in "!%_":
        name = name.replace(sign, f"!{sign}")
    return f"% {name} %"

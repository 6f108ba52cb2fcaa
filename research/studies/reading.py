"""Cube decisions made by following the printed text of a formula, or by misreading it.

The module shares no code with `analysis`. Each sentence of the printed text is recognised
and followed literally. If a phrase can be misunderstood, the misunderstanding is a
*reading* with a name. `READINGS` lists every reading with the words of the text that
exclude it.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bearoff import BearoffError

Numbers = NDArray[np.int64]

HOME = 6

WORDS = {
    word: n
    for n, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), 1
    )
}

READINGS = {
    "stacks": (
        ("“with more” read as three or more checkers, so that two checkers count nothing"),
        "“one checker … more”",
    ),
    "more besides": (
        "“−3 with more” read as a deduction in addition to “−2”",
        "“one checker … more”",
    ),
    "pips less": ("“2×pips+1” read as 2 × (pips + 1)", "2×pips+1, no brackets"),
    "near once": (
        "“pips+5” read with the 5 added only once for all checkers together",
        "“checkers count”",
    ),
    "beyond once": (
        ("“2×pips+1” read with the 1 added only once for all checkers together"),
        "“checkers count”",
    ),
    "beyond home": ("“beyond” read as beyond the home board", "“points 1–3 … beyond”"),
    "all over": (
        ("“per checker after three” read as every checker if there are more than three"),
        "“after”",
    ),
    "either": (
        "two rules “+1” for the same checker read as only one “+1”",
        ("each rule states its own “+1”"),
    ),
    "every": ("“if point 2 has any” read as once for each checker on point 2", "“if”"),
    "off too": ("“crossover” read so that bearing off a checker also counts", "“to home”"),
    "all crossings": (
        ("“more than the opponent” read as all crossovers of the side with more"),
        "“more”",
    ),
    "both sides": (
        "“left” read as the number of checkers left of both sides together",
        "“each side”",
    ),
    "least first": (
        "“at least” applied as a minimum of the count before the adjustments",
        "order of sentences",
    ),
    "least last": (
        "“at least” applied as a minimum of the roller's count after the seventh is added",
        "",
    ),
    "unrounded": ("seventh of the roller's count added without rounding", "“rounded down”"),
    "nearest": (
        "seventh of the roller's count rounded to the nearest whole number",
        "“rounded down”",
    ),
    "sum rounded": ("sum of the roller's count and its seventh rounded down", ""),
    "unsigned": (
        "“roller's minus opponent's” read as the size of the difference, without its sign",
        "“minus”",
    ),
}
"""Possible misreadings of the printed text, with the words of the text that exclude each
misreading."""


@dataclass
class _Side:
    """Checkers on each point of the side whose count is computed, and of the other side."""

    points: Numbers
    other: Numbers
    total: Numbers = field(init=False)

    def __post_init__(self) -> None:
        self.total = np.zeros(len(self.points), dtype=np.int64)

    def left(self, together: bool) -> Numbers:
        both = self.points + self.other if together else self.points
        return np.asarray(both.sum(axis=1))


def decide(
    words: str, rollers: Numbers, opponents: Numbers, reading: str = ""
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the decisions to double, redouble and take by a printed text.

    Parameters
    ----------
    words : str
        Printed text of the formula.
    rollers, opponents : ndarray of int, shape (n, points)
        Checkers on the ace, deuce, ... points.
    reading : str
        Name in `READINGS` of the misreading to apply; empty to read the text as intended.

    Raises
    ------
    BearoffError
        If a sentence is not recognised.

    Examples
    --------
    >>> rule = "Each side counts pips. Roller: add a tenth, rounded down. "
    >>> rule += "Roller's minus opponent's: double ≤2, redouble ≤1, take ≥−2."
    >>> decide(rule, np.array([[0, 0, 0, 0, 0, 10]]), np.array([[0, 0, 0, 0, 2, 9]]))
    (array([ True]), array([False]), array([ True]))
    """
    both = [np.pad(np.asarray(s, np.int64), ((0, 0), (0, 24 - np.shape(s)[1])))
            for s in (rollers, opponents)]  # fmt: skip
    *counting, compared = (part.strip() for part in re.split(r"(?<=\.)\s", words))
    raising = [sentence for sentence in counting if sentence.startswith("Roller: ")]
    steps = [sentence for sentence in counting if sentence not in raising]
    if reading == "least first":
        steps.sort(
            key=lambda sentence: not (sentence.startswith("Each") or _is_least(sentence))
        )
    sides = [_Side(both[0], both[1]), _Side(both[1], both[0])]
    for side in sides:
        for sentence in steps:
            _do(sentence, side, reading)
    ours, theirs = sides[0].total.astype(float), sides[1].total
    for sentence in raising:
        ours = _raised(sentence, ours, reading)
    if reading == "least last":
        kept = _Side(both[0], both[1])
        kept.total = np.ceil(ours).astype(np.int64)
        for sentence in steps:
            if _is_least(sentence):
                _least(_must(_LEAST, sentence), kept, reading)
        ours = np.maximum(ours, kept.total)
    above = ours - theirs
    if reading == "unsigned":
        above = np.abs(above)
    double, redouble, take = (
        int(n.replace("−", "-")) for n in _must(_COMPARED, compared).groups()
    )
    return above <= double, above <= redouble, above >= take


_VALUES = (
    r"Each side's checkers count pips\+(\d+) on points 1–(\d), 2×pips([−+]\d+|) beyond\."
)
_LEAST = r"([\d–, ]+) left: at least ([\d, ]+)\."
_COMPARED = (
    r"Roller's minus opponent's: double ≤(−?\d+), redouble ≤(−?\d+), take ≥(−?\d+)\."
)
_RAISED = r"Roller: add an? (\w+), rounded down(?:, at most (\d+))?\."
_PARTS = {"sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10}


def _is_least(sentence: str) -> bool:
    return re.match(r"\d+–\d+", sentence) is not None


def _must(pattern: str, sentence: str) -> re.Match[str]:
    found = re.fullmatch(pattern, sentence)
    if found is None:
        raise BearoffError(f"the text of the formula is not understood at {sentence!r}")
    return found


def _raised(sentence: str, ours: NDArray[np.float64], reading: str) -> NDArray[np.float64]:
    part, most = _must(_RAISED, sentence).groups()
    share = ours / _PARTS[part]
    if reading == "sum rounded":
        return np.floor(ours + share + 1e-9)
    if reading == "nearest":
        share = np.floor(share + 0.5)
    elif reading != "unrounded":
        share = np.floor(share + 1e-9)
    return ours + (share if most is None else np.minimum(share, int(most)))


def _do(sentence: str, side: _Side, reading: str) -> None:
    """Apply one sentence of the printed text to the count of a side."""
    if _is_least(sentence):
        _least(_must(_LEAST, sentence), side, reading)
        return
    if sentence == "Each side counts pips.":
        side.total += side.points @ np.arange(1, 25)
        return
    if sentence.startswith("Each side's checkers count "):
        _by_values(sentence, side, reading)
        return
    counted = np.ones(len(side.total), dtype=bool)
    if condition := re.match(r"(Over|Up to) (\w+) left: ", sentence):
        left = side.left(reading == "both sides")
        bound = WORDS[condition[2]]
        counted = left > bound if condition[1] == "Over" else left <= bound
        sentence = sentence[condition.end() :]
    if sentence.startswith("Per home point: "):
        _stacks(sentence, side, reading)
        return
    seen: set[int] = set()
    sign, pips = "", ""
    for clause in sentence.rstrip(".").split(", "):
        # A clause without a number of pips uses the number of the previous clause.
        first, n, what = _must(r"(?:([+−])(\d+) )?(.*)", clause).groups()
        sign, pips = first or sign, n or pips
        number = _seen(what, side, reading)
        again = re.match(r"per (\d)-point checker after", what)
        if reading == "either" and again and int(again[1]) in seen:
            number = 0 * number
        if run := re.fullmatch(r"per checker on points (\d)–(\d)", what):
            seen.update(range(int(run[1]), int(run[2]) + 1))
        if single := re.fullmatch(r"per (\d)-point checker", what):
            seen.add(int(single[1]))
        side.total += np.where(counted, (1 if sign == "+" else -1) * int(pips) * number, 0)


def _by_values(sentence: str, side: _Side, reading: str) -> None:
    more, last, besides = _must(_VALUES, sentence).groups()
    low, more_beyond = int(last), int((besides or "0").replace("−", "-"))
    near, beyond = side.points[:, :low], side.points[:, low:]
    far = np.arange(low + 1, 25)
    if reading == "near once":
        side.total += near @ np.arange(1, low + 1) + int(more) * (near.sum(axis=1) > 0)
    else:
        side.total += near @ (np.arange(1, low + 1) + int(more))
    if reading == "beyond home":
        # The text then has no rule for home points above the points 1 to `low`. Their
        # checkers are counted like checkers on the low points.
        side.total += side.points[:, low:HOME] @ (np.arange(low + 1, HOME + 1) + int(more))
        far, beyond = far[HOME - low :], side.points[:, HOME:]
    if reading == "pips less":
        side.total += beyond @ (2 * (far + more_beyond))
    elif reading == "beyond once":
        side.total += beyond @ (2 * far) + more_beyond * (beyond.sum(axis=1) > 0)
    else:
        side.total += beyond @ (2 * far + more_beyond)


def _stacks(sentence: str, side: _Side, reading: str) -> None:
    alone, more = (
        int(n)
        for n in _must(
            r"Per home point: −(\d+) with one checker, −(\d+) with more\.", sentence
        ).groups()
    )
    home = side.points[:, :HOME]
    least = 3 if reading == "stacks" else 2
    side.total -= alone * (home == 1).sum(axis=1) + more * (home >= least).sum(axis=1)
    if reading == "more besides":
        side.total -= alone * (home >= 2).sum(axis=1)


def _seen(what: str, side: _Side, reading: str) -> Numbers:
    """Return how often a feature from the printed text occurs in a side's position."""

    def over(number: Numbers, free: str) -> Numbers:
        n = WORDS[free]
        some = number if reading == "all over" else number - n
        return np.where(number > n, some, 0)

    def on(first: str, last: str = "") -> Numbers:
        return np.asarray(side.points[:, int(first) - 1 : int(last or first)])

    def any_of(number: Numbers, least: int) -> Numbers:
        return number if reading == "every" else np.where(number >= least, 1, 0)

    def crossovers() -> Numbers:
        # A crossover is a move from one quarter of the board to the next. In one reading of
        # the text, bearing off also counts as a crossover.
        quarters = (np.arange(24) // HOME) + (reading == "off too")
        ours, theirs = side.points @ quarters, side.other @ quarters
        more = ours if reading == "all crossings" else ours - theirs
        return np.where(ours > theirs, more, 0)

    patterns: dict[str, Callable[[re.Match[str]], Numbers]] = {
        r"per checker on points (\d)–(\d)": lambda m: on(m[1], m[2]).sum(axis=1),
        r"per (\d)-point checker": lambda m: on(m[1])[:, 0],
        r"per (\d)-point checker after (\w+)": lambda m: over(on(m[1])[:, 0], m[2]),
        r"per empty point (\d)–(\d)": lambda m: (on(m[1], m[2]) == 0).sum(axis=1),
        r"per crossover to home more than the opponent": lambda m: crossovers(),
        r"if point (\d) has any": lambda m: any_of(on(m[1])[:, 0], 1),
        r"if point (\d) has 2\+": lambda m: any_of(on(m[1])[:, 0], 2),
    }
    for pattern, count in patterns.items():
        if found := re.fullmatch(pattern, what):
            return count(found)
    raise BearoffError(f"the text of the formula is not understood at {what!r}")


def _least(found: re.Match[str], side: _Side, reading: str) -> None:
    ranges, least = (found[k].split(", ") for k in (1, 2))
    left = side.left(reading == "both sides")
    for each, number in zip(ranges, least, strict=True):
        first, last = map(int, each.split("–"))
        inside = (first <= left) & (left <= last)
        side.total = np.where(inside, np.maximum(side.total, int(number)), side.total)

"""Fuzzing with random inputs from the package hypothesis."""

from string import ascii_letters, digits
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, settings, strategies as st

from verify.common.tallies import WRONG, Tally
from verify.fuzzing.case import Target, try_watched, watch
from verify.fuzzing.mutate import words

_ANY = st.characters(exclude_categories=["Cs"])

SIZES = st.tuples(st.integers(1, 24), st.integers(1, 15)) | st.just((6, 15))
SLIPS = st.sampled_from([*words("- , ( ] ٣ ² \u2212 16 x"), " ", "\0", "\n"])
LINES = st.sampled_from(
    """run: x
games: 10
pairs:
  - list: [{race: LwAAwC0AAAAAAA}]
formulas:
  - name: a
    double: {offset: 1}
    redouble: {offset: 1}
    take: {offset: 2}
table: 5
roller,opponent
1,2
seed: .nan
<<: *a
? [x]""".splitlines()
)


@st.composite
def _written(draw: st.DrawFn) -> tuple[str, int, int]:
    """Draw the text of a position in a random notation, sometimes with a typing error."""
    points, checkers = draw(SIZES)
    on_board = draw(st.lists(st.integers(1, points), max_size=checkers))
    side = tuple(on_board.count(point) for point in range(1, points + 1))
    off = checkers - sum(side)
    stand = [p for p, n in enumerate((off, *side)) for _ in range(n)]
    text = draw(
        st.sampled_from([",".join(map(str, side)), str((off, *side)), str(stand)])
        | st.integers(0, 10**12).map(str)
        | st.text(ascii_letters + digits + "+/", min_size=14, max_size=14)
        | st.from_regex(
            r"(XGID=)?[-a-b][-A-Ca-c]{24}[-A-B]:1:0:-?1:(00|61):0:0:0:0:10", fullmatch=True
        )
    )
    slip, spot = draw(st.just("") | SLIPS), draw(st.integers(0, len(text)))
    return text[:spot] + slip + text[spot:], points, checkers


def _stays_home(given: list[str]) -> bool:
    return not any(word.startswith("/") or ".." in word or "://" in word for word in given)


def inputs_of(target: Target) -> "st.SearchStrategy[Any]":
    """Return the hypothesis strategy that draws inputs for a target."""
    if target.name == "command":
        texts = st.text(max_size=12) | st.sampled_from(["epc", "1,1", "--json"])
        return st.lists(texts, max_size=5).filter(_stays_home).map(tuple)
    if target.name == "parquet":
        return st.tuples(st.binary(), st.none())
    if target.name in ("config", "formulas", "pairs", "match"):
        lines = st.lists(LINES | st.text(max_size=30), max_size=12).map("\n".join)
        return lines.map(lambda text: text.encode("utf-8", "surrogatepass")) | st.binary()
    if target.name in ("ogid", "fibs", "question", "equities"):
        texts = st.sampled_from(["board", ":", "0", "-1", "W1N", '{"roller":', "<me>"])
        return st.lists(texts | st.text(_ANY, max_size=5), max_size=60).map("".join)
    return _written() | st.tuples(st.text(max_size=40), st.just(6), st.just(15))


def try_examples(target: Target, examples: int, seed: int, limit: float) -> Tally:
    """Try a number of hypothesis inputs; return a tally with the smallest failing input."""
    tally, wrong = Tally(), list[str]()

    @hypothesis.seed(seed)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=False,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(inputs_of(target))
    def try_example(given: Any) -> None:
        nonlocal wrong
        fresh = Tally()
        try_watched(target, given, limit, fresh, begin)
        if fresh.failures:
            wrong = fresh.wrong
            raise AssertionError(wrong)
        slower = fresh.most["slowest"] > tally.most.get("slowest", 0.0)
        notes = fresh.notes if slower else tally.notes
        tally.__iadd__(fresh)
        tally.notes = notes

    try:
        with watch() as begin:
            try_example()
    except AssertionError:
        if not wrong:
            raise
        tally.add(WRONG, wrong[0])
    return tally

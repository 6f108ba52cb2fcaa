"""Shared code for fuzzed inputs: making, trying within limits, and counting."""

import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from verify.common.processes import Apart, Died
from verify.common.tallies import WRONG, Tally

CHUNK = 500
"""Number of inputs per random stream, independent of the number of processes."""


Begin = Callable[[float], None]
"""Function that sets a limit in seconds for what follows."""


class Wrong(AssertionError):
    """Raised if the program behaves wrongly for an input."""


class Hang(BaseException):
    """Raised if an input takes too long; no error handler of the program catches this."""


@dataclass(frozen=True)
class Target:
    """Reader of input, with the limits that it must respect.

    Attributes
    ----------
    name, text : str
        Name on the command line, and description.
    make : callable
        Function that makes an input from random numbers; an input's `repr` can be
        evaluated.
    accepts : callable
        Function that gives the input to the program: True if it was accepted, False if
        it was properly refused; any exception is a failure.
    share : float
        Share of all inputs, smaller for slow readers.
    patience : float
        Factor for the time limit of an input, for commands with more work.
    """

    name: str
    text: str
    make: Callable[[random.Random], Any]
    accepts: Callable[[Any], bool]
    share: float
    patience: float = 1.0


def fuzz_chunk(target: Target, seed: int, chunk: int, inputs: int, limit: float) -> Tally:
    """Make and try the inputs of one chunk, each within `limit` seconds."""
    return _tried(target, _made(target, seed, chunk, inputs), limit)


def fuzz_chunk_apart(
    target: Target, seed: int, chunk: int, inputs: int, limit: float
) -> Tally:
    """Do the same as `fuzz_chunk` in a separate process, whose death is a failure."""
    made = list(_made(target, seed, chunk, inputs))
    together, longest = Tally(), CLOCK * limit * target.patience
    with Apart(lambda: partial(_tried, target, limit=limit), method="fork") as trying:
        with suppress(Died):
            whole: Tally = trying.ask(made, longest * (1 + len(made)))
            return whole
        for given in made:
            try:
                together += trying.ask([given], 2 * longest)
            except Died as died:
                together.add(WRONG, f"{given!r}: {died}")
    return together


def _made(target: Target, seed: int, chunk: int, inputs: int) -> Iterator[Any]:
    chance = random.Random(f"{seed}/{target.name}/{chunk}")
    return (target.make(chance) for _ in range(inputs))


def _tried(target: Target, made: Iterable[Any], limit: float) -> Tally:
    tally = Tally()
    started = time.process_time()
    with watch() as begin:
        for given in made:
            try_watched(target, given, limit, tally, begin)
    tally.sums["seconds"] = time.process_time() - started
    tally.most["peak, MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return tally


def try_input(target: Target, given: Any, limit: float, tally: Tally) -> None:
    """Give one input to a target, and count the outcome in `tally`."""
    with watch() as begin:
        try_watched(target, given, limit, tally, begin)


def try_watched(
    target: Target, given: Any, limit: float, tally: Tally, begin: Begin
) -> None:
    """Do the same as `try_input`, with one watch for many inputs."""
    began = time.perf_counter()
    try:
        begin(limit * target.patience)
        try:
            accepted = target.accepts(given)
        finally:
            begin(0)
    except (Exception, Hang, SystemExit, KeyboardInterrupt) as error:
        tally.add(WRONG, f"{given!r}: {type(error).__name__}: {str(error)[:300]}")
    else:
        tally.add("accepted" if accepted else "refused")
    took = time.perf_counter() - began
    if took > tally.most.get("slowest", 0.0):
        tally.most["slowest"] = took
        tally.notes = Counter({f"{took:08.3f} s: {given!r}"[:2000]: 1})


CLOCK = 20
"""Ratio of wall time to processor time that an input may take, because the machine is
shared."""

_BEAT = 0.05
"""Seconds between checks of the running input."""


@contextmanager
def watch() -> Iterator[Begin]:
    """Yield a function that limits what follows to some seconds; 0 for no limit.

    `Hang` is raised when that processor time, or `CLOCK` times as much wall time, is used
    up. One timer serves all inputs, because a timer for each took a third of the time.
    """
    most = processor = clock = 0.0

    def begin(seconds: float) -> None:
        nonlocal most, processor, clock
        processor, clock = time.process_time(), time.monotonic()
        most = seconds

    def look(*_: object) -> None:
        if most and (
            time.process_time() - processor > most
            or time.monotonic() - clock > CLOCK * most
        ):
            raise Hang(f"more than {most:g} s")

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, _BEAT, _BEAT)
    try:
        yield begin
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `Hang` in a block that takes longer than `watch` allows."""
    with watch() as begin:
        begin(seconds)
        yield


def check(holds: bool, what: str) -> None:
    """Raise `Wrong` unless a condition is true."""
    if not holds:
        raise Wrong(what)


def check_sentence(text: str) -> None:
    """Check that a message is one readable line of limited length."""
    check(bool(text), "no message")
    check(text.isprintable(), f"a control character in {text!r}")
    check(len(text) <= 2000, f"a message of {len(text)} characters")

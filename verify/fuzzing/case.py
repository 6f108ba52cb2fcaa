"""Common code for fuzzing, which tries inputs within a time limit and counts outcomes."""

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
"""Number of inputs in a chunk. All inputs of a chunk come from one random number generator.
"""


Begin = Callable[[float], None]
"""Function that sets a time limit, in seconds, for the code that follows its call."""


class Wrong(AssertionError):
    """Error for wrong behaviour of the program on an input."""


class Hang(BaseException):
    """Error for an input that takes too long."""


@dataclass(frozen=True)
class Target:
    """Reader of the program that is tested, and a function that creates inputs for it.

    Attributes
    ----------
    name, text : str
        Name on the command line, and description of the inputs.
    make : callable
        Function that creates an input from random numbers.
    accepts : callable
        Function that passes the input to the program, and returns whether the input was
        accepted. An exception means that the program failed.
    share : float
        Proportion of all inputs that this reader gets.
    patience : float
        Factor by which the time limit for an input is multiplied.
    """

    name: str
    text: str
    make: Callable[[random.Random], Any]
    accepts: Callable[[Any], bool]
    share: float
    patience: float = 1.0


def fuzz_chunk(target: Target, seed: int, chunk: int, inputs: int, limit: float) -> Tally:
    """Create and try a chunk of inputs, each with a time limit of `limit` seconds."""
    return _tried(target, _made(target, seed, chunk, inputs), limit)


def fuzz_chunk_apart(
    target: Target, seed: int, chunk: int, inputs: int, limit: float
) -> Tally:
    """Create and try inputs in another process; its death counts as a failure."""
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
    """Give one input to a reader under test, and count the outcome in `tally`."""
    with watch() as begin:
        try_watched(target, given, limit, tally, begin)


def try_watched(
    target: Target, given: Any, limit: float, tally: Tally, begin: Begin
) -> None:
    """Do the same as `try_input`, but use a timer that many inputs share."""
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
"""Maximum ratio of wall time to processor time for an input."""

_BEAT = 0.05
"""Seconds between checks whether the input in progress exceeds its time limit."""


@contextmanager
def watch() -> Iterator[Begin]:
    """Yield a function that sets a time limit for the code that follows its call.

    The limit is in seconds; 0 means that there is no limit.

    `Hang` is raised if the code takes longer than the limit in processor time, or longer
    than `CLOCK` times the limit in wall time. All inputs share one timer, because setting a
    timer for each input took a third of the time.
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
    """Raise `Hang` if the with block takes longer than a number of seconds."""
    with watch() as begin:
        begin(seconds)
        yield


def check(holds: bool, what: str) -> None:
    """Raise `Wrong` if a condition is false."""
    if not holds:
        raise Wrong(what)


def check_sentence(text: str) -> None:
    """Check that a message is one short, printable line; raise `Wrong` if it is not."""
    check(bool(text), "no message")
    check(text.isprintable(), f"a control character in {text!r}")
    check(len(text) <= 2000, f"a message of {len(text)} characters")

"""What all kinds of fuzzed input have in common: made, tried within limits, counted."""

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
"""Inputs of one random stream, so that any number of processes makes the same inputs."""


Begin = Callable[[float], None]
"""Gives what follows so many seconds."""


class Wrong(AssertionError):
    """The program did what it may not do with some input."""


class Hang(BaseException):
    """An input took longer than it may; no handler of errors in the program stops this."""


@dataclass(frozen=True)
class Target:
    """A reader of input, and the limits it must respect.

    Attributes
    ----------
    name, text : str
        Name on the command line, and description.
    make : callable
        Makes an input of a source of chance; an input's `repr` can be evaluated.
    accepts : callable
        Gives the input to the program: True if it was accepted, False if it was refused
        as it should be; raises `Wrong`, or anything else, if neither.
    share : float
        Of all inputs: the less, the more of the processor one takes.
    patience : float
        How many times the limit an input may take: a command may have work to do.
    """

    name: str
    text: str
    make: Callable[[random.Random], Any]
    accepts: Callable[[Any], bool]
    share: float
    patience: float = 1.0


def fuzz_chunk(target: Target, seed: int, chunk: int, inputs: int, limit: float) -> Tally:
    """Make and try the inputs of one chunk, none of which may take `limit` seconds."""
    return _tried(target, _made(target, seed, chunk, inputs), limit)


def fuzz_chunk_apart(
    target: Target, seed: int, chunk: int, inputs: int, limit: float
) -> Tally:
    """Do as `fuzz_chunk` does in a process of its own; an input that ends it has failed."""
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
    """Give one input to a target and count the outcome in `tally`."""
    with watch() as begin:
        try_watched(target, given, limit, tally, begin)


def try_watched(
    target: Target, given: Any, limit: float, tally: Tally, begin: Begin
) -> None:
    """Do as `try_input` does, under a watch that is kept over many inputs."""
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
"""How many times its limit an input may take by the clock: machines do other work, too."""

_BEAT = 0.05
"""Seconds from one look at what is under way to the next."""


@contextmanager
def watch() -> Iterator[Begin]:
    """Yield a call that gives what follows so many seconds; 0 for no limit again.

    `Hang` is raised in what takes more of the processor, or `CLOCK` times as long by the
    clock. One timer looks after all: one for each input took a third of the time.
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
    """Raise `Hang` in what takes longer inside than `watch` allows."""
    with watch() as begin:
        begin(seconds)
        yield


def check(holds: bool, what: str) -> None:
    """Raise `Wrong` unless something holds."""
    if not holds:
        raise Wrong(what)


def check_sentence(text: str) -> None:
    """Check that a message is one readable line of bounded length."""
    check(bool(text), "no message")
    check(text.isprintable(), f"a control character in {text!r}")
    check(len(text) <= 2000, f"a message of {len(text)} characters")

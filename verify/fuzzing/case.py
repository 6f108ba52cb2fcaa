"""What all kinds of fuzzed input have in common: made, tried within limits, counted."""

import os
import pickle
import random
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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


@dataclass
class Tally:
    """What became of the inputs of a target; tallies add."""

    accepted: int = 0
    refused: int = 0
    slowest: float = 0.0
    slowest_input: str = ""
    seconds: float = 0.0
    peak_mb: float = 0.0
    failures: list[tuple[str, str]] = field(default_factory=list)

    @property
    def inputs(self) -> int:
        return self.accepted + self.refused + len(self.failures)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "Tally":
        """Return the tally that JSON has kept."""
        failures = [(given, why) for given, why in kept["failures"]]
        return cls(**{**kept, "failures": failures})

    def __add__(self, other: "Tally") -> "Tally":
        slow = max(self, other, key=lambda tally: tally.slowest)
        return Tally(
            self.accepted + other.accepted,
            self.refused + other.refused,
            slow.slowest,
            slow.slowest_input,
            self.seconds + other.seconds,
            max(self.peak_mb, other.peak_mb),
            self.failures + other.failures,
        )


def fuzz_chunk(target: Target, seed: int, chunk: int, inputs: int, limit: float) -> Tally:
    """Make and try the inputs of one chunk, none of which may take `limit` seconds."""
    made = _made(target, seed, chunk, inputs)
    return _tried(target, made, limit)


def fuzz_chunk_apart(
    target: Target, seed: int, chunk: int, inputs: int, limit: float
) -> Tally:
    """Do as `fuzz_chunk` does in a process of its own; an input that ends it has failed."""
    tally = _apart(lambda: fuzz_chunk(target, seed, chunk, inputs, limit))
    if isinstance(tally, Tally):
        return tally
    together = Tally()
    for given in _made(target, seed, chunk, inputs):
        found = _apart(lambda given=given: _tried(target, [given], limit))
        together += (
            found
            if isinstance(found, Tally)
            else Tally(failures=[(repr(given), f"ends the process, status {found}")])
        )
    return together


def _apart(work: Callable[[], Tally]) -> Tally | int:
    """Work in a fork of this process; return what it found, or the status it died with."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            with os.fdopen(writes, "wb") as pipe:
                pickle.dump(work(), pipe)
            status = 0
        finally:
            os._exit(status)
    os.close(writes)
    with os.fdopen(reads, "rb") as pipe:
        said = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return pickle.loads(said) if status == 0 else status


def _made(target: Target, seed: int, chunk: int, inputs: int) -> Iterator[Any]:
    chance = random.Random(f"{seed}/{target.name}/{chunk}")
    return (target.make(chance) for _ in range(inputs))


def _tried(target: Target, made: Iterable[Any], limit: float) -> Tally:
    tally = Tally()
    started = time.process_time()
    with watch() as begin:
        for given in made:
            try_watched(target, given, limit, tally, begin)
    tally.seconds = time.process_time() - started
    tally.peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return tally


def try_input(target: Target, given: Any, limit: float, tally: Tally) -> None:
    """Give one input to a target and add the outcome to `tally`."""
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
        tally.failures.append((repr(given), f"{type(error).__name__}: {str(error)[:300]}"))
    else:
        tally.accepted += accepted
        tally.refused += not accepted
    took = time.perf_counter() - began
    if took > tally.slowest:
        tally.slowest, tally.slowest_input = took, repr(given)[:2000]


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


@contextmanager
def memory_limit(megabytes: int) -> Iterator[None]:
    """Let this process take no more than so much beyond what it has."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    had = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (most, had[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, had)


def check(holds: bool, what: str) -> None:
    """Raise `Wrong` unless something holds."""
    if not holds:
        raise Wrong(what)


def check_sentence(text: str) -> None:
    """Check that a message is one readable line of bounded length."""
    check(bool(text), "no message")
    check(text.isprintable(), f"a control character in {text!r}")
    check(len(text) <= 2000, f"a message of {len(text)} characters")

"""The faults that `tests.reliability.faults` tries, one function each."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.reliability.disks import PAGE, small_disk
from tests.reliability.sessions import start
from tests.reliability.targets import ROOT, Target, digests

if TYPE_CHECKING:
    from tests.reliability.faults import Bench

MEGABYTE = 1 << 20


@dataclass
class Found:
    """What came of a fault that was put upon a target."""

    case: str
    target: str
    tried: int = 0
    codes: Counter[int] = field(default_factory=Counter)
    sentence: str = ""
    wrong: list[str] = field(default_factory=list)
    skipped: str = ""

    def told(self) -> str:
        codes = dict(self.codes)
        return f"{self.tried} times, {codes}, {self.sentence[:200]} {self.wrong}"

    def judge(self, code: int, lines: list[str], allowed: dict[int, str]) -> None:
        """Take down how a command ended: with 0, or with one sentence that has a word.

        Warnings do not count.
        """
        self.codes[code] += 1
        lines = [line for line in lines if not line.startswith("bearoff: warning: ")]
        if code == 0:
            return
        if code not in allowed:
            self.wrong.append(f"exit status {code}: {' / '.join(lines)[-600:]}")
        elif allowed[code] != "" and (len(lines) != 1 or allowed[code] not in lines[0]):
            self.wrong.append(f"said: {' / '.join(lines)[-600:]}")
        elif lines:
            self.sentence = lines[0]

    def expect(self, folder: Path, expected: dict[str, str], when: str) -> None:
        """See to it that a folder holds what it should."""
        there = digests(folder)
        names = {n for n in {*there, *expected} if there.get(n) != expected.get(n)}
        if names:
            self.wrong.append(f"{when} these differ: {', '.join(sorted(names))}")


Attempt = Callable[["Bench", Any, random.Random, Found], None]


@dataclass(frozen=True)
class Case:
    """A fault.

    Attributes
    ----------
    name : str
        What it is called.
    attempt : callable
        Puts it upon a target once.
    targets : tuple of str
        Names.
    times : int
        How often it is tried on each.
    needs_disk : bool
        Whether it needs a small disk.
    """

    name: str
    attempt: Attempt
    targets: tuple[str, ...]
    times: int = 1
    needs_disk: bool = False


BATCHES = ("races", "cubeful", "rollouts")
BUILDS = ("one-sided", "two-sided", "population")


def again(bench: "Bench", target: Target, folder: Path, found: Found, *more: str) -> None:
    """Run a target once more, without a fault: it must end as if there had been none."""
    with start(target, folder, bench.cache, *more) as session:
        code = session.wait(300)
    if code != 0:
        said = " / ".join(session.sentences())[-600:]
        found.wrong.append(f"again: exit status {code}: {said}")
    found.expect(folder, bench.peace(target).digests, "run again,")


def leftovers(folder: Path) -> list[str]:
    """Return files that were not finished, but for planes, which no manifest names."""
    return [p.name for p in folder.rglob("*") if p.suffix in (".new", ".partial", ".old")]


def full_disk(bench: "Bench", target: Target, chance: random.Random, found: Found) -> None:
    """Another program fills the disk just before one of the changes."""
    found.tried += 1
    at = chance.randint(1, bench.peace(target).changes)
    mounted = bench.folder()
    with small_disk(mounted, 256 * MEGABYTE) as disk:
        folder = mounted / "work"
        target.prepare(folder)
        options = ("--within", str(folder), "--at", str(at), "--do", "fill")
        with start(
            target, folder, bench.cache, *options, "--disk", str(mounted)
        ) as session:
            code = session.wait(300)
        found.judge(code, session.sentences(), {1: "No space left on device"})
        if leftovers(folder):
            found.wrong.append(f"left behind: {leftovers(folder)}")
        if code == 0:
            found.expect(folder, bench.peace(target).digests, "it said that all was well,")
        disk.empty()
        again(bench, target, folder, found)


def read_only(bench: "Bench", target: Target, chance: random.Random, found: Found) -> None:
    """The folder to write to is on a disk that cannot be written."""
    found.tried += 1
    mounted = bench.folder()
    with small_disk(mounted, 256 * MEGABYTE) as disk:
        folder = mounted / "work"
        target.prepare(folder)
        before = digests(folder)
        disk.set_read_only(True)
        with start(target, folder, bench.cache) as session:
            code = session.wait(300)
        found.judge(code, session.sentences(), {2: "Read-only file system"})
        if code == 0:
            found.wrong.append("it ended as if all was well")
        found.expect(folder, before, "on a read-only disk")
        disk.set_read_only(False)
        again(bench, target, folder, found)


def two_at_once(
    bench: "Bench", target: Target, chance: random.Random, found: Found
) -> None:
    """Two processes start the same thing, the second at some moment of the first."""
    found.tried += 1
    folder = bench.folder()
    target.prepare(folder)
    with ExitStack() as stack:
        first = stack.enter_context(start(target, folder, bench.cache))
        time.sleep(chance.choice([0, chance.uniform(0, bench.peace(target).seconds)]))
        second = stack.enter_context(start(target, folder, bench.cache))
        codes = [session.wait(300) for session in (first, second)]
    if 0 not in codes:
        found.wrong.append(f"neither got to its end: {codes}")
    for session, code in zip((first, second), codes, strict=True):
        found.judge(code, session.sentences(), {2: "another "})
    found.expect(folder, bench.peace(target).digests, "after both")
    again(bench, target, folder, found)


def wrong_clock(
    bench: "Bench", target: Target, chance: random.Random, found: Found
) -> None:
    """Killed, all files dated years ahead, and taken up by a clock set years back."""
    found.tried += 1
    folder = bench.folder()
    target.prepare(folder)
    at = chance.randint(1, bench.peace(target).changes)
    with start(
        target, folder, bench.cache, "--within", str(folder), "--at", str(at)
    ) as one:
        one.wait(300)
    ahead = time.time() + 10 * 365 * 86400
    for path in folder.rglob("*"):
        os.utime(path, (ahead, ahead))
    back = f"--clock=-{chance.randint(1, 20) * 365 * 86400}"
    again(bench, target, folder, found, back)
    if target.config is not None:
        from sim.manifest import from_bytes

        said = from_bytes((folder / "batch" / "run.json").read_bytes())
        if said["seconds"] < 0:
            found.wrong.append(f"it took {said['seconds']} seconds")
    found.codes[0] += 1


def little_memory(
    bench: "Bench", target: Target, chance: random.Random, found: Found
) -> None:
    """From some moment on, a process may have but some more memory than it has.

    That is the main process, from before one of the changes on, or each worker process,
    once it has played a block.
    """
    found.tried += 1
    folder = bench.folder()
    backend = chance.choice(["threading", "loky"])
    target.prepare(folder, backend)
    room = int(chance.choice([0, 0.02, 0.2, 2, 20]) * MEGABYTE)
    at = chance.randint(1, bench.peace(target).changes)
    options = ("--room", str(room))
    if backend == "threading" or target.config is None:
        options += ("--within", str(folder), "--at", str(at), "--do", "starve")
    with start(target, folder, bench.cache, *options) as session:
        code = session.wait(300)
    # Compiler and system libraries abort where they cannot go on, in words of their own,
    # and a worker process may print what it died of.
    words = {1: "", -signal.SIGABRT: "", -signal.SIGSEGV: ""}
    lines = session.sentences()
    found.judge(code, lines, words)
    if code == 1 and not lines[-1].startswith("bearoff: "):
        found.wrong.append(f"room for {room}, said: {' / '.join(lines)[-600:]}")
    again(bench, target, folder, found)


def signalled(bench: "Bench", target: Target, chance: random.Random, found: Found) -> None:
    """Ctrl-C or SIGTERM at some moment."""
    found.tried += 1
    folder = bench.folder()
    target.prepare(folder, chance.choice(["threading", "loky"]))
    number = chance.choice([signal.SIGINT, signal.SIGTERM])
    with start(target, folder, bench.cache, "--within", str(folder)) as session:
        session.signal_after(chance.uniform(0, bench.peace(target).seconds), number)
        code = session.wait(60)
    if not session.changes() and code in (-number, 1):
        found.codes[code] += 1  # Python itself was starting.
    else:
        # Ctrl-C goes to worker processes too; one that is starting has its own words.
        lines = session.sentences()
        found.judge(code, lines[-1:], {128 + number: "interrupted"})
        if leftovers(folder):
            found.wrong.append(f"left behind: {leftovers(folder)}")
    again(bench, target, folder, found)


def removed(bench: "Bench", target: Target, chance: random.Random, found: Found) -> None:
    """The folder is removed while it is worked in."""
    found.tried += 1
    folder = bench.folder()
    target.prepare(folder)
    at = chance.randint(2, bench.peace(target).changes)
    options = ("--within", str(folder), "--at", str(at), "--do", "remove")
    with start(target, folder, bench.cache, *options) as session:
        code = session.wait(300)
    found.judge(code, session.sentences(), {2: ""})
    if code == 2 and len(session.sentences()) != 1:
        found.wrong.append(f"said: {' / '.join(session.sentences())[-600:]}")
    again(bench, target, folder, found)


COMMANDS: dict[str, tuple[str, ...]] = {
    "analyze": ("analyze", "{run}", "--output", "{folder}"),
    "chart": ("chart", "{run}", "--output", "{folder}/chart.png"),
    "figures": ("figures", "--output", "{folder}", "--points", "3", "--checkers", "3"),
    "print n-rolls": ("print", "n-rolls", "--output", "{folder}"),
    "tables export": (
        *("tables", "export", "{folder}/pairs.parquet", "--checkers", "4"),
        *("--rollers", "1-200"),
    ),
}
"""Commands that write what they found out; ``{run}`` is a finished batch."""


def full_disk_report(
    bench: "Bench", name: str, chance: random.Random, found: Found
) -> None:
    """There is no room for some of the files that a command writes."""
    reference = bench.scratch / f"peace-{name.replace(' ', '-')}"
    if not reference.exists():
        reference.mkdir()
        _command(bench, name, reference)
    expected = digests(reference)
    need = sum(-(-p.stat().st_size // PAGE) * PAGE for p in reference.iterdir())
    for share in (0.0, chance.random(), chance.random()):
        found.tried += 1
        mounted = bench.folder()
        with small_disk(mounted, 64 * MEGABYTE) as disk:
            disk.fill(int(need * share))
            folder = mounted / "work"
            folder.mkdir()
            code, lines = _command(bench, name, folder)
            found.judge(code, lines, {1: "No space left on device"})
            there = {p.name: d for p in folder.iterdir() for d in [digests(folder)[p.name]]}
            if not there.items() <= expected.items():
                found.wrong.append(f"half-written: {sorted(there)}")
            disk.empty()
            code, lines = _command(bench, name, folder)
            if code != 0:
                found.wrong.append(f"again: exit status {code}: {' / '.join(lines)}")
            found.expect(folder, expected, "run again,")


def _command(bench: "Bench", name: str, folder: Path) -> tuple[int, list[str]]:
    bench.peace(bench.targets["races"])
    run = bench.scratch / "peace-races" / "second" / "batch"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "app.main"),
            *(part.format(run=run, folder=folder) for part in COMMANDS[name]),
        ],
        cwd=ROOT,
        env={**os.environ, "BEAROFF_CACHE": str(bench.cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr.splitlines()


def closed_pipe(
    bench: "Bench", target: Target, chance: random.Random, found: Found
) -> None:
    """Nobody reads what a command prints: its data, or its progress, or either."""
    for stream in ("stdout", "stderr"):
        found.tried += 1
        folder = bench.folder()
        target.prepare(folder)
        reader, writer = os.pipe()
        os.close(reader)
        argv = [part for part in target.argv(folder) if part != "-q"]
        streams: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
        done = subprocess.run(
            argv,
            cwd=ROOT,
            env=target.environment(folder, bench.cache),
            check=False,
            **(streams | {stream: writer}),
        )
        os.close(writer)
        said = (done.stderr or b"").decode().splitlines()
        found.codes[done.returncode] += 1
        if done.returncode not in (0, 1) or any("Traceback" in line for line in said):
            found.wrong.append(f"{stream}: exit status {done.returncode}: {said[-3:]}")
        again(bench, target, folder, found)


def read_only_cache(
    bench: "Bench", target: Any, chance: random.Random, found: Found
) -> None:
    """A cache that cannot be written: what it holds is read, what it lacks is built."""
    mounted = bench.folder()
    with small_disk(mounted, 64 * MEGABYTE) as disk:
        cache = mounted / "cache"
        _epc(bench.cache, "6", "15")
        shutil.copytree(bench.cache / "one-sided-06x15", cache / "one-sided-06x15")
        disk.set_read_only(True)
        for size, warnings in ((("6", "15"), 0), (("5", "7"), 1)):
            found.tried += 1
            answers = [_epc(place, *size) for place in (bench.cache, cache)]
            found.codes[answers[1].returncode] += 1
            said = [x for x in answers[1].stderr.splitlines() if "warning" in x]
            same = answers[0].stdout == answers[1].stdout
            if not same or answers[1].returncode or len(said) != warnings:
                found.wrong.append(f"{size}: {answers[1].stdout} {answers[1].stderr}")
            found.sentence = said[0] if said else found.sentence


def _epc(cache: Path, points: str, checkers: str) -> "subprocess.CompletedProcess[str]":
    question = ("epc", "11", "--points", points, "--checkers", checkers)
    return subprocess.run(
        [sys.executable, "-m", "app.main", *question],
        cwd=ROOT,
        env={**os.environ, "BEAROFF_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )


CASES = (
    Case("full disk", full_disk, (*BATCHES, *BUILDS), 5, needs_disk=True),
    Case("full disk for", full_disk_report, tuple(COMMANDS), 1, needs_disk=True),
    Case("read-only folder", read_only, ("races", *BUILDS), 1, needs_disk=True),
    Case("read-only cache", read_only_cache, ("epc",), 1, needs_disk=True),
    Case("two at once", two_at_once, ("races", *BUILDS, "race-model"), 5),
    Case("clock set back", wrong_clock, (*BATCHES, *BUILDS), 2),
    Case("little memory", little_memory, (*BATCHES, "two-sided"), 5),
    Case("signal", signalled, ("races", *BUILDS), 4),
    Case("folder removed", removed, (*BATCHES, *BUILDS), 2),
    Case("pipe closed", closed_pipe, ("races", "one-sided", "two-sided"), 1),
)

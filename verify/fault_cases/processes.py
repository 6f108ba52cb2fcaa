"""Faults of processes, such as wrong clocks, little memory, signals and closed pipes."""

import os
import random
import signal
import subprocess
import time
from contextlib import ExitStack
from typing import Any

from verify.common.processes import run
from verify.common.sessions import Session
from verify.common.targets import Target
from verify.fault_cases.bench import Bench, FaultTally, again, leftovers


def two_at_once(
    bench: Bench, target: Target, chance: random.Random, found: FaultTally
) -> None:
    """Start a command, and start it again at a random moment while the first is running."""
    folder = bench.folder()
    target.prepare(folder)
    with ExitStack() as stack:
        first = stack.enter_context(Session(target, folder, bench.cache))
        time.sleep(chance.choice([0, chance.uniform(0, bench.baseline(target).seconds)]))
        second = stack.enter_context(Session(target, folder, bench.cache))
        codes = [session.wait() for session in (first, second)]
    if 0 not in codes:
        found.fail(f"neither command completed: {codes}")
    for session, code in zip((first, second), codes, strict=True):
        found.record(code, session.sentences(), {2: "another "})
    found.expect(folder, bench.baseline(target).digests, "after both")
    again(bench, target, folder, found)


def wrong_clock(
    bench: Bench, target: Target, chance: random.Random, found: FaultTally
) -> None:
    """Kill a command, date its files years ahead, and continue it with a clock set back."""
    folder = bench.folder()
    target.prepare(folder)
    at = chance.randint(1, bench.baseline(target).changes)
    with Session(
        target, folder, bench.cache, "--within", str(folder), "--at", str(at)
    ) as one:
        one.wait()
    ahead = time.time() + 10 * 365 * 86400
    for path in folder.rglob("*"):
        os.utime(path, (ahead, ahead))
    back = f"--clock=-{chance.randint(1, 20) * 365 * 86400}"
    again(bench, target, folder, found, back)
    if target.config is not None:
        from bearoff.sim.storage import RunManifest

        data = (folder / "batch" / "run.json").read_bytes()
        seconds = RunManifest.from_bytes(data).seconds
        if seconds < 0:
            found.fail(f"it took {seconds} seconds")
    found.add("0")


def little_memory(
    bench: Bench, target: Target, chance: random.Random, found: FaultTally
) -> None:
    """Limit the memory of a command's process, starting at a random moment.

    The process is either the main process or each worker process after its first block.
    """
    folder = bench.folder()
    backend = chance.choice(["threading", "loky"])
    target.prepare(folder, backend)
    room = int(chance.choice([0, 0.02, 0.2, 2, 20]) * (1 << 20))
    at = chance.randint(1, bench.baseline(target).changes)
    options: tuple[str, ...] = ("--room", str(room))
    if backend == "threading" or target.config is None:
        options += ("--within", str(folder), "--at", str(at), "--do", "starve")
    with Session(target, folder, bench.cache, *options) as session:
        code = session.wait()
    # If memory runs out, compilers and system libraries abort with messages of their own,
    # and a worker may print an error before it dies.
    words = {1: "", -signal.SIGABRT: "", -signal.SIGSEGV: ""}
    lines = session.sentences()
    found.record(code, lines, words)
    if code == 1 and not lines[-1].startswith("bearoff: "):
        found.fail(
            f"with {room:,} more bytes of memory, printed: {' / '.join(lines)[-600:]}"
        )
    again(bench, target, folder, found)


def signalled(
    bench: Bench, target: Target, chance: random.Random, found: FaultTally
) -> None:
    """Send Ctrl-C or SIGTERM to a command at a random moment."""
    folder = bench.folder()
    target.prepare(folder, chance.choice(["threading", "loky"]))
    number = chance.choice([signal.SIGINT, signal.SIGTERM])
    with Session(target, folder, bench.cache, "--within", str(folder)) as session:
        session.signal_after(chance.uniform(0, bench.baseline(target).seconds), number)
        code = session.wait()
    if not session.changes() and code in (-number, 1):
        found.add(str(code))  # The signal came while Python was still starting.
    else:
        # Ctrl-C also reaches the worker processes, and a worker that is still starting
        # prints its own message. Only the last line counts.
        lines = session.sentences()
        found.record(code, lines[-1:], {128 + number: "interrupted"})
        if leftovers(folder):
            found.fail(f"left behind: {leftovers(folder)}")
    again(bench, target, folder, found)


def removed(bench: Bench, target: Target, chance: random.Random, found: FaultTally) -> None:
    """Remove the folder in which a command is working."""
    folder = bench.folder()
    target.prepare(folder)
    at = chance.randint(2, bench.baseline(target).changes)
    options = ("--within", str(folder), "--at", str(at), "--do", "remove")
    with Session(target, folder, bench.cache, *options) as session:
        code = session.wait()
    found.record(code, session.sentences(), {2: ""})
    if code == 2 and len(session.sentences()) != 1:
        found.fail(f"printed: {' / '.join(session.sentences())[-600:]}")
    again(bench, target, folder, found)


def closed_pipe(
    bench: Bench, target: Target, chance: random.Random, found: FaultTally
) -> None:
    """Close the pipe that reads a command's standard output, standard error, or both."""
    for stream in ("stdout", "stderr"):
        folder = bench.folder()
        target.prepare(folder)
        reader, writer = os.pipe()
        os.close(reader)
        argv = [part for part in target.argv(folder) if part != "-q"]
        ends: dict[str, Any] = {"stdout": subprocess.DEVNULL, stream: writer}
        done = run(argv, env=target.environment(folder, bench.cache), **ends)
        os.close(writer)
        found.add(str(done.code))
        if done.code not in (0, 1) or "Traceback" in done.err:
            found.fail(f"{stream}: exit status {done.code}: {done.err[-300:]}")
        again(bench, target, folder, found)

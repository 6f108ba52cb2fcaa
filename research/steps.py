"""Runner of a sequence of commands, which skips commands that are up to date."""

import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bearoff import BearoffError
from bearoff.app.output import amount, duration, say
from bearoff.storage import write_atomic

CODE = ("analysis", "research/paper")
"""Packages whose code affects the results of a step."""


@dataclass(frozen=True)
class Step:
    """Command of a sequence, with the files that it reads and writes.

    Attributes
    ----------
    module : str
        Module that Python runs.
    words : tuple of str
        Arguments of the command.
    reads, writes : tuple of str
        Files that the command reads and writes, or patterns of their names. A step without
        output files is always run.
    """

    module: str
    words: tuple[str, ...]
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Command line of the step, as a user would type it."""
        start = "bearoff" if self.module == "bearoff" else f"python -m {self.module}"
        return " ".join((start, *self.words))

    def key(self) -> str:
        """Digest of everything that affects the results of the step."""
        code = [f"{folder}/**/*" for folder in CODE]
        held = hashlib.sha256(self.name.encode())
        for path in _files((*self.reads, *code)):
            held.update(
                path.as_posix().encode() + hashlib.sha256(path.read_bytes()).digest()
            )
        return held.hexdigest()


def _files(patterns: Iterable[str]) -> list[Path]:
    found = {path for pattern in patterns for path in Path().glob(pattern)}
    return sorted(p for p in found if p.is_file() and "__pycache__" not in p.parts)


def start(step: Step) -> int:
    """Run a step as a process; return its exit code."""
    return subprocess.run([sys.executable, "-m", step.module, *step.words]).returncode


def run_steps(
    steps: Sequence[Step],
    record: Path,
    *,
    again: bool = False,
    run: Callable[[Step], int] = start,
) -> None:
    """Run the steps that are not complete, and print how long each takes.

    Parameters
    ----------
    steps : sequence of Step
        Steps in the order in which they are run.
    record : Path
        File that records the completed steps on this machine, with their durations.
    again : bool
        Whether to run completed steps again.
    run : callable
        Function that runs one step, and returns its exit code.

    Raises
    ------
    BearoffError
        If a step fails; the completed steps stay recorded.
    """
    done = _read(record)
    times = [float(done[step.name]["seconds"]) for step in steps if step.name in done]
    whole = f", in some {duration(sum(times))}" if times else ""
    before = f"{len(times)} of them run before on this machine{whole}"
    say(f"{amount(len(steps), 'steps')}, {before}")
    for place, step in enumerate(steps, 1):
        there = all(_files([pattern]) for pattern in step.writes)
        known = done.get(step.name)
        key = step.key()
        head = f"[{place}/{len(steps)}] {step.name}"
        if step.writes and there and known and known["key"] == key and not again:
            say(f"{head}: done already")
            continue
        last = f" (last time {duration(float(known['seconds']))})" if known else ""
        say(f"{head}{last}")
        started = time.monotonic()
        if run(step):
            raise BearoffError(
                f"step {place} of {len(steps)} failed: {step.name}; completed steps are "
                "recorded, and the same command continues with this step"
            )
        seconds = time.monotonic() - started
        done[step.name] = {"key": key, "seconds": f"{seconds:.1f}"}
        write_atomic(record, json.dumps(done, indent=1).encode())
        left = [float(done[s.name]["seconds"]) for s in steps[place:] if s.name in done]
        say(
            f"  {duration(seconds)}"
            + (f"; some {duration(sum(left))} left" if left else "")
        )


def _read(record: Path) -> dict[str, dict[str, str]]:
    """Return the recorded steps from a file; none if the file is damaged."""
    try:
        held = json.loads(record.read_text(encoding="utf-8"))
        return {
            str(name): {"key": str(each["key"]), "seconds": str(float(each["seconds"]))}
            for name, each in held.items()
        }
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}

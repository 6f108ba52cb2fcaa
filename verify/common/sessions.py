"""Commands that trials start and kill, and the results of these commands without faults."""

import os
import random
import signal
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from verify.common.artifacts import Digests, digests
from verify.common.processes import Child, bearoff, checked, wait_for
from verify.common.targets import Target

_NUMBERS = count(1)


class Session(Child):
    """Running command of a trial; options of `broken_command` can make it fail.

    The command's log and its standard error are written to files next to the folder of
    tables.

    Attributes
    ----------
    workers_killed : int
        Number of worker processes that were killed.
    """

    def __init__(self, target: Target, folder: Path, cache: Path, *options: str) -> None:
        logs = cache.with_name("logs")
        logs.mkdir(exist_ok=True)
        self._log = logs / f"{next(_NUMBERS):05d}.log"
        self.workers_killed = 0
        super().__init__(
            target.argv(folder, "--log", str(self._log), *options),
            env=target.environment(folder, cache),
            stdout=subprocess.DEVNULL,
            stderr=self._log.with_suffix(".stderr"),
        )

    def signal_after(
        self, seconds: float, number: int = signal.SIGKILL, *, group: bool = True
    ) -> bool:
        """Send a signal after some time; return whether the process was still running."""
        if self.ended_within(seconds):
            return False
        self.signal(number, group=group)
        self.wait()
        return True

    def kill_worker_after(self, seconds: float, chance: random.Random) -> None:
        """Kill a worker process after some time, and wait until the command ends."""
        self.ended_within(seconds)
        workers = workers_of(self.pid)
        if self.code is None and workers:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
                self.workers_killed += 1
        self.wait()

    def log(self) -> list[str]:
        """Return the lines of the session's log; see `verify.common.broken_command`."""
        with suppress(FileNotFoundError):
            return self._log.read_text(encoding="utf-8").splitlines()
        return []

    def sentences(self) -> list[str]:
        """Return the command's lines on standard error, without progress messages.

        Warnings of joblib's resource tracker are also left out. They concern resources that
        a killed worker did not release.
        """
        progress = ("bearoff: compiling for this machine", "bearoff: solving ")
        return [
            line
            for line in self.err.splitlines()
            if not line.endswith(("%", " left"))
            and ": about " not in line
            and not line.startswith(progress)
            and "resource_tracker" not in line
            and line != "  warnings.warn("
        ]

    def changes(self) -> int:
        """Return the number of changes of files and folders that the command made."""
        return self.log().count("change")


def workers_of(pid: int) -> list[int]:
    """Return the IDs of the worker processes of a command, in ascending order."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        with suppress(OSError, IndexError):
            stat = (folder / "stat").read_text(encoding="ascii", errors="replace")
            state, parent = stat.rpartition(")")[2].split()[:2]
            command = (folder / "cmdline").read_bytes()
            helpers = b"resource_tracker import" in command or b"forkserver" in command
            if int(parent) == pid and state != "Z" and not helpers:
                found.append(int(folder.name))
    return sorted(found)


def wait_for_worker(session: Session, *, playing: bool) -> None:
    """Wait until a command has worker processes, or has ended.

    If `playing` is true, wait until a worker has begun to play games.
    """

    def has_come() -> bool:
        plays = not playing or "begun" in "".join(session.log())
        return session.code is not None or bool(workers_of(session.pid) and plays)

    wait_for(has_come, "workers play")


@dataclass(frozen=True)
class Baseline:
    """Duration and results of a command that runs without any fault.

    Attributes
    ----------
    seconds : float
        Duration in seconds.
    changes : int
        Number of changes of files and folders that the command made.
    digests : dict of str to str
        Digests of the files that the command stored.
    wrong : str
        Error messages if the command failed; otherwise empty.
    """

    seconds: float
    changes: int
    digests: Digests
    wrong: str


def undisturbed(target: Target, folder: Path, cache: Path) -> Baseline:
    """Run a command twice to its end without faults; the first run may compile kernels."""
    for name in ("first", "second"):
        place = folder / name
        target.prepare(place)
        begun = time.monotonic()
        with Session(target, place, cache, "--within", str(place)) as session:
            code = session.wait()
        seconds = time.monotonic() - begun
        if code != 0:
            return Baseline(seconds, 0, {}, " / ".join(session.sentences())[-400:])
    return Baseline(seconds, session.changes(), digests(place), "")


class References:
    """Results of commands without faults; a command is run when its result is needed.

    Parameters
    ----------
    scratch, cache : Path
        Folder for the results, and folder with the tables.
    """

    def __init__(self, scratch: Path, cache: Path) -> None:
        self.scratch = scratch
        self.cache = cache
        self._found: dict[str, Baseline] = {}
        self._lock = threading.Lock()

    def of(self, target: Target) -> Baseline:
        """Return the results of a command without faults.

        Raises
        ------
        RuntimeError
            If the command fails although no fault was caused.
        """
        with self._lock:
            if target.name not in self._found:
                folder = self.scratch / f"baseline-{target.name}"
                found = undisturbed(target, folder, self.cache)
                if found.wrong:
                    raise RuntimeError(f"{target.name}, without a fault: {found.wrong}")
                self._found[target.name] = found
            return self._found[target.name]


def prepare_cache(cache: Path) -> None:
    """Build the tables that the commands of the trials read."""
    two_sided = ("--two-sided", "--checkers")
    for size in ((), (*two_sided, "4"), (*two_sided, "8")):
        checked(bearoff("tables", "build", *size, env={"BEAROFF_CACHE": str(cache)}))

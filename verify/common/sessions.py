"""Sessions of a target: started, killed, looked at; and its baseline, left undisturbed."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from verify import ROOT
from verify.common.artifacts import Digests, digests
from verify.common.targets import Target


class Session:
    """A target that runs in a group of processes of its own.

    Attributes
    ----------
    code : int or None
        Its exit status, once it has ended.
    workers_killed : int
        Of its worker processes.
    """

    def __init__(self, process: "subprocess.Popen[bytes]", log: Path, stderr: Path) -> None:
        self._process = process
        self._log = log
        self._stderr = stderr
        self.workers_killed = 0

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def code(self) -> int | None:
        return self._process.poll()

    def wait(self, seconds: float) -> int:
        """Wait for its end; a session that does not end in time is an error."""
        return self._process.wait(seconds)

    def kill_after(self, seconds: float, *, whole_group: bool) -> None:
        """Kill it after a while, with its workers or alone, unless it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            return
        if whole_group:
            os.killpg(self.pid, signal.SIGKILL)
        else:
            self._process.kill()
        self._process.wait(300)

    def kill_worker_after(self, seconds: float, chance: random.Random) -> None:
        """Kill one of its workers after a while, unless it has ended; wait for the end."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        workers = workers_of(self.pid)
        if self.code is None and workers:
            with suppress(ProcessLookupError):
                os.kill(chance.choice(workers), signal.SIGKILL)
                self.workers_killed += 1
        self._process.wait(300)

    def signal_after(
        self, seconds: float, number: int, *, whole_group: bool = True
    ) -> bool:
        """Send a signal to its group after a while; return whether it got there."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
            return False
        with suppress(ProcessLookupError):
            (os.killpg if whole_group else os.kill)(self.pid, number)
        self._process.wait(300)
        return True

    def log(self) -> list[str]:
        """Return the lines of its log; see `verify.common.child`."""
        with suppress(FileNotFoundError):
            return self._log.read_text(encoding="utf-8").splitlines()
        return []

    def sentences(self) -> list[str]:
        """Return what it wrote on standard error, without progress.

        Joblib's tracker of what processes share is a process of its own, and may warn of
        what a killed worker has left to it.
        """
        lines = self._stderr.read_text(encoding="utf-8", errors="replace").splitlines()
        progress = ("bearoff: compiling for this machine", "bearoff: solving ")
        return [
            line
            for line in lines
            if not line.endswith(("%", " left"))
            and ": about " not in line
            and not line.startswith(progress)
            and "resource_tracker" not in line
            and line != "  warnings.warn("
        ]

    def changes(self) -> int:
        """Return how often it changed the disk."""
        return self.log().count("change")


_NUMBERS = count(1)


@contextmanager
def start(target: Target, folder: Path, cache: Path, *options: str) -> Iterator[Session]:
    """Start a session in a prepared folder; at the end nothing of it is left running.

    Its log and its standard error go to a folder beside that of tables.
    """
    logs = cache.with_name("logs")
    logs.mkdir(exist_ok=True)
    log = logs / f"{next(_NUMBERS):05d}.log"
    errors = log.with_suffix(".stderr")
    with errors.open("wb") as stderr:
        process = subprocess.Popen(
            target.argv(folder, "--log", str(log), *options),
            cwd=ROOT,
            env=target.environment(folder, cache),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
            start_new_session=True,
            # What runs in the background of a shell ignores Ctrl-C, and so would this.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        try:
            yield Session(process, log, errors)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(300)


def workers_of(pid: int) -> list[int]:
    """Return the worker processes of a session, in order of their ids."""
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
    """Wait until a session has workers, which play if asked for, or has ended."""
    until = time.monotonic() + 600
    while time.monotonic() < until and session.code is None:
        if workers_of(session.pid) and (not playing or "begun" in "".join(session.log())):
            return
        time.sleep(0.01)


@dataclass(frozen=True)
class Baseline:
    """What a target does when it is left undisturbed.

    Attributes
    ----------
    seconds : float
        It takes.
    changes : int
        Of the disk.
    digests : dict of str to str
        Of the files it leaves.
    wrong : str
        Its error messages if it failed.
    """

    seconds: float
    changes: int
    digests: Digests
    wrong: str


def undisturbed(target: Target, folder: Path, cache: Path) -> Baseline:
    """Let a target run to its end, twice: the first may compile what it needs."""
    for name in ("first", "second"):
        place = folder / name
        target.prepare(place)
        begun = time.monotonic()
        with start(target, place, cache, "--within", str(place)) as session:
            code = session.wait(600)
        seconds = time.monotonic() - begun
        if code != 0:
            return Baseline(seconds, 0, {}, " / ".join(session.sentences())[-400:])
    return Baseline(seconds, session.changes(), digests(place), "")


class References:
    """What targets leave when nothing disturbs them; each runs when first asked for.

    Parameters
    ----------
    scratch, cache : Path
        Folder for what they leave, and that of tables.
    """

    def __init__(self, scratch: Path, cache: Path) -> None:
        self.scratch = scratch
        self.cache = cache
        self._found: dict[str, Baseline] = {}
        self._lock = threading.Lock()

    def of(self, target: Target) -> Baseline:
        """Return what a target leaves.

        Raises
        ------
        RuntimeError
            If it fails although nothing disturbs it.
        """
        with self._lock:
            if target.name not in self._found:
                folder = self.scratch / f"baseline-{target.name}"
                found = undisturbed(target, folder, self.cache)
                if found.wrong:
                    raise RuntimeError(f"{target.name}, undisturbed: {found.wrong}")
                self._found[target.name] = found
            return self._found[target.name]


def prepare_cache(cache: Path) -> None:
    """Build the tables that targets read."""
    build = [sys.executable, "-m", "bearoff", "tables", "build"]
    sizes: tuple[tuple[str, ...], ...] = (
        (),
        ("--two-sided", "--checkers", "4"),
        ("--two-sided", "--checkers", "8"),
    )
    for size in sizes:
        subprocess.run(
            [*build, *size],
            cwd=ROOT,
            env={**os.environ, "BEAROFF_CACHE": str(cache)},
            capture_output=True,
            check=True,
        )

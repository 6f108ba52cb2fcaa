"""Child processes that may be stopped, may die or may hang.

`Child` is a command that runs at the same time as the caller. `Apart` is a function that
runs in another process. Both end their processes at the end of a with block.
"""

import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Self

from verify import ROOT

LATEST = 600.0
"""Default number of seconds after which a command counts as hanging."""

Printed = int | Path | None
"""Destination of an output stream: a file descriptor, or a file to append to. With None,
the text is available as `Child.out` or `Child.err`."""


class Child:
    """Command that runs in its own process group, without input.

    Parameters
    ----------
    command : sequence of str or bytes
        Command and its arguments.
    cwd : Path
        Working directory.
    env : mapping of str to str, optional
        Complete environment of the command; the default is the environment of this process.
    stdout, stderr : int, Path or None
        Destinations of both output streams; see `Printed`.
    prepare : callable, optional
        Function that is called in the new process before the command.

    Attributes
    ----------
    pid : int
        Process ID, which is also the ID of the process group.
    """

    def __init__(
        self,
        command: Sequence[str | bytes],
        *,
        cwd: Path = ROOT,
        env: Mapping[str, str] | None = None,
        stdout: Printed = None,
        stderr: Printed = None,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        def before() -> None:
            # A program in the background of a shell ignores Ctrl-C, and its children would
            # inherit this.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            if prepare is not None:
                prepare()

        self.command = command
        self._where = stdout, stderr
        with ExitStack() as files:
            self._files = [_opened(where, files) for where in self._where]
            self._process = subprocess.Popen(
                command,
                cwd=cwd,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=self._files[0],
                stderr=self._files[1],
                start_new_session=True,
                preexec_fn=before,
            )
        self.pid = self._process.pid
        self._said: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    @property
    def code(self) -> int | None:
        """Exit status; None while the process is running."""
        return self._process.poll()

    @property
    def out(self) -> str:
        """Text on standard output."""
        return self._read(0)

    @property
    def err(self) -> str:
        """Text on standard error."""
        return self._read(1)

    def _read(self, stream: int) -> str:
        if self._said:
            return self._said[stream]
        where, file = self._where[stream], self._files[stream]
        if isinstance(where, int):
            return ""
        if where is not None:
            return where.read_text("utf-8", "replace") if where.exists() else ""
        file.seek(0)
        return str(file.read().decode("utf-8", "replace"))

    def ended_within(self, seconds: float) -> bool:
        """Wait for the process at most a given time; return whether it has ended."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        return self.code is not None

    def wait(self, seconds: float = LATEST) -> int:
        """Wait until the process ends; return its exit status.

        Raises
        ------
        TimeoutError
            If the process does not end in time; it is then killed.
        """
        if not self.ended_within(seconds):
            self.end()
            raise TimeoutError(f"{self.command[-1]!r}: did not end within {seconds:g} s")
        return self._process.wait()

    def wait_with_use(self) -> resource.struct_rusage:
        """Wait until the process ends; return its resource usage, such as memory."""
        _, status, used = os.wait4(self.pid, 0)
        self._process.returncode = os.waitstatus_to_exitcode(status)
        return used

    def signal(self, number: int, *, group: bool = True) -> None:
        """Send a signal to the process or to its group; do nothing if it has ended."""
        with suppress(ProcessLookupError):
            (os.killpg if group else os.kill)(self.pid, number)

    def end(self) -> None:
        """Kill the group's remaining processes, await their end and read their output."""
        self.signal(signal.SIGKILL)
        self._process.wait(LATEST)
        self._said = [self._read(0), self._read(1)]
        for where, file in zip(self._where, self._files, strict=True):
            if where is None:
                file.close()


def _opened(where: Printed, files: ExitStack) -> Any:
    if where is None:
        return tempfile.TemporaryFile()
    return where if isinstance(where, int) else files.enter_context(where.open("ab"))


def run(command: Sequence[str | bytes], seconds: float = LATEST, **how: Any) -> Child:
    """Run a command, and wait until it ends."""
    with Child(command, **how) as child:
        child.wait(seconds)
    return child


def bearoff(*arguments: str | bytes, **how: Any) -> Child:
    """Run the command `bearoff` until it ends; ``env`` is added to its environment."""
    how["env"] = {**os.environ, **how.get("env", {})}
    return run([sys.executable, "-m", "bearoff", *arguments], **how)


def checked(child: Child) -> str:
    """Return the standard output of a command; raise an error if the command failed.

    Raises
    ------
    RuntimeError
        If the exit status is not 0; the message contains the standard error.
    """
    if child.code:
        words = " ".join(map(str, child.command))
        raise RuntimeError(f"{words} ended with {child.code}: {child.err or child.out}")
    return child.out


class Died(Exception):
    """Error for a process that died or did not answer in time."""


class Apart:
    """Function that runs in another process; if a call kills the process, a new one starts.

    Parameters
    ----------
    prepare : callable
        Function that is called once in each new process. It returns the function that
        answers the questions.
    arguments : tuple
        Arguments of `prepare`.
    method : str
        Start method of `multiprocessing`: ``spawn``, or ``fork`` for objects that cannot be
        pickled.
    """

    def __init__(
        self, prepare: Callable[..., Any], *arguments: Any, method: str = "spawn"
    ) -> None:
        self._context: Any = multiprocessing.get_context(method)
        self._asked = prepare, arguments
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()

    def ask(self, question: Any, seconds: float = LATEST) -> Any:
        """Call the function in the other process, and return its result.

        Raises
        ------
        Died
            If the other process ends or does not answer in time. The message contains the
            reason.
        """
        try:
            self._pipe.send(question)
            if self._pipe.poll(seconds):
                return self._pipe.recv()
            why = f"no answer within {seconds:g} s"
        except (EOFError, OSError):
            self._process.join(LATEST)
            why = f"the process ended with status {self._process.exitcode}"
        self.__exit__()
        self._start()
        raise Died(why)

    def _start(self) -> None:
        self._pipe, other = self._context.Pipe()
        self._process = self._context.Process(target=_serve, args=(other, *self._asked))
        self._process.start()
        other.close()
        if not self._pipe.poll(LATEST) or not self._is_ready():
            self.__exit__()
            raise RuntimeError("a process failed before its first call")

    def _is_ready(self) -> bool:
        with suppress(EOFError):
            return bool(self._pipe.recv())
        return False


def _serve(pipe: Any, prepare: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    function = prepare(*arguments)
    pipe.send(True)
    with suppress(EOFError):
        while True:
            pipe.send(function(pipe.recv()))


def limit_memory(room: int) -> None:
    """Limit the address space of this process to its present size plus `room` bytes."""
    had, most = resource.getrlimit(resource.RLIMIT_AS)
    if had == resource.RLIM_INFINITY:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        resource.setrlimit(
            resource.RLIMIT_AS, (pages * resource.getpagesize() + room, most)
        )


def wait_for(happened: Callable[[], Any], what: str, seconds: float = LATEST) -> None:
    """Wait until a condition becomes true.

    Raises
    ------
    TimeoutError
        If the condition is still false after `seconds`.
    """
    deadline = time.monotonic() + seconds
    while not happened():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds:g} s until {what}")
        time.sleep(0.01)


@contextmanager
def memory_limit(room: int) -> Iterator[None]:
    """Limit this process's memory, as `limit_memory` does, until the with block ends."""
    had = resource.getrlimit(resource.RLIMIT_AS)
    limit_memory(room)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, had)

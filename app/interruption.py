"""Interruption of a command by Ctrl-C or SIGTERM.

Windows has no timer signal. On Windows, a thread therefore raises lost interruptions again.
"""

import _thread
import atexit
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

CTRL_C = 128 + signal.SIGINT
"""Exit code after Ctrl-C."""

_ONE_PRESS = 1.0
"""Time in seconds within which several signals count as one request, because the program
`timeout` sends two."""

_SOON = 0.01
"""Delay in seconds before a lost interruption is retried."""

_THREADS = 10.0
"""Maximum time in seconds that threads have to end after an interruption."""

_HAS_TIMER = hasattr(signal, "setitimer")

_early: threading.Event | None = None
"""Event that Ctrl-C or SIGTERM sets instead of interrupting the command. None if the
current work cannot end early."""


_lost = False
"""Whether an interruption was lost in a library's callback, and must be raised again."""


_raised = False
"""Whether an exception for Ctrl-C or SIGTERM was raised, even if a library has replaced the
exception."""


class Interrupted(Exception):
    """Raised when the user has stopped the command."""


@contextmanager
def interruptible(stored: str) -> Iterator[None]:
    """Context manager that raises `Interrupted` on Ctrl-C, with advice for the user."""
    try:
        yield
    except KeyboardInterrupt:
        raise Interrupted(f"interrupted; {stored}") from None
    except Exception as error:
        if not came_of_an_interruption(error):
            raise
        raise Interrupted(f"interrupted; {stored}") from None


@contextmanager
def ending_early(said: str) -> Iterator[None]:
    """Context manager in which the first Ctrl-C or SIGTERM asks the work to end early."""
    global _early
    _early = asked = threading.Event()
    try:
        yield
    finally:
        _early = None
    if asked.is_set():
        raise Interrupted(f"interrupted; {said}")


def ends_early() -> bool:
    """Return whether the current work should stop early with a partial result."""
    return _early is not None and _early.is_set()


def came_of_an_interruption(error: BaseException | None) -> bool:
    """Return whether an error was caused by an interruption of the command.

    A library may have replaced the interruption by an error of its own. The interruption
    may also have been lost, or the cleanup may have failed.
    """
    global _lost, _raised
    if _lost:  # The error ends the command instead of the interruption.
        _lost, _raised = False, True
    if _raised:
        return True
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


class _Stop(KeyboardInterrupt):
    """Exception raised by the first Ctrl-C or SIGTERM.

    Some libraries run code by `exec`. If a plain KeyboardInterrupt passed through `exec`,
    Python would end the process by SIGINT and ignore the exit code.
    """


def _must_finish(frame: FrameType) -> bool:
    """Return whether the function that runs in a frame must not be interrupted.

    Python ignores exceptions in destructors. An interrupted call of llvmlite may free
    memory twice, which kills the process.
    """
    return frame.f_code.co_name in ("__del__", "_not_passed_on") or str(
        frame.f_globals.get("__name__")
    ).startswith("llvmlite.binding")


class Signals:
    """Handler of Ctrl-C and SIGTERM for a process that runs one command.

    The first signal interrupts the command. A later signal ends the process at once if the
    cleanup takes too long.
    """

    def __init__(self) -> None:
        self._received = 0
        self._since = 0.0
        self._code: int | None = None
        self._again = False

    def watch(self) -> None:
        """Handle the signals until the end of the process."""
        sys.unraisablehook = self._not_passed_on
        threading.excepthook = self._in_a_thread
        if _HAS_TIMER:
            signal.signal(signal.SIGALRM, lambda _, frame: self._repeat(frame))
        for number in (signal.SIGINT, signal.SIGTERM):
            # A shell makes its background processes ignore Ctrl-C, and the program must not
            # change this.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._handle)
        # Python removes its signal handlers at exit. From then on, both signals are
        # ignored.
        atexit.register(self._ignore)

    def finish(self, code: int) -> int:
        """Raise no more interruptions, and return the exit code of the finished command."""
        self._code = 128 + self._received if code == CTRL_C and self._received else code
        if _HAS_TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if code == CTRL_C:
            with suppress(OSError, ValueError):
                sys.stderr.flush()
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        return self._code

    def leave(self, code: int) -> NoReturn:
        """End the process after cleanup, but without Python's finalisation.

        Threads of libraries may still run native code. Python's finalisation would crash
        them (SIGABRT or SIGSEGV) after the command has finished.

        After an interruption, the process ends within `_THREADS` seconds even if a thread
        is still working.
        """
        if self._received:
            last = threading.Timer(_THREADS, os._exit, (code,))
            last.daemon = True
            last.start()
        threading._shutdown()  # type: ignore[attr-defined]  # Ends pools of threads.
        atexit._run_exitfuncs()
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                stream.flush()
        os._exit(code)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        if self._code is not None:
            os._exit(self._code)
        if self._again:
            self._again = False
            self._repeat(frame)
        elif not self._received:
            self._received, self._since = number, time.monotonic()
            if _early is None:
                self._interrupt(frame)
            else:
                _early.set()
        elif time.monotonic() - self._since > _ONE_PRESS:
            os.write(2, b"bearoff: interrupted at once, without cleaning up\n")
            os._exit(128 + number)

    def _interrupt(self, frame: FrameType | None) -> None:
        """Raise the interruption, or retry soon if the running function must not stop."""
        global _lost, _raised
        if self._code is not None:
            return
        while frame is not None:
            if _must_finish(frame):
                self._try_again()
                return
            frame = frame.f_back
        _lost, _raised = False, True
        raise _Stop

    def _repeat(self, frame: FrameType | None) -> None:
        """Raise a lost interruption again, unless an error has ended the command."""
        if _lost:
            self._interrupt(frame)

    def _try_again(self) -> None:
        global _lost
        _lost = True
        if _HAS_TIMER:
            signal.setitimer(signal.ITIMER_REAL, _SOON)
            return
        self._again = True
        timer = threading.Timer(_SOON, _thread.interrupt_main, (self._received,))
        timer.daemon = True
        timer.start()

    def _not_passed_on(self, lost: "sys.UnraisableHookArgs") -> None:
        """Raise again an interruption that was lost in a destructor.

        Other errors in destructors are not reported after an interruption.
        """
        if issubclass(lost.exc_type, _Stop):
            self._try_again()
        elif not self._received:
            sys.__unraisablehook__(lost)

    def _in_a_thread(self, failed: threading.ExceptHookArgs) -> None:
        """Report an error in a library's thread, unless the command was interrupted."""
        if not self._received:
            threading.__excepthook__(failed)

    @staticmethod
    def _ignore() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

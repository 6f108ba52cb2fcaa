"""Stop a command from outside, by Ctrl-C or by SIGTERM, which does the same.

Windows has no signal of a timer; there a thread asks again for what could not be passed on.
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
"""Seconds in which further signals are the same request: `timeout` sends two."""

_SOON = 0.01
"""Seconds after which an interruption is tried again."""

_HAS_TIMER = hasattr(signal, "setitimer")

_early: threading.Event | None = None
"""What a signal sets in place of interrupting; None if nothing under way can end early."""


_lost = False
"""Whether an interruption could not be passed on, and is to be tried again: a library that
called back, in which it was lost, may miss what it should have been given."""


_raised = False
"""Whether the command was interrupted by an exception. A library in whose native code that
arrives may raise one of its own in its place, which says nothing of the first."""


class Interrupted(Exception):
    """The user stopped the command; the message says what is stored and how to continue."""


@contextmanager
def interruptible(stored: str) -> Iterator[None]:
    """Let what interrupts the work within say what is stored of it, and how to continue."""
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
    """Have the first signal within ask for an early end, which `ends_early` tells.

    Raises
    ------
    Interrupted
        At the end, if one did; `said` is what came of it.
    """
    global _early
    _early = asked = threading.Event()
    try:
        yield
    finally:
        _early = None
    if asked.is_set():
        raise Interrupted(f"interrupted; {said}")


def ends_early() -> bool:
    """Whether what is under way is to end with what it has."""
    return _early is not None and _early.is_set()


def came_of_an_interruption(error: BaseException | None) -> bool:
    """Whether something failed because the command was interrupted.

    The interruption was lost on its way, or a library raised another error in its place,
    or what failed was clearing away.
    """
    global _lost, _raised
    if _lost:  # This failure stands for the interruption, which is not tried again.
        _lost, _raised = False, True
    if _raised:
        return True
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


class _Stop(KeyboardInterrupt):
    """What the first signal raises.

    After an exception that is just KeyboardInterrupt has passed through `exec` of a text,
    as libraries use it, Python ends a module by SIGINT whatever its exit code.
    """


class Signals:
    """Ctrl-C and SIGTERM for a process that runs one command.

    The first interrupts the command, wherever it is. A later one, if what is under way
    takes too long to be cleared away, ends the process at once.
    """

    def __init__(self) -> None:
        self._received = 0
        self._since = 0.0
        self._code: int | None = None
        self._again = False

    def watch(self) -> None:
        """Handle the signals, to the end of the process."""
        sys.unraisablehook = self._not_passed_on
        threading.excepthook = self._in_a_thread
        if _HAS_TIMER:
            signal.signal(signal.SIGALRM, lambda _, frame: self._repeat(frame))
        for number in (signal.SIGINT, signal.SIGTERM):
            # What runs in the background of a shell is to ignore Ctrl-C.
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, self._handle)
        # The last of these calls; Python takes its handlers away soon afterwards.
        atexit.register(self._ignore)

    def finish(self, code: int) -> int:
        """Return the exit code of a command that is over and has said its last word."""
        self._code = 128 + self._received if code == CTRL_C and self._received else code
        if _HAS_TIMER:
            signal.setitimer(signal.ITIMER_REAL, 0)
        if code == CTRL_C:
            with suppress(OSError, ValueError):
                sys.stderr.flush()
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        return self._code

    def leave(self, code: int) -> NoReturn:
        """End the process: clear away, but do not take Python apart.

        Threads of libraries may still run native code, in which they are killed by C++ or
        by what is not there any more once Python is taken apart: SIGABRT or SIGSEGV after a
        command that has said its last word.
        """
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
            os.write(2, b"bearoff: interrupted at once, without clearing away\n")
            os._exit(128 + number)

    def _interrupt(self, frame: FrameType | None) -> None:
        """Raise, or try again soon where Python could not pass an exception on."""
        global _lost, _raised
        if self._code is not None:
            return
        while frame is not None:
            if frame.f_code.co_name in ("__del__", "_not_passed_on"):
                self._try_again()
                return
            frame = frame.f_back
        _lost, _raised = False, True
        raise _Stop

    def _repeat(self, frame: FrameType | None) -> None:
        """Interrupt where that was lost before, unless something has failed meanwhile."""
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
        """Try again soon after an interruption that Python could not pass on.

        Of destructors that fail once all is being cleared away, say nothing.
        """
        if issubclass(lost.exc_type, _Stop):
            self._try_again()
        elif not self._received:
            sys.__unraisablehook__(lost)

    def _in_a_thread(self, failed: threading.ExceptHookArgs) -> None:
        """Say nothing of threads of libraries that fail once all is being cleared away."""
        if not self._received:
            threading.__excepthook__(failed)

    @staticmethod
    def _ignore() -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)

"""Ctrl-C and SIGTERM end the program in one sentence even at moments when Python itself
would fail.

Each process sends the signal to itself at an exact moment.
"""

import os
import subprocess
import sys
from textwrap import indent

import pytest

from tests.app.conftest import ROOT, Answer

_PROGRAM = """\
import atexit, os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from bearoff.app.interruption import ending_early, ends_early, interruptible
from bearoff.app.main import as_process
from bearoff.app.run import run

press = lambda: signal.raise_signal(signal.SIGINT)

def cli(**_):
{body}

if __name__ == "__main__":
    as_process(lambda argv: run(argv, cli))
"""

IN_EXEC = "exec('press()', globals())"

IN_A_FINALIZER = """\
class Loud:
    def __del__(self):
        press()
        print("finalized")

Loud()
time.sleep(60)
"""

IN_LLVMLITE = """\
exec(
    "press(); print('finished')",
    {"__name__": "llvmlite.binding.executionengine", "press": press},
)
time.sleep(60)
"""
"""Program in which Ctrl-C arrives while llvmlite passes on the ownership of memory."""

IN_A_CALLBACK = """\
import weakref

class Held:
    pass

held = Held()
watched = weakref.ref(held, lambda _: press())
del held
time.sleep(60)
"""

MISSED_BY_A_LIBRARY = """\
import ctypes
compiled = []

def keep(code):
    press()
    compiled.append(code)

with interruptible("a half of it is stored"):
    ctypes.CFUNCTYPE(None, ctypes.c_int)(keep)(1)
    if not compiled:
        raise RuntimeError("no compiled object yet")
"""


WITH_A_BAR = """\
from bearoff.sim.engine import PassProgress
progress = PassProgress()
with interruptible("a half of it is stored"):
    progress("half", 0.5)
    press()
"""


IN_CLEARING_AWAY = """\
with interruptible("a half of it is stored"):
    try:
        press()
    finally:
        raise RuntimeError("nothing can be scheduled any more")
"""

IN_A_THREAD = """\
import threading

def fail():
    raise KeyError("what the executor has let go of")

with interruptible("a half of it is stored"):
    try:
        press()
    finally:
        failing = threading.Thread(target=fail)
        failing.start()
        failing.join()
"""

IN_A_DESTRUCTOR = """\
class Half:
    def __del__(self):
        raise AttributeError("it was not whole when it was interrupted")

with interruptible("a half of it is stored"):
    half = Half()
    try:
        press()
    finally:
        del half
"""

TWICE = """\
with interruptible("a half of it is stored"):
    try:
        press()
    finally:
        press()
"""

LATER_AGAIN = """\
from bearoff.app import interruption
interruption._ONE_PRESS = 0
try:
    press()
finally:
    while True:
        press()
"""

EARLY = """\
with ending_early("this is all"):
    press()
    print(ends_early())
"""

AT_EXIT = """\
atexit.register(time.sleep, 3600)
atexit.register(press)
print("done")
"""

AFTER_THE_SENTENCE = """\
def speak():
    print("one more word", file=sys.stderr)
    press()

atexit.register(speak)
press()
"""

IN_ITS_PLACE = """\
class SchemaError(Exception):
    pass

try:
    press()
except KeyboardInterrupt:
    pass
raise SchemaError("what a library says of an exception in what it called back")
"""
"""Program in which a library swallows Ctrl-C."""

A_THREAD_GOES_ON = """\
import threading

class Late:
    def __del__(self):
        os.write(1, b"taken apart")

late = sys.modules["late"] = Late()
threading.Thread(target=time.sleep, args=(0.2,)).start()
press()
"""
"""Program whose main thread ends while another thread is still running."""

A_THREAD_NEVER_ENDS = """\
import threading
from bearoff.app import interruption

interruption._THREADS = 0.1
threading.Thread(target=threading.Event().wait).start()
press()
"""
"""Program with a thread that never ends."""

TERMINATED = IN_EXEC.replace("press()", "signal.raise_signal(signal.SIGTERM)")


def test_what_can_end_early_or_is_done_is_not_interrupted(tmp_path):
    early = Answer(130, "True\n", "bearoff: interrupted; this is all\n")
    assert _run(EARLY, tmp_path) == early
    assert _run(AT_EXIT, tmp_path) == Answer(0, "done\n", "")


@pytest.mark.parametrize(
    ("body", "code", "sentence"),
    [
        *(
            (body, 130, "interrupted")
            for body in (
                *(IN_EXEC, IN_A_FINALIZER, IN_LLVMLITE),
                *(IN_A_CALLBACK, AFTER_THE_SENTENCE),
            )
        ),
        *(
            (body, 130, "interrupted; a half of it is stored")
            for body in (
                *(MISSED_BY_A_LIBRARY, WITH_A_BAR, IN_CLEARING_AWAY),
                *(IN_A_THREAD, IN_A_DESTRUCTOR, TWICE),
            )
        ),
        (LATER_AGAIN, 130, "interrupted"),
        (TERMINATED, 143, "interrupted"),
        (IN_ITS_PLACE, 130, "interrupted"),
        (A_THREAD_GOES_ON, 130, "interrupted"),
        (A_THREAD_NEVER_ENDS, 130, "interrupted"),
    ],
)
def test_last_word_and_code(tmp_path, body, code, sentence):
    answer = _run(body, tmp_path)
    assert answer.code == code
    finished = {IN_A_FINALIZER: "finalized\n", IN_LLVMLITE: "finished\n"}
    assert answer.out == finished.get(body, "")
    assert answer.err.splitlines()[-1].startswith(f"bearoff: {sentence}")
    assert answer.err.count("interrupted") == 1
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("body", "code", "sentence"),
    [
        # The sleep is shortened, because an interruption lost in a finalizer is noticed
        # only after it.
        (IN_A_FINALIZER.replace("60", "1"), 130, "interrupted"),
        (AT_EXIT, 0, ""),
    ],
)
def test_the_last_word_without_timers_as_on_windows(tmp_path, body, code, sentence):
    absent = "del signal.SIGALRM, signal.setitimer, signal.ITIMER_REAL"
    answer = _run(body, tmp_path, before=absent)
    assert answer.code == code
    assert answer.err.rpartition("\n")[0].rpartition("\n")[2] == (
        f"bearoff: {sentence}" if sentence else ""
    )
    assert "Traceback" not in answer.err


def _run(body, folder, before=""):
    program = _PROGRAM.format(body=indent(body, "    ")).replace(
        "from bearoff.app.interruption", f"{before}\nfrom bearoff.app.interruption"
    )
    (folder / "program.py").write_text(program)
    done = subprocess.run(
        # The program runs as a module, because Python ends scripts in a different way.
        [sys.executable, "-m", "program"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    return Answer(done.returncode, done.stdout, done.stderr)

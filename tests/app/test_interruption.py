"""Ctrl-C and SIGTERM end the program in one sentence even where Python would fail.

Each process sends the signal to itself at an exact moment.
"""

import sys
from textwrap import indent

import pytest

from tests.app.conftest import ROOT, Answer, ran

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

PLAIN = {
    "in exec": "exec('press()', globals())",
    "terminated": "exec('signal.raise_signal(signal.SIGTERM)', globals())",
    "in a finalizer": """\
class Loud:
    def __del__(self):
        press()
        print("finalized")
Loud()
time.sleep(60)
""",
    "in llvmlite": """\
names = {"__name__": "llvmlite.binding.executionengine", "press": press}
exec("press(); print('finished')", names)
time.sleep(60)
""",
    "in a callback": """\
import weakref
class Held:
    pass
held = Held()
watched = weakref.ref(held, lambda _: press())
del held
time.sleep(60)
""",
    "after the sentence": """\
def speak():
    print("one more word", file=sys.stderr)
    press()
atexit.register(speak)
press()
""",
    "later again": """\
from bearoff.app import interruption
interruption._ONE_PRESS = 0
try:
    press()
finally:
    while True:
        press()
""",
    "swallowed by a library": """\
class SchemaError(Exception):
    pass
try:
    press()
except KeyboardInterrupt:
    pass
raise SchemaError("what a library says of an exception in what it called back")
""",
    "a thread goes on": """\
import threading
class Late:
    def __del__(self):
        os.write(1, b"taken apart")
late = sys.modules["late"] = Late()
threading.Thread(target=time.sleep, args=(0.2,)).start()
press()
""",
    "a thread never ends": """\
import threading
from bearoff.app import interruption
interruption._THREADS = 0.1
threading.Thread(target=threading.Event().wait).start()
press()
""",
}
"""Programs by the moment at which a signal arrives."""

STORED = {
    "missed by a library": """\
import ctypes
compiled = []
def keep(code):
    press()
    compiled.append(code)
ctypes.CFUNCTYPE(None, ctypes.c_int)(keep)(1)
if not compiled:
    raise RuntimeError("no compiled object yet")
""",
    "with a bar": """\
from bearoff.sim.engine import PassProgress
progress = PassProgress()
progress("half", 0.5)
press()
""",
    "in clearing away": """\
try:
    press()
finally:
    raise RuntimeError("nothing can be scheduled any more")
""",
    "in a thread": """\
import threading
def fail():
    raise KeyError("what the executor has let go of")
try:
    press()
finally:
    failing = threading.Thread(target=fail)
    failing.start()
    failing.join()
""",
    "in a destructor": """\
class Half:
    def __del__(self):
        raise AttributeError("it was not whole when it was interrupted")
half = Half()
try:
    press()
finally:
    del half
""",
    "twice": """\
try:
    press()
finally:
    press()
""",
}
"""Programs that are interrupted while a half of their result is stored."""

AT_EXIT = """\
atexit.register(time.sleep, 3600)
atexit.register(press)
print("done")
"""


def test_what_can_end_early_or_is_done_is_not_interrupted(tmp_path):
    early = 'with ending_early("this is all"):\n    press()\n    print(ends_early())'
    answer = Answer(130, "True\n", "bearoff: interrupted; this is all\n")
    assert _run(early, tmp_path) == answer
    assert _run(AT_EXIT, tmp_path) == Answer(0, "done\n", "")


@pytest.mark.parametrize("name", [*PLAIN, *STORED])
def test_last_word_and_code(tmp_path, name):
    body, sentence = PLAIN.get(name), "interrupted"
    if body is None:
        body = f"with interruptible('a half is stored'):\n{indent(STORED[name], '    ')}"
        sentence = "interrupted; a half is stored"
    answer = _run(body, tmp_path)
    assert answer.code == (143 if name == "terminated" else 130)
    finished = {"in a finalizer": "finalized\n", "in llvmlite": "finished\n"}
    assert answer.out == finished.get(name, "")
    assert answer.err.splitlines()[-1].startswith(f"bearoff: {sentence}")
    assert answer.err.count("interrupted") == 1
    assert "Traceback" not in answer.err


def test_the_last_word_without_timers_as_on_windows(tmp_path):
    absent = "del signal.SIGALRM, signal.setitimer, signal.ITIMER_REAL"
    # An interruption that a finalizer lost is noticed only after the sleep.
    lost = _run(PLAIN["in a finalizer"].replace("60", "1"), tmp_path, before=absent)
    assert (lost.code, lost.err.splitlines()[-1]) == (130, "bearoff: interrupted")
    assert "Traceback" not in lost.err
    assert _run(AT_EXIT, tmp_path, before=absent) == Answer(0, "done\n", "")


def _run(body, folder, before=""):
    program = _PROGRAM.format(body=indent(body, "    ")).replace(
        "from bearoff.app.interruption", f"{before}\nfrom bearoff.app.interruption"
    )
    (folder / "program.py").write_text(program)
    # The program runs as a module, because Python ends scripts in a different way.
    return ran(sys.executable, "-m", "program", cwd=folder, env={"PYTHONPATH": str(ROOT)})

"""Script that prints the largest files and packages of the project.

    python -m tests.largest

Size alone is no fault; a file with two ideas is split.
"""

import importlib
import re
import signal
from collections import Counter

from tests.test_faces import faces
from tests.test_house import CODE, ROOT

SHOWN = 10

KERNEL = re.compile(r"^@(?:numba\.)?njit\b", re.MULTILINE)


def main():
    texts = {_name(path): path.read_text(encoding="utf-8") for path in CODE}
    scripts = sorted((ROOT / "app" / "serve" / "web").glob("*.js"))
    modules = (path.parent for path in CODE if path.name != "__init__.py")
    _show("lines of Python", {name: text.count("\n") for name, text in texts.items()})
    _show("lines of JavaScript", {_name(path): _lines(path) for path in scripts})
    _show("modules of a room", Counter(map(_name, modules)))
    _show("names of a face", {name: len(_face(name)) for name in faces()})
    _show("kernels", {name: len(KERNEL.findall(text)) for name, text in texts.items()})


def _show(kind, sizes):
    print(f"\nLargest by {kind}")
    for name, size in Counter(sizes).most_common(SHOWN):
        print(f"{size:6,}  {name}")


def _face(name):
    return list(importlib.import_module(name).__all__)


def _lines(path):
    return path.read_text(encoding="utf-8").count("\n")


def _name(path):
    return path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    # A command such as `| head` may stop reading early.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()

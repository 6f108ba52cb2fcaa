"""Script that prints the largest files and packages of the project.

    python -m tests.largest

Size alone is no fault; a file with two ideas is split.
"""

import importlib
import re
import signal
from collections import Counter

from tests.test_house import CODE, ROOT, faces

SHOWN = 10

KERNEL = re.compile(r"^@(?:numba\.)?njit\b", re.MULTILINE)


def main():
    texts, scripts = map(_texts, (CODE, sorted((ROOT / "app/serve/web").glob("*.js"))))
    modules = (path.parent for path in CODE if path.name != "__init__.py")
    for language, sources in (("Python", texts), ("JavaScript", scripts)):
        _show(f"lines of {language}", {name: t.count("\n") for name, t in sources.items()})
    _show("modules of a room", Counter(map(_name, modules)))
    packages = ((name, importlib.import_module(name)) for name in faces())
    _show("names of a face", {name: len(package.__all__) for name, package in packages})
    _show("kernels", {name: len(KERNEL.findall(text)) for name, text in texts.items()})


def _show(kind, sizes):
    print(f"\nLargest by {kind}")
    for name, size in Counter(sizes).most_common(SHOWN):
        print(f"{size:6,}  {name}")


def _texts(paths):
    return {_name(path): path.read_text(encoding="utf-8") for path in paths}


def _name(path):
    return path.relative_to(ROOT).as_posix()


if __name__ == "__main__":
    # A command such as `| head` may stop reading early.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()

"""Execution of malicious cases, and judgement of their outcomes."""

import os
import tempfile
import traceback
import warnings
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

from verify.common.processes import limit_memory
from verify.common.tallies import WRONG
from verify.hostile.cases import Case, groups

ROOM = 1 << 30
"""Bytes of memory that the program may use in addition to what it uses at the start."""

REFUSED, TAKEN = "refused", "taken"

_LONGEST = 1200


def run_case(case: Case, folder: Path) -> tuple[str, str]:
    """Prepare a malicious case, run its command, and judge the outcome."""
    from bearoff.app.run import run

    folder.mkdir()
    out, err = StringIO(), StringIO()
    with chdir(folder):
        arguments = case.prepare(folder)
        _stay_within(arguments)
        before = set(folder.rglob("*"))
        with redirect_stdout(out), redirect_stderr(err):
            try:
                code = run(arguments)
            except BaseException as error:
                last = traceback.extract_tb(error.__traceback__)[-1]
                place = f"{Path(last.filename).name}:{last.lineno}"
                return WRONG, f"{type(error).__name__}: {str(error)[:300]} ({place})"
        new = set(folder.rglob("*")) - before
    stderr = err.getvalue().strip()
    if not all(line.isprintable() for line in out.getvalue().split("\n")):
        return WRONG, f"unprintable characters: {out.getvalue()[:300]!r}"
    lines = [line for line in stderr.splitlines() if "warning" not in line]
    if code == 0:
        if not case.may_be_taken:
            return WRONG, f"accepted; {out.getvalue()[:200]!r}"
        if case.answer is not None and case.answer not in out.getvalue():
            return WRONG, f"another answer: {out.getvalue()[:200]!r}"
        if not case.is_mended(folder):
            return WRONG, "accepted, but the table was not rebuilt"
        return TAKEN, ""
    if code not in (1, 2) or case.must_be_taken:
        return WRONG, f"exit code {code}: {stderr[:300]}"
    if not lines or any(not line.startswith("bearoff: ") for line in lines):
        return WRONG, f"not a sentence: {stderr[:300]!r}"
    if "--help lists all commands and options" in lines[-1]:
        return WRONG, f"no such command, so the case was not tried: {lines[-1][:300]}"
    if len(lines[-1]) > _LONGEST or not lines[-1].isprintable():
        return WRONG, f"not a printable sentence: {lines[-1][:300]!r}"
    left = [path.name for path in new if path.is_file() and path.name != ".lock"]
    if left and not case.may_leave:
        return WRONG, f"left behind: {left[:5]}"
    return REFUSED, lines[-1].removeprefix("bearoff: ").replace(f"{folder}/", "")[:300]


def _stay_within(arguments: list[str]) -> None:
    """Raise an error if a case uses a path outside its folder; the case may run as root."""
    for argument in arguments:
        place = argument.partition("=")[2] if argument.startswith("--") else argument
        if place.startswith("/") or argument == "--to=" or ".." in place.split("/")[:1]:
            raise AssertionError(f"the case reaches outside of its folder: {argument!r}")


def judge(group: str, scratch: Path) -> Callable[[int], tuple[str, str]]:
    """Prepare a group of malicious cases; return a function that runs and judges one case.

    Returns
    -------
    callable
        Function that runs the case with a given number, and returns its verdict with a
        reason.
    """
    import bearoff
    from verify.hostile import cases

    warnings.simplefilter("ignore")
    # An earlier process may have died and left files in its folder, so each process creates
    # a new one.
    folder = Path(tempfile.mkdtemp(dir=scratch.parent, prefix=scratch.name))
    os.environ["BEAROFF_CACHE"] = str(folder / "tables")
    bearoff.one_sided_table()
    cases.warm(folder)
    limit_memory(ROOM)
    known = groups()[group]

    def judged(number: int) -> tuple[str, str]:
        os.environ["BEAROFF_CACHE"] = str(folder / "tables")
        return run_case(known[number], folder / str(number))

    return judged

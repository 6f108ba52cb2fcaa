"""Trial: durations of the first and the second start of each command.

Every command is started twice, with its own empty caches of tables, compiled code and
matplotlib. With ``--clone``, the time from a clone to the first chart is also measured. The
trial fails if a command fails, or still compiles at its second start.
"""

import argparse
import os
import shlex
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bearoff.analysis.output import markdown_table
from verify import ROOT
from verify.common.processes import Child, checked, run, wait_for
from verify.common.trial import Trial, Verdict, option

ROLLOUT = ("0,0,2,3,3,4,2,1", "0,1,2,2,3,4,1,1,1")
FIVE = ("1,2,1,1,1", "2,2,1,1")
EIGHT = ("1,2,2,1,1,1", "2,2,1,1,1,1")


@dataclass(frozen=True)
class Use:
    """Command whose first start is measured.

    Attributes
    ----------
    command : tuple of str
        Arguments of `bearoff`, in which ``{}`` stands for a folder that only this command
        uses.
    before : tuple of float or None
        Seconds that the first and the second start took with an earlier version of the
        program, before its starts were made faster; None if not measured.
    after : tuple of tuple of str
        Commands that are run before this one, without being measured.
    """

    command: tuple[str, ...]
    before: tuple[float | None, float | None] = (None, None)
    after: tuple[tuple[str, ...], ...] = ()


TABLE = ("tables", "build", "--two-sided", "--checkers", "8")
SIMULATE = ("simulate", "configs/quick.yaml", "--quiet", "--to", "{}")

USES = (
    Use(("--help",), (0.18, 0.12)),
    Use(("winprob", "8887", "8887"), (2.63, 0.40)),
    Use(("epc", "8887"), (None, 0.33)),
    Use(("race", *FIVE)),
    Use(TABLE, (10.35, None)),
    Use(("cube", *EIGHT), after=(TABLE,)),
    Use(("rollout", *ROLLOUT, "--quiet"), (10.3, 1.46)),
    Use(SIMULATE, (7.3, None)),
    Use(("analyze", "{}/quick"), (3.0, None), after=(SIMULATE,)),
)

CLONE_BEFORE = 48.0
"""Seconds that ``make demo`` took in a fresh clone before it was optimised."""


def caches_in(folder: Path) -> dict[str, str]:
    """Return environment variables that place empty caches in `folder`."""
    # Without the variable PYTHONDONTWRITEBYTECODE, Python caches bytecode as it does by
    # default.
    usual = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {
        **usual,
        "BEAROFF_CACHE": str(folder / "tables"),
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
        "MPLCONFIGDIR": str(folder / "matplotlib"),
    }


def call(
    arguments: Sequence[str], environment: dict[str, str], output: Path
) -> tuple[float, Child]:
    """Run `bearoff`; return its duration and its result."""
    given = [argument.replace("{}", str(output)) for argument in arguments]
    command = [str(Path(sys.executable).with_name("bearoff")), *given]
    started = time.perf_counter()
    done = run(command, env=environment)
    seconds = time.perf_counter() - started
    checked(done)
    return seconds, done


def cached_kernels(environment: dict[str, str]) -> int:
    """Return the number of compiled functions in the cache of an environment."""
    return len(list(Path(environment["NUMBA_CACHE_DIR"]).rglob("*.nbc")))


def use_twice(use: Use) -> tuple[float, float, int]:
    """Start a command twice, with caches that are empty at first.

    Returns
    -------
    first, second : float
        Durations of the first and the second start, in seconds.
    kernels : int
        Number of compiled functions in the cache after the first start.

    Raises
    ------
    RuntimeError
        If the second start still compiles a function.
    """
    with tempfile.TemporaryDirectory() as name:
        runs = Path(name) / "runs"
        environment = caches_in(Path(name))
        for arguments in use.after:
            call(arguments, environment, runs)
        first, _ = call(use.command, environment, runs)
        kernels = cached_kernels(environment)
        if use.command == SIMULATE:
            # The run is deleted, because otherwise the second command would only read its
            # results.
            shutil.rmtree(runs)
        second, _ = call(use.command, environment, runs)
        if cached_kernels(environment) != kernels:
            raise RuntimeError(f"bearoff {shlex.join(use.command)} compiled twice")
    return first, second, kernels


def clone_to_chart() -> list[tuple[str, float]]:
    """Measure when `make demo` reaches each milestone after a clone of the repository.

    Returns
    -------
    list of tuple of str and float
        Milestones, with the number of seconds since the start of the clone.
    """
    reached = []
    with tempfile.TemporaryDirectory() as name:
        clone = Path(name) / "clone"
        environment = caches_in(Path(name))
        environment.pop("VIRTUAL_ENV", None)
        started = time.perf_counter()

        def note(what: str) -> None:
            reached.append((what, time.perf_counter() - started))

        checked(run(["git", "clone", "--quiet", str(ROOT), str(clone)]))
        note("cloned")
        make = ["make", "--silent"]
        checked(run([*make, ".venv/.installed"], cwd=clone, env=environment))
        note("packages installed")
        with Child([*make, "demo"], cwd=clone, env=environment) as demo:
            for start, what in MILESTONES.items():
                wait_for(
                    lambda start=start: demo.code is not None or start in demo.out, what
                )
                note(what)
            demo.wait()
        checked(demo)
        note("end of the demo")
    return reached


MILESTONES = {
    "demo/quick:": "359 million races played",
    "doubling chart: demo/quick/doubling-pips": "first chart drawn",
    "two-sided table": "two-sided table of 8 checkers solved",
}
"""Milestones of `make demo`, by the beginning of the line that announces each milestone."""


def page(measured: list[tuple[Use, float, float, int]], runs: int) -> str:
    rows = [
        [
            f"`bearoff {shlex.join(use.command)}`"
            + (
                f", after the command `bearoff {shlex.join(use.after[-1][:2])} ...`"
                if use.after
                else ""
            ),
            _seconds(use.before[0]),
            _seconds(first),
            _seconds(use.before[1]),
            _seconds(second),
            str(kernels),
        ]
        for use, first, second, kernels in measured
    ]
    return (
        f"The table gives the duration of commands in seconds, as medians of {runs} "
        "rounds. At the *first* start, nothing is cached: no table, no compiled code and "
        "no fonts. The *second* start uses these caches. The columns with *before* show "
        "the duration with an earlier version of the program on the same machine. The "
        "last column is the number of functions that the command compiled and stored.\n\n"
    ) + markdown_table(
        ["command", "first, before", "first", "second, before", "second", "compiled"],
        rows,
    )


def _seconds(seconds: float | None) -> str:
    return "" if seconds is None else f"{seconds:.2f}"


def clone_page(reached: list[tuple[str, float]]) -> str:
    return (
        "\n\n## From a clone to the first chart\n\n"
        "`git clone` is followed by `make demo`, with packages from pip's cache if "
        f"available. With an earlier version, `make demo` took {CLONE_BEFORE:.0f} s.\n\n"
    ) + markdown_table(
        ["reached", "seconds since the start"], [[w, f"{s:.1f}"] for w, s in reached]
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    measured, wrong = [], ""
    for use in USES:
        try:
            rounds = [use_twice(use) for _ in range(options.runs)]
        except RuntimeError as error:
            wrong += f"- {error}\n"
            continue
        firsts, seconds, kernels = zip(*rounds, strict=True)
        measured.append(
            (use, statistics.median(firsts), statistics.median(seconds), max(kernels))
        )
        print(f"{shlex.join(use.command)}: {firsts} {seconds} s", file=sys.stderr)
    body = page(measured, options.runs)
    if options.clone:
        body += clone_page(clone_to_chart())
    return Verdict(f"{body}\n\n{wrong}", bool(wrong))


TRIAL = Trial(
    "First use",
    carry_out,
    (
        option(
            "--runs",
            type=int,
            default=3,
            help="number of rounds, of which the median is reported",
        ),
        option(
            "--clone", action="store_true", help="also measure `make demo` in a fresh clone"
        ),
    ),
)

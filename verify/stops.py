"""Ctrl-C and SIGTERM at random moments, of all that stores something; then run again.

    python -m verify stops --stops 2000 --seed 1 --write

As `verify.kills`, by the signals that a person and a system send: the process must say that
it was interrupted, end with the status of the signal, leave no trace of the program, and
have stored what was finished. Ctrl-C reaches its workers too. Runs of several seeds add up.
"""

import argparse
import random
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from bearoff.analysis.output import markdown_table
from verify.common.record import Run, add, table_of
from verify.common.sessions import References, Session, prepare_cache, start
from verify.common.targets import targets
from verify.common.trial import Trial, Verdict, option
from verify.kills import SHARES, Campaign, Killer

SIGNALS = (signal.SIGINT, signal.SIGTERM)

NO_COMMANDS = ("race-model", "training")
"""What other programs do, which leave signals to Python."""

FIRST = 10.0
"""Seconds in which a process has come to the command."""


class Stopper(Killer):
    """Carries out a trial, by signals.

    Attributes
    ----------
    seconds : list of float
        From each signal to the end of the process.
    """

    def __init__(
        self, trial: Campaign, scratch: Path, references: References, seed: int
    ) -> None:
        super().__init__(trial, scratch, references, seed)
        self.seconds: list[float] = []

    def _one(self, *, kill: bool) -> bool:
        before = self._trial.target.stored(self._folder)
        number, share = self._chance.choice(SIGNALS), self._chance.random()
        stopped, began = False, time.monotonic()
        with start(self._trial.target, self._folder, self._cache) as session:
            if kill:
                _wait_for_command(session)
                starting = time.monotonic() - began
                began += starting
                delay = share * max(self._baseline.seconds - starting, 0.0)
                group = number == signal.SIGINT
                stopped = session.signal_after(delay, number, whole_group=group)
                took = time.monotonic() - began - delay
            else:
                session.wait(300)
        if not stopped or session.code == 0:
            return self._judge(session, kill=False)
        self._note(before, 0, session.log())
        landed, name = self._trial.kills[-1], signal.Signals(number).name
        self._trial.kills[-1] = replace(landed, how=name)
        self.seconds.append(took)
        said = session.sentences()
        word = said and said[-1].startswith("bearoff: interrupted")
        if session.code == 128 + number and word and "Traceback" not in "".join(said):
            return False
        self._complain(
            f"{name} after {delay:.2f} s, {landed.phase}: exit status {session.code}: "
            f"{' / '.join(said)[-400:]}"
        )
        return True


def _wait_for_command(session: Session) -> None:
    """Wait until a process has begun the command, or has ended."""
    until = time.monotonic() + FIRST
    while time.monotonic() < until and session.code is None:
        if "begins" in session.log():
            return
        time.sleep(0.005)


def trials(stops: int) -> list[Campaign]:
    """Split so many stops over the commands that are killed, by the same shares."""
    shares = {
        name: share
        for (name, who), share in SHARES.items()
        if who == "main" and name not in NO_COMMANDS
    }
    total, known = sum(shares.values()), targets()
    # Of several matches that are reviewed, the first to be done has the first number.
    *review, _, model, quiet = known["library"].command
    known["library"] = replace(
        known["library"],
        text="the library: a match of GNU Backgammon, reviewed by the model",
        command=(*review, model, quiet),
    )
    return [
        Campaign(known[name], "main", -(-stops * share // total))
        for name, share in shares.items()
    ]


def run_trials(
    wanted: list[Campaign], seed: int, scratch: Path, jobs: int
) -> dict[str, list[float]]:
    """Carry out trials, several at a time; return how long ends took, by trial."""
    cache = scratch / "cache"
    prepare_cache(cache)
    references = References(scratch, cache)
    seconds: dict[str, list[float]] = {}

    def run(trial: Campaign) -> None:
        stopper = Stopper(trial, scratch / trial.name, references, seed)
        seconds[trial.name] = stopper.seconds
        try:
            stopper.run()
        except Exception as error:
            trial.wrong.append(f"{trial.name}: {type(error).__name__}: {error}")

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, random.Random(seed).sample(wanted, len(wanted))))
    return seconds


def found(done: list[Campaign], seconds: dict[str, list[float]]) -> dict[str, Any]:
    """Return what came of trials, as JSON has it; see `page`."""
    return {
        "targets": {
            trial.name: {
                **{
                    number.name: sum(kill.how == number.name for kill in trial.kills)
                    for number in SIGNALS
                },
                "series": trial.series,
                "unstored": max((kill.unstored for kill in trial.kills), default=0),
                "slowest": round(max(seconds[trial.name], default=0.0), 2),
                "wrong": trial.wrong,
            }
            for trial in done
        }
    }


def page(runs: list[Run]) -> str:
    """Return what came of all runs together, as Markdown."""
    rows, wrong = [], []
    for trial in trials(1):
        each = [run["targets"][trial.name] for run in runs if trial.name in run["targets"]]
        by_signal = [sum(one[number.name] for one in each) for number in SIGNALS]
        series = sum(one["series"] for one in each)
        most = [max(one[key] for one in each) for key in ("unstored", "slowest")]
        bad = [text for one in each for text in one["wrong"]]
        numbers = [sum(by_signal), *by_signal, series, *most, len(bad)]
        rows.append([trial.name, *(f"{number:,}" for number in numbers)])
        wrong += bad
    stops = [
        sum(one[number.name] for one in run["targets"].values() for number in SIGNALS)
        for run in runs
    ]
    bad_runs = [sum(len(one["wrong"]) for one in run["targets"].values()) for run in runs]
    head = ["stopped", "stops", *(number.name for number in SIGNALS), "series"]
    head += ["done, not stored", "slowest end, s", "wrong"]
    return "\n\n".join(
        [
            f"{sum(stops):,} stops that landed. What is stopped is what "
            "[kills](kills.md) are of.",
            "\n".join(f"- {text}" for text in wrong) or "Nothing was wrong.",
            markdown_table(head, rows),
            "## Runs",
            table_of(runs, "stops", stops, bad_runs),
        ]
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    done = trials(options.stops)
    with tempfile.TemporaryDirectory(prefix="stops-") as scratch:
        seconds = run_trials(done, options.seed, Path(scratch), options.jobs)
    runs = add("stops", options.write, options.seed, found(done, seconds))
    return Verdict(page(runs), any(trial.wrong for trial in done))


TRIAL = Trial(
    "Stops",
    carry_out,
    (
        option("--stops", type=int, default=200, help="that must land, at least"),
        option("--jobs", type=int, default=2, help="trials at a time"),
    ),
)

"""Kill -9 at random moments: of batches, of table builds, of workers; then run again.

    python -m verify kills --kills 200 --seed 1 --write

Runs of several seeds add up on one page.

A series of a target goes on in one folder: a session is started and killed, the next one
goes on from what it left, until one gets to its end. Then every file must hold what the
undisturbed run left, and there must be no other. Half of the kills come by the clock,
import argparse
from outside, evenly over the time that an undisturbed run takes; the others just before a
change of the disk, chosen evenly among those of an undisturbed run. Workers are killed by
the clock.
"""

import argparse
import random
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bearoff.analysis.output import markdown_table
from verify.common.artifacts import digests
from verify.common.record import Run, add, table_of
from verify.common.sessions import (
    References,
    Session,
    prepare_cache,
    start,
    wait_for_worker,
)
from verify.common.targets import Target, targets
from verify.common.trial import Trial, Verdict, option

SHARES = {
    ("races", "main"): 18,
    ("cubeful", "main"): 12,
    ("rollouts", "main"): 10,
    ("one-sided", "main"): 12,
    ("two-sided", "main"): 14,
    ("at-score", "main"): 8,
    ("population", "main"): 8,
    ("race-model", "main"): 6,
    ("answers", "main"): 8,
    ("library", "main"): 8,
    ("training", "main"): 8,
    ("races", "loky"): 8,
    ("cubeful", "loky"): 4,
    ("races", "dask"): 8,
}
"""Of all kills, by target and by who is killed: the main process, or a worker."""

_TOLD = {
    "loky": ("a worker was killed",),
    # dask goes on without a worker, unless it was starting, or others died of that block.
    "dask": ("did not start", "died one after the other"),
}
"""What a session may say whose worker was killed."""

AT_MOST = 8
"""Kills of a series; then it may go on to its end."""


@dataclass(frozen=True)
class Kill:
    """A kill that landed.

    Attributes
    ----------
    how : str
        By the clock, or before which change.
    phase : str
        How far the target had got.
    cut_off, unstored : int
        Blocks that workers were at, and blocks that were done but not yet stored.
    """

    how: str
    phase: str
    cut_off: int = 0
    unstored: int = 0


@dataclass
class Campaign:
    """A target, who is killed, and what came of it.

    Attributes
    ----------
    target : Target
        What is killed.
    who : str
        ``main``, or the backend whose workers are.
    wanted : int
        Kills that must land.
    """

    target: Target
    who: str
    wanted: int
    kills: list[Kill] = field(default_factory=list)
    series: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.target.name if self.who == "main" else f"{self.target.name}, {self.who}"


class Killer:
    """Carries out a trial.

    Parameters
    ----------
    trial : Campaign
        What to do; gets what comes of it.
    scratch : Path
        Folder to work in.
    references : References
        What targets leave when nothing disturbs them.
    seed : int
        Of all that is random.
    """

    def __init__(
        self, trial: Campaign, scratch: Path, references: References, seed: int
    ) -> None:
        self._trial = trial
        self._scratch = scratch
        self._cache = references.cache
        self._references = references
        self._chance = random.Random(f"{seed} {trial.name}")
        self._folder = scratch
        self._session: Session | None = None

    def run(self) -> None:
        """Kill as often as wanted, in as many series as that takes."""
        trial = self._trial
        self._baseline = self._references.of(trial.target)
        while len(trial.kills) < trial.wanted and not trial.wrong:
            trial.series += 1
            self._folder = self._scratch / str(trial.series)
            backend = self._chance.choice(["threading", "threading", "loky"])
            if trial.who != "main":
                backend = trial.who
            trial.target.prepare(self._folder, backend)
            self._series()

    def _series(self) -> None:
        killed, stored = 0, 0
        ended = False
        while not ended:
            may_kill = killed < AT_MOST and len(self._trial.kills) < self._trial.wanted
            ended = self._one(kill=may_kill)
            killed += 1
            now = self._trial.target.stored(self._folder)
            if now < stored:
                self._complain(f"{stored} were stored, then {now}")
            stored = now
        if digests(self._folder) != self._baseline.digests:
            there, expected = digests(self._folder), self._baseline.digests
            names = sorted({*there, *expected})
            differing = [n for n in names if there.get(n) != expected.get(n)]
            self._complain(f"these files differ: {', '.join(differing)}")

    def _one(self, *, kill: bool) -> bool:
        """Run one session; return whether the series is at its end."""
        before = self._trial.target.stored(self._folder)
        changes = self._baseline.changes
        at = 0
        if kill and changes and self._trial.who == "main" and self._chance.random() < 0.5:
            at = self._chance.randint(1, changes)
        delay = self._chance.uniform(0, self._baseline.seconds)
        options = ("--within", str(self._folder), "--at", str(at))
        with start(self._trial.target, self._folder, self._cache, *options) as session:
            if not kill or at:
                session.wait(300)
            elif self._trial.who == "main":
                session.kill_after(delay, whole_group=self._chance.random() < 0.5)
            else:
                # They take longer to start than to play.
                playing = self._chance.random() < 0.75
                wait_for_worker(session, playing=playing)
                session.kill_worker_after(delay / 2 if playing else delay, self._chance)
        log = session.log()
        if session.code == -signal.SIGKILL or session.workers_killed:
            self._note(before, at, log)
        return self._judge(session, kill=kill)

    def _note(self, before: int, at: int, log: list[str]) -> None:
        """Keep what is known of a kill that landed."""
        target = self._trial.target
        how = "by the clock"
        if at:
            last = next(line for line in log if line.startswith("before"))
            _, event, path = last.split(" ", 2)
            how = f"before {event} of {Path(path).name}"
        begun, done = (
            sum(int(line.split()[1]) for line in log if line.startswith(word))
            for word in ("begun", "done")
        )
        stored = target.stored(self._folder) - before
        per_block = max(target.block, 1)
        kill = Kill(
            how,
            target.phase(self._folder),
            -(-(begun - done) // per_block),
            -(-(done - stored) // per_block) if begun else 0,
        )
        self._trial.kills.append(kill)
        print(f"{self._trial.name}: {len(self._trial.kills)}. {kill}", file=sys.stderr)

    def _judge(self, session: Session, *, kill: bool) -> bool:
        """See to it that a session ended as it should; return whether it got to its end."""
        lines = session.sentences()
        if session.code == 0:
            return True
        if session.code == -signal.SIGKILL and kill and self._trial.who == "main":
            return False
        told_of_worker = (
            session.workers_killed
            and session.code == 1
            and len(lines) == 1
            and any(word in lines[0] for word in _TOLD.get(self._trial.who, ()))
        )
        if told_of_worker:
            return False
        self._complain(f"exit status {session.code}: {' / '.join(lines)[-400:]}")
        return True

    def _complain(self, what: str) -> None:
        where = f"series {self._trial.series}, kill {len(self._trial.kills)}"
        self._trial.wrong.append(f"{self._trial.name}, {where}: {what}")


def trials(kills: int, only: Iterable[str] = ()) -> list[Campaign]:
    """Split so many kills over targets and those who are killed."""
    known = targets()
    chosen = {k: n for k, n in SHARES.items() if not only or k[0] in only or k[1] in only}
    total = sum(chosen.values())
    return [
        Campaign(known[name], who, -(-kills * share // total))
        for (name, who), share in chosen.items()
    ]


def run_trials(wanted: list[Campaign], seed: int, scratch: Path, jobs: int) -> None:
    """Carry out trials, several at a time; each has a seed of its own."""
    cache = scratch / "cache"
    prepare_cache(cache)
    references = References(scratch, cache)

    def run(trial: Campaign) -> None:
        folder = scratch / trial.name.replace(", ", "-")
        try:
            Killer(trial, folder, references, seed).run()
        except Exception as error:
            trial.wrong.append(f"{trial.name}: {type(error).__name__}: {error}")

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, wanted))


def found(done: list[Campaign]) -> dict[str, Any]:
    """Return what came of trials, as JSON has it; see `page`."""
    targets = {}
    for trial in done:
        changes = sum(kill.how != "by the clock" for kill in trial.kills)
        targets[trial.name] = {
            "text": trial.target.text,
            "clock": len(trial.kills) - changes,
            "changes": changes,
            "series": trial.series,
            "cut_off": max((kill.cut_off for kill in trial.kills), default=0),
            "unstored": max((kill.unstored for kill in trial.kills), default=0),
            "phases": dict(Counter(kill.phase for kill in trial.kills)),
            "wrong": trial.wrong,
        }
    return {"targets": targets}


def page(runs: list[Run]) -> str:
    """Return what came of all runs together, as Markdown."""
    names = [each.name for each in trials(1)]
    rows, phases, texts, wrong = [], [], {}, []
    for name in names:
        each = [run["targets"][name] for run in runs if name in run["targets"]]
        if not each:
            continue
        summed = [sum(one[key] for one in each) for key in ("clock", "changes", "series")]
        most = [max(one[key] for one in each) for key in ("cut_off", "unstored")]
        bad = [text for one in each for text in one["wrong"]]
        numbers = [summed[0] + summed[1], *summed, *most, len(bad)]
        rows.append([name, *(f"{number:,}" for number in numbers)])
        counted = sum((Counter(one["phases"]) for one in each), Counter[str]())
        phases += [[name, phase, f"{count:,}"] for phase, count in sorted(counted.items())]
        texts[name.partition(",")[0]] = each[-1]["text"]
        wrong += bad
    head = ["killed", "kills", "by the clock", "at a change", "series"]
    head += ["most blocks cut off", "done, not stored", "wrong"]
    kills = [
        sum(one["clock"] + one["changes"] for one in run["targets"].values())
        for run in runs
    ]
    bad_runs = [sum(len(one["wrong"]) for one in run["targets"].values()) for run in runs]
    return "\n\n".join(
        [
            f"{sum(kills):,} kills that landed.",
            "\n".join(f"- {text}" for text in wrong) or "Nothing was wrong.",
            markdown_table(head, rows),
            "\n".join(f"- {name}: {text}" for name, text in texts.items()),
            "## How far they had got",
            markdown_table(["killed", "phase", "kills"], phases),
            "## Runs",
            table_of(runs, "kills", kills, bad_runs),
        ]
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    done = trials(options.kills, options.only)
    with tempfile.TemporaryDirectory(prefix="kills-") as scratch:
        run_trials(done, options.seed, Path(scratch), options.jobs)
    runs = add("kills", options.write, options.seed, found(done))
    return Verdict(page(runs), any(trial.wrong for trial in done))


_NAMES = sorted({word for share in SHARES for word in share})

TRIAL = Trial(
    "Kills",
    carry_out,
    (
        option("--kills", type=int, default=220, help="that must land, at least"),
        option("--only", nargs="+", default=[], choices=_NAMES, help="of these"),
        option("--jobs", type=int, default=2, help="trials at a time"),
    ),
)

"""Trial: batches, table builds and workers are killed at random moments and restarted.

    python -m verify kills --kills 200 --seed 1 --write

Runs with several seeds add up on one page.

A series of kills concerns one command in one folder. The command is started and killed
repeatedly, and each start continues the work, until the command completes. Every file must
then have the expected content, and there must be no other files. Half of the kills of the
main process come at random times within the duration of the command. The other half come
just before a random change of a file or folder. Worker processes are killed only at random
times.
"""

import argparse
import random
import signal
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from verify.common.artifacts import differing, digests
from verify.common.sessions import References, Session, prepare_cache, wait_for_worker
from verify.common.tallies import (
    Found,
    Run,
    Tally,
    add,
    body,
    failures,
    notes,
    table,
    table_of,
    together,
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
"""Proportions of kills, for each command and each type of process that is killed."""

_TOLD = {
    "loky": ("a worker process was killed",),
    # Dask continues without a killed worker, unless the worker was still starting, or other
    # workers were killed while playing the same games.
    "dask": ("did not start", "killed while playing the same games"),
}
"""Messages that a command may print when one of its workers is killed, by backend."""

AT_MOST = 8
"""Number of kills after which a command is allowed to run to its end."""


@dataclass
class Campaign:
    """Planned number of kills of one command, and the results of these kills.

    Attributes
    ----------
    target : Target
        Command that is killed.
    who : str
        Process that is killed: ``main``, or the backend whose workers are killed.
    wanted : int
        Number of kills that must happen while the process is running.
    tally : Tally
        Results of the kills, such as the number of kills in each phase of the work.
    """

    target: Target
    who: str
    wanted: int
    tally: Tally = field(default_factory=Tally)

    @property
    def name(self) -> str:
        return self.target.name if self.who == "main" else f"{self.target.name}, {self.who}"


class Killer:
    """Runner of the planned kills of one command.

    Parameters
    ----------
    campaign : Campaign
        Planned kills of one command. The results are added to the campaign's tally.
    scratch : Path
        Working folder.
    references : References
        Results of the targets without kills.
    seed : int
        Random seed.
    """

    def __init__(
        self, campaign: Campaign, scratch: Path, references: References, seed: int
    ) -> None:
        self._target, self._who = campaign.target, campaign.who
        self._wanted, self._tally = campaign.wanted, campaign.tally
        self._scratch = scratch
        self._cache = references.cache
        self._references = references
        self._chance = random.Random(f"{seed} {campaign.name}")
        self._folder = scratch

    def run(self) -> None:
        """Kill and restart a command until the planned number of kills is reached."""
        self._baseline = self._references.of(self._target)
        while self._tally.tried < self._wanted and not self._tally.failures:
            self._tally.sums["series"] += 1
            self._folder = self._scratch / str(self._tally.sums["series"])
            backend = self._chance.choice(["threading", "threading", "loky"])
            if self._who != "main":
                backend = self._who
            self._target.prepare(self._folder, backend)
            self._series()

    def _series(self) -> None:
        killed, stored = 0, 0
        ended = False
        while not ended:
            may_kill = killed < AT_MOST and self._tally.tried < self._wanted
            ended = self._one(kill=may_kill)
            killed += 1
            now = self._target.stored(self._folder)
            if now < stored:
                self._complain(f"{stored} were stored, then {now}")
            stored = now
        if names := differing(digests(self._folder), self._baseline.digests):
            self._complain(f"these files differ: {names}")

    def _one(self, *, kill: bool) -> bool:
        """Run one session; return whether it completed the work."""
        before = self._target.stored(self._folder)
        changes = self._baseline.changes
        at = 0
        if kill and changes and self._who == "main" and self._chance.random() < 0.5:
            at = self._chance.randint(1, changes)
        delay = self._chance.uniform(0, self._baseline.seconds)
        options = ("--within", str(self._folder), "--at", str(at))
        with Session(self._target, self._folder, self._cache, *options) as session:
            if not kill or at:
                session.wait()
            elif self._who == "main":
                session.signal_after(delay, group=self._chance.random() < 0.5)
            else:
                # A worker mostly spends its time starting. Therefore, three of four kills
                # wait until the worker plays.
                playing = self._chance.random() < 0.75
                wait_for_worker(session, playing=playing)
                session.kill_worker_after(delay / 2 if playing else delay, self._chance)
        if session.code == -signal.SIGKILL or session.workers_killed:
            self._note(before, "at a change" if at else "by the clock", session.log())
        return self._judge(session, kill=kill)

    def _note(self, before: int, how: str, log: list[str]) -> str:
        """Record a kill, and return the phase of the work in which it happened."""
        begun, done = (
            sum(int(line.split()[1]) for line in log if line.startswith(word))
            for word in ("begun", "done")
        )
        stored = self._target.stored(self._folder) - before
        per_block = max(self._target.block, 1)
        phase = self._target.phase(self._folder)
        self._tally.add(how)
        self._tally.notes[phase] += 1
        self._tally.reach("cut off", -(-(begun - done) // per_block))
        self._tally.reach("unstored", -(-(done - stored) // per_block) if begun else 0)
        change = next((line for line in log if line.startswith("before")), "")
        print(self._target.name, self._tally.tried, how, change, phase, file=sys.stderr)
        return phase

    def _judge(self, session: Session, *, kill: bool) -> bool:
        """Check how the command ended; return whether it completed the work."""
        lines = session.sentences()
        if session.code == 0:
            return True
        if session.code == -signal.SIGKILL and kill and self._who == "main":
            return False
        told_of_worker = (
            session.workers_killed
            and session.code == 1
            and len(lines) == 1
            and any(word in lines[0] for word in _TOLD.get(self._who, ()))
        )
        if told_of_worker:
            return False
        self._complain(f"exit status {session.code}: {' / '.join(lines)[-400:]}")
        return True

    def _complain(self, what: str) -> None:
        where = f"series {self._tally.sums['series']}, kill {self._tally.tried}"
        self._tally.fail(f"{where}: {what}")


def campaigns(kills: int, only: Iterable[str] = ()) -> list[Campaign]:
    """Share out the planned kills of processes among the commands to be tested."""
    known = targets()
    chosen = {k: n for k, n in SHARES.items() if not only or k[0] in only or k[1] in only}
    total = sum(chosen.values())
    return [
        Campaign(known[name], who, -(-kills * share // total))
        for (name, who), share in chosen.items()
    ]


def carry_out_all(
    wanted: list[Campaign], options: argparse.Namespace, by: type[Killer] = Killer
) -> Found:
    """Carry out the planned kills of several commands in parallel; return the results."""
    with tempfile.TemporaryDirectory(prefix="kills-") as name:
        scratch = Path(name)
        prepare_cache(scratch / "cache")
        references = References(scratch, scratch / "cache")

        def one(campaign: Campaign) -> None:
            folder = scratch / campaign.name.replace(", ", "-")
            try:
                by(campaign, folder, references, options.seed).run()
            except Exception as error:
                campaign.tally.fail(f"{type(error).__name__}: {error}")

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, wanted))
    return {campaign.name: campaign.tally for campaign in wanted}


def page(runs: list[Run]) -> str:
    found = together(runs)
    texts = {one.target.name: one.target.text for one in campaigns(1)}
    columns = {
        "kills": lambda tally: tally.tried,
        "by the clock": "by the clock",
        "at a change": "at a change",
        "series": "series",
        "blocks interrupted": "cut off",
        "blocks not stored": "unstored",
        "wrong": lambda tally: tally.failures,
    }
    return body(
        found,
        "processes were killed while they worked",
        ".",
        "Processes are killed at random times (*by the clock*) or just before they "
        "change the disk (*at a change*). In a *series*, a command is started and killed "
        "repeatedly until it completes. A block is a part of a batch that one worker "
        "computes at a time. *Blocks interrupted* is the largest number of blocks, over "
        "all kills, that were being computed when a process was killed. *Blocks not "
        "stored* is the largest number of blocks, over all kills, that were already "
        "computed, but not yet stored.",
        table("killed", found, columns),
        "\n".join(
            f"- *{name}* means {text}." for name, text in texts.items() if name in found
        ),
        "## Phases in which processes were killed",
        notes("killed", "phase", "kills", found),
        table_of(runs, "kills"),
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    found = carry_out_all(campaigns(options.kills, options.only), options)
    runs = add("kills", options.write, options.seed, found)
    return Verdict(page(runs), failures(found) > 0)


_NAMES = sorted({word for share in SHARES for word in share})

TRIAL = Trial(
    "Kills",
    carry_out,
    (
        option(
            "--kills",
            type=int,
            default=220,
            help="minimum number of kills that hit a running process",
        ),
        option(
            "--only",
            nargs="+",
            default=[],
            choices=_NAMES,
            help="kill only these commands or types of processes",
        ),
        option(
            "--jobs",
            type=int,
            default=2,
            help="number of commands that are tested at the same time",
        ),
    ),
)

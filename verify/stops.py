"""Trial: every command that stores data is stopped by Ctrl-C or SIGTERM, and run again.

    python -m verify stops --stops 2000 --seed 1 --write

The method is that of `verify.kills`, but with the signals SIGINT (Ctrl-C) and SIGTERM. The
process must store all completed work, print only that it was interrupted, and end with the
exit status of the signal. Ctrl-C also reaches the worker processes. Runs with several seeds
add up.
"""

import argparse
import signal
import time
from dataclasses import replace

from verify.common.processes import wait_for
from verify.common.sessions import Session
from verify.common.tallies import (
    Run,
    add,
    body,
    failures,
    table,
    table_of,
    together,
)
from verify.common.targets import targets
from verify.common.trial import Trial, Verdict, option
from verify.kills import SHARES, Campaign, Killer, carry_out_all

SIGNALS = (signal.SIGINT, signal.SIGTERM)

NO_COMMANDS = ("race-model", "training")
"""Names of entries in `targets` that are not commands of `bearoff`, and therefore do not
handle signals.
"""


class Stopper(Killer):
    """Runner that stops one command by signals, and counts the signals by name."""

    def _one(self, *, kill: bool) -> bool:
        before = self._target.stored(self._folder)
        number, share = self._chance.choice(SIGNALS), self._chance.random()
        stopped, began = False, time.monotonic()
        with Session(self._target, self._folder, self._cache) as session:
            if kill:
                wait_for(
                    lambda: session.code is not None or "begins" in session.log(),
                    "the command begins",
                )
                starting = time.monotonic() - began
                delay = share * max(self._baseline.seconds - starting, 0.0)
                # Ctrl-C on a terminal also reaches the workers, so SIGINT is sent to the
                # whole process group.
                group = number == signal.SIGINT
                stopped = session.signal_after(delay, number, group=group)
                took = time.monotonic() - began - starting - delay
            else:
                session.wait()
        if not stopped or session.code == 0:
            return self._judge(session, kill=False)
        name = signal.Signals(number).name
        phase = self._note(before, name, session.log())
        self._tally.reach("slowest end", took)
        said = session.sentences()
        word = said and said[-1].startswith("bearoff: interrupted")
        if session.code == 128 + number and word and "Traceback" not in "".join(said):
            return False
        self._complain(
            f"{name} after {delay:.2f} s, {phase}: exit status {session.code}: "
            f"{' / '.join(said)[-400:]}"
        )
        return True


def campaigns(stops: int) -> list[Campaign]:
    """Distribute a number of stops over the commands, in the same proportions as kills."""
    shares = {
        name: share
        for (name, who), share in SHARES.items()
        if who == "main" and name not in NO_COMMANDS
    }
    total, known = sum(shares.values()), targets()
    # Only one match is reviewed. Several matches would be numbered in the order in which
    # their reviews are completed.
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


def page(runs: list[Run]) -> str:
    found = together(runs)
    columns = {
        "stops": lambda tally: tally.tried,
        **{number.name: number.name for number in SIGNALS},
        "series": "series",
        "blocks not stored": "unstored",
        "longest time to stop, s": "slowest end",
        "wrong": lambda tally: tally.failures,
    }
    return body(
        found,
        "commands were stopped while they worked",
        ". Each received SIGINT or SIGTERM. The page about [kills](kills.md) describes "
        "these commands. *Blocks not stored* is the maximum number of computed blocks of "
        "a batch that one stop lost.",
        table("stopped", found, columns),
        table_of(runs, "stops"),
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    found = carry_out_all(campaigns(options.stops), options, Stopper)
    runs = add("stops", options.write, options.seed, found)
    return Verdict(page(runs), failures(found) > 0)


TRIAL = Trial(
    "Stops",
    carry_out,
    (
        option("--stops", type=int, default=200, help="that must land, at least"),
        option("--jobs", type=int, default=2, help="trials at a time"),
    ),
)

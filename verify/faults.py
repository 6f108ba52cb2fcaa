"""Trial: disks, clocks, memory, signals and pipes fail while commands run.

    python -m verify faults --seed 1

Each fault is applied to commands that work in folders of their own. A command may still
succeed. Otherwise it must end with the documented exit status and one sentence, and leave
no incomplete file. The same command is then run without the fault, after which every file
must have its expected content. Small disks are mounted in memory, which requires root;
without root these faults are left out, and the page says so.
"""

import argparse
import re
import signal
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from verify.common.sessions import prepare_cache
from verify.common.tallies import Found, Tally, body, failures, table
from verify.common.trial import Trial, Verdict, option
from verify.fault_cases.bench import Bench, FaultTally
from verify.fault_cases.cases import CASES, Case

# The path of the temporary folder differs between machines, so it is removed from messages.
_PLACE = re.compile(r"/\S*/faults-\w+(?=/)")


def try_all(bench: Bench, cases: Iterable[Case], times: int, jobs: int = 1) -> Found:
    """Try every fault on the commands listed for the fault, in several threads."""

    def attempts(case: Case, name: str) -> FaultTally:
        tally = FaultTally()
        if case.needs_disk and bench.no_disk:
            tally.notes[bench.no_disk] += 1
            return tally
        chance = bench.chance(f"{case.name} {name}")
        target = bench.targets.get(name, name)
        try:
            for _ in range(times * case.times):
                case.attempt(bench, target, chance, tally)
        except Exception as error:
            tally.fail(f"{type(error).__name__}: {error}")
        print(f"{case.name}, {name}: {tally}", file=sys.stderr)
        return tally

    tried = [(case, name) for case in cases for name in case.targets]
    with ThreadPoolExecutor(jobs) as pool:
        tallies = list(pool.map(attempts, *zip(*tried, strict=True)))
    names = (f"{case.name}, {name}" for case, name in tried)
    return dict(zip(names, tallies, strict=True))


def page(found: Found, seed: int) -> str:
    columns = {
        "commands": lambda tally: tally.tried,
        "exit status": lambda tally: " ".join(
            f"{code}×{n}" for code, n in sorted(tally.counts.items())
        ),
        "example of a message": _message,
    }
    table_of_faults = table("fault, target", found, columns)
    return body(
        found,
        "commands ran into a fault",
        f" (such as a full disk) that the trial caused, with seed {seed}.",
        "In the column *exit status*, 1×5 means that the exit status 1 occurred 5 times. "
        "The messages are those that the program printed at the commit below.",
        table_of_faults,
    )


def _message(tally: Tally) -> str:
    *_, last = ["", *tally.notes]
    return _PLACE.sub("...", last).replace("|", "\\|")


def carry_out(options: argparse.Namespace) -> Verdict:
    # SIGTERM must raise KeyboardInterrupt, so that the disks are unmounted even if the
    # trial is terminated.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    chosen = [c for c in CASES if not options.only or c.name in options.only]
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
        bench = Bench(Path(scratch), options.seed)
        prepare_cache(bench.cache)
        found = try_all(bench, chosen, options.times, options.jobs)
    return Verdict(page(found, options.seed), failures(found) > 0)


TRIAL = Trial(
    "Faults",
    carry_out,
    (
        option(
            "--times",
            type=int,
            default=1,
            help="factor by which the number of attempts of each fault is multiplied",
        ),
        option("--only", nargs="*", choices=[c.name for c in CASES]),
        option(
            "--jobs",
            type=int,
            default=2,
            help="number of faults that are tried at the same time",
        ),
    ),
)

"""Trial: a cluster that loses machines gives the same result files as one machine.

    python -m verify cluster --write

The scheduler, the command `bearoff simulate` and every worker have their own simulated
machines. If available, machines are network namespaces; otherwise they are processes that
share only the loopback interface. During a run, the machine of one worker is killed,
another machine joins, and a third is disconnected.
"""

import argparse
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bearoff.analysis.output import markdown_table
from bearoff.runtime.compiled import COMPILING
from verify.clusters.machines import (
    Network,
    copy_of_the_code,
    namespaces_can_be_had,
    network,
)
from verify.clusters.refused import Refused, table_of_refusals
from verify.clusters.runs import (
    Keys,
    has_joined,
    kinds,
    parts_of,
    played_alone,
    share_done,
    simulate,
    start_scheduler,
    start_worker,
)
from verify.common.processes import Child, wait_for
from verify.common.trial import Trial, Verdict, option

THREADS = {"killed": 1, "cut-off": 2, "steady": 3, "late": 2}
"""Number of threads of each worker, by the name of its machine."""

KILLED, JOINED, CUT = 0.15, 0.25, 0.4
"""Proportions of completed blocks of games at which a worker is killed, a second worker
joins, and a third worker is disconnected."""


@dataclass(frozen=True)
class Outcome:
    """Result of a run on a cluster, compared with the same run on one machine.

    Attributes
    ----------
    kind : str
        Kind of run: ``races``, ``cubeful`` or ``rollouts``.
    identical : bool
        Whether the result files of both runs have the same bytes.
    lost : int
        Number of workers that the scheduler lost.
    blocks : int
        Number of blocks of the run.
    alone, together : float
        Duration in seconds on one machine, and on the cluster.
    traffic : tuple of int or None
        Bytes received and sent by the machine on which the user started the run.
    """

    kind: str
    identical: bool
    lost: int
    blocks: int
    alone: float
    together: float
    traffic: tuple[int, int] | None


def with_losses(
    made: Network, kind: str, keys: Keys, blocks: int
) -> tuple[dict[str, bytes], Outcome]:
    """Run a batch on one machine and on a cluster that loses machines; compare results."""
    expected, alone = played_alone(made, keys)
    head, desk = made.machine("head"), made.machine("desk")
    to = start_scheduler(head)
    machines = {name: made.machine(name) for name in THREADS}
    for name in ("killed", "cut-off", "steady"):
        start_worker(machines[name], to, THREADS[name])
    for name in ("killed", "cut-off", "steady"):
        wait_for(lambda name=name: has_joined(head, machines[name]), f"{name} joined")
    before = made.traffic("desk")
    started = time.monotonic()
    process = simulate(desk, keys | to)
    pairs = keys["pairs"][0]["random"]["pairs"]

    def reached(share: float) -> Callable[[], bool]:
        return lambda: process.code is not None or share_done(desk, blocks, pairs) >= share

    wait_for(reached(KILLED), "a worker can be killed")
    machines["killed"].kill()
    wait_for(reached(JOINED), "a worker can join")
    start_worker(machines["late"], to, THREADS["late"])
    # Two machines are paused, so that the run cannot end before the third machine has
    # joined.
    for name in ("cut-off", "steady"):
        machines[name].kill(signal.SIGSTOP)
    wait_for(lambda: has_joined(head, machines["late"]), "late joined")
    machines["steady"].kill(signal.SIGCONT)
    # One machine stays paused until it is disconnected. It thus holds unfinished blocks,
    # and the run cannot end before the scheduler has noticed that it is lost.
    wait_for(reached(CUT), "a worker can be disconnected")
    midway = process.code is None
    made.cut_off("cut-off")
    if made.separate:
        machines["cut-off"].kill(signal.SIGCONT)
    process.wait()
    together = time.monotonic() - started
    if process.code or not midway:
        output = (desk.home / "output").read_text()
        raise RuntimeError(output or "the run had ended before a machine was disconnected")
    after = made.traffic("desk")
    lost = (head.home / "log").read_text().count("Remove worker addr")
    traffic = (after[0] - before[0], after[1] - before[1]) if before and after else None
    identical = bool(expected) and parts_of(desk) == expected
    return expected, Outcome(kind, identical, lost, blocks, alone, together, traffic)


def other_code(code: Path, to: Path) -> Path:
    """Copy the packages, and change the code version of the copy by adding a comment."""
    copy_of_the_code(to)
    kernels = to / "sim" / "play" / "kernels.py"
    kernels.write_text(kernels.read_text() + "\n# played otherwise\n")
    return to


def refusals(
    made: Network, folder: Path, keys: Keys, blocks: int, expected: dict[str, bytes]
) -> tuple[list[Refused], bool]:
    """Run a batch under conditions that must stop it, and then continue it normally.

    The following conditions are tried: a worker with another version of the program is
    present from the start, or joins late, or the scheduler is lost.

    Returns
    -------
    list of Refused
        For each condition, how the command ended.
    bool
        Whether the run gave the expected bytes after it was continued normally.
    """
    head, desk = made.machine("head"), made.machine("desk")
    good = made.machine("good")
    other = made.machine("other", other_code(folder, folder / "other-code"))
    pairs = keys["pairs"][0]["random"]["pairs"]

    def ending(what: str, process: Child, since: float, status: int = 2) -> Refused:
        process.wait()
        # The message that kernels are being compiled is not an error, so it is removed.
        lines = [line for line in process.out.splitlines() if not line.endswith(COMPILING)]
        seconds = time.monotonic() - since
        return Refused(what, status, process.code, seconds, "\n".join(lines))

    def to_some(share: float, process: Child) -> None:
        wait_for(
            lambda: process.code is not None or share_done(desk, blocks, pairs) >= share,
            f"{share:.0%} is done",
        )

    to = start_scheduler(head)
    start_worker(good, to, 2)
    start_worker(other, to, 2)
    for worker in (good, other):
        wait_for(lambda worker=worker: has_joined(head, worker), f"{worker.name} joined")
    since = time.monotonic()
    first = ending("a worker of another version", simulate(desk, keys | to), since)
    other.kill()

    process = simulate(desk, keys | to)
    to_some(0.2, process)
    start_worker(other, to, 2)
    late = ending("a worker of another version joins", process, time.monotonic())
    other.kill()

    process = simulate(desk, keys | to)
    to_some(0.5, process)
    since = time.monotonic()
    head.kill()
    gone = ending("the scheduler is killed", process, since, 1)
    good.kill()

    since = time.monotonic()
    none = ending("there is no scheduler", simulate(desk, keys | to), since, 1)

    (head.home / "log").unlink()
    start_scheduler(head)
    start_worker(good, to, 2)
    process = simulate(desk, keys | to)
    process.wait()
    identical = process.code == 0 and parts_of(desk) == expected
    return [first, late, gone, none], identical


def page(
    outcomes: list[Outcome], refused: list[Refused], mended: bool, separate: bool
) -> str:
    where = (
        "Every machine is a network namespace with its own address, caches and working "
        "directory; a bridge connects them."
        if separate
        else "Network namespaces were not available: every machine is a process with "
        "its own caches and working directory, and `cut-off` is frozen."
    )
    rows = [
        [
            found.kind,
            "yes" if found.identical else "NO",
            str(found.blocks),
            str(found.lost),
            f"{found.alone:.1f}",
            f"{found.together:.1f}",
            *(
                (f"{b / found.blocks / 1000:.1f}" for b in found.traffic[::-1])
                if found.traffic
                else ("", "")
            ),
        ]
        for found in outcomes
    ]
    head = ["run", "same bytes", "blocks", "workers lost", "alone, s", "cluster, s"]
    workers = ", ".join(
        f"`{name}` ({threads} thread{'s' * (threads > 1)})"
        for name, threads in THREADS.items()
    )
    return f""" {where} The names of the workers are {workers}. The worker `killed` is
killed with signal 9 when {KILLED:.0%} of the blocks are done, `late` joins at {JOINED:.0%},
and `cut-off`, paused since then, loses the network at {CUT:.0%}. The Parquet files of the
run on the cluster are compared with the files of the run "alone", which has the same
configuration with `backend: threading`. All machines share the processors of one computer,
so the times show the cost of lost workers, not the speed-up by a cluster.

{markdown_table([*head, "kB sent per block", "kB returned per block"], rows)}

The table shows problems that stop a run, and the messages of the command:

{table_of_refusals(refused)}

After the problem was removed, the resumed run gave the same bytes:
{"yes" if mended else "NO"}.
"""


def trial(folder: Path, seed: int, size: float, separate: bool) -> tuple[str, bool]:
    """Run the trial; return a page with the results, and whether it passed."""
    code = copy_of_the_code(folder / "code")
    outcomes = []
    races: dict[str, bytes] = {}
    wanted = kinds(seed, size)
    for kind, (keys, blocks) in wanted.items():
        with network(folder / kind, code, separate) as made:
            parts, outcome = with_losses(made, kind, keys, blocks)
        outcomes.append(outcome)
        print(outcome, file=sys.stderr)
        if kind == "races":
            races = parts
    with network(folder / "refusals", code, separate) as made:
        refused, mended = refusals(made, folder, *wanted["races"], races)
    right = all(found.identical and found.lost >= 2 for found in outcomes)
    return (
        page(outcomes, refused, mended, separate),
        right and mended and all(one.right for one in refused),
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    with tempfile.TemporaryDirectory(prefix="bearoff-cluster-") as folder:
        body, right = trial(
            Path(folder), options.seed, options.size, namespaces_can_be_had()
        )
    return Verdict(body, not right)


TRIAL = Trial(
    "A cluster that loses machines",
    carry_out,
    (
        option(
            "--size",
            type=float,
            default=1.0,
            help="factor by which the size of the runs is multiplied",
        ),
    ),
)

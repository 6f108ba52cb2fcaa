"""The page's server asked what nobody should ask, too much, and too slowly.

    python -m verify server --scale 0.2 --seed 1 --write

Runs of several seeds add up on one page; five of this size make 100,000 hostile requests.

Requests made from its own description by schemathesis; bytes at random, and good requests
with bytes changed; bodies that are too large, too deep or no JSON; names of other hosts and
pages of other sites; clients that send or read a byte at a time, or leave; and more
requests than it can answer. Every answer must be as described or one sentence with 4xx,
the server must go on, stay quick for others and keep its memory. WRONG is all else.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator

from bearoff.analysis.output import markdown_table
from benchmarks.served import running
from verify.common.record import Run, add, table_of
from verify.common.trial import Trial, Verdict, option
from verify.hostile.day import half_a_day, other_half
from verify.hostile.requests import KINDS as HOSTILE, VERDICTS, Tally, is_well

HALF_A_DAY = 12 * 3600 * 10
"""Good questions, ten a second."""

KINDS = HOSTILE | {
    "half a day of good questions": (half_a_day, HALF_A_DAY),
    "the other half": (other_half, HALF_A_DAY),
}
"""Kinds of requests, in the order in which a server is asked; a leak shows in the last."""


def run(
    port: int, scale: float, seed: int, chosen: str = ""
) -> Iterator[tuple[str, Tally]]:
    """Try every kind, or those with this in their name; yield what came of it."""
    for name, (trial, cases) in KINDS.items():
        if chosen not in name:
            continue
        tally = trial(port, max(1, round(cases * scale)), seed)
        if why := is_well(port):
            tally.add("WRONG", f"afterwards {why}")
        for line in tally.wrong[:20]:
            print(f"WRONG: {name}: {line}", file=sys.stderr, flush=True)
        yield name, tally


def page(runs: list[Run]) -> str:
    """Write what all runs found together; memory is that of the worst."""
    rows, counts, wrong = [], [0] * len(runs), [0] * len(runs)
    for name in KINDS:
        together: Counter[str] = Counter()
        seconds, processor, before, after = 0.0, 0.0, [], []
        for place, run in enumerate(runs):
            if kept := run["found"].get(name):
                together.update(kept["counts"])
                counts[place] += sum(kept["counts"].values())
                wrong[place] += len(kept["wrong"])
                seconds += kept["seconds"]
                processor += kept["processor"]
                before.append(kept["before"] >> 20)
                after.append(kept["after"] >> 20)
        if number := together.total():
            told = [f"{together[verdict]:,}" for verdict in VERDICTS]
            speed = [
                f"{number / max(seconds, 1e-3):,.0f}",
                f"{1000 * processor / number:.2f}",
            ]
            memory = [f"{max(before):,}", f"{max(after):,}"]
            rows.append([name, f"{number:,}", *told, *speed, *memory])
    head = ["requests", "number", *VERDICTS, "a second", "ms of the processor each"]
    parts = [
        f"{sum(counts):,} requests. *Refused*: 4xx with one sentence; *closed*: a"
        " connection ended without an answer, as a slow client's is. *MiB*: what the"
        " server held before and after, of the worst run; a server is asked all kinds,"
        " one after the other.",
        markdown_table([*head, "MiB before", "MiB after"], rows),
    ]
    bad = [
        f"- {name}: {why}"
        for run in runs
        for name, kept in run["found"].items()
        for why in kept["wrong"]
    ]
    if bad:
        parts += ["What was wrong:", "\n".join(bad[:50])]
    return "\n\n".join([*parts, "## Runs", table_of(runs, "requests", counts, wrong)])


def carry_out(options: argparse.Namespace) -> Verdict:
    found: Run = {}
    with (
        tempfile.TemporaryDirectory(prefix="bearoff-server-") as data,
        running(env={"BEAROFF_DATA": data}) as server,
    ):
        state = time.monotonic(), server.seconds, server.memory
        for name, tally in run(server.port, options.scale, options.seed, options.kind):
            now = time.monotonic(), server.seconds, server.memory
            found[name] = {
                "counts": tally.counts,
                "wrong": tally.wrong,
                "seconds": now[0] - state[0],
                "processor": now[1] - state[1],
                "before": state[2],
                "after": now[2],
            }
            state = now
    runs = add("server", options.write, options.seed, {"found": found})
    return Verdict(page(runs), any(kept["wrong"] for kept in found.values()))


TRIAL = Trial(
    "The page's server",
    carry_out,
    (
        option(
            "--scale", type=float, default=0.2, help="share of 100,000 hostile requests"
        ),
        option("--kind", default="", help="only kinds with this in their name"),
    ),
)

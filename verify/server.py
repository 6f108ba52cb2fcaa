"""Trial: hostile, excessively large and slow requests to the page's server.

    python -m verify server --scale 0.2 --seed 1 --write

Runs with several seeds add up on one page; five runs of this size make 100,000 hostile
requests.

Schemathesis makes requests from the server's description. There are also random bytes, and
good requests with changed bytes; bodies that are too large, too deep or not JSON; names of
other hosts, and pages of other sites; clients that send or read one byte at a time, or
disconnect; and more requests at once than the server can answer. Every response must be as
described, or one sentence with status 4xx. The server must keep running, respond quickly to
other clients and limit its memory. Everything else is WRONG.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator

from benchmarks.served import running
from verify.common.tallies import (
    WRONG,
    Found,
    Run,
    Tally,
    add,
    body,
    failures,
    table,
    table_of,
    together,
    warn,
)
from verify.common.trial import Trial, Verdict, option
from verify.hostile.good_requests import half_a_day, other_half
from verify.hostile.requests import KINDS as HOSTILE, VERDICTS, is_well

HALF_A_DAY = 12 * 3600 * 10
"""Number of valid requests in half a day, at ten requests per second."""

KINDS = HOSTILE | {
    "half a day of good questions": (half_a_day, HALF_A_DAY),
    "the other half": (other_half, HALF_A_DAY),
}
"""Kinds of requests, in the order in which the server gets them."""


def run(
    port: int, scale: float, seed: int, chosen: str = ""
) -> Iterator[tuple[str, Tally]]:
    """Send all kinds of requests whose names contain `chosen`; yield a tally for each."""
    for name, (trial, cases) in KINDS.items():
        if chosen not in name:
            continue
        tally = trial(port, max(1, round(cases * scale)), seed)
        if why := is_well(port):
            tally.add(WRONG, f"afterwards {why}")
        for line in tally.wrong[:20]:
            warn(name, line)
        yield name, tally


def page(runs: list[Run]) -> str:
    found = together(runs)
    columns = {
        "number": lambda tally: tally.tried,
        **{verdict: verdict for verdict in VERDICTS},
        "per second": lambda tally: round(tally.tried / max(tally.sums["seconds"], 1e-3)),
        "CPU ms per request": lambda tally: (
            1000 * tally.sums["processor"] / max(tally.tried, 1)
        ),
        "MiB before": lambda tally: int(tally.most["before"]) >> 20,
        "MiB after": lambda tally: int(tally.most["after"]) >> 20,
    }
    return body(
        found,
        "requests",
        " were sent. *Refused* requests were answered with a status of 4xx and one "
        "sentence. *Closed* requests received no answer, for example because the client "
        "was too slow. The last two columns show the memory of the server before and "
        "after the requests of a row, in the run with the largest memory. One server "
        "receives the requests of all rows, in the order of the table.",
        table("requests", found, columns),
        table_of(runs, "requests"),
    )


def carry_out(options: argparse.Namespace) -> Verdict:
    found: Found = {}
    with (
        tempfile.TemporaryDirectory(prefix="bearoff-server-") as data,
        running(env={"BEAROFF_DATA": data}) as server,
    ):
        state = time.monotonic(), server.seconds, server.memory
        for name, tally in run(server.port, options.scale, options.seed, options.kind):
            now = time.monotonic(), server.seconds, server.memory
            tally.sums |= {"seconds": now[0] - state[0], "processor": now[1] - state[1]}
            tally.most |= {"before": state[2], "after": now[2]}
            found[name] = tally
            state = now
    runs = add("server", options.write, options.seed, found)
    return Verdict(page(runs), failures(found) > 0)


TRIAL = Trial(
    "The page's server",
    carry_out,
    (
        option(
            "--scale",
            type=float,
            default=0.2,
            help="number of hostile requests, divided by 100,000",
        ),
        option(
            "--kind",
            default="",
            help="send only kinds of requests whose names contain this text",
        ),
    ),
)

"""Trial: all parsers and the command get millions of malformed inputs, from three fuzzers.

    python -m verify fuzz --inputs 1000000 --seed 1 --write
    python -m verify fuzz --replay config "b'run: [x'"

The page has the totals of all runs, which may have different seeds.

Most inputs are good ones after some mutations. Each has its own random stream, so that a
seed gives the same inputs on any number of processes. Other inputs come from hypothesis
and, if it is installed, from atheris, which is guided by code coverage. A reader may accept
an input if an independent reader finds the same content, and if writing the content gives
the input again; or it may reject the input in one sentence. Everything else is a failure:
another error, a wrong reading, a control character in a message, too much time or memory,
or the end of the process. An input is one text or file for one reader; slow readers get
fewer inputs.
"""

import argparse
import ast
import multiprocessing
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from typing import Any

from verify.common.processes import limit_memory
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
)
from verify.common.trial import BadOptionError, Trial, Verdict, option
from verify.fuzzing.case import CHUNK, Target, fuzz_chunk, fuzz_chunk_apart, try_input
from verify.fuzzing.cli import home, in_processes
from verify.fuzzing.guided import LONGEST, available, guided
from verify.fuzzing.properties import try_examples
from verify.fuzzing.targets import TARGETS
from verify.fuzzing.yaml import scratch

GUIDED = 0.03
"""Proportion of inputs that come from the fuzzer atheris."""

EXAMPLES = 0.002
"""Proportion of inputs that come from the fuzzer hypothesis."""

KINDS = "mutated", "hypothesis", "guided"
"""Names of the three fuzzers in the table of results."""

MEMORY = 2 << 30
"""Bytes of memory that a process may use in addition to what it uses at the start."""


def search(inputs: int, seed: int, limit: float, processes: int) -> Found:
    """Try a number of inputs; return tallies of the outcomes by target and fuzzer."""
    jobs: list[tuple[str, Callable[..., Tally], tuple[Any, ...]]] = []
    # The slowest targets start first, so that they do not end long after the others.
    for target in sorted(TARGETS.values(), key=lambda target: target.share):
        examples = max(round(EXAMPLES * inputs * target.share), 1)
        asked = target.name, examples, seed, limit
        jobs.append((_row(target.name, "hypothesis"), _try_examples, asked))
        for chunk, size in _chunks(target, inputs):
            part = target.name, seed, chunk, size, limit
            jobs.append((_row(target.name, "mutated"), _fuzz_chunk, part))
    found = {_row(name, kind): Tally() for kind in KINDS for name in TARGETS}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _prepare) as pool:
        begun = {pool.submit(work, *asked): row for row, work, asked in jobs}
        for job in as_completed(begun):
            found[begun[job]] += job.result()
    if available():
        total = sum(TARGETS[name].share for name in LONGEST)

        def look(name: str) -> None:
            most = round(GUIDED * inputs * TARGETS[name].share / total)
            found[_row(name, "guided")] += guided(name, most, seed)

        with ThreadPoolExecutor(processes) as threads:
            list(threads.map(look, sorted(LONGEST)))
    return {row: tally for row, tally in found.items() if tally.tried}


def _row(name: str, kind: str) -> str:
    return f"{TARGETS[name].text}, {kind}"


def _chunks(target: Target, inputs: int) -> Iterator[tuple[int, int]]:
    wanted = round((1 - GUIDED - EXAMPLES) * inputs * target.share)
    for chunk, start in enumerate(range(0, wanted, CHUNK)):
        yield chunk, min(CHUNK, wanted - start)


def _prepare() -> None:
    """Load tables and code that the inputs need, and then limit this process's memory."""
    # Two processes that build the same table would wait for each other, so each has its own
    # cache.
    os.environ["BEAROFF_CACHE"] = str(scratch() / "tables")
    home()
    for target in TARGETS.values():
        fuzz_chunk(target, 0, 0, 5, 600.0)
    limit_memory(MEMORY)


def _fuzz_chunk(name: str, seed: int, chunk: int, size: int, limit: float) -> Tally:
    return fuzz_chunk_apart(TARGETS[name], seed, chunk, size, limit)


def _try_examples(name: str, examples: int, seed: int, limit: float) -> Tally:
    return try_examples(TARGETS[name], examples, seed, limit)


def shrunk(target: Target, given: Any, limit: float) -> Any:
    """Return the shortest version found of a failing input that still fails."""
    text = given[0] if isinstance(given, tuple) and target.name != "command" else given
    rest = given[1:] if text is not given else ()

    def fails(part: Any) -> bool:
        tally = Tally()
        try_input(target, (part, *rest) if rest else part, limit, tally)
        return bool(tally.failures)

    size = len(text) // 2
    while size:
        start = 0
        while start < len(text):
            shorter = text[:start] + text[start + size :]
            if fails(shorter):
                text = shorter
            else:
                start += size
        size //= 2
    return (text, *rest) if rest else text


def replay(name: str, written: str, limit: float) -> int:
    """Try an input from the report again; return 1 if it fails.

    Raises
    ------
    BadOptionError
        If there is no target with this name, or if the input is not written as in the
        report.
    """
    if name not in TARGETS:
        raise BadOptionError(
            f"there is no target {name!r}; the targets are {', '.join(TARGETS)}"
        )
    try:
        given = ast.literal_eval(written)
    except (ValueError, SyntaxError) as error:
        raise BadOptionError(
            f"an input must be written as in the report, such as \"b'run: [x'\", "
            f"got {written!r}"
        ) from error
    target, tally = TARGETS[name], Tally()
    try_input(target, given, limit, tally)
    for why in tally.wrong:
        print(f"{name} {why}\nleast: {shrunk(target, given, limit)!r}")
    print(f"{', '.join(tally.counts)}, {tally.most['slowest']:.3f} s")
    return 1 if tally.failures else 0


COMMANDS = "command lines in separate processes"
"""Name of the row in the results table that counts commands in separate processes."""


def page(runs: list[Run]) -> str:
    found = together(runs)
    columns = {
        "inputs": lambda tally: tally.tried,
        "accepted": "accepted",
        "refused": "refused",
        "slowest, ms": lambda tally: round(1000 * tally.most.get("slowest", 0)) or "",
        "edges": lambda tally: tally.most.get("edges", ""),
        "failures": WRONG,
    }
    peak = max(tally.most.get("peak, MB", 0) for tally in found.values())
    slowest = max(note for tally in found.values() for note in ["", *tally.notes])
    parts = [
        f"A process used at most {peak:,.0f} MB of memory. The slowest input was "
        f"`{slowest[:200]}`.",
        "*Guided* inputs of a reader are chosen to reach parts of the code that earlier "
        "inputs did not reach. The column *edges* shows how many branches of the code "
        "the guided inputs reached.",
    ]
    if not any(row.endswith(", guided") for row in found):
        parts += ["The coverage-guided search was left out: atheris is not installed."]
    rows = table("input", found, columns, total="all")
    return body(found, "inputs", ".", rows, *parts, table_of(runs, "inputs"))


def carry_out(options: argparse.Namespace) -> Verdict:
    if options.replay:
        return Verdict("", replay(*options.replay, options.limit) != 0)
    print(f"seed {options.seed}", file=sys.stderr)
    found = search(options.inputs, options.seed, options.limit, options.processes)
    if options.started:
        found[COMMANDS] = in_processes(options.started, options.seed)
    runs = add("fuzz", options.write, options.seed, found)
    return Verdict(page(runs), failures(found) > 0)


TRIAL = Trial(
    "Bad input",
    carry_out,
    (
        option(
            "--inputs",
            type=int,
            default=1_000_000,
            help="number of inputs of all fuzzers together",
        ),
        option("--limit", type=float, default=2.0, help="maximum seconds for an input"),
        option("--processes", type=int, default=2, help="that try inputs"),
        option("--started", type=int, default=40, help="commands as processes"),
        option("--replay", nargs=2, metavar=("TARGET", "INPUT"), help="of one input"),
    ),
)

"""Bad input by the million: every reader and the command, under three kinds of fuzzers.

    python -m verify fuzz --inputs 1000000 --seed 1 --write
    python -m verify fuzz --replay config "b'run: [x'"

Runs of several seeds add up on one page.

Most inputs are good ones after some faults, each from a stream of its own, so that a
seed makes the same ones on any number of processes; some are hypothesis's; some are
found by atheris, guided by the code they reach, where it is installed. A reader may accept
an input, if an independent reader finds the same in it and it comes back from what is
written of it; or refuse it, in one sentence. Anything else is a failure: another error, a
wrong reading, a control character in a message, more time or memory than allowed, the end
of the process. An input is one text or file given to one reader; readers that take more
time are given fewer.
"""

import argparse
import ast
import multiprocessing
import os
import sys
from collections.abc import Iterator
from concurrent.futures import Future as _Future, ProcessPoolExecutor, as_completed
from dataclasses import asdict
from typing import Any

from bearoff.analysis.output import markdown_table
from verify.common.record import Run, add, table_of
from verify.common.trial import BadOptionError, Trial, Verdict, option
from verify.fuzzing.case import (
    CHUNK,
    Tally,
    Target,
    fuzz_chunk,
    fuzz_chunk_apart,
    memory_limit,
    try_input,
)
from verify.fuzzing.cli import home, in_processes
from verify.fuzzing.guided import LONGEST, available, guided
from verify.fuzzing.properties import try_examples
from verify.fuzzing.targets import TARGETS
from verify.fuzzing.yaml import scratch

GUIDED = 0.03
"""Of all inputs, those that atheris looks for."""

EXAMPLES = 0.002
"""Of all inputs, hypothesis's."""

MEMORY = 2048
"""Megabytes that inputs may take beyond what a process has before the first."""

KINDS = "mutated", "hypothesis", "guided"
"""Of fuzzers, as they are named in what a run found."""

_held = memory_limit(MEMORY)


def tallies(
    inputs: int, seed: int, limit: float, processes: int
) -> dict[str, dict[str, Tally]]:
    """Try `inputs` in all; tallies by kind of fuzzer and target."""
    found: dict[str, dict[str, Tally]] = {"mutated": {}, "hypothesis": {}}
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _prepare) as pool:
        jobs: dict[_Future[Tally], tuple[str, str]] = {}
        # The slowest first, so that no process has them alone at the end.
        for target in sorted(TARGETS.values(), key=lambda target: target.share):
            examples = round(EXAMPLES * inputs * target.share)
            job = pool.submit(_try_examples, target.name, examples, seed, limit)
            jobs[job] = ("hypothesis", target.name)
            for chunk, size in _chunks(target, inputs):
                job = pool.submit(_fuzz_chunk, target.name, seed, chunk, size, limit)
                jobs[job] = ("mutated", target.name)
        for job in as_completed(jobs):
            kind, name = jobs[job]
            found[kind][name] = found[kind].get(name, Tally()) + job.result()
    return found


def _chunks(target: Target, inputs: int) -> Iterator[tuple[int, int]]:
    wanted = round((1 - GUIDED - EXAMPLES) * inputs * target.share)
    for chunk, start in enumerate(range(0, wanted, CHUNK)):
        yield chunk, min(CHUNK, wanted - start)


def _prepare() -> None:
    """Do what only the first input needs, then hold memory to what there is."""
    # Two processes that build one table at once would have to wait for each other.
    os.environ["BEAROFF_CACHE"] = str(scratch() / "tables")
    home()
    for target in TARGETS.values():
        fuzz_chunk(target, 0, 0, 5, 600.0)
    _held.__enter__()


def _fuzz_chunk(name: str, seed: int, chunk: int, size: int, limit: float) -> Tally:
    return fuzz_chunk_apart(TARGETS[name], seed, chunk, size, limit)


def _try_examples(name: str, examples: int, seed: int, limit: float) -> Tally:
    return try_examples(TARGETS[name], max(examples, 1), seed, limit)


def search(
    inputs: int, seed: int, processes: int
) -> tuple[dict[str, Tally], dict[str, int]]:
    """Let atheris look for its share; tallies and edges covered by target."""
    total = sum(TARGETS[name].share for name in LONGEST)
    runs = {
        name: round(GUIDED * inputs * TARGETS[name].share / total)
        for name in sorted(LONGEST)
    }
    found, edges = {}, {}
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        jobs = {pool.submit(guided, name, most, seed): name for name, most in runs.items()}
        for job in as_completed(jobs):
            name = jobs[job]
            counts, failure = job.result()
            edges[name] = counts.pop("edges", 0)
            found[name] = Tally(**counts, failures=[("", failure)] if failure else [])
    return found, edges


def shrunk(target: Target, given: Any, limit: float) -> Any:
    """Return what is left of a failing text when nothing more can be left out."""
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
    """Try one input again, in the form that the report prints; 1 if it fails.

    Raises
    ------
    BadOptionError
        If there is no such target, or the input is not so given.
    """
    if name not in TARGETS:
        raise BadOptionError(f"there is no target {name!r}, only {', '.join(TARGETS)}")
    try:
        given = ast.literal_eval(written)
    except (ValueError, SyntaxError) as error:
        raise BadOptionError(
            f"an input is given as the report prints it, such as \"b'run: [x'\", "
            f"got {written!r}"
        ) from error
    target, tally = TARGETS[name], Tally()
    try_input(target, given, limit, tally)
    for least, what in tally.failures:
        print(f"{name} {least}\n  {what}\nleast: {shrunk(target, given, limit)!r}")
    print(f"accepted {tally.accepted}, refused {tally.refused}, {tally.slowest:.3f} s")
    return 1 if tally.failures else 0


def page(runs: list[Run]) -> str:
    """Write what all runs found together."""
    rows = []
    together = Tally()
    counts: list[int] = []
    wrong: list[int] = []
    for run in runs:
        tallies = [Tally.of(one) for kind in run["found"].values() for one in kind.values()]
        counts.append(sum(tally.inputs for tally in tallies))
        wrong.append(sum(len(tally.failures) for tally in tallies) + len(run["commands"]))
    for kind in KINDS:
        for name in TARGETS:
            each = [run["found"].get(kind, {}).get(name) for run in runs]
            tally = sum((Tally.of(one) for one in each if one), Tally())
            if not tally.inputs:
                continue
            together += tally
            edges = max(run["edges"].get(name, 0) for run in runs)
            rows.append(
                [
                    f"{TARGETS[name].text}, {kind}",
                    *_numbers(tally),
                    f"{edges:,}" if kind == "guided" else "",
                    str(len(tally.failures)),
                ]
            )
    rows.append(["all", *_numbers(together), "", str(len(together.failures))])
    head = ["input", "inputs", "accepted", "refused", "slowest, ms", "edges", "failures"]
    lines = [markdown_table(head, rows)]
    commands = [failed for run in runs for failed in run["commands"]]
    lines.append(
        f"Besides, {sum(run['started'] for run in runs)} command lines were given to "
        f"processes of their own; {len(commands)} of these failed. A process took at most "
        f"{together.peak_mb:,.0f} MB. The slowest input: `{together.slowest_input[:200]}`."
    )
    if not any("guided" in run["found"] for run in runs):
        lines.append("The coverage-guided search was left out: atheris is not installed.")
    lines += [f"Seed {run['seed']}: {run['note']}" for run in runs if "note" in run]
    failures = [*together.failures, *commands]
    lines += [f"- `{given[:1000]}`: {what}" for given, what in failures[:50]]
    return "\n\n".join([*lines, "## Runs", table_of(runs, "inputs", counts, wrong)])


def _numbers(tally: Tally) -> list[str]:
    slowest = f"{1000 * tally.slowest:.0f}" if tally.slowest else ""
    return [f"{tally.inputs:,}", f"{tally.accepted:,}", f"{tally.refused:,}", slowest]


def carry_out(options: argparse.Namespace) -> Verdict:
    if options.replay:
        return Verdict("", replay(*options.replay, options.limit) != 0)
    print(f"seed {options.seed}", file=sys.stderr)
    found = tallies(options.inputs, options.seed, options.limit, options.processes)
    edges: dict[str, int] = {}
    if available():
        found["guided"], edges = search(options.inputs, options.seed, options.processes)
    wrong = in_processes(options.started, options.seed)
    kinds = {
        kind: {name: asdict(tally) for name, tally in each.items()}
        for kind, each in found.items()
    }
    told = [(repr(given), why) for given, why in wrong]
    run = {"found": kinds, "edges": edges, "commands": told, "started": options.started}
    failed = any(t.failures for kind in found.values() for t in kind.values())
    return Verdict(
        page(add("fuzz", options.write, options.seed, run)), failed or bool(wrong)
    )


TRIAL = Trial(
    "Bad input",
    carry_out,
    (
        option("--inputs", type=int, default=1_000_000, help="of all kinds together"),
        option("--limit", type=float, default=2.0, help="seconds for an input"),
        option("--processes", type=int, default=2, help="that try inputs"),
        option("--started", type=int, default=40, help="commands as processes"),
        option("--replay", nargs=2, metavar=("TARGET", "INPUT"), help="of one input"),
    ),
)

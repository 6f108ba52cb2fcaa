"""Search for inputs that break a parser, guided by code coverage.

    python -m verify.fuzzing.guided position --runs 20000 --seed 1 --counts counts.json

The fuzzer atheris records which code of the readers, and of ruamel's parser, an input
reaches. Inputs that reach new code are stored and mutated further. The function `guided`
runs this module in another process, which ends at the first failure.
"""

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from verify.common.processes import run
from verify.common.tallies import WRONG, Tally

INSTRUMENTED = (
    "bearoff.positions.notation",
    "bearoff.positions.position",
    "bearoff.positions.position_id",
    "bearoff.positions.xgid",
    "bearoff.sim.config.batch",
    "bearoff.sim.config.cube",
    "bearoff.sim.config.pairs",
    "bearoff.sim.config.values",
    "bearoff.sim.config.yaml_source",
    "bearoff.analysis.formulas.files.read",
    "ruamel.yaml",
)
SEEDS = 200
LONGEST = {
    "position": 210,
    "xgid": 210,
    "position-id": 40,
    "config": 2000,
    "formulas": 2000,
}
SIZES = {"position": (6, 15), "xgid": (24, 15), "position-id": (24, 15)}


def available() -> bool:
    """Return whether the fuzzer atheris is installed."""
    return find_spec("atheris") is not None


def guided(name: str, runs: int, seed: int) -> Tally:
    """Try a number of inputs; count their outcomes and the branches of code they reach."""
    with tempfile.TemporaryDirectory(prefix="bearoff-guided-") as place:
        folder, command = Path(place), [sys.executable, "-m", "verify.fuzzing.guided", name]
        file = folder / "counts.json"
        options = ["--runs", str(runs), "--seed", str(seed), "--counts", str(file)]
        done = run([*command, *options], seconds=24 * 3600)
        tally = Tally(json.loads(file.read_text()) if file.exists() else Counter())
        crashes = sorted([*folder.glob("crash-*"), *folder.glob("*timeout-*")])
        covered = re.findall(r"cov: (\d+)", done.err)
        tally.most["edges"] = int(covered[-1]) if covered else 0
        if done.code:
            given = repr(as_input(name, crashes[0].read_bytes())) if crashes else "?"
            tally.add(WRONG, f"{given}: {done.err[-1500:]}")
    return tally


def as_input(name: str, data: bytes) -> Any:
    """Convert the bytes that the fuzzer generates to an input of a target."""
    if name in SIZES:
        return (data.decode("utf-8", "replace"), *SIZES[name])
    return data


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", choices=sorted(LONGEST))
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--counts", type=Path, required=True, help="JSON file to write")
    options = parser.parse_args(argv)

    import atheris

    with atheris.instrument_imports(include=list(INSTRUMENTED)):
        from verify.fuzzing.targets import TARGETS

    target = TARGETS[options.name]
    counts = {"accepted": 0, "refused": 0}

    def try_bytes(data: bytes) -> None:
        accepted = target.accepts(as_input(target.name, data))
        counts["accepted" if accepted else "refused"] += 1
        if sum(counts.values()) >= options.runs or sum(counts.values()) % 100 == 0:
            options.counts.write_text(json.dumps(counts))

    folder = options.counts.parent / "seeds"
    folder.mkdir()
    chance = random.Random(f"{options.seed}/{target.name}/seeds")
    for index in range(SEEDS):
        made = target.make(chance)
        text = made if isinstance(made, bytes) else made[0].encode(errors="replace")
        (folder / f"{index}").write_bytes(text)
    limits = [f"-max_len={LONGEST[target.name]}", "-timeout=300", "-rss_limit_mb=6000"]
    place = f"-artifact_prefix={options.counts.parent}/"
    chosen = [f"-runs={options.runs}", f"-seed={options.seed}", place]
    atheris.Setup([sys.argv[0], *chosen, *limits, str(folder)], try_bytes)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Trial: kills and failures of the object store in which a run stores its results.

    python -m verify s3 --write

The store is an S3-compatible server in its own process. All access is through
`bearoff`, as for a user.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from pyarrow import fs
from ruamel.yaml import YAML

from bearoff.analysis import open_run
from bearoff.analysis.output import markdown_table
from verify.clusters.machines import copy_of_the_code
from verify.clusters.object_store import BUCKET, KEYS, Store, store
from verify.clusters.refused import Refused, table_of_refusals
from verify.common.processes import LATEST, Child, checked, wait_for
from verify.common.trial import Trial, Verdict, option


class TwoPlaces:
    """Batch of games that is run both in a local folder and in an object store.

    Parameters
    ----------
    folder, code : Path
        Working folder, and a copy of the code.
    served : Store
        Object store in which the batch runs.
    seed : int
        Seed of the batch, and of the random moments at which it is killed.
    games : int
        Number of games of each of the 9,000 pairs of positions.
    """

    def __init__(
        self, folder: Path, code: Path, served: Store, seed: int, games: int
    ) -> None:
        self._folder = folder
        self._code = code
        self._store = served
        self._random = random.Random(seed)
        self._batch = {
            "run": "run",
            "pairs": [{"random": {"pairs": 9000}}],
            "games": games,
            "seed": seed,
        }
        self.seconds: dict[str, float] = {}

    def bearoff(self, *arguments: str, **keys: str) -> Child:
        """Start the command `bearoff` with given arguments."""
        environment = os.environ | KEYS | keys | {"PYTHONPATH": str(self._code)}
        command = [sys.executable, "-m", "bearoff", *arguments]
        return Child(command, cwd=self._folder, env=environment)

    def simulate(self, output: str, **keys: str) -> Child:
        """Start the batch, with its results in a given folder or object store."""
        with (self._folder / "batch.yaml").open("w") as file:
            YAML().dump(self._batch | {"output": output}, file)
        return self.bearoff("simulate", "batch.yaml", "--quiet", **keys)

    def expected(self) -> dict[str, str]:
        """Run the batch in a local folder; return the digests of its result files."""
        started = time.monotonic()
        self._finished(self.simulate("local"))
        self.seconds["local"] = time.monotonic() - started
        parts = (self._folder / "local" / "run" / "outcomes").glob("*.parquet")
        return {path.name: sha256(path.read_bytes()).hexdigest() for path in parts}

    def stored(self) -> dict[str, str]:
        """Return the digests of the result files in the store."""
        files, _ = fs.FileSystem.from_uri(self._store.uri())
        folder = f"{BUCKET}/runs/run/outcomes"
        found = files.get_file_info(fs.FileSelector(folder, allow_not_found=True))
        return {
            file.base_name: sha256(files.open_input_stream(file.path).read()).hexdigest()
            for file in found
            if file.type == fs.FileType.File
        }

    def killed(self, times: int, expected: dict[str, str]) -> tuple[int, int, int]:
        """Kill the batch several times at random moments, and then let it finish.

        Returns
        -------
        tuple of three int
            Number of kills during the run, number of kills that left an incomplete result
            file, and number of requests in a session without kills.
        """
        met = torn = 0
        for _ in range(times):
            with self.simulate(self._store.uri()) as process:
                late = self._random.uniform(0.5, 1.2 * self.seconds["local"])
                met += not process.ended_within(late)
            torn += any(expected.get(name) != is_ for name, is_ in self.stored().items())
        started = time.monotonic()
        before = self._store.requests()
        self._finished(self.simulate(self._store.uri()))
        self.seconds["last session"] = time.monotonic() - started
        return met, torn, self._store.requests() - before

    def asked(self, run: str) -> tuple[Any, list[str]]:
        """Query a run for a pair of positions, and analyse the run; return the outputs."""
        outcomes = open_run(run)
        outcomes.verify()
        pair = outcomes.table(["roller", "opponent"]).slice(4000, 1).to_pylist()[0]
        sides = (str(pair["roller"]), str(pair["opponent"]))
        output = json.loads(
            self._finished(self.bearoff("winprob", *sides, "--run", run, "--json"))
        )
        analyze = self.bearoff("analyze", run, "--to", "report", "--json")
        report = json.loads(self._finished(analyze))
        del output["simulated"]["run"]
        return output, report["rules"]

    def trouble(
        self,
        what: str,
        start: Callable[[], Child],
        midway: Callable[[], None] | None = None,
        status: int = 2,
    ) -> Refused:
        """Run a command with a fault at its start or later; return how the run ended."""
        before = self._store.requests()
        with start() as process:
            if midway is not None:
                # After twelve requests to the object store, the run has begun to store
                # blocks.
                wait_for(
                    lambda: (
                        self._store.requests() >= before + 12 or process.code is not None
                    ),
                    f"it is under way: {what}",
                )
                midway()
            since = time.monotonic()
            process.ended_within(LATEST)
            seconds = time.monotonic() - since
        found = Refused(what, status, process.code, seconds, process.err)
        print(found, file=sys.stderr, flush=True)
        return found

    def _finished(self, process: Child) -> str:
        with process:
            process.wait(10 * LATEST)
        return checked(process)


def trial(folder: Path, seed: int, games: int, kills: int) -> tuple[str, bool]:
    """Run the trial; return a page with the results, and whether it passed."""
    code = copy_of_the_code(folder / "code")
    with store(folder / "server") as served:
        doing = TwoPlaces(folder, code, served, seed, games)
        expected = doing.expected()
        met, torn, requests = doing.killed(kills, expected)
        same = doing.stored() == expected
        answers = doing.asked(served.uri().replace("/runs", "/runs/run"))
        told_alike = answers == doing.asked(str(folder / "local" / "run"))
        left = served.uploads_under_way()

        nowhere = served.uri(address="http://127.0.0.1:9")
        troubles = [
            doing.trouble("no such bucket", lambda: doing.simulate(served.uri("none"))),
            doing.trouble("nobody listens", lambda: doing.simulate(nowhere), status=1),
        ]
        served.know_keys(True)
        unknown = {"AWS_ACCESS_KEY_ID": "unknown"}
        troubles += [
            doing.trouble(
                "a wrong key, simulate", lambda: doing.simulate(served.uri(), **unknown)
            ),
            doing.trouble(
                "a wrong key, analyze",
                lambda: doing.bearoff(
                    "analyze", served.uri().replace("/runs", "/runs/run"), **unknown
                ),
            ),
        ]
        served.know_keys(False)
        fresh = f"{BUCKET}/runs/run"
        files, _ = fs.FileSystem.from_uri(served.uri())
        files.delete_dir(fresh)
        again = lambda: doing.simulate(served.uri())  # noqa: E731
        silent = doing.trouble(
            "silent midway", again, lambda: served.signal(signal.SIGSTOP), status=1
        )
        served.signal(signal.SIGCONT)
        doing._finished(again())
        resumed = doing.stored() == expected
        files.delete_dir(fresh)
        gone = doing.trouble("gone midway", again, served.end, status=1)
        served.start()
        doing._finished(again())
        resumed = resumed and doing.stored() == expected
        troubles += [silent, gone]
    right = same and told_alike and resumed and not torn
    yes = {True: "yes", False: "NO"}
    rows = [
        ["kills with signal 9", f"{kills} kills, of which {met} during the run"],
        ["number of kills that left an incomplete file", str(torn)],
        ["unfinished uploads left in the store", str(left)],
        ["are the files after the kills the same as in the local folder?", yes[same]],
        ["are the answers from the store and from the folder the same?", yes[told_alike]],
        ["are the files after an outage of the store the same?", yes[resumed]],
        ["requests of the last session", str(requests)],
        *([f"seconds, {what}", f"{value:.1f}"] for what, value in doing.seconds.items()),
    ]
    text = f"""
A batch of 9,000 pairs with {games:,} games each is stored in two parts, once in a local
folder and once in an object store. The object store is a local S3-compatible server
(`python -m moto.server`). The commands `winprob --run`, `analyze` and `verify` read the run
from the object store.

{markdown_table(["", "value"], rows)}

The table shows the messages of a command if the store cannot be used:

{table_of_refusals(troubles)}
"""
    return text, right and all(trouble.right for trouble in troubles)


def carry_out(options: argparse.Namespace) -> Verdict:
    os.environ.update(KEYS)
    with tempfile.TemporaryDirectory(prefix="bearoff-s3-") as folder:
        body, right = trial(Path(folder), options.seed, options.games, options.kills)
    return Verdict(body, not right)


TRIAL = Trial(
    "A run in an object store",
    carry_out,
    (
        option("--kills", type=int, default=20),
        option("--games", type=int, default=40_000, help="of each pair"),
    ),
)

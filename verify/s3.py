"""A run in an object store: killed, refused, and the store silent or gone midway.

    python -m verify s3 --write

The store is a server of the S3 protocol in a process of its own. Everything is asked of
it through `bearoff`, as a user does.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pyarrow import fs
from ruamel.yaml import YAML

from bearoff.analysis import open_run
from bearoff.analysis.output import markdown_table
from verify.clusters.machines import copy_of_the_code
from verify.clusters.object_store import BUCKET, KEYS, Store, store
from verify.common.trial import Trial, Verdict, option

LATEST = 600
"""Seconds after which a command hangs: a silent store takes one of at most a minute."""

NOBODY, SILENT, GONE = "nobody listens", "silent midway", "gone midway"
LOST = (NOBODY, SILENT, GONE)
"""The machine's faults among the troubles, with status 1; the others are bad input, 2."""


@dataclass(frozen=True)
class Trouble:
    """What a command wrote when the store would not serve it.

    Attributes
    ----------
    what : str
        Was wrong.
    seconds : float
        From then to the end of the command.
    status : int
        Of the command.
    output : str
        On standard error.
    """

    what: str
    seconds: float
    status: int
    output: str

    @property
    def right(self) -> bool:
        """Whether it was one sentence, in time."""
        one = len(self.output.strip().splitlines()) == 1
        status = 1 if self.what in LOST else 2
        return one and self.status == status and self.seconds < LATEST


class TwoPlaces:
    """A batch, played into a folder and into a store.

    Parameters
    ----------
    folder, code : Path
        Scratch, and a copy of the code.
    served : Store
        The store.
    seed : int
        Of the batch, and of the moments when it is killed.
    games : int
        Of each of its 9,000 pairs, which make two parts.
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

    def bearoff(self, *arguments: str, **keys: str) -> "subprocess.Popen[str]":
        """Start the command with these arguments."""
        environment = os.environ | KEYS | keys | {"PYTHONPATH": str(self._code)}
        return subprocess.Popen(
            [sys.executable, "-m", "bearoff", *arguments],
            cwd=self._folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def simulate(self, output: str, **keys: str) -> "subprocess.Popen[str]":
        """Start the batch."""
        with (self._folder / "batch.yaml").open("w") as file:
            YAML().dump(self._batch | {"output": output}, file)
        return self.bearoff("simulate", "batch.yaml", "--quiet", **keys)

    def expected(self) -> dict[str, str]:
        """Play the batch into a local folder; return the digests of its parts."""
        started = time.monotonic()
        self._finished(self.simulate("local"))
        self.seconds["local"] = time.monotonic() - started
        parts = (self._folder / "local" / "run" / "outcomes").glob("*.parquet")
        return {path.name: sha256(path.read_bytes()).hexdigest() for path in parts}

    def stored(self) -> dict[str, str]:
        """Return the digests of the parts that lie in the store."""
        files, _ = fs.FileSystem.from_uri(self._store.uri())
        folder = f"{BUCKET}/runs/run/outcomes"
        found = files.get_file_info(fs.FileSelector(folder, allow_not_found=True))
        return {
            file.base_name: sha256(files.open_input_stream(file.path).read()).hexdigest()
            for file in found
            if file.type == fs.FileType.File
        }

    def killed(self, times: int, expected: dict[str, str]) -> tuple[int, int, int]:
        """Kill the batch so many times at random moments, then let it finish.

        Returns
        -------
        tuple of three int
            Kills that met it at work, kills after which a part was not whole, and
            requests of a session that nobody disturbed.
        """
        met = torn = 0
        for _ in range(times):
            process = self.simulate(self._store.uri())
            with suppress(subprocess.TimeoutExpired):
                process.wait(self._random.uniform(0.5, 1.2 * self.seconds["local"]))
            met += process.poll() is None
            process.kill()
            process.communicate()
            torn += any(expected.get(name) != is_ for name, is_ in self.stored().items())
        started = time.monotonic()
        before = self._store.requests()
        self._finished(self.simulate(self._store.uri()))
        self.seconds["last session"] = time.monotonic() - started
        return met, torn, self._store.requests() - before

    def asked(self, run: str) -> tuple[Any, list[str]]:
        """Ask a run for a pair and for its report; return what it says."""
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
        start: Callable[[], "subprocess.Popen[str]"],
        midway: Callable[[], None] | None = None,
    ) -> Trouble:
        """Let a command meet trouble, from its start or once it is at work."""
        before = self._store.requests()
        process = start()
        if midway is not None:
            # Once it keeps blocks, it is well under way.
            while self._store.requests() < before + 12 and process.poll() is None:
                time.sleep(0.02)
            midway()
        since = time.monotonic()
        try:
            _, output = process.communicate(timeout=LATEST)
        except subprocess.TimeoutExpired:
            process.kill()
            _, output = process.communicate()
        found = Trouble(what, time.monotonic() - since, process.returncode, output)
        print(found, file=sys.stderr, flush=True)
        return found

    def _finished(self, process: "subprocess.Popen[str]") -> str:
        output, wrong = process.communicate(timeout=10 * LATEST)
        if process.returncode:
            raise RuntimeError(wrong)
        return output


def trial(folder: Path, seed: int, games: int, kills: int) -> tuple[str, bool]:
    """Do all of it; return the page and whether everything was right."""
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
            doing.trouble(NOBODY, lambda: doing.simulate(nowhere)),
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
        silent = doing.trouble(SILENT, again, lambda: served.signal(signal.SIGSTOP))
        served.signal(signal.SIGCONT)
        doing._finished(again())
        resumed = doing.stored() == expected
        files.delete_dir(fresh)
        gone = doing.trouble(GONE, again, lambda: served.signal(signal.SIGKILL))
        served.start()
        doing._finished(again())
        resumed = resumed and doing.stored() == expected
        troubles += [silent, gone]
    right = same and told_alike and resumed and not torn
    return (
        f"""
A batch of 9,000 pairs, {games:,} games each, in two parts, is played into a local folder
and into a bucket of a server of the S3 protocol (`python -m moto.server`), a process of its
own; `winprob --run`, `analyze` and `verify` read it there.

{
            markdown_table(
                ["", "value"],
                [
                    [
                        "kills with signal 9",
                        f"{kills}, of which {met} while it was at work",
                    ],
                    ["kills that left a part that was not whole", str(torn)],
                    ["uploads begun and left", str(left)],
                    [
                        "resumed, the parts are the same bytes as the local ones",
                        "yes" if same else "NO",
                    ],
                    [
                        "answers from the store are those from the folder",
                        "yes" if told_alike else "NO",
                    ],
                    [
                        "resumed after the store was silent or gone, the same bytes",
                        "yes" if resumed else "NO",
                    ],
                    ["requests of the last session", str(requests)],
                    *(
                        [f"seconds, {what}", f"{value:.1f}"]
                        for what, value in doing.seconds.items()
                    ),
                ],
            )
        }

What a command says when the store does not serve it:

{
            markdown_table(
                ["trouble", "exit status", "seconds", "message"],
                [
                    [t.what, str(t.status), f"{t.seconds:.1f}", t.output.strip()]
                    for t in troubles
                ],
            )
        }
""",
        right and all(trouble.right for trouble in troubles),
    )


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

"""Functions that configure and start runs of games on simulated machines."""

import time
from typing import Any

from ruamel.yaml import YAML

from verify.clusters.machines import Machine, Network
from verify.common.processes import Child, checked

Keys = dict[str, Any]


def kinds(seed: int, size: float) -> dict[str, tuple[Keys, int]]:
    """Return one configuration for each kind of run, with its number of blocks of games.

    Parameters
    ----------
    seed : int
        Random seed of the runs.
    size : float
        Size of the runs, relative to runs that take about half a minute on two cores.
    """
    races = round(250 * size)
    cubeful = round(120 * size)
    rollouts = round(1500 * size)
    return {
        "races": (
            {
                "pairs": [{"random": {"pairs": 16_000}}],
                "games": races * (1 << 23) // 16_000,
                "seed": seed,
            },
            races,
        ),
        "cubeful": (
            {
                "pairs": [{"random": {"pairs": 500}}],
                "games": cubeful * (1 << 19) // 500,
                "seed": seed,
                "cube": {
                    "roller": "keith",
                    "opponent": {
                        "centred": {"janowski": 0.7},
                        "owned": "never",
                        "take": "thorp",
                    },
                    "rival": {
                        "thresholds": {"double": 0.7, "redouble": 0.72, "take": 0.22}
                    },
                },
            },
            cubeful,
        ),
        "rollouts": (
            {
                "pairs": [{"random": {"pairs": rollouts, "draw": "visits"}}],
                "games": 36,
                "seed": seed,
                "rollout": {"first_rolls": 36},
            },
            rollouts,
        ),
    }


def simulate(machine: Machine, keys: Keys) -> Child:
    """Start `bearoff simulate` with a given configuration on a machine."""
    machine.home.mkdir(parents=True, exist_ok=True)
    with (machine.home / "batch.yaml").open("w") as file:
        YAML().dump({"run": "run"} | keys, file)
    (machine.home / "output").unlink(missing_ok=True)
    return machine.start(
        "-m", "bearoff", "simulate", "batch.yaml", "--quiet", output="output"
    )


def parts_of(machine: Machine) -> dict[str, bytes]:
    """Return the contents of the result files of a run on a machine, by name."""
    folder = machine.home / "results" / "run" / "outcomes"
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.parquet"))}


def share_done(machine: Machine, blocks: int, pairs: int) -> float:
    """Return approximately which proportion of a run's blocks of games is stored."""
    folder = machine.home / "results" / "run"
    stored = len(list(folder.glob("blocks/*.counts")))
    parts = len(list(folder.glob("outcomes/*.parquet")))
    return stored / blocks + parts * 8192 / pairs


def played_alone(made: Network, keys: Keys) -> tuple[dict[str, bytes], float]:
    """Run a batch on a single machine; return its result files and its duration."""
    alone = made.machine("alone")
    started = time.monotonic()
    process = simulate(alone, keys)
    process.wait()
    checked(process)
    return parts_of(alone), time.monotonic() - started


def start_scheduler(machine: Machine) -> Keys:
    """Start a scheduler on a machine; return the configuration keys for using it."""
    machine.start(
        *("-m", "distributed.cli.dask_scheduler", "--no-dashboard"),
        *("--host", machine.address, "--port", str(8786)),
    )
    return {"backend": "dask", "scheduler": f"tcp://{machine.address}:8786"}


def start_worker(machine: Machine, to: Keys, threads: int) -> None:
    """Start a worker on a machine, and connect it to the scheduler."""
    machine.start(
        *("-m", "distributed.cli.dask_worker", to["scheduler"], "--no-nanny"),
        *("--no-dashboard", "--host", machine.address, "--name", machine.name),
        *("--nthreads", str(threads)),
    )


def has_joined(head: Machine, worker: Machine) -> bool:
    """Return whether the scheduler on the machine `head` has accepted a worker."""
    output = (head.home / "log").read_text()
    return any(
        "Register worker" in line and f"name: {worker.name}" in line
        for line in output.splitlines()
    )

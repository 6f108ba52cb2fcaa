"""List of faults, with the commands on which each fault is tried and how often."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from verify.fault_cases.bench import Bench, FaultTally
from verify.fault_cases.disks import (
    COMMANDS,
    full_disk,
    full_disk_report,
    read_only,
    read_only_cache,
)
from verify.fault_cases.processes import (
    closed_pipe,
    little_memory,
    removed,
    signalled,
    two_at_once,
    wrong_clock,
)

Attempt = Callable[[Bench, Any, random.Random, FaultTally], None]


@dataclass(frozen=True)
class Case:
    """Fault that is tried on some commands.

    Attributes
    ----------
    name : str
        Name of the fault.
    attempt : callable
        Function that runs a command once with the fault, and records the outcome.
    targets : tuple of str
        Names of the commands on which the fault is tried.
    times : int
        Number of attempts for each command.
    needs_disk : bool
        Whether the fault needs a small disk.
    """

    name: str
    attempt: Attempt
    targets: tuple[str, ...]
    times: int = 1
    needs_disk: bool = False


BATCHES = ("races", "cubeful", "rollouts")


BUILDS = ("one-sided", "two-sided", "population")


CASES = (
    Case("full disk", full_disk, (*BATCHES, *BUILDS), 5, needs_disk=True),
    Case("full disk for", full_disk_report, tuple(COMMANDS), 1, needs_disk=True),
    Case("read-only folder", read_only, ("races", *BUILDS), 1, needs_disk=True),
    Case("read-only cache", read_only_cache, ("epc",), 1, needs_disk=True),
    Case("two at once", two_at_once, ("races", *BUILDS, "race-model"), 5),
    Case("clock set back", wrong_clock, (*BATCHES, *BUILDS), 2),
    Case("little memory", little_memory, (*BATCHES, "two-sided"), 5),
    Case("signal", signalled, ("races", *BUILDS), 4),
    Case("folder removed", removed, (*BATCHES, *BUILDS), 2),
    Case("pipe closed", closed_pipe, ("races", "one-sided", "two-sided"), 1),
)

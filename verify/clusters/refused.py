"""Message and exit status of a command that cannot continue."""

from collections.abc import Sequence
from dataclasses import dataclass

from bearoff.analysis.output import markdown_table
from verify.common.processes import LATEST


@dataclass(frozen=True)
class Refused:
    """Command that ended because of a problem, with its message and exit status.

    Attributes
    ----------
    what : str
        Description of the problem.
    due : int
        Expected exit status: 1 if the machine is at fault, 2 for bad input.
    status : int or None
        Actual exit status.
    seconds : float
        Seconds from the moment at which the problem occurs to the end of the command.
    said : str
        Text on standard error.
    """

    what: str
    due: int
    status: int | None
    seconds: float
    said: str

    @property
    def right(self) -> bool:
        """Whether the command ended in time with one sentence and the right exit status."""
        one = len(self.said.strip().splitlines()) == 1
        return one and self.status == self.due and self.seconds < LATEST


def table_of_refusals(refused: Sequence[Refused]) -> str:
    return markdown_table(
        ["trouble", "exit status", "seconds", "message"],
        [
            [one.what, str(one.status), f"{one.seconds:.1f}", one.said.strip()]
            for one in refused
        ],
    )

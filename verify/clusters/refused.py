"""What a command says that cannot go on: one sentence, and the status that is due."""

from collections.abc import Sequence
from dataclasses import dataclass

from bearoff.analysis.output import markdown_table
from verify.common.processes import LATEST


@dataclass(frozen=True)
class Refused:
    """A command that met trouble.

    Attributes
    ----------
    what : str
        Was wrong.
    due : int
        Status it should end with: 1 for the machine's faults, 2 for bad input.
    status : int or None
        Status it ended with.
    seconds : float
        From the trouble to its end.
    said : str
        On standard error.
    """

    what: str
    due: int
    status: int | None
    seconds: float
    said: str

    @property
    def right(self) -> bool:
        """Whether it was one sentence, in time."""
        one = len(self.said.strip().splitlines()) == 1
        return one and self.status == self.due and self.seconds < LATEST


def table_of_refusals(refused: Sequence[Refused]) -> str:
    """Return a table of what was said."""
    return markdown_table(
        ["trouble", "exit status", "seconds", "message"],
        [
            [one.what, str(one.status), f"{one.seconds:.1f}", one.said.strip()]
            for one in refused
        ],
    )

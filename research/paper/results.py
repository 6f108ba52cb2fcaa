"""Reader of the folder results/ that records which files it has read.

Parquet and JSON files are read directly. A Markdown page is read only for numbers that are
in no other file. A number on a page is found by the heading and columns of its table, or by
the words around the number.
"""

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bearoff import BearoffError
from bearoff.sim.storage import RunError

if TYPE_CHECKING:
    from bearoff.analysis import Run

Row = dict[str, str]


class Results:
    """Folder of results that records which of its files have been read.

    Parameters
    ----------
    folder : str or Path
        Path of the folder, such as ``results``.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._digests: dict[str, str] = {}

    @property
    def read(self) -> dict[str, str]:
        """SHA-256 of each file that has been read, by its path within the folder."""
        return dict(sorted(self._digests.items()))

    def content(self, name: str) -> bytes:
        """Return the content of a file of the folder as bytes, and record that it was read.

        Raises
        ------
        RunError
            If the folder does not contain the file.
        """
        path = self.folder / name
        try:
            held = path.read_bytes()
        except OSError as error:
            raise RunError(
                f"the paper needs {path}, which cannot be read ({error.strerror}); "
                "results/README.md says which command makes it"
            ) from None
        self._digests[name] = hashlib.sha256(held).hexdigest()
        return held

    def json(self, name: str) -> Any:
        """Return the parsed content of a JSON file."""
        return json.loads(self.content(name))

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Return the rows of a Parquet file."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        rows: list[dict[str, Any]] = pq.read_table(
            pa.BufferReader(self.content(name))
        ).to_pylist()
        return rows

    def outcomes(self, run: str) -> list[dict[str, Any]]:
        """Return the rows of all result files of a run."""
        parts = self.json(f"{run}/run.json")["parts"]
        return [row for part in parts for row in self.rows(f"{run}/outcomes/{part}")]

    def run(self, name: str) -> "Run":
        """Open a run, and record that its manifest and all its result files were read."""
        from bearoff.analysis import open_run

        for part in self.json(f"{name}/run.json")["parts"]:
            self.content(f"{name}/outcomes/{part}")
        return open_run(self.folder / name)

    def page(self, name: str) -> "Page":
        """Return a Markdown page from the folder of results."""
        return Page(name, self.content(name).decode())


class Page:
    """Markdown page of results, from which tables and numbers are read."""

    def __init__(self, name: str, text: str) -> None:
        self.name = name
        self.text = text

    def table(self, *columns: str, under: str = "") -> list[Row]:
        """Return the first table with given columns, as a dictionary of cells per row.

        Parameters
        ----------
        *columns : str
            Headings that the table must contain.
        under : str
            Text that precedes the table on the page, such as a heading.

        Raises
        ------
        BearoffError
            If the page has no table with these columns.
        """
        start = self.text.find(under) if under else 0
        lines = self.text[max(start, 0) :].splitlines() if start >= 0 else []
        for place, line in enumerate(lines[1:], 1):
            head = _unlike(_cells(lines[place - 1]))
            if re.fullmatch(r"\|[\s:|-]+\|", line) and set(columns) <= set(head):
                rows = []
                for below in lines[place + 1 :]:
                    if not below.startswith("|"):
                        break
                    rows.append(dict(zip(head, _cells(below), strict=True)))
                return rows
        raise BearoffError(
            f"results/{self.name} has no table with the columns {', '.join(columns)}"
            f"{f' under {under!r}' if under else ''}; research/paper reads that table"
        )

    def find(self, pattern: str) -> str:
        """Search the page for a pattern; return the text that its first group matches.

        Raises
        ------
        BearoffError
            If the page contains no text that matches the pattern.
        """
        flat = " ".join(self.text.split())
        if not (found := re.search(pattern, flat)):
            raise BearoffError(
                f"results/{self.name} has no text that matches {pattern!r}, from which "
                "research/paper reads a number"
            )
        return found[1]


def _unlike(head: list[str]) -> list[str]:
    """Rename a repeated column name to ``name (2)``, ``name (3)`` and so on."""
    seen: Counter[str] = Counter()
    named = []
    for cell in head:
        seen[cell] += 1
        named.append(cell if seen[cell] == 1 else f"{cell} ({seen[cell]})")
    return named


def _cells(line: str) -> list[str]:
    cells = line.strip().strip("|").split("|") if line.startswith("|") else []
    return [cell.strip().strip("*").strip() for cell in cells]

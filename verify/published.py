"""Check of published populations by a program that shares no code with the package.

The program uses only pyarrow and hashlib. Every file must agree with `SHA256SUMS` and with
the description in the folder, and its columns with the numbers in the description.

    python verify/published.py FOLDER
"""

import hashlib
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

CUBE = ("centred", "owned", "doubled", "owned_stakes", "doubled_stakes")
"""Columns that exist only in populations of games with the cube."""


def problems(folder: Path) -> list[str]:
    """Return a sentence for each error in a folder of published populations.

    Parameters
    ----------
    folder : Path
        Folder as written by `bearoff populations export`.
    """
    found = _sums(folder)
    card = (folder / "README.md").read_text(encoding="utf-8")
    said = re.findall(
        r"^\| `([\w-]+\.parquet)` \| .* \| ([\d,]+) \| [\d.]+ \|$", card, re.M
    )
    rows = {name: int(number.replace(",", "")) for name, number in said}
    columns = re.findall(r"^\| `(\w+)` \| \w* \| ", card, re.M)
    held = {path.name for path in folder.glob("*.parquet")}
    if set(rows) != held:
        found.append(f"the card names {sorted(rows)}, the folder holds {sorted(held)}")
    whole = re.search(r"^([\d,]+) decisions", card, re.M)
    if whole is None or int(whole[1].replace(",", "")) != sum(rows.values()):
        found.append("the card's decisions are not the sum of its rows")
    for name in sorted(held):
        table = pq.read_table(folder / name)
        found += [f"{name}: {each}" for each in _table(table, rows.get(name), columns)]
    return found


def _sums(folder: Path) -> list[str]:
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    said = {name: digest for digest, name in (line.split("  ", 1) for line in lines)}
    held = {path.name for path in folder.iterdir()} - {"SHA256SUMS"}
    found = [f"no checksum of {name}" for name in sorted(held - set(said))]
    found += [f"{name} is not there" for name in sorted(set(said) - held)]
    for name in sorted(held & set(said)):
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != said[name]:
            found.append(f"{name} has another checksum")
    return found


def _table(table: Any, rows: int | None, columns: list[str]) -> list[str]:
    found = []
    if table.num_rows != rows:
        found.append(f"{table.num_rows} rows, the card says {rows}")
    cube = all(name in table.column_names for name in CUBE)
    wanted = [name for name in columns if cube or name not in CUBE]
    if table.column_names != wanted:
        found.append(f"columns {table.column_names}, the card says {wanted}")
        return found
    if table.schema.metadata:
        found.append("metadata of a program")
    read = {name: table.column(name).to_pylist() for name in table.column_names}
    for side in ("roller", "opponent"):
        counts = [tuple(each) for each in read[f"{side}_counts"]]
        pips = [sum(p * n for p, n in enumerate(each, 1)) for each in counts]
        if pips != read[f"{side}_pips"]:
            found.append(f"pips of the {side} are not those of its checkers")
        if not all(1 <= sum(each) <= 15 and min(each) >= 0 for each in counts):
            found.append(f"a {side} has no checkers, or more than 15")
        pairs = set(zip(read[side], counts, strict=True))
        if not len(pairs) == len(set(counts)) == len(set(read[side])):
            found.append(f"numbers of the {side} do not stand for its checkers")
        if not all(e >= p for e, p in zip(read[f"{side}_epc"], pips, strict=True)):
            found.append(f"effective pips of the {side} are below its pips")
    if not all(0 <= chance <= 1 for chance in read["win_probability"]):
        found.append("a chance is not from 0 to 1")
    if not set(read["split"]) <= {"train", "validation", "test"}:
        found.append(f"splits {set(read['split'])}")
    if not set(read["source"]) <= {"table", "rollout", "model"}:
        found.append(f"sources {set(read['source'])}")
    if not (min(read["weight"]) >= 1 and min(read["error"]) >= 0):
        found.append("a weight below 1 or an error below 0")
    # Without a double, an owned cube is worth at least as much as a centred cube.
    short = zip(read["no_redouble"], read["no_double"], read["error"], strict=True)
    if not all(owned >= shared - 4 * error - 1e-6 for owned, shared, error in short):
        found.append("an owned cube is worth less than a centred one")
    return found


def main() -> int:
    """Print the errors in a folder of published populations; return the exit status."""
    found = problems(Path(sys.argv[1]))
    for each in found:
        print(each)
    print(f"{len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

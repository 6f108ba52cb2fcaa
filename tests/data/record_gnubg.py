"""Script that records output of GNU Backgammon, for tests on machines without this program.

Run from the repository's root as ``python -m tests.data.record_gnubg``, with ``gnubg``
and ``makebearoff`` on the path. It shares no code with the package.
"""

import hashlib
import json
import random
import struct
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
HEADER, ENTRY = 40, 8

# Key: number of points. Value: file, number of positions of the table, and step between
# recorded positions.
ONE_SIDED = {
    6: ("gnubg_one_sided.csv", 54_264, 54),
    8: ("gnubg_one_sided_8.csv", 490_314, 1633),
}

# The recorded bear-off files, one of each kind, are a few kilobytes long.
FILES = {
    "gnubg_two_sided.bd": ["--two-sided=6x2"],
    "gnubg_cubeless.bd": ["--two-sided=6x2", "--no-cubeful"],
    "gnubg_gammons.bd": ["--one-sided=2"],
    "gnubg_uncompressed.bd": ["--one-sided=1", "--no-compress"],
    "gnubg_no_gammons.bd": ["--one-sided=2", "-g"],
    "gnubg_normal.bd": ["--one-sided=1", "--normal-dist"],
}

_IDS_SCRIPT = """
import json
gnubg.command("new game")
rows = []
for xgid in json.load(open({asked!r})):
    gnubg.command("set xgid " + xgid)
    rows.append([xgid, gnubg.positionid()])
json.dump(rows, open({answered!r}, "w"))
"""


def _run(command, folder):
    done = subprocess.run(
        command, cwd=folder, env={"HOME": folder, "PATH": "/usr/bin:/bin:/usr/games"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout


def _random_side(chance, highest):
    side = [0] * 24
    for _ in range(chance.choice([1, 2, 5, 9, 15])):
        side[chance.randrange(highest)] += 1
    return side


def _random_xgids():
    """Return XGIDs of random races."""
    chance = random.Random(1970)
    texts = []
    for k in range(60):
        highest = 6 if k % 2 else 12
        lower, upper = _random_side(chance, highest), _random_side(chance, highest)
        board = ["-"] * 26
        for point in range(24):
            if lower[point]:
                board[point + 1] = chr(ord("A") + lower[point] - 1)
            if upper[point]:
                board[24 - point] = chr(ord("a") + upper[point] - 1)
        turn = 1 if k % 3 else -1
        texts.append(f"XGID={''.join(board)}:0:0:{turn}:00:0:0:0:0:10")
    return texts


def record_position_ids(folder):
    asked, answered = Path(folder, "asked.json"), Path(folder, "answered.json")
    script = Path(folder, "ids.py")
    asked.write_text(json.dumps(_random_xgids()))
    script.write_text(_IDS_SCRIPT.format(asked=str(asked), answered=str(answered)))
    _run(["gnubg", "--tty", "--quiet", "--no-rc", "--python", str(script)], folder)
    rows = json.loads(answered.read_text())
    lines = ",\n".join(json.dumps(row) for row in rows)
    (HERE / "gnubg_position_ids.json").write_text(f"[\n{lines}\n]\n")


def record_one_sided(folder, points):
    """Record some rows of GNU Backgammon's one-sided table, and the SHA-256 of the whole
    table."""
    _run(["makebearoff", f"--one-sided={points}", "--outfile=os.bd"], folder)
    data = Path(folder, "os.bd").read_bytes()
    name, positions, every = ONE_SIDED[points]
    lines = ["number,first,chances of 65535 to need first, first + 1, ... rolls"]
    for number in range(0, positions, every):
        start, length, first = struct.unpack_from("<IBB", data, HEADER + number * ENTRY)
        at = HEADER + positions * ENTRY + 2 * start
        row = struct.unpack_from(f"<{length}H", data, at)
        lines.append(f"{number},{first},{' '.join(map(str, row))}")
    (HERE / name).write_text("\n".join(lines) + "\n")
    return hashlib.sha256(data).hexdigest()


def record_files(folder):
    """Record the smallest bear-off files completely."""
    for name, options in FILES.items():
        _run(["makebearoff", *options, f"--outfile={name}"], folder)
        (HERE / name).write_bytes(Path(folder, name).read_bytes())


def main():
    with tempfile.TemporaryDirectory() as folder:
        version = _run(["gnubg", "--version"], folder).splitlines()[0]
        record_position_ids(folder)
        record_files(folder)
        digests = {points: record_one_sided(folder, points) for points in ONE_SIDED}
    print(version)
    print("SHA-256 of makebearoff's tables, by points:", digests)
    kept = [name for name, *_ in ONE_SIDED.values()]
    for name in ("gnubg_position_ids.json", *kept, *FILES):
        print(name, hashlib.sha256((HERE / name).read_bytes()).hexdigest())


if __name__ == "__main__":
    main()

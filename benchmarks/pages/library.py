"""Page on how long it takes to search 10,000 stored matches, and to read long files.

The matches in the library are copies of two matches from the tests, with random players,
days, costs and comments.
"""

import multiprocessing
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bearoff import Judge
from bearoff.analysis import formulas
from bearoff.analysis.output import markdown_page, markdown_table
from bearoff.analysis.review import review
from bearoff.app.library.library import Library
from bearoff.app.library.sealed import Connection, put, rows
from bearoff.app.library.tables import decision_number
from bearoff.app.library.wanted import Wanted
from bearoff.game.records import parse_match, race_decisions, read_match

FILES = ("gnubg_match.mat", "gnubg_session.mat")
DATA = Path(__file__).parents[2] / "tests" / "data"

Model = list[list[dict[str, Any]]]
"""Rows of the library's database that store a match, by table."""

PATH = Path("benchmarks", "library.md")

PLAYERS = 400
WORDS = ("patience", "gammon", "blunder", "lucky", "timing", "cube", "wastage", "hurry")

SEARCHES: dict[str, Wanted] = {
    "all": Wanted(),
    "a player": Wanted(player="Me"),
    "decisions of a player against one opponent": Wanted(player="Me", opponent="Player 17"),
    "a rare player": Wanted(player="Player 17"),
    "three months": Wanted(since="2025-03", until="2025-05"),
    "kind": Wanted(kind="take"),
    "length of race": Wanted(pips="60-70"),
    "cost": Wanted(cost=0.1),
    "mistakes of a player": Wanted(player="Me", mistakes=True),
    "features": Wanted(feature=("gaps>=2", "stack>=4")),
    "structure": Wanted(structure="*,*,2+,0,0,0"),
    "stakes": Wanted(stakes="match, 2 to 4", kind="double"),
    "text": Wanted(text="wastage hurry"),
    "text that most have": Wanted(text="Me"),
    "nothing": Wanted(feature=("crossovers>=60",)),
}


def fill(library: Library, matches: int, seed: int) -> None:
    """Fill a library of matches with copies of two reviewed matches."""
    for name in FILES:
        record = read_match(DATA / name)
        library.keep(record, review(record, Judge([]), formulas.get(formulas.RECOMMENDED)))
    draw = random.Random(seed)
    with library.file.writing() as connection:
        models = [_model(connection, match) for match in (1, 2)]
        for match in range(3, matches + 1):
            _copy(connection, match, models[match % 5 == 0], draw)


def _model(connection: Connection, match: int) -> Model:
    low, high = decision_number(match, 0), decision_number(match + 1, 0)
    return [
        list(rows(connection, f"SELECT * FROM matches WHERE id = {match}", "matches")),
        *(
            list(
                rows(
                    connection,
                    f"SELECT * FROM {table} WHERE id >= {low} AND id < {high}",
                    table,
                )
            )
            for table in ("decisions", "details")
        ),
        list(rows(connection, f"SELECT * FROM races WHERE match = {match}", "races")),
    ]


def _copy(
    connection: Connection,
    match: int,
    model: list[list[dict[str, Any]]],
    draw: random.Random,
) -> None:
    (row,), decisions, details, races = model
    names = {row["player0"]: "Me", row["player1"]: f"Player {draw.randrange(PLAYERS)}"}
    if match % 4 == 0:
        names = {name: f"Player {draw.randrange(PLAYERS)}" for name in names}
    day = (date(2016, 1, 1) + timedelta(days=draw.randrange(4000))).isoformat()
    two = (names[row["player0"]], names[row["player1"]])
    comment = " ".join(draw.sample(WORDS, 2))
    put(
        connection,
        "matches",
        row
        | {"id": match, "digest": f"{match}", "player0": two[0], "player1": two[1]}
        | {"day": day, "comment": comment, "source": f"match {match}.mat"},
    )
    for one, more in zip(decisions, details, strict=True):
        number = decision_number(match, one["id"] - decision_number(row["id"], 0))
        cost = draw.expovariate(20) if draw.random() < 0.2 else 0.0
        played = {"player": names[one["player"]], "opponent": names[one["opponent"]]}
        pips = one["pips"] + draw.randrange(-20, 20)
        home = "".join(draw.sample(one["home"], 6))
        drawn = {"id": number, "match": match, "day": day, "cost": cost}
        drawn |= {"pips": max(pips, 1), "home": home, "mistake": cost > 0}
        drawn |= {"gaps": draw.randrange(4), "stack": draw.randrange(2, 8)}
        put(connection, "decisions", one | drawn | played)
        put(connection, "details", more | {"id": number})
    for race in races:
        played = {"player": names[race["player"]], "opponent": names[race["opponent"]]}
        put(connection, "races", race | {"id": None, "match": match, "day": day} | played)
    text = "\n".join((f"match {match}.mat", *two, comment))
    connection.execute(
        "INSERT INTO words (rowid, text) VALUES (?, ?)", (decision_number(match, 0), text)
    )


def milliseconds(work: Callable[[], object], times: int) -> list[str]:
    """Run some work several times; return its median CPU and wall time in milliseconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter(), time.process_time()
        work()
        taken.append((time.process_time() - start[1], time.perf_counter() - start[0]))
    return [f"{1000 * statistics.median(one):.0f}" for one in zip(*taken, strict=True)]


def session_of(megabytes: int) -> bytes:
    """Return a match file of a given size, which repeats one game."""
    head, game = (DATA / FILES[1]).read_text(encoding="utf-8").split(" Game 1\n")
    games = max(round(megabytes * 1e6 / len(game)), 1)
    return (head + "".join(f" Game {n}\n{game}" for n in range(1, games + 1))).encode()


def long_file(megabytes: int) -> list[str]:
    """Measure the time and memory to read a long match file and to find its races."""
    text = session_of(megabytes)
    start = time.process_time()
    record = parse_match(text, "long.mat")
    read = time.process_time()
    decisions, _ = race_decisions(record)
    found = time.process_time()
    # On Linux, VmHWM is the peak memory of this process alone; the value from getrusage
    # includes the parent process.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    most = int(status.partition("VmHWM:")[2].split()[0]) / 1000
    return [
        str(megabytes),
        f"{len(decisions):,}",
        f"{read - start:.1f}",
        f"{found - read:.1f}",
        f"{most:.0f}",
    ]


def each_alone(sizes: Sequence[int]) -> list[list[str]]:
    """Measure each file size in a separate process, which gives its peak memory."""
    context = multiprocessing.get_context("spawn")
    rows = []
    for megabytes in sizes:
        with ProcessPoolExecutor(1, context) as pool:
            pool.submit(long_file, 0).result()  # Imports must not be measured.
            rows.append(pool.submit(long_file, megabytes).result())
    return rows


def page(quick: bool = False) -> str:
    matches, times, megabytes = (5, 1, [0]) if quick else (10_000, 5, [5, 10, 20])
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Path(folder) / "library.sqlite")
        fill(library, matches, seed=1)
        decisions = library.count()
        lines = []
        for name, wanted in SEARCHES.items():

            def asked(wanted: Wanted = wanted) -> None:
                library.find(wanted, most=20)

            found = library.count(wanted)
            lines.append([name, f"{found:,}", *milliseconds(asked, times)])
        more = [
            ("list of any 20 matches", lambda: library.matches(most=20)),
            (
                "list of 20 matches of a player",
                lambda: library.matches(Wanted(player="Me"), 20),
            ),
            (
                "progress of a player",
                lambda: library.progress("Me"),
            ),
            ("check of all", library.file.check),
        ]
        for name, work in more:
            lines.append([name, "", *milliseconds(work, 1)])
        size = library.file.size
    return markdown_page(
        [
            "# Times of searches in a library of many matches",
            f"`python -m benchmarks --page library` searches a library of {matches:,} "
            f"matches with {decisions:,} decisions, which takes {size / 1e6:.0f} MB. "
            "Each search returns the 20 costliest decisions that match, and the number "
            f"of all decisions that match. Times are medians of {times} searches, in "
            "milliseconds of processor time and of wall time.",
            markdown_table(["search", "found", "processor", "clock"], lines),
            "The next table shows how long the program takes to read a session in "
            "Jellyfish's `.mat` format, and to replay it to find all decisions in its "
            "races. Times are in seconds of processor time. *Memory* is the peak "
            "memory of the process in MB.",
            markdown_table(
                ["MB", "decisions", "read", "replayed", "memory"], each_alone(megabytes)
            ),
        ]
    )

"""Searches in the library compared with a Python loop over all stored decisions."""

import random
from dataclasses import replace

import pytest
from pyarrow import parquet

from bearoff import Position, Race, Score
from bearoff.analysis.review import Decision
from bearoff.app.library.exporting import board_text, export
from bearoff.app.library.library import Library
from bearoff.app.library.searching import SORTS, SearchError
from bearoff.app.library.wanted import Wanted
from tests.app.conftest import rows_of
from tests.app.library.conftest import START, reviewed
from tests.decisions import choices_of, costing

NAMES = ("Ann", "ann", "Bob", "Zoë")


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    """Return a library of two matches and 300 random positions, stored on several days."""
    path = tmp_path_factory.mktemp("searched") / "library.sqlite"
    now = [START]
    library = Library(path, lambda: now[0])
    draw = random.Random(5)
    for part in range(6):
        now[0] = START.replace(year=2020 + part, month=1 + 2 * part)
        drawn = {place: _drawn(draw) for place in range(1, 51)}
        library.keep_list(f"list {part}", f"digest {part}", drawn)
    for name in ("gnubg_match.mat", "gnubg_session.mat"):
        library.keep(*reviewed(name))
    library.notes.add("2", "a cold evening")
    library.notes.add("3.7", "I was in a hurry", ["hurry"])
    return library


def _drawn(draw):
    sides = []
    for _ in range(2):
        points = draw.choices((0, 1, 2, 3, 4, 5, 5, 5, 8, 11), k=draw.randint(1, 15))
        sides.append(Position(tuple(map(points.count, range(12)))))
    score = draw.choice((None, Score((3, 5), length=7), Score((1, 1), length=7)))
    kind = draw.choice(("double", "take", "play"))
    race = Race(*sides, score=score, dice=(6, 4) if kind == "play" else None)
    cost = draw.choice((0.0, round(draw.random(), 3)))
    player, error = draw.choice(NAMES), 0.5 if draw.random() < 0.3 else 0.0
    decided = {"take": "take", "double": "no double", "play": "a"}[kind]
    found = choices_of(kind, (0.4, 0.3))
    one = Decision(kind, race, found, decided, "model", source="drawn", player=player)
    return costing(one, cost, error)


def sides(one):
    """Return the positions of the player who decides and of the other player."""
    race = one.judged.race
    both = race.roller, race.opponent
    return both[::-1] if one.judged.kind == "take" else both


def side(one):
    return sides(one)[0]


def _gaps(one):
    return sum(count == 0 for count in side(one).counts[3:6])


def _their_low(one):
    return sum(sides(one)[1].counts[:2])


def _lead(one):
    mine, theirs = sides(one)
    return theirs.pips - mine.pips


def at(one):
    return one.judged.race.score


def is_dmp(score):
    return score and score.away == (1, 1)


def is_normal(score):
    return score and score.game == "normal" and not is_dmp(score)


DAY = "2021-03-05"

CASES = {
    "player": (Wanted(player="ANN"), lambda one: one.judged.player.lower() == "ann"),
    "opponent": (Wanted(opponent="root"), lambda one: one.opponent == "root"),
    "since": (Wanted(since="2023"), lambda one: one.day >= "2023-01-01"),
    "until": (Wanted(until="2022-05"), lambda one: one.day <= "2022-05-31"),
    "one day": (Wanted(since=DAY, until=DAY), lambda one: one.day == DAY),
    "kind": (Wanted(kind="take"), lambda one: one.judged.kind == "take"),
    "money": (Wanted(stakes="money"), lambda one: one.judged.race.score is None),
    "match": (Wanted(stakes="match"), lambda one: is_normal(at(one))),
    "dmp": (Wanted(stakes="double match point"), lambda one: is_dmp(at(one))),
    "pips": (Wanted(pips="40-60"), lambda one: 40 <= one.judged.race.roller.pips <= 60),
    "few pips": (Wanted(pips="-20"), lambda one: one.judged.race.roller.pips <= 20),
    "many pips": (Wanted(pips="80-"), lambda one: one.judged.race.roller.pips >= 80),
    "pips alone": (Wanted(pips="50"), lambda one: one.judged.race.roller.pips == 50),
    "cost": (Wanted(cost=0.5), lambda one: one.judged.cost >= 0.5),
    "mistakes": (Wanted(mistakes=True), lambda one: one.judged.is_mistake),
    "gaps": (Wanted(feature=("gaps>=2",)), lambda one: _gaps(one) >= 2),
    "two features": (
        Wanted(feature=("gaps<2", "their_low = 3")),
        lambda one: _gaps(one) < 2 and _their_low(one) == 3,
    ),
    "lead": (Wanted(feature=("lead>10",)), lambda one: _lead(one) > 10),
    "structure": (
        Wanted(structure="*,*,0,1+,*,*"),
        lambda one: side(one).counts[2] == 0 < side(one).counts[3],
    ),
    "tall": (Wanted(structure="*,*,*,*,*,4+"), lambda one: side(one).counts[5] >= 4),
    "match number": (Wanted(match=2), lambda one: one.reference.startswith("2.")),
    "text of a match": (Wanted(text="Cold even"), lambda one: one.reference[:2] == "2."),
    "text of a decision": (Wanted(text="hurry"), lambda one: one.reference == "3.7"),
    "text of a name": (Wanted(text="gnubg"), lambda one: "gnubg" in one.judged.source),
    "quotes": (Wanted(text='"cold" OR -x'), lambda one: False),
    "nobody": (Wanted(player="' OR 1=1"), lambda one: False),
}


@pytest.fixture(scope="module")
def every(mixed):
    return mixed.search()


@pytest.mark.parametrize("name", CASES)
def test_a_search_is_as_a_walk(mixed, every, name):
    wanted, holds = CASES[name]
    assert len(every) == 348
    meant = [one for one in every if holds(one)]
    assert (0 < len(meant) < len(every)) == (name not in ("quotes", "nobody"))
    for sort, most in zip(SORTS, (None, 7, None), strict=True):
        found, count = mixed.find(wanted, sort, most)
        assert count == len(meant)
        keys = {
            "cost": lambda one: -one.judged.cost,
            "date": lambda one: [-ord(c) for c in one.day],
            "pips": lambda one: -one.judged.race.roller.pips,
        }
        by_number = sorted(meant, key=lambda one: one.id)
        assert found == sorted(by_number, key=keys[sort])[:most]


def test_conditions_hold_together(mixed, every):
    draw = random.Random(1)
    for _ in range(30):
        names = draw.sample([name for name in CASES if name != "quotes"], 3)
        given = [vars(CASES[name][0]).items() - vars(Wanted()).items() for name in names]
        fields = dict(set().union(*given))
        if len(fields) < sum(map(len, given)):
            continue  # two of the conditions set the same field of `Wanted`
        found = {one.reference for one in mixed.search(replace(Wanted(), **fields))}
        meant = [one for one in every if all(CASES[name][1](one) for name in names)]
        assert found == {one.reference for one in meant}


@pytest.mark.parametrize(
    ("wanted", "named"),
    [
        (Wanted(kind="plays"), "'plays'.*'play'"),
        (Wanted(since="May"), "'May'"),
        (Wanted(pips="-"), "'-'"),
        (Wanted(feature=("gap>=2",)), "'gap'.*'gaps'"),
        (Wanted(feature=("gaps",)), "gaps>=2"),
        (Wanted(structure="1,2"), "6"),
        (Wanted(structure="16,0,0,0,0,0"), "16"),
        (Wanted(text="-- ."), "text"),
    ],
)
def test_what_cannot_be_searched_for(library, wanted, named):
    with pytest.raises(SearchError, match=named):
        library.search(wanted)


def test_matches_by_player_day_and_text(mixed):
    for wanted, found in (
        (Wanted(player="GNUBG", opponent="root"), [8, 7]),
        (Wanted(player="root", opponent="Ann"), []),
        (Wanted(until="2021"), [2, 1]),
        (Wanted(text="cold"), [2]),
    ):
        assert [one.id for one in mixed.matches(wanted)] == found
    assert [one.id for one in mixed.matches(most=1)] == [8]
    assert dict(mixed.players())["gnubg"] == len(mixed.search(Wanted(player="gnubg")))


def test_export_holds_what_is_found(mixed, tmp_path):
    found = mixed.search(Wanted(match=3))
    notes = mixed.notes.of()
    for suffix in (".csv", ".parquet", ".txt", ".apkg"):
        export(tmp_path / f"all{suffix}", found, notes)
    rows = rows_of((tmp_path / "all.csv").read_text())
    assert [row["reference"] for row in rows] == [one.reference for one in found]
    table = parquet.read_table(tmp_path / "all.parquet").to_pylist()
    assert [row["cost"] for row in table] == [one.judged.cost for one in found]
    assert [float(row["cost"]) for row in rows] == [one.judged.cost for one in found]
    (noted,) = (row for row in table if row["notes"])
    assert (noted["reference"], noted["tags"]) == ("3.7", "hurry")
    pips = [Race.parse(row["xgid"]).roller.pips for row in table]
    assert pips == [one.judged.race.roller.pips for one in found]
    text = (tmp_path / "all.txt").read_text(encoding="utf-8")
    assert all(row["xgid"] in text for row in table)
    assert "I was in a hurry #hurry" in text


def test_a_text_says_whether_a_cost_is_within_its_error(mixed):
    seen = set()
    for one in mixed.find()[0]:
        lost = [line for line in board_text(one).splitlines() if line[:7] == " lost: "]
        told, judged = "".join(lost), one.judged
        assert bool(told) == bool(judged.decided)
        if told and judged.cost > 0.01:
            within = judged.cost <= judged.error
            assert ("within" in told) == within
            assert ("error" in told) == (judged.error > 0)
            seen.add((within, judged.error > 0))
    assert seen == {(False, False), (False, True), (True, True)}

"""HTTP requests to the library of reviews, compared with the library's content."""

from dataclasses import asdict

import pytest

from bearoff.app.library.wanted import Wanted
from bearoff.app.serve.library.models import ProgressOut
from bearoff.game.records import read_match
from tests.app.conftest import rows_of
from tests.app.library.conftest import with_both_matches
from tests.app.serve.asking import LOW, client_of, refused
from tests.app.serve.example_games import FOLDER, PLAYED

AT = "/api/v1/library"


@pytest.fixture
def library(tmp_path):
    return with_both_matches(tmp_path / "library.sqlite")


@pytest.fixture
def client(library):
    return client_of(library=library)


def test_what_is_told_is_what_is_kept(client, library):
    about = client.get(AT).json()
    assert (about["matches"], about["decisions"]) == (2, library.count())
    assert about["bytes"] == library.file.path.stat().st_size
    assert sum(one["decisions"] for one in about["players"]) == library.count()
    listed = client.get(f"{AT}/matches").json()["matches"]
    assert [one["id"] for one in listed] == [one.id for one in library.matches()]
    opened = client.get(f"{AT}/matches/1").json()
    made = library.decisions_of(1)
    told = [(one["xgid"], f"1.{one['number']}") for one in opened["decisions"]]
    assert told == [(one.judged.race.xgid, one.reference) for one in made]
    lost = sum(one.judged.cost for one in made)
    assert sum(one["lost"] for one in opened["totals"]) == pytest.approx(lost)
    found = client.get(f"{AT}/progress", params={"player": "Root"}).json()
    own = library.progress("root")
    assert ProgressOut(**found).model_dump() == found
    assert found["whole"] == asdict(own.whole)
    assert [one["fair"] for one in found["luck"]] == [one.fair for one in own.luck]
    assert found["ratings"] == [asdict(one) for one in own.ratings]
    for wanted in (
        {"player": "ROOT", "kind": "play"},
        {"feature": ("gaps>=2", "stack>3")},
        {"cost": 0.001},
        {"match": 2, "until": "2999"},
    ):
        found = client.get(f"{AT}/decisions", params=wanted | {"most": 3}).json()
        own = library.search(Wanted(**wanted))
        assert found["found"] == len(own) > 0
        told = [one["reference"] for one in found["decisions"]]
        assert told == [one.reference for one in own[:3]]


def test_a_search_is_described_as_everywhere(client):
    fields = {one["name"]: one for one in client.get(AT).json()["fields"]}
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    for path, own in (
        ("decisions", set(fields)),
        ("matches", {name for name, one in fields.items() if one["of_matches"]}),
    ):
        parameters = paths[f"{AT}/{path}"]["get"]["parameters"]
        asked = {one["name"]: one["description"] for one in parameters}
        assert set(asked) >= own
        assert all(asked[name] == fields[name]["words"] for name in own)


def test_positions_are_saved_and_noted_and_deleted_with_their_match(client, library):
    body = {"position": "1.2", "text": "a gap", "tags": ["Gaps", "club"]}
    first = client.post(f"{AT}/positions", json=body).json()
    second = client.post(f"{AT}/positions", json={"position": LOW}).json()
    note = client.post(f"{AT}/notes", json={"about": "1", "text": "final"}).json()
    saved = client.get(f"{AT}/saved").json()["saved"]
    assert saved == [second, first]
    assert (first["about"], first["tags"]) == ("1.2", ["gaps", "club"])
    assert first["xgid"] == library.decisions_of(1)[1].judged.race.xgid
    assert second["roller"] == [3, 2, 1, 0, 0, 0]
    assert client.get(f"{AT}/saved", params={"tag": "club"}).json()["saved"] == [first]
    assert [one["id"] for one in client.get(f"{AT}/matches/1").json()["notes"]] == [1, 3]
    assert client.delete(f"{AT}/notes/{note['id']}").json() == note
    assert client.delete(f"{AT}/notes/{note['id']}").status_code == 404
    assert [one.id for one in library.notes.of(1)] == [1]
    assert client.delete(f"{AT}/matches/1").json()["id"] == 1
    assert client.delete(f"{AT}/matches/1").status_code == 404
    assert [one.id for one in library.matches()] == [2]


def test_names_are_told_once(client, library):
    other = library.players()[1][0]
    assert client.post(f"{AT}/names", json={"names": [other]}).json() == {"names": [other]}
    about = client.get(AT).json()
    assert (about["names"], about["mine"]) == ([other], [other])
    assert client.get(f"{AT}/progress").json()["player"] == other
    for wrong in ("x" * 300, "", " "):
        refused(client.post(f"{AT}/names", json={"names": [wrong]}))
    assert library.names.read() == (other,)


def test_decisions_as_files(client, library):
    library.names.write(["gnubg"])
    mine = library.search(Wanted(player="gnubg", match=1))
    asked = {"mine": True, "match": 1}
    rows = rows_of(client.get(f"{AT}/decisions.csv", params=asked).text)
    assert [row["reference"] for row in rows] == [one.reference for one in mine]
    boards = client.get(f"{AT}/decisions.txt", params={"match": 2}).text
    assert all(one.judged.race.xgid in boards for one in library.search(Wanted(match=2)))
    cards = client.get(f"{AT}/decisions.apkg", params={"match": 1})
    assert cards.content[:2] == b"PK"
    assert "decisions.apkg" in cards.headers["content-disposition"]
    assert client.get(f"{AT}/decisions.csv", params={"player": "Zoe"}).status_code == 404
    assert client.get(f"{AT}/decisions.exe").status_code == 400


def test_hostile_queries(client):
    for path, query, status, named in (
        ("decisions", {"match": 10**30}, 400, "match"),
        ("decisions", {"cost": "nan"}, 400, "cost"),
        ("decisions", {"text": "x " * 5000}, 400, "200"),
        ("decisions", {"feature": ["gaps>1"] * 30}, 400, "20"),
        ("decisions", {"feature": "gaps>1; DROP TABLE matches"}, 400, "gaps>=2"),
        ("decisions", {"most": 10**9}, 400, "most"),
        ("matches/99", {}, 404, "99"),
        ("matches/" + "9" * 40, {}, 400, "number"),
        ("matches/..%2f..%2fetc", {}, 404, ""),
        ("progress", {"player": "nobody"}, 404, "nobody"),
        ("progress", {"since": "2999"}, 404, ""),
    ):
        refused(client.get(f"{AT}/{path}", params=query), named, status)
    for path, query in (("decisions", {"stakes": "' OR 1=1 --"}), ("saved", {"tag": "%"})):
        answer = client.get(f"{AT}/{path}", params=query).json()
        assert list(answer.values())[-1] == [], path


def test_what_cannot_be_noted_changes_nothing(client, library):
    before = library.file.path.read_bytes()
    for path, body, named in (
        ("positions", {"position": "../../etc/passwd"}, "etc/passwd"),
        ("positions", {"position": LOW, "tags": ["two words"]}, "two words"),
        ("notes", {"about": "1"}, "note"),
        ("notes", {"about": "1.9999999"}, "1.9999999"),
        ("notes", {"about": "1", "text": "x", "id": 1}, "id"),
    ):
        refused(client.post(f"{AT}/{path}", json=body), named)
    assert library.file.path.read_bytes() == before


def test_others_have_the_example_alone():
    public = client_of(host="http://race.example", names=("race.example",))
    for path in ("", "/matches", "/decisions", "/progress"):
        assert public.get(f"{AT}{path}").status_code == 403
        assert public.get(f"{AT}{path}", params={"example": True}).status_code == 200
    assert public.post(f"{AT}/positions", json={"position": LOW}).status_code == 403


def test_the_example_is_the_games_that_are_shipped(client):
    found = client.get(f"{AT}/matches", params={"example": True}).json()["matches"]
    told = [(one["day"], *one["players"], one["length"]) for one in reversed(found)]
    assert told == [(day, "Robin", name, length) for day, name, length, _ in PLAYED]
    for one in found:
        last = read_match(FOLDER / one["source"]).games[-1]
        assert last.winner is not None
        won = last.won[last.winner] + last.points
        assert one["won"][last.winner] == min(won, one["length"] or won)
    assert sum(one["mistakes"] for one in found) > 5

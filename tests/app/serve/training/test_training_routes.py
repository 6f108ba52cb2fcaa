"""The trainer through HTTP: a session, what is taken away, and who may not."""

import csv
import io
import sqlite3
import zipfile
from pathlib import Path
from random import Random

import pytest

from app.serve.application import create_app
from app.serve.settings import Settings
from app.serve.training.session import Trainer
from app.serve.training.store import Store
from tests.app.serve.asking import Client

AT = "/api/v1/training"


@pytest.fixture
def client(tmp_path: Path) -> Client:
    trainer = Trainer(Store(tmp_path / "training.sqlite"), Random(1))
    return Client(create_app(trainer=trainer))


def test_a_session(client: Client, tmp_path: Path) -> None:
    names = [drill["name"] for drill in client.get(f"{AT}/drills").json()["drills"]]
    last = ""
    for name in names:
        query = {"kinds": name, "level": "easy", "last": last}
        question = client.get(f"{AT}/question", params=query).json()
        assert question["kind"] == name
        given = "3" if question["form"] == "number" else question["choices"][0]
        body = {"key": question["key"], "given": given, "seconds": 2.5}
        marked = client.post(f"{AT}/answers", json=body).json()
        assert (marked["key"], bool(marked["due"])) == (
            question["key"],
            not marked["right"],
        )
        last = question["key"]
    found = client.get(f"{AT}/statistics").json()
    assert [total["kind"] for total in found["totals"]] == names
    rows = list(csv.DictReader(io.StringIO(client.get(f"{AT}/answers.csv").text)))
    assert [row["kind"] for row in rows] == names
    assert all(row["xgid"].startswith("XGID=") for row in rows[:-1])
    cards = client.get(f"{AT}/mistakes.apkg")
    with zipfile.ZipFile(io.BytesIO(cards.content)) as package:
        (tmp_path / "cards").write_bytes(package.read("collection.anki2"))
    with sqlite3.connect(tmp_path / "cards") as connection:
        notes = connection.execute("SELECT flds FROM notes").fetchall()
    connection.close()
    assert len(notes) == sum(row["right"] == "0" for row in rows)
    assert any("<svg" in fields for (fields,) in notes)


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"key": "pips x"}, "given"),
        ({"key": "pips x", "given": "1" * 200}, "given"),
        ({"key": "pips x", "given": "1", "seconds": -1}, "seconds"),
        ({"key": "pips x", "given": "1", "more": 1}, "more"),
        ({"key": "../../etc/passwd", "given": "1"}, "drill"),
        ({"key": "take-point 3 3 cube 1", "given": "'; DROP TABLE answers"}, "number"),
    ],
)
def test_bad_answers_are_refused_in_a_sentence(
    client: Client, tmp_path: Path, body: dict[str, object], named: str
) -> None:
    answer = client.post(f"{AT}/answers", json=body)
    assert answer.status_code == 400
    assert named in answer.json()["error"]
    assert not (tmp_path / "training.sqlite").exists()


def test_bad_queries_are_refused_in_a_sentence(client: Client) -> None:
    for query in ({"level": "insane"}, {"kinds": "chess"}, {"last": "x" * 200}):
        answer = client.get(f"{AT}/question", params=query)
        assert answer.status_code == 400
        assert answer.json().keys() == {"error"}


def test_others_have_no_trainer() -> None:
    app = create_app(Settings(names=("race.example",)))
    public = Client(app, "http://race.example")
    answer = public.get(f"{AT}/statistics")
    assert answer.status_code == 403
    assert "trainer" in answer.json()["error"]


def test_a_spoilt_file_is_told_of(client: Client, tmp_path: Path) -> None:
    (tmp_path / "training.sqlite").write_bytes(b"no database" * 100)
    answer = client.get(f"{AT}/statistics")
    assert answer.status_code == 400
    assert "training.sqlite" in answer.json()["error"]

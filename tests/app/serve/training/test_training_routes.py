"""The trainer over HTTP: a session of questions, undone answers, and access rights."""

from random import Random

import pytest

from bearoff.app.library.library import open_library
from bearoff.app.serve.training.session import Trainer
from bearoff.app.serve.training.statistics import CLIPPED
from bearoff.app.serve.training.store import Store
from tests.app.conftest import rows_of
from tests.app.serve.asking import LOW, cards_of, client_of, refused

AT = "/api/v1/training"


@pytest.fixture
def client(tmp_path):
    trainer = Trainer(Store(tmp_path / "training.sqlite"), Random(1))
    library = open_library(tmp_path / "library.sqlite")
    return client_of(trainer=trainer, library=library)


def test_a_session(client):
    names = [drill["name"] for drill in client.get(f"{AT}/drills").json()["drills"]]
    passed = []
    assert names.pop() == "own"
    for name in names:
        query = {"kinds": name, "level": "easy", "passed": passed}
        question = client.get(f"{AT}/question", params=query).json()
        assert question["kind"] == name
        given = "3" if question["form"] == "number" else question["choices"][0]
        body = {"id": question["id"], "given": given, "seconds": 2.5}
        marked = client.post(f"{AT}/answers", json=body).json()
        assert marked["key"] == question["key"]
        assert bool(marked["due"]) != marked["right"]
        passed.append(question["id"])
        again = client.post(f"{AT}/answers", json=body)
        assert (again.status_code, again.json().keys()) == (409, {"error"})
    found = client.get(f"{AT}/statistics").json()
    assert [total["kind"] for total in found["totals"]] == names
    rows = rows_of(client.get(f"{AT}/answers.csv").text)
    assert [row["kind"] for row in rows] == names
    assert all(row["xgid"].startswith("XGID=") for row in rows[:-1])
    cards = cards_of(client.get(f"{AT}/mistakes.apkg"))
    assert len(cards) == sum(row["right"] == "0" for row in rows)
    assert any("<svg" in field for card in cards for field in card)


def test_an_answer_is_off_by_as_much_in_a_set_as_in_your_errors_and_its_card_hides_it(
    client,
):
    body = {"id": f"0 pips {LOW}", "given": "900"}
    assert client.post(f"{AT}/answers", json=body).status_code == 200
    (kind,) = client.get(f"{AT}/summary").json()["kinds"]
    (total,) = client.get(f"{AT}/statistics").json()["totals"]
    assert kind["off"] == total["whole"]["off"] == CLIPPED
    ((_, board, answer, _),) = cards_of(client.get(f"{AT}/mistakes.apkg"))
    assert "2 on the 2 point" in board
    assert ("10 pips" in board, "10 pips" in answer) == (False, True)


def test_bad_answers_are_refused(client, tmp_path):
    for body, named in (
        ({"id": "0 pips x"}, "given"),
        ({"id": "0 pips x", "given": "1", "seconds": -1}, "seconds"),
        ({"id": "0 pips x", "given": "1", "more": 1}, "more"),
        ({"id": "../../etc/passwd", "given": "1"}, "id"),
        ({"id": "0 chess 1", "given": "1"}, "drill"),
        ({"id": "0 take-point 3 3 cube 1", "given": "'; DROP TABLE answers"}, "number"),
    ):
        refused(client.post(f"{AT}/answers", json=body), named)
        assert not (tmp_path / "training.sqlite").exists(), body


def test_a_spoilt_file_and_bad_queries_are_told_of(client, tmp_path):
    for query in ({"level": "insane"}, {"kinds": "chess"}, {"player": "x" * 300}):
        refused(client.get(f"{AT}/question", params=query))
    (tmp_path / "training.sqlite").write_bytes(b"no database" * 100)
    refused(client.get(f"{AT}/statistics"), "training.sqlite")

"""Matches and positions sent over HTTP for review, beside reviews in Python."""

import weakref
from contextlib import contextmanager
from operator import itemgetter

import httpx
import pytest

from bearoff import BearoffError, Position, Race
from bearoff.analysis.review import Decision
from bearoff.answers import Judge
from bearoff.app.library.library import open_library
from bearoff.app.serve.judges import Judges
from bearoff.app.serve.review import kept
from bearoff.app.serve.review.judging import Known
from bearoff.app.serve.review.kept import ReviewJob
from bearoff.app.serve.work import Stopped
from tests.app.conftest import SESSION
from tests.app.serve.asking import HANGS, LOW, client_of, refused
from tests.app.serve.test_server import serving
from tests.two_sided_tables import built

AT = "/api/v1/review"
SENT = {"name": "s.mat", "text": SESSION.read_text(encoding="utf-8")}


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_DATA", str(tmp_path))
    built(4)
    return tmp_path


@pytest.fixture
def client(data):
    return client_of(races=500)


def test_a_match_in_two_formats_counts_once(client):
    files = [
        {"name": name, "text": SESSION.with_suffix(name[1:]).read_text(encoding="utf-8")}
        for name in ("s.mat", "s.sgf")
    ]
    body = {"files": files, "races_only": True}
    found = client.post(AT, json=body).json()
    alone = client.post(AT, json=body | {"files": files[:1]}).json()
    assert len(found["decisions"]) == len(alone["decisions"])
    assert found["totals"] == alone["totals"]
    (told,) = (one for one in found["problems"] if one not in alone["problems"])
    assert all(each["name"] in told for each in files)


@contextmanager
def server():
    """Return a server that also works between requests."""
    with (
        serving(Judges([built(4)]), races=500) as port,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=HANGS) as client,
    ):
        yield client


def ended(client, id):
    """Request the state of a review until the review has ended; return all results."""
    while True:
        found = client.get(f"{AT}s/{id}").json()
        if found["status"] != "running":
            return dict(found)


def test_a_review_goes_on_and_ends_with_the_same_until_many_others_have_come(data):
    body = {"positions": f"{LOW}\n{LOW}\n"}
    with server() as client:
        plain = client.post(AT, json=body).json()
        id = client.post(f"{AT}s", json=body).json()["id"]
        last = ended(client, id)
        assert (last["status"], last["error"], last["found"]) == ("done", None, plain)
        assert (last["done"], last["decisions"]) == (2, 2)
        # The server does not repeat results that a client already has.
        news = {"news": last["news"]}
        assert client.get(f"{AT}s/{id}", params=news).json() == last | {"found": None}
        other = client.post(f"{AT}s", json=body).json()["id"]
        assert other != id
        assert ended(client, other)["found"] == plain
        nothing = ended(client, client.post(f"{AT}s", json={}).json()["id"])
        assert (nothing["status"], nothing["found"]) == ("failed", None)
        assert nothing["error"]
        for _ in range(kept.MOST - 2):
            last = client.post(f"{AT}s", json={"positions": LOW}).json()["id"]
            assert ended(client, last)["status"] == "done"
        assert client.get(f"{AT}s/{id}").status_code == 404
        assert client.get(f"{AT}s/{other}").status_code == 200


def test_the_doubled_player_of_a_list_may_beaver_as_in_the_command(client):
    position = "XGID=-CBA-------------------ad-:0:0:1:00:0:0:2:0:10"
    found = client.post(AT, json={"positions": f"position,decided\n{position},beaver\n"})
    (one,) = found.json()["decisions"]
    assert (one["kind"], one["decided"], one["best"]) == ("take", "beaver", "pass")
    answer = Judge().answer(Race.parse(position)).decided("beaver")
    assert (one["cost"], one["error"]) == (answer.cost, answer.error)
    assert list(one["choices"]) == ["take", "pass", "beaver"]


def test_a_query_returns_what_is_new_since_the_clients_last_one():
    first, second, better = (Decision("play", Race.parse(LOW), ()) for _ in range(3))
    judged, problems = [first], []
    job = ReviewJob(HANGS)
    assert (job.look().number, job.look().newer(-1)) == (0, [])
    job.watch(lambda: Known(list(judged), list(problems), 0, []))
    one = other = job.look()
    assert (one.number, one.newer(-1)) == (1, [1])
    assert job.look() is one
    judged.append(second)
    one = job.look()
    assert (one.number, one.newer(1)) == (2, [2])
    judged[0] = better
    assert job.look().newer(one.number) == [1]
    assert job.look().newer(other.number) == [1, 2]
    other = job.look()
    judged.pop()  # this decision has no answer
    problems.append("why not")
    news = job.look()
    assert (news.number, news.newer(other.number)) == (4, [])
    assert news.known.judged == [better]
    assert news.newer(-1) == [1]


@pytest.mark.parametrize("error", [None, Stopped, BearoffError])
def test_a_review_that_has_ended_holds_no_judge(error):
    """A completed review frees the memory of all races that it has solved."""
    judge, known = Judge([]), Known([], ["what is known"], 0, [])
    gone = weakref.ref(judge)

    def work(job, judge=judge):
        job.watch(lambda: known if judge else None)
        if error:
            raise error("no")
        return known

    job = ReviewJob(HANGS)
    job.run(work)
    del judge, work
    assert job.status != "running"
    assert job.look().known == known
    assert gone() is None


def test_text_copied_from_another_program_is_not_read_as_lines(client):
    text = """ +13-14-15-16-17-18------19-20-21-22-23-24-+   O: Green  9
 |                  |   | O              O |
v|                  |BAR|                  |
 |                  |   |       X  X  X    |
 +12-11-10--9--8--7-------6--5--4--3--2--1-+   X: Red  10

 Position-ID: LwAAwC0AAAAAAA    Match-ID: cAkAAAAAAAAE
 XGID=-CBA-------------------ad-:0:0:1:21:0:0:0:0:10

 Red to move 2-1

Evaluation  (EMG)
 ==========
  1.   0.589            2/off, 1/off
       0.795  0.171  0.007  -  0.205  0.022  0.001
"""
    found = client.post(AT, json={"positions": text}).json()
    assert found["problems"] == []
    (one,) = found["decisions"]
    assert (one["best"], one["file_program"]) == ("2/off 1/off", "BGBlitz")


def test_a_list_is_the_same_as_a_file_and_as_text(client):
    """XGIDs also occur in eXtreme Gammon's exports, in which nobody decided."""
    text = (
        "position,dice,played,decided\n"
        "XGID=-AA--------------------aa-:1:1:1:00:0:0:0:0:10,,,take\n"
        "XGID=-CBA-------------------ad-:0:0:1:21:0:0:0:0:10,,3/1 1/off,\n"
        "rubbish,,,take\n"
    )
    by_line = itemgetter("line")
    found = client.post(AT, json={"files": [{"name": "x.csv", "text": text}]}).json()
    as_file = sorted(found["decisions"], key=by_line)
    said = client.post(AT, json={"positions": text}).json()["decisions"]
    assert [one["decided"] for one in as_file] == ["take", "3/off"]
    # The player who doubled is certain to win, so the take is a mistake that costs 1 point.
    assert as_file[0]["cost"] == 1.0
    for one, other in zip(as_file, sorted(said, key=by_line), strict=True):
        assert one | {"source": "", "number": 0} == other | {"source": "", "number": 0}
    (problem,) = found["problems"]
    assert problem.startswith("x.csv, line 4: ")


def test_results_come_while_it_goes_on_and_it_can_be_stopped(data):
    # Rollouts of a long race at a match score are slow, so the first results come from the
    # fast model.
    race = Race(Position((*7 * (0,), 5, 5, 5)), Position((*7 * (0,), 5, 5, 5))).xgid
    body = {"files": [SENT], "positions": f"{race}\n" * 5, "error": 0.0005}
    body |= {"races_only": True}
    with server() as client:
        id = client.post(f"{AT}s", json=body).json()["id"]
        while True:
            now = client.get(f"{AT}s/{id}").json()
            if now["found"] and len(now["found"]["decisions"]) == 20:
                break
        assert now["status"] == "running"
        client.delete(f"{AT}s/{id}")
        last = ended(client, id)
        assert last["status"] == "stopped"
        assert last["done"] < last["decisions"] == 25
        assert len(last["found"]["decisions"]) >= 20


def test_a_review_that_nobody_looks_at_ends(monkeypatch):
    going = kept.ReviewJob(60.0)
    going.step(1, 2)
    monkeypatch.setattr(kept, "ABSENT", -1.0)
    with pytest.raises(Stopped):
        going.step(2, 2)


def test_turns_before_the_race_are_counted_or_estimated(client):
    whole = client.post(AT, json={"files": [SENT]}).json()
    alone = client.post(AT, json={"files": [SENT], "races_only": True}).json()
    # The race begins after line 15 of the match file.
    assert (whole["skipped"], alone["skipped"]) == (0, 2 * 14 + 1)
    assert sorted(one["number"] for one in alone["decisions"]) == list(range(1, 21))
    costs = [one["cost"] for one in whole["decisions"]]
    assert costs == sorted(costs, reverse=True)
    for one in whole["decisions"]:
        assert (one["method"] == "search") == (not one["in_race"])
        assert {len(one["roller"]), len(one["opponent"])} == {25} or one["in_race"]
    assert whole["races"] == alone["races"] == alone["players"]
    assert sum(total["lost"] for total in whole["players"]) == pytest.approx(sum(costs))


CONTACT = {"name": "x", "text": SESSION.with_name("extreme_gammon.txt").read_text("utf-8")}
LETTER = f"To whom it may concern:\nlook at\n\n{LOW}\nthe first of two.\n"
LONG_ROW = f'position,note\n{LOW},"{200_000 * "x"}"\n'


def test_bad_uploads_are_refused(client):
    for body, named in (
        ({}, "decision"),
        # Each of the two games has five plays, a double and a response.
        ({"files": [CONTACT], "races_only": True}, "14 turns"),
        ({"positions": LONG_ROW}, "line 2"),
        *(
            ({"files": [{"name": name, "text": text}]}, named)
            for name, text, named in (
                *(("x.mat", LETTER, "x.mat"), ("x.XG", LETTER, "x.XG")),
                *(("x.txt", LETTER, "3 of its 4"), ("x", LETTER, "3 of its 4")),
                *(("x.mat", f"{LOW}\n", "x.mat"), ("x.sgf", f"{LOW}\n", "x.sgf")),
                ("x.mat", "\0\xff<svg onload=1>", "x.mat"),
                ("../../etc/passwd", "", "match"),
            )
        ),
        ({"files": [{"name": "x", "text": ""}] * 101}, "files"),
        ({"positions": f"{LOW}\n" * 501}, "500 decisions"),
        ({"positions": "x\n" * 501}, "501 of its 501"),
        ({"positions": LOW, "error": 0}, "error"),
        ({"positions": "x" * (5 << 20)}, "4 MB"),
    ):
        refused(client.post(AT, json=body), named, 413 if "MB" in named else 400)
        assert not open_library().file.path.exists(), named


def test_what_cannot_be_judged_is_told_and_the_rest_goes_on(client):
    files = [
        {"name": "bad.mat", "text": "no match"},
        {"name": "list.csv", "text": f"position,decided\n{LOW},take"},
        {"name": "long.csv", "text": LONG_ROW},
    ]
    text = f"{LOW}\nno position\n4HPwATDgc/ABMA\n"
    found = client.post(AT, json={"files": files, "positions": text}).json()
    judged = [(one["source"], one["line"]) for one in found["decisions"]]
    assert judged == [("list.csv", 2), ("positions", 1), ("positions", 3)]
    beginnings = ("bad.mat", "long.csv", "positions, line 2")
    for problem, begins in zip(found["problems"], beginnings, strict=True):
        assert problem.startswith(begins)


def test_a_few_bad_lines_leave_it_a_list(client):
    for name, text, problems in (
        ("x", f"{LOW}\n", []),
        ("x.txt", f"{LOW}\n\nslip\n", ["line 3"]),
        ("x.txt", f"position,decided\nslip,\nslip,\n{LOW},take", ["line 2", "line 3"]),
        ("x.csv", f"Position;Decided\n{LOW};pass", []),
        ("x", "roller\topponent\tdecided\n3,2,1\t4,1\tpass", []),
    ):
        files = [{"name": name, "text": text}]
        found = client.post(AT, json={"files": files}).json()
        (one,) = found["decisions"]
        assert (sum(one["roller"]), one["decided"]) in ((6, ""), (6, "take"), (6, "pass"))
        told = [one.split(":")[0] for one in found["problems"]]
        assert told == [f"x.txt, {line}" for line in problems]


def test_rollouts_where_nothing_exact_holds_a_race(client):
    race = Race(Position((*6 * (0,), 9, 0)), Position((*7 * (0,), 9))).xgid
    rolled = client.post(AT, json={"positions": race, "error": 0.05}).json()
    assert [one["method"] for one in rolled["decisions"]] == ["rollout"]
    quick = client.post(AT, json={"positions": race}).json()
    assert [one["method"] for one in quick["decisions"]] == ["model"]


def test_what_is_reviewed_is_kept_in_the_library_unless_it_serves_others(client, tmp_path):
    public = client_of(names=("example.org",))
    assert public.post(AT, json={"positions": LOW}).json()["kept"] == []
    assert not (tmp_path / "library.sqlite").exists()
    library = open_library()
    assert library.file.path == tmp_path / "library.sqlite"
    body = {"files": [SENT], "positions": f"{LOW}\n{LOW}\n", "races_only": True}
    assert client.post(AT, json=body | {"keep": False}).json()["kept"] == []
    assert library.matches() == []
    found = client.post(AT, json=body).json()
    assert found["kept"] == [1, 2]
    assert len(library.decisions_of(1)) == 20
    assert [one.judged.race.position_id for one in library.decisions_of(2)] == [LOW, LOW]
    assert client.post(AT, json=body).json()["kept"] == [1, 2]
    assert len(library.matches()) == 2

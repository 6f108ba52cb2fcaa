"""Judges of the web server, which evaluate races."""

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from bearoff import PositionError
from bearoff.answers import Judge, OutOfPatience, read_question
from bearoff.app.library.library import Library
from bearoff.app.serve.answering import LATE, answer_rows
from bearoff.app.serve.application import create_app
from bearoff.app.serve.judges import ANSWERING, Judges
from bearoff.app.serve.settings import Settings
from bearoff.app.serve.work import Stopped, Task, current
from bearoff.runtime import limit_memory, memory_taken
from tests.app.serve import asking
from tests.app.serve.asking import HANGS, Client, until

SHORT = asking.SHORT | {"score": "3-5"}
FULL = {"roller": "0,2,2,4,1,6", "opponent": "1,1,2,4,1,6", "score": "3-5"}
LONG = {"roller": "0,1,2,2,2,3", "opponent": "1,1,1,2,2,3", "score": "3-5"}
FEW = {"roller": "1,1", "opponent": "1,0,1"}
BEYOND = {"roller": "[5,5,6,7,8]", "opponent": "[4,4,5,7,9]", "score": "3-5"}


def race(asked):
    return read_question(asked).race


def kind(judge, source):
    return source.kind


@contextmanager
def lasting(seconds):
    given = current.set(Task(seconds))
    try:
        yield
    finally:
        current.reset(given)


def test_what_is_solved_at_a_score():
    for asked, patience, right in ((FULL, 0.01, "model"), (BEYOND, 30, "exact")):
        assert Judges([]).ask(race(asked), kind, patience) == right


def test_an_answer_hangs_on_the_patience_of_who_asks_alone():
    judges, one = Judges([]), race(SHORT)

    def equity(judge, source):
        answer = judge.answer(one, source=source)
        return answer.kind, answer.equity

    found = judges.ask(one, equity, 20)
    assert found == ("exact", Judge(()).answer(one).equity)
    assert judges.ask(one, equity)[0] == "model"
    assert judges.ask(one, equity, 1e-9)[0] == "model"
    assert judges.ask(one, equity, 20) == found


def test_few_checkers_build_one_table(tmp_path, monkeypatch):
    monkeypatch.setenv("BEAROFF_CACHE", str(tmp_path))
    judges = Judges()
    with ThreadPoolExecutor(3) as pool:
        found = pool.map(lambda _: judges.ask(race(FEW), kind), range(3))
    assert list(found) == ["exact"] * 3
    assert len(list(tmp_path.glob("two-sided-*/"))) == 1


def test_one_thread_at_a_time_solves_a_race_and_others_may_go_on():
    judges = Judges([])
    one, other = race(SHORT), race(SHORT | {"score": "5-3"})
    within, most = [], 0
    begun, go_on = threading.Event(), threading.Event()

    def slow(judge, source):
        nonlocal most
        within.append(1)
        most = max(most, len(within))
        begun.set()
        go_on.wait(10)
        within.pop()
        return source.kind

    with ThreadPoolExecutor(3) as pool:
        waiting = [pool.submit(judges.ask, one, slow, 20) for _ in range(2)]
        assert begun.wait(10)
        assert judges.ask(other, kind, 20) == "exact"
        assert judges.ask(one, kind) == "model"  # this request does not wait for the solver
        go_on.set()
        assert [done.result(10) for done in waiting] == ["exact", "exact"]
    assert most == 1


def test_who_is_not_waited_for_stops_waiting():
    judges, one = Judges([]), race(SHORT)
    begun, go_on = threading.Event(), threading.Event()

    def slow(judge, source):
        begun.set()
        go_on.wait(10)

    def late():
        current.set(task := Task(HANGS))
        task.stop()
        with pytest.raises(Stopped):
            judges.ask(one, kind, 20)

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(judges.ask, one, slow, 20)
        assert begun.wait(10)
        pool.submit(late).result(10)
        go_on.set()
        first.result(10)


def test_a_side_that_has_borne_off_is_named_at_a_score_too():
    for patience in (0, 1):
        with pytest.raises(PositionError, match="opponent"):
            Judges([]).ask(race(SHORT | {"opponent": "0"}), kind, patience)


def test_many_races_are_solved_as_long_as_there_is_time_and_then_have_a_problem():
    for share, kind in ((1, "exact"), (0, "model")):
        judge = Judges([]).judge(30, share=share)
        assert [row["kind"] for row in answer_rows(judge, [SHORT, SHORT])] == [kind] * 2
    with lasting(ANSWERING / 4):
        found = answer_rows(Judges([]).judge(0), [SHORT, SHORT | {"score": "2-2"}])
    assert [(row["kind"], row["problem"]) for row in found] == [(None, LATE)] * 2


def test_a_race_is_solved_no_longer_than_a_request_has_time(monkeypatch):
    # The time limit is raised, so that requests do not end early on a busy machine.
    monkeypatch.setattr("bearoff.app.serve.judges.ANSWERING", HANGS)
    for one, left, right in (
        (race(SHORT), HANGS - 1, "model"),
        (race(SHORT), 2 * HANGS, "exact"),
        (race(LONG), HANGS + 0.2, "model"),  # solving this race takes seconds
    ):
        shared = Judges([])

        def answered(judge, source, one=one):
            return judge.answer(one, source=source).kind

        with lasting(left):
            assert shared.ask(one, answered, 30) == right, left
        # Only exact answers are kept, because any other answer may improve with more time.
        assert not shared._solved or right == "exact", left


def test_no_step_is_begun_that_would_outlast_the_request(monkeypatch):
    one, step, now = race(SHORT), 3.0, [0.0]
    for module in ("judges", "work"):
        monkeypatch.setattr(f"bearoff.app.serve.{module}.monotonic", lambda: now[0])
    shared = Judges([])
    with lasting(ANSWERING + 1.5 * step):
        solving = [shared._solving(one, 30.0)[0], shared.judge(30.0)]
        for judge in solving:
            judge.solving.progress(0.0)  # time before this call does not count
        now[0] += step
        assert current.get().left > ANSWERING
        for judge in solving:
            with pytest.raises(OutOfPatience):
                judge.solving.progress(0.5)
    # Nothing is kept, because the next request may have more time.
    assert not shared._solved


def test_what_is_looked_up_waits_for_no_answer(tmp_path):
    app = create_app(Settings(seconds=5), library=Library(tmp_path / "library.sqlite"))
    state, held = app.state.shared, threading.Event()
    try:
        for pool in (state.workers, state.solvers):
            for _ in range(state.settings.threads):
                pool._pool.submit(held.wait)
        assert Client(app).get("/api/v1/library").status_code == 200
    finally:
        held.set()


def test_what_needs_more_memory_than_there_may_be_is_the_models():
    asked = Judges([])
    limit_memory(memory_taken() + (1 << 20))
    try:
        found = [asked.ask(race(one), kind, 30) for one in (SHORT, FULL)]
    finally:
        limit_memory(None)
    assert found == ["exact", "model"]


def test_solved_races_are_released_after_some_time(monkeypatch):
    judges = Judges([])

    def asked():
        return judges.ask(race(SHORT), lambda judge, source: judge, 20)

    first = asked()
    assert asked() is first
    monkeypatch.setattr("bearoff.app.serve.judges.IDLE", 0.05)
    assert asked() is first
    until(lambda: asked() is not first, wait=0.5)


def test_races_solved_by_a_thread_are_released(monkeypatch):
    monkeypatch.setattr("bearoff.app.serve.judges.IDLE", 0.5)
    judge = Judges([]).judge(20)
    assert judge.answer(race(SHORT)).kind == "exact"
    assert judge.solving.nbytes > 0
    until(lambda: not judge.solving.nbytes)
    assert judge.answer(race(SHORT)).kind == "exact"


def test_solved_races_are_kept_by_their_bytes(monkeypatch):
    judges = Judges([])

    def solved(score):
        one = race(SHORT | {"score": score})

        def judge_of(judge, source):
            judge.answer(one, source=source)
            return judge

        return judges.ask(one, judge_of, 20)

    first, second, last = map(solved, ("3-5", "4-5", "5-5"))
    monkeypatch.setattr("bearoff.app.serve.judges.MOST_BYTES", second.solving.nbytes)
    assert solved("5-5") is last
    assert solved("4-5") is second
    assert solved("3-5") is not first

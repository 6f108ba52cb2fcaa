"""Commands that take long: notices about the duration, Ctrl-C, and time limits."""

import re
from pathlib import Path

import pytest

from bearoff.answers import OutOfPatience
from bearoff.app.race_answers import one
from bearoff.match_solver import solver
from tests.app.conftest import rows_of

LARGE = ("1,1,2,2,2,1", "1,1,2,2,2,1", "--score", "2-4")
"""Race of nine checkers per side at a match score, which takes long to solve."""

SMALL = ["2,1,1,0,0,0", "1,2,1,1,0,0", "0,3,1,1,0,0", "1,1,1,1,1,1"]


@pytest.fixture
def stopped(monkeypatch):
    """Return a function that makes the solver fail when it first reports its progress."""

    def stop(error, after=1):
        told = []
        for size in (4, 8):
            solver.seconds_each(size)  # measures the machine's speed before the test
        solve = solver.MatchSolver.solve

        def stopping(self, states):
            tell = self._progress

            def raising(done):
                told.append(done)
                if len(told) >= after:
                    raise error
                tell(done)

            self._progress = raising
            solve(self, states)

        monkeypatch.setattr(solver.MatchSolver, "solve", stopping)

    return stop


def races(path, sides):
    rows = [f'"{a}","{b}",2-4\n' for a in sides for b in sides]
    rows += ['"1,1,1,1,1,1","2,2,0,0,0,0",\n']
    path.write_text("roller,opponent,score\n" + "".join(rows))
    return str(path)


def test_the_model_answers_first_and_alone_after_an_interruption(
    bearoff, stopped, monkeypatch
):
    monkeypatch.setattr(one, "LONG", 0.0)
    stopped(KeyboardInterrupt)
    found = bearoff("race", *LARGE)
    assert (found.code, found.out) == (130, bearoff("race", *LARGE, "--model").out)
    first, second, *_, last = found.err.splitlines()
    assert "fast model" in first
    assert re.search(r" \d+ s ", second)
    assert last.startswith("bearoff: interrupted")
    assert bearoff("race", *LARGE, "--json").json["kind"] == "model"


def test_races_slower_than_the_time_limit_are_not_started_or_stopped(bearoff, stopped):
    asked = ("race", *LARGE, "--error", "0.05", "--json", "--patience")
    assert bearoff(*asked, "1e-6").json["kind"] == "rollout"
    stopped(OutOfPatience)
    late = bearoff(*asked, "100")
    assert (late.json["kind"], "--patience" in late.err) == ("rollout", True)


def test_the_time_limit_of_a_file_covers_all_races(bearoff, tmp_path):
    sides = [*SMALL, "1,2,2,2,4,4"]
    bearoff("race", "--from", races(tmp_path / "small.csv", SMALL))  # compiles the kernels
    source = races(tmp_path / "in.csv", sides)
    found = rows_of(bearoff("race", "--from", source, "--patience", "0.5").out)
    assert len(found) == len(sides) ** 2 + 1
    kinds = {(row["roller"], row["opponent"]): row["kind"] for row in found}
    assert kinds[SMALL[0], SMALL[1]] == "exact"
    assert kinds[sides[-1], sides[-1]] == "model"
    told = bearoff("race", "--from", source, "--patience", "0.5").err
    assert re.search(r" \d+ races: .* \d+ s .*; \d+ races ", told)
    nothing = rows_of(bearoff("race", "--from", source, "--patience", "0").out)
    assert len(nothing) == len(found)
    for row in nothing[:-1]:  # the last row is a race for money
        assert row["kind"] == "model"
        assert float(row["no_double_error"]) > 0


def test_what_is_done_is_kept(bearoff, stopped, tmp_path):
    source, target = races(tmp_path / "in.csv", SMALL), str(tmp_path / "out.csv")
    whole = bearoff("race", "--from", source).out
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bearoff.sim.race_files.run.FIRST", 3)
        stopped(KeyboardInterrupt)
        written = bearoff("race", "--from", source)
        kept = bearoff("race", "--from", source, "--to", target)
    assert (written.code, kept.code) == (130, 130)
    found = rows_of(written.out)
    assert [row["roller"] for row in found] == [row["roller"] for row in rows_of(whole)]
    assert {(row["kind"], bool(row["problem"])) for row in found[:-1]} == {("", True)}
    assert (found[-1]["kind"], found[-1]["problem"]) == ("exact", "")
    assert not Path(target).exists()

"""Waits: notices with their duration, Ctrl-C, and time limits."""

import csv
import io
import re
from pathlib import Path

import pytest

import bearoff as library
from bearoff.answers import OutOfPatience
from bearoff.app.race_answers import one
from bearoff.match_solver import solver

LARGE = ("1,1,2,2,2,2", "1,1,2,2,2,2", "--score", "2-4")
"""Race of ten checkers a side, which takes long to solve."""

SMALL = ["2,1,1,0,0,0", "1,2,1,1,0,0", "0,3,1,1,0,0", "1,1,1,1,1,1"]


@pytest.fixture
def stopped(monkeypatch):
    """Raise an exception when the solver first reports its progress."""

    def stop(error, after=1):
        told: list[float] = []
        for size in (4, 8):
            solver.seconds_each(size)  # solving measures the machine's speed
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


def races(path, sides, score="2-4"):
    rows = [f'"{a}","{b}",{score}\n' for a in sides for b in sides]
    rows += ['"1,1,1,1,1,1","2,2,0,0,0,0",\n']
    path.write_text("roller,opponent,score\n" + "".join(rows))
    return str(path)


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_model_first(bearoff, stopped, monkeypatch):
    """The model answers first, on standard error in a pipe; after an interruption this is
    the answer.
    """
    monkeypatch.setattr(one, "LONG", 0.0)
    stopped(KeyboardInterrupt)
    found = bearoff("race", *LARGE)
    quick = bearoff("race", *LARGE, "--model")
    assert found.code == 130
    assert found.out == quick.out
    first, second, *_, last = found.err.splitlines()
    assert "fast model" in first
    assert re.search(r" \d+ s ", second)
    assert last.startswith("bearoff: interrupted")
    assert bearoff("race", *LARGE, "--json").json["kind"] == "model"


def test_patience_of_one_race(bearoff, stopped):
    """With a time limit, slow races are not started, and those that exceed it are
    stopped.
    """
    hasty = bearoff("race", *LARGE, "--patience", "1e-6", "--error", "0.05", "--json")
    assert hasty.json["kind"] == "rollout"
    stopped(OutOfPatience)
    late = bearoff("race", *LARGE, "--patience", "100", "--error", "0.05", "--json")
    assert late.json["kind"] == "rollout"
    assert "--patience" in late.err


def test_patience_of_a_file_is_for_all_of_it(bearoff, tmp_path):
    """The time limit of a file covers all races: small ones are solved first, others use
    the model.
    """
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
    assert {row["kind"] for row in nothing if row["score"]} == {"model"}
    errors = [float(row["no_double_error"]) for row in nothing if row["score"]]
    assert min(errors) > 0


def test_races_together_are_worth_the_same(bearoff, tmp_path):
    for score in ("2-4", "4-2", "3-3", "1-3 crawford"):
        source = races(tmp_path / "in.csv", SMALL, score)
        found = rows_of(bearoff("race", "--from", source).out)
        for row in found[:-1]:
            both = (library.Position.parse(row[name]) for name in ("roller", "opponent"))
            pair = library.Race(*both)
            at = library.Score.parse(score)
            table = library.match_race(pair, at.away, at.game)
            numbers = pair.roller.number, pair.opponent.number
            wins = float(table.win_probability(*numbers))
            assert float(row["win_probability"]) == pytest.approx(wins, abs=1e-7)
            value = float(table.no_double(*numbers))
            unit = float(row["chance_per_equity"])
            middle = float(table.value(0, 1)) - unit  # the value of a point won, less 1
            right = pytest.approx((value - middle) / unit, abs=2e-7 / unit)
            assert float(row["no_double"]) == right


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


def test_what_was_interrupted_goes_on(bearoff, tmp_path, monkeypatch):
    source, target = races(tmp_path / "in.csv", SMALL), str(tmp_path / "out.csv")
    whole = bearoff("race", "--from", source).out
    monkeypatch.setattr("bearoff.sim.race_files.run.FIRST", 3)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bearoff.answers.solving.Solving.solve", _interrupt)
        assert bearoff("race", "--from", source, "--to", target).code == 130
    went_on = bearoff("race", "--from", source, "--to", target)
    assert "(1 of them" in went_on.out
    assert Path(target).read_text() == whole


def _interrupt(*_):
    raise KeyboardInterrupt

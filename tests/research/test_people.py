"""The study of decisions by people, and the study of other programs."""

import shutil
from pathlib import Path

import numpy as np

from bearoff import Position
from bearoff.game.records import race_decisions, read_match
from research.matches import kind_of
from research.studies.lost import RULES, judge_people, read_decisions, write_decisions
from research.studies.lost_page import lost_page
from research.studies.other_programs import choice_of, judge_trials, trials_in

DATA = Path(__file__).parents[1] / "data"
NAMES = ("gnubg_match.mat", "gnubg_session.mat")


def test_what_is_lost_in_reading_is_told_without_names(research, tmp_path):
    folder = tmp_path / "matches"
    folder.mkdir()
    for name in NAMES:
        shutil.copy(DATA / name, folder)
    text = (DATA / NAMES[0]).read_text().replace("65: 1/0 1/0", "65: 1/0 6/0")
    (folder / "cut.mat").write_text(text.replace("gnubg", "Secret"))
    (folder / "letter.txt").write_text("Dear Secret")
    answer = research("matches", str(folder)).good
    assert "Secret" not in answer.out
    rows = [line.strip("| ").split(" | ") for line in answer.out.splitlines()]
    counted = {row[0]: row[1] for row in rows if len(row) == 2}
    assert (counted["files"], counted["files refused"]) == ("4", "1")
    assert int(counted["games"]) - int(counted["games followed to their end"]) <= 1
    assert answer.out.count("FILE") >= 2
    assert "cut.mat" in research("matches", str(folder), "--each").err


def test_every_decision_of_people_is_judged_once(tmp_path):
    lost = judge_people([DATA / name for name in NAMES], None, 1, lambda done: None)
    decisions = [d for name in NAMES for d in race_decisions(read_match(DATA / name))[0]]
    assert (len(lost), lost.matches) == (len(decisions), 2)
    assert sorted(lost["kind"]) == sorted(one.kind for one in decisions)
    assert "player" not in lost.columns
    assert (lost["cost"] >= 0).all()
    for rule in RULES:
        assert (np.isnan(lost[rule].astype(float)) == (lost["kind"] == "play")).all()
    money = np.isnan(lost["chance"].astype(float))
    assert (money == (lost["stakes"] == "money")).all()
    write_decisions(lost, tmp_path / "kept.parquet")
    again = read_decisions(tmp_path / "kept.parquet")
    assert again.matches == 2
    assert lost_page(again, "Two.") == lost_page(lost, "Two.")


def test_what_gnu_backgammon_would_do_and_kinds_of_complaints():
    decisions, _ = race_decisions(read_match(DATA / "gnubg_export.txt"))
    plays = [one for one in decisions if one.kind == "play"]
    assert plays
    assert all(isinstance(choice_of(one), Position) for one in plays)
    *_, double, take = decisions
    assert (choice_of(double), choice_of(take)) == ("double", "pass")
    told = "a.mat, line 7: 'Shrugs' is not understood, and left out"
    assert kind_of(told, "a.mat") == "FILE, line N: '...' is not understood, and left out"


def test_a_wrong_choice_costs_and_a_right_one_does_not():
    trials = trials_in([read_match(DATA / "gnubg_export.txt")], "0-ply")
    found = judge_trials(trials)
    assert found.home.all()
    assert found.cost.max() == 0.0
    wrong = type(trials[-1])(0, trials[-1].decision, {"wrong": "take"})
    assert judge_trials([wrong]).cost[0, 0] > 0.5

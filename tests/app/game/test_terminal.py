"""Games at the terminal: complete, interrupted and continued games, and invalid input."""

import os
import re

import pytest

from bearoff.answers import Judge
from bearoff.app.game.costs import Costs
from bearoff.app.game.resigning import accepts
from bearoff.app.game.table import GameTable
from bearoff.app.game.terminal import Terminal
from bearoff.game import Board, format_play
from bearoff.game.contact import ContactPlayer
from bearoff.game.records import read_match
from bearoff.game.state import GameState
from tests.app.conftest import interrupted, missing, only_sentence
from tests.game.records.test_writing import said

PLAYER = ContactPlayer()


def person(table, decisions=10_000):
    """Return a function that enters the decisions of a simple player."""
    left = iter(range(decisions))

    def read(asked):
        if next(left, None) is None:
            return None
        state = table.state
        if state.winner is not None:
            return "quit"
        if state.offers:
            return "take" if PLAYER.take(state) else "pass"
        if state.dice is None:
            return "double" if PLAYER.double(state) else ""
        return format_play(state.board, PLAYER.play(state), state.dice)

    return read


def lines(*entered):
    """Return a function that reads the entered lines one after another."""
    rest = iter(entered)
    return lambda asked: next(rest, None)


class Silent(Costs):
    """Judge of decisions that returns no answers, which saves time."""

    def of(self, moment):
        return iter(())


def terminal(table, read, file=None):
    costs = Costs() if table.state.turn is not None and file is None else Silent()
    return Terminal(table, PLAYER, costs, read, file)


def test_a_match_is_the_same_if_it_is_continued(tmp_path):
    start = GameState(length=2)
    whole = GameTable(start, ("you", "contact"), 5)
    terminal(whole, person(whole)).run()
    assert whole.state.match_winner is not None
    for suffix in (".mat", ".sgf"):
        path = tmp_path / f"match{suffix}"
        table = GameTable(start, ("you", "contact"), 5)
        for decisions in (0, 7, 10_000):
            terminal(table, person(table, decisions), path).run()
            table = GameTable.of_record(read_match(path), ("you", "contact"), 5)
        assert said(read_match(path)) == said(whole.record)
    other = GameTable(start, ("you", "contact"), 6)
    terminal(other, person(other)).run()
    assert said(other.record) != said(whole.record)


def test_undo_brings_the_same_dice(capsys):
    table = GameTable(GameState(length=1), ("you", "contact"), 3)
    terminal(table, lines("24/16")).run()
    first, second = table.record.games[0].actions[0], table.state
    terminal(table, lines("undo", "undo")).run()
    assert table.state.dice == (6, 2)
    assert table.state.board == Board.start()
    assert capsys.readouterr().err  # the second undo is refused
    terminal(table, lines("24/16")).run()
    assert (table.record.games[0].actions[0], table.state) == (first, second)


def test_what_is_wrong(capsys, tmp_path):
    table = GameTable(GameState(), ("you", "contact"), 3)
    entered = {
        "": "play",
        "roll": "play",
        "double": "6-2",
        "take": "take",
        "24/20": "6-2",
        "jump": "play",
        "resign 4": "3",
        "save": "save",
        f"save {tmp_path}/a.txt": ".sgf",
        f"save {tmp_path}/no/a.mat": f"{tmp_path}/no",
        "\x1b[31m": "play",
    }
    for line, named in entered.items():
        terminal(table, lines(line)).run()
        printed = capsys.readouterr()
        assert (named in printed.err, printed.err.count("\n")) == (True, 1), line
        assert "\x1b" not in printed.err + printed.out
    terminal(table, lines("hint", "help", "board")).run()
    printed = capsys.readouterr()
    assert (printed.err, missing(printed.out, "24/16", "undo")) == ("", [])
    assert table.state.board == Board.start()


def test_resigning_ends_the_game(tmp_path):
    table = GameTable(GameState(length=3), ("you", "contact"), 3)
    path = tmp_path / "saved.sgf"
    terminal(table, lines("resign 2", f"save {path}")).run()
    assert (table.number, table.state.won) == (2, (0, 2))
    assert read_match(path).games[0].points == 2


def board(counts):
    return Board(tuple(counts.get(point, 0) for point in range(26)))


def test_what_is_surely_lost():
    far = {24: 2, 13: 13, 23: -1}
    assert [accepts(board(far), lost) for lost in (1, 2, 3)] == [False, False, True]
    assert accepts(board({13: 15, 23: -1}), 2)
    assert accepts(board({1: 14, 23: -1}), 1)
    # The opponent needs one roll, 49/6 pips on average; bearing off takes one more pip.
    homebound = [{1: 14, 6 + pips: 1, 23: -1} for pips in (7, 8)]
    assert [accepts(board(counts), 1) for counts in homebound] == [True, False]


def test_the_cost_of_a_mistake_in_a_race(capsys):
    race = board({6: 1, 5: 1, 1: 1, 24: -2, 20: -1})
    start = GameState(board=race, turn=0, cube_owner=1)
    table = GameTable(start, ("you", "contact"), 1)
    table.throw()
    answer = Judge().answer(table.state.race)
    assert answer.kind == "exact"
    best, *_, worst = answer.plays
    assert worst.cost > 0.01, table.state.dice
    terminal(table, lines(worst.name, "undo", "hint", best.name)).run()
    out = capsys.readouterr().out
    assert len(re.findall(rf" {worst.cost:.4f}; \D+ {re.escape(best.name)}\.", out)) == 1
    assert f"{best.name:24} {best.equity:+8.3f}" in out


def test_the_end_of_what_is_piped_in_ends_it(process, tmp_path):
    path = tmp_path / "a.mat"
    asked = ("game", "--against", "contact", str(path), "--seed", "3", "--length", "1")
    assert process(*asked, given=b"24/16\n").quiet
    assert read_match(path).games[0].actions[0].text == "24/18 18/16"


@pytest.mark.slow
def test_ctrl_c_says_what_is_saved(tmp_path):
    path = tmp_path / "a.mat"
    asked = ("game", "--against", "contact", str(path))
    answer = interrupted(*asked, at="pips 1", stream="stdout")
    assert (answer.code, str(path) in answer.err) == (130, True)
    assert read_match(path).games[0].winner is None


def test_a_file_that_cannot_be_written_is_refused_before_the_game(bearoff, tmp_path):
    (tmp_path / "there.mat").mkdir()
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    targets = ["nodir/x.mat", "there.mat"]
    if not os.access(locked, os.W_OK):  # the superuser can write in any folder
        targets.append("locked/x.mat")
    for name in targets:
        answer = bearoff("game", str(tmp_path / name))
        only_sentence(answer, tmp_path / name.partition("/")[0])

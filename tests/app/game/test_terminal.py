"""A person at the terminal: scripted, stopped, continued; every wrong entry a sentence."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.game.costs import Costs
from app.game.resigning import accepts
from app.game.table import Table
from app.game.terminal import Terminal
from bearoff.answers import Judge
from game import Board, format_play
from game.contact import ContactPlayer
from game.records import Moment, read_match
from game.state import GameState
from tests.app.conftest import ROOT, Command
from tests.game.records.test_writing import said

GAME = ("-m", "app.main", "game", "--against", "contact")
PLAYER = ContactPlayer()


def person(table: Table, decisions: int = 10_000) -> Callable[[str], str | None]:
    """Return one who plays as the contact player does, and stops after some decisions."""
    left = iter(range(decisions))

    def read(asked: str) -> str | None:
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


def lines(*entered: str) -> Callable[[str], str | None]:
    """Return a reader of these lines, and no more."""
    rest: Iterator[str] = iter(entered)
    return lambda asked: next(rest, None)


class Silent(Costs):
    """Nothing is asked of the laboratory, which takes its time."""

    def of(self, moment: Moment) -> Iterator[str]:
        return iter(())


def terminal(
    table: Table, read: Callable[[str], str | None], file: Path | None = None
) -> Terminal:
    costs = Costs() if table.state.turn is not None and file is None else Silent()
    return Terminal(table, PLAYER, costs, read, file)


def test_a_match_is_the_same_if_it_is_continued(tmp_path: Path) -> None:
    start = GameState(length=2)
    whole = Table(start, ("you", "contact"), 5)
    terminal(whole, person(whole)).run()
    assert whole.state.match_winner is not None
    for suffix in (".mat", ".sgf"):
        path = tmp_path / f"match{suffix}"
        table = Table(start, ("you", "contact"), 5)
        for decisions in (0, 7, 10_000):
            terminal(table, person(table, decisions), path).run()
            table = Table.of_record(read_match(path), ("you", "contact"), 5)
        assert said(read_match(path)) == said(whole.record)
    other = Table(start, ("you", "contact"), 6)
    terminal(other, person(other)).run()
    assert said(other.record) != said(whole.record)


def test_undo_goes_back_to_the_decision_with_the_same_dice(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = Table(GameState(length=1), ("you", "contact"), 3)
    terminal(table, lines("24/16")).run()
    first, second = table.record.games[0].actions[0], table.state
    terminal(table, lines("undo", "undo")).run()
    assert table.state.dice == (6, 2)
    assert table.state.board == Board.start()
    assert "nothing of yours in this game" in capsys.readouterr().err
    terminal(table, lines("24/16")).run()
    assert (table.record.games[0].actions[0], table.state) == (first, second)


def test_whatever_is_wrong_is_a_sentence(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    table = Table(GameState(), ("you", "contact"), 3)
    entered = {
        "": "play the roll, as in 8/5 6/5",
        "roll": "play the roll",
        "double": "the roll of 6-2 is not played yet",
        "take": "a take without a double",
        "24/20": "is no play of 6-2",
        "jump": "a play is written as",
        "resign 4": "resign 1, 2 or 3",
        "save": "save where?",
        f"save {tmp_path}/a.txt": "written as .mat or .sgf",
        f"save {tmp_path}/no/a.mat": "there is no folder",
        "\x1b[31m": "a play is written as",
    }
    terminal(table, lines(*entered, "hint", "help", "board")).run()
    printed = capsys.readouterr()
    for words in entered.values():
        assert words in printed.err
    assert "\x1b" not in printed.err + printed.out
    assert "24/16" in printed.out
    assert "back to your decision" in printed.out
    assert table.state.board == Board.start()


def test_resigning_ends_the_game(tmp_path: Path) -> None:
    table = Table(GameState(length=3), ("you", "contact"), 3)
    path = tmp_path / "saved.sgf"
    terminal(table, lines("resign 2", f"save {path}")).run()
    assert table.number == 2
    assert table.state.won == (0, 2)
    assert read_match(path).games[0].points == 2


def points(**counts: int) -> Board:
    """Return a board from counts such as p6=2."""
    board = [0] * 26
    for name, count in counts.items():
        board[int(name[1:])] = count
    return Board(tuple(board))


@pytest.mark.parametrize(
    ("board", "lost", "accepted"),
    [
        (points(p24=2, p13=13, p23=-1), 1, False),
        (points(p24=2, p13=13, p23=-1), 2, False),
        (points(p24=2, p13=13, p23=-1), 3, True),
        (points(p13=15, p23=-1), 2, True),
        (points(p1=14, p23=-1), 1, True),
    ],
)
def test_what_is_lost_for_certain_is_not_given_away(
    board: Board, lost: int, accepted: bool
) -> None:
    assert accepts(board, lost) is accepted


def test_mistakes_in_a_race_are_told_with_their_cost(
    capsys: pytest.CaptureFixture[str],
) -> None:
    start = GameState(board=points(p6=1, p5=1, p1=1, p24=-2, p20=-1), turn=0, cube_owner=1)
    table = Table(start, ("you", "contact"), 1)
    table.throw()
    dice = table.state.dice
    race = table.state.race
    assert race is not None
    answer = Judge().answer(race)
    assert answer.kind == "exact"
    worst = answer.plays[-1]
    assert worst.cost > 0.01, dice
    terminal(table, lines(worst.name, "undo", "hint", answer.plays[0].name)).run()
    out = capsys.readouterr().out
    told = f"That costs {worst.cost:.3f}: right is {answer.plays[0].name}."
    assert out.count(told) == out.count("That costs") == 1
    assert f"{answer.plays[0].name:24} {answer.plays[0].equity:+8.3f}" in out


def test_the_end_of_what_is_piped_in_ends_it(bearoff: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    done = subprocess.run(
        [sys.executable, *GAME, str(path), "--seed", "3", "--length", "1"],
        input="24/16\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert done.stderr == ""
    assert "You throw 6, contact 2: you begin." in done.stdout
    assert read_match(path).games[0].actions[0].text == "24/18 18/16"


@pytest.mark.slow
def test_ctrl_c_says_what_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    with subprocess.Popen(
        [sys.executable, *GAME, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ,
        # A suite that runs as a background job ignores Ctrl-C, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "pips 1" in line:
                break
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert f"interrupted; {path} has the game" in err
    assert read_match(path).games[0].winner is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("a.txt",), "written as .mat or .sgf"),
        (("--against", "me"), "players are search and contact"),
        (("--length", "3", "--jacoby"), "Jacoby's rule and beavers are for money"),
        (("--external", "4321"), "an address is HOST:PORT"),
        (("--external", "localhost:99999"), "an address is HOST:PORT"),
        (("a.mat", "--external", "localhost:1"), "keeps no match"),
    ],
)
def test_refusals(bearoff: Command, arguments: tuple[str, ...], words: str) -> None:
    answer = bearoff("game", *arguments)
    assert answer.code == 2
    assert words in answer.err


def test_a_file_that_cannot_be_written_is_refused_before_the_game(
    bearoff: Command, tmp_path: Path
) -> None:
    (tmp_path / "there.mat").mkdir()
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    targets = [("nodir/x.mat", "there is no folder"), ("there.mat", "is no file")]
    if not os.access(locked, os.W_OK):  # Who is root may write anywhere.
        targets.append(("locked/x.mat", "nothing may be written"))
    for name, words in targets:
        answer = bearoff("game", str(tmp_path / name))
        assert (answer.code, answer.out) == (2, "")
        assert words in answer.err


def test_a_file_that_is_no_match(bearoff: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.mat"
    path.write_text("a letter")
    answer = bearoff("game", str(path))
    assert answer.code == 2
    assert "is no match that is read" in answer.err
    assert path.read_text() == "a letter"

"""Game in the terminal against one of the program's players."""

from collections.abc import Callable
from pathlib import Path

from bearoff import BearoffError
from bearoff.app.board import draw_board
from bearoff.app.game.costs import Costs
from bearoff.app.game.resigning import accepts
from bearoff.app.game.table import GameTable
from bearoff.app.output import note, say
from bearoff.game import Board, format_play, legal_plays
from bearoff.game.records import write_match
from bearoff.game.state import GameError, Player

HELP = """a play       8/5 6/5, bar/22*, 6/off(2); only if it is legal
roll, double before a roll; an empty line rolls
take, pass   answer a double; beaver, if beavers are allowed
hint         the computer's opinion of your choices
undo         return to your previous decision
resign [N]   resign 1 a single game, 2 a gammon, 3 a backgammon
save FILE    write the match as .mat or .sgf
board, help  draw the board again; show this list
quit         stop"""

SHOWN = 5
"""Maximum number of plays in a hint."""


class Quit(Exception):
    """Raised when the user quits the game."""


class Terminal:
    """Game in the terminal, in which the user is player 0.

    Parameters
    ----------
    table : GameTable
        State of the match.
    player : Player
        Opponent of the user.
    costs : Costs
        Object that computes the costs of decisions in races.
    read : callable
        Function that returns a line of input, or None at the end.
    file : Path or None
        File written before each prompt and at the end; None for no file.
    """

    def __init__(
        self,
        table: GameTable,
        player: Player,
        costs: Costs,
        read: Callable[[str], str | None],
        file: Path | None,
    ) -> None:
        self._table = table
        self._player = player
        self._costs = costs
        self._read = read
        self._file = file
        self._told = ""

    def run(self) -> None:
        """Play until the match ends or the user stops."""
        try:
            while True:
                state = self._table.state
                if state.winner is not None:
                    if self._game_is_over():
                        return
                elif state.turn is None:
                    self._open()
                elif state.to_act == 0:
                    self._ask()
                else:
                    self._answer()
        except Quit:
            return
        finally:
            self._save(self._file)

    def _save(self, file: Path | None) -> None:
        if file is not None:
            write_match(file, self._table.record)

    def _open(self) -> None:
        state = self._table.state
        if state.length:
            kind = ", the Crawford game" if state.crawford else ""
            say(f"Game {self._table.number}, {self._score()} to {state.length}{kind}.")
        else:
            say(f"Game {self._table.number}, {self._score()}.")
        ours, theirs = self._table.throw()
        begins = "you begin" if ours > theirs else f"{self._player.name} begins"
        say(f"You roll {ours}, {self._player.name} {theirs}: {begins}.")

    def _score(self) -> str:
        won = self._table.state.won
        return f"you {won[0]}, {self._player.name} {won[1]}"

    def _game_is_over(self) -> bool:
        """Print the winner, and start the next game; return whether the match is over."""
        state = self._table.state
        who = self._player.name if state.winner else "You"
        verb = "wins" if state.winner else "win"
        points = f"{state.points} point{'s' * (state.points > 1)}"
        say(f"{who} {verb} {points}.")
        if state.match_winner is not None:
            say(f"{who} {verb} the match, {state.score_after[0]}-{state.score_after[1]}.")
            return True
        prompt = "Press Enter for another game, or enter quit: "
        if not state.length and self._line(prompt) == "undo":
            self._undo()
            return False
        self._table.next_game()
        return False

    def _answer(self) -> None:
        table, name = self._table, self._player.name
        state = table.state
        if state.offers:
            takes = self._player.take(state)
            say(f"{name} {'takes' if takes else 'passes'}.")
            table.take() if takes else table.drop()
        elif state.dice is None and state.may_double and self._player.double(state):
            table.double()
            self._draw()
            say(f"{name} doubles to {2 * state.cube_value}.")
        else:
            if state.dice is None:
                table.throw()
            dice = table.state.dice
            assert dice is not None
            text = table.play(self._player.play(table.state))
            say(f"{name} {dice[0]}-{dice[1]}: {text}")

    def _ask(self) -> None:
        """Ask the user for a decision; if only one action is legal, take it at once."""
        table = self._table
        state = table.state
        if state.dice is None and not state.offers and not state.may_double:
            table.throw()
            return
        if state.dice is not None:
            high, low = state.dice
            plays = legal_plays(state.board, state.dice)
            if len(plays) == 1:
                text = table.play(Board(tuple(plays[0].tolist())))
                say(f"You roll {high}-{low}: {text}, the only legal play.")
                return
            asked = f"{high}-{low}: "
        else:
            asked = "take or pass: " if state.offers else "roll or double: "
        table.mark()
        self._draw()
        line = self._line(asked)
        try:
            self._obey(line)
        except BearoffError as error:
            note(str(error))

    def _line(self, asked: str) -> str:
        self._save(self._file)
        line = self._read(asked)
        if line is None or line.strip().lower() in ("quit", "exit", "q"):
            raise Quit
        return " ".join(line.split())

    def _draw(self) -> None:
        """Draw the board from the user's viewpoint, unless it is already on the screen."""
        state = self._table.state
        board = state.board if state.turn == 0 else state.board.turned
        cube = {None: "centred", 0: "yours", 1: f"{self._player.name}'s"}[state.cube_owner]
        own, other = board.pips
        drawn = (
            f"{draw_board(board)}\n pips {own}, {self._player.name} {other}; "
            f"cube {state.cube_value}, {cube}"
        )
        if drawn != self._told:
            say(drawn)
        self._told = drawn

    def _obey(self, line: str) -> None:
        table = self._table
        state = table.state
        word, _, rest = line.partition(" ")
        match word.lower():
            case "" | "roll" | "r":
                if state.offers:
                    raise GameError("answer the opponent's double first: take or pass")
                if state.dice is not None:
                    raise GameError(
                        "enter a play such as 8/5 6/5, or help for a list of commands"
                    )
                table.throw()
                return
            case "double" | "d" | "beaver" | "redouble":
                table.double()
            case "take" | "t":
                table.take()
            case "pass" | "drop" | "p":
                table.drop()
            case "hint" | "h":
                say("\n".join(self._hint()))
                return
            case "undo" | "u":
                self._undo()
                return
            case "resign":
                self._resign(rest)
                return
            case "save":
                if not rest:
                    raise GameError(
                        "the name of the file to save is missing; for example: save "
                        "game.mat"
                    )
                self._save(Path(rest))
                say(f"saved as {rest}")
                return
            case "board":
                self._told = ""
                return
            case "help" | "?":
                say(HELP)
                return
            case _:
                if state.dice is None:
                    raise GameError(
                        f"unknown command {line!r}; enter help for a list of commands"
                    )
                table.play(line)
        for sentence in self._costs.of(table.last):
            say(sentence)

    def _undo(self) -> None:
        if not self._table.undo():
            raise GameError("you have no decision to undo in this game")
        self._told = ""

    def _resign(self, rest: str) -> None:
        if rest not in ("", "1", "2", "3"):
            raise GameError(
                "use resign 1 (single game), resign 2 (gammon) or resign 3 (backgammon), "
                f"got {rest!r}"
            )
        lost = int(rest or 1)
        state = self._table.state
        board = state.board if state.turn == 0 else state.board.turned
        if not accepts(board, lost):
            say(f"{self._player.name} does not accept and plays on to win more.")
            return
        self._table.resign(lost)

    def _hint(self) -> list[str]:
        state = self._table.state
        exact = self._costs.hint(state)
        if exact:
            return exact
        if state.offers:
            return [f"{self._player.name} would {_take(self._player.take(state))}"]
        if state.dice is None:
            doubles = self._player.double(state)
            return [f"{self._player.name} would {'double' if doubles else 'roll'}"]
        rated = list(self._player.evaluate(state))[:SHOWN]
        if not rated:
            chosen = self._player.play(state)
            return [
                f"{self._player.name} would play "
                f"{format_play(state.board, chosen, state.dice)}"
            ]
        best = rated[0][1]
        return [
            f"{format_play(state.board, after, state.dice):24} {worth:+8.3f} "
            f"{worth - best:+8.3f}"
            for after, worth in rated
        ]


def _take(takes: bool) -> str:
    return "take" if takes else "pass"

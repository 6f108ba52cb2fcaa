"""State of a game in a match or money session, and its legal actions.

A state is immutable. Every action returns the next state, or raises an error that says why
the action is not allowed. To undo an action, keep the state before it.
"""

from dataclasses import dataclass, field, replace
from typing import Literal, Self

from bearoff import BearoffError, Race, Score, checks
from bearoff.game.rules import Board, legal_plays, read_play
from bearoff.positions import Setup, Xgid, check_stakes, find_setup
from bearoff.rolls import check_roll
from bearoff.stakes import Cube

Kind = Literal["normal", "crawford", "post-crawford"]

LARGEST_CUBE = 1 << 30
_RESIGNED = {1: "a game", 2: "a gammon", 3: "a backgammon"}


class GameError(BearoffError):
    """Raised for actions that the rules do not allow, and for impossible settings."""


@dataclass(frozen=True)
class GameState:
    """State of a game in a match or a money session, before the next action.

    Attributes
    ----------
    length : int
        Length of the match in points; 0 for money play.
    won : tuple of int
        Points that player 0 and player 1 had won before this game.
    crawford : bool
        Whether this is the Crawford game, in which nobody may double.
    crawford_rule : bool
        Whether the match has a Crawford game.
    jacoby : bool
        Whether the Jacoby rule applies: in money play, gammons count only after the cube
        has been turned.
    beavers : int
        Number of consecutive beavers that are allowed in money play. A beaver is an
        immediate redouble by the player who was doubled, who keeps the cube.
    board : Board
        Board from the viewpoint of the player `turn`.
    turn : int or None
        Player on roll, 0 or 1; None before the opening roll. A pending double does not
        change the player on roll.
    dice : tuple of int or None
        Roll that must be played now; None if no roll has been thrown.
    cube_value : int
        Value of the cube. While a double is pending, the value before the double.
    cube_owner : int or None
        Player who owns the cube, 0 or 1; None while the cube is centred.
    offers : int
        Number of pending doubles: 1 after a double, and 1 more for each beaver.
    winner : int or None
        Player who won the game, 0 or 1; None until the game is over.
    points : int
        Points won by the winner, including the value of the cube.

    Raises
    ------
    GameError
        If the match or session is impossible, or neither side can ever move.

    Examples
    --------
    >>> state = GameState(length=3).open(3, 1)
    >>> state.turn, state.dice
    (0, (3, 1))
    >>> state.play("8/5 6/5").double()
    GameState(length=3, won=(0, 0), ..., turn=1, ..., offers=1, ...)
    >>> state.roll(6, 5)
    Traceback (most recent call last):
    bearoff.game.state.state.GameError: the roll 3-1 has not been played yet
    """

    length: int = 0
    won: tuple[int, int] = (0, 0)
    crawford: bool = False
    crawford_rule: bool = True
    jacoby: bool = False
    beavers: int = 0
    board: Board = field(default_factory=lambda: Board.start())
    turn: int | None = None
    dice: tuple[int, int] | None = None
    cube_value: int = 1
    cube_owner: int | None = None
    offers: int = 0
    winner: int | None = None
    points: int = 0

    def __post_init__(self) -> None:
        length = checks.integer(self.length, "a match's length", 0, 640, GameError)
        checks.integer(self.beavers, "beavers in a row", 0, 20, GameError)
        for points in self.won:
            checks.integer(points, "points won", 0, 1 << 40, GameError)
        if length and max(self.won) >= length:
            raise GameError(
                f"a match to {length} is over at {self.won[0]}-{self.won[1]}, so no game "
                "can follow"
            )
        if length and (self.jacoby or self.beavers):
            raise GameError(
                "the Jacoby rule and beavers apply only to money play, not to matches"
            )
        if self.crawford and (length < 2 or max(self.won) != length - 1):
            raise GameError(
                "the Crawford game is the first one in which a side needs exactly 1 "
                f"point, so it cannot be played at {self.won[0]}-{self.won[1]} in a match "
                f"to {length}"
            )
        if self.board.is_stuck:
            raise GameError(
                "neither side can ever move, because both have checkers on the bar and all "
                f"points of their home boards, got {self.board.xgid}; correct the board"
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a game from any notation that describes both players' checkers.

        If the notation contains a pending double, the result is the state before the
        double.

        Raises
        ------
        PositionError, ScoreError
            If the text is not in a known notation, or if the board or the score is
            impossible.

        Examples
        --------
        >>> state = GameState(length=5, won=(1, 3), turn=1, dice=(6, 2), cube_value=2)
        >>> state = replace(state, cube_owner=0)
        >>> read = GameState.parse(state.xgid)
        >>> read.xgid == state.xgid, str(read.score) == str(state.score)
        (True, True)
        """
        setup = find_setup(text)
        if setup is None:
            return cls(board=Board.parse(text), turn=0)
        return cls.of_setup(setup)

    @classmethod
    def of_setup(cls, setup: Setup) -> Self:
        """Return the state with the board, the stakes and the dice of a parsed notation.

        The player on roll becomes player 0. A limit on the value of the cube is ignored.

        Raises
        ------
        PositionError, ScoreError
            If the board, the score or the cube is impossible.
        """
        check_stakes(setup)
        length, won, score = 0, (0, 0), setup.score
        if score is not None:
            length = score.length or max(score.away)
            won = (length - score.away[0], length - score.away[1])
        return cls(
            length=length,
            won=won,
            crawford=score is not None and score.game == "crawford",
            jacoby=setup.jacoby,
            beavers=int(setup.beavers),
            board=Board.of_sides(setup.roller, setup.opponent),
            turn=0,
            dice=setup.dice,
            cube_value=setup.cube_value,
            cube_owner={"centred": None, "owned": 0, "opponent": 1}[setup.cube],
        )

    @property
    def to_act(self) -> int | None:
        """Player who must act next, 0 or 1; None before and after the game."""
        if self.turn is None or self.winner is not None:
            return None
        return (self.turn + self.offers) % 2

    @property
    def cube(self) -> Cube:
        """Owner of the cube from the viewpoint of the player on roll."""
        if self.cube_owner is None:
            return "centred"
        return "owned" if self.cube_owner == self.turn else "opponent"

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may double now."""
        return self._why_no_double() == ""

    @property
    def can_gain(self) -> bool:
        """Whether the player on roll may double and can gain by doubling."""
        if not self.may_double or self.turn is None:
            return False
        return not self.length or self.length - self.won[self.turn] > self.cube_value

    @property
    def cube_dead(self) -> bool:
        """Whether the cube is dead, which means that nobody can gain by doubling."""
        if not self.length:
            return False
        away = [self.length - points for points in self.won]
        users = (0, 1) if self.cube_owner is None else (self.cube_owner,)
        return self.crawford or all(away[player] <= self.cube_value for player in users)

    @property
    def score(self) -> Score | None:
        """Score from the viewpoint of the player on roll; None for money."""
        if not self.length:
            return None
        won = self.won if self.turn != 1 else (self.won[1], self.won[0])
        kind: Kind = "normal"
        if self.length > 1 and max(won) == self.length - 1:
            kind = "crawford" if self.crawford else "post-crawford"
        return Score.of_match(self.length, won, kind)

    @property
    def race(self) -> Race | None:
        """Race with the cube, score and dice of this state; None during contact."""
        race = self.board.race
        if race is None:
            return None
        return replace(
            race,
            cube=self.cube,
            cube_value=self.cube_value,
            score=self.score,
            dice=self.dice,
            jacoby=self.jacoby,
            beavers=self.beavers > 0,
        )

    @property
    def xgid(self) -> str:
        """XGID of the game. In the XGID, the player on roll is the lower player."""
        lower = self.turn or 0
        won = (self.won[lower], self.won[1 - lower]) if self.length else (0, 0)
        dice = "".join(map(str, self.dice or ())) or ("00", "D", "B")[min(self.offers, 2)]
        rules = self.crawford if self.length else self.jacoby + 2 * (self.beavers > 0)
        owner = {None: 0, lower: 1}.get(self.cube_owner, -1)
        power = self.cube_value.bit_length() - 1
        sides = self.board.roller, self.board.opponent
        return str(Xgid(*sides, power, owner, 1, dice, *won, int(rules), self.length))

    @property
    def score_after(self) -> tuple[int, int]:
        """Points of player 0 and player 1 after this game."""
        if self.winner is None:
            raise GameError("a game that is not over has no result")
        won = list(self.won)
        won[self.winner] += self.points
        return won[0], won[1]

    @property
    def match_winner(self) -> int | None:
        """Player who won the match, 0 or 1; None before the end, and for money."""
        if self.winner is None or not self.length:
            return None
        return self.winner if self.score_after[self.winner] >= self.length else None

    def open(self, first: int, second: int) -> "GameState":
        """Make the opening roll: the higher die begins the game, and a tie is ignored."""
        self._check_on()
        if self.turn is not None:
            raise GameError(
                "the game has already started, so there is no opening roll to make"
            )
        dice = check_roll((first, second))
        if first == second:
            return self
        return self._with(turn=int(second > first), dice=dice)

    def roll(self, first: int, second: int) -> "GameState":
        """Roll both dice for the player on roll."""
        self._check_turn()
        return self._with(dice=check_roll((first, second)))

    def play(self, play: Board | str) -> "GameState":
        """Play the dice that were rolled.

        Parameters
        ----------
        play : Board or str
            Board after the play from the roller's viewpoint, or the play as text for
            `read_play`.
        """
        self._check_on()
        if self.dice is None:
            raise GameError("the position has no dice, so there is no roll to play")
        if isinstance(play, str):
            after = read_play(self.board, play, self.dice)
        else:
            after = play
            legal = legal_plays(self.board, self.dice)
            if not (legal == after.array).all(axis=1).any():
                high, low = self.dice
                raise GameError(
                    f"no legal play of {high}-{low} leads from {self.xgid} to {after.xgid}"
                )
        assert self.turn is not None
        moved = self._with(board=after.turned, turn=1 - self.turn, dice=None)
        won = after.points_won
        return moved._over(self.turn, won) if won else moved

    def double(self) -> "GameState":
        """Offer a double before the roll."""
        if problem := self._why_no_double():
            raise GameError(problem)
        return self._with(offers=1)

    def beaver(self) -> "GameState":
        """Beaver: redouble at once, but keep the cube."""
        self._check_offer("beaver")
        if self.offers > self.beavers:
            allowed = f"at most {self.beavers}" if self.beavers else "no"
            raise GameError(f"{allowed} beavers in a row are allowed in this session")
        if self.cube_value << self.offers >= LARGEST_CUBE:
            raise GameError(f"the cube value may be at most {LARGEST_CUBE:,}")
        return self._with(offers=self.offers + 1)

    def take(self) -> "GameState":
        """Take the pending double; the player who was doubled first then owns the cube."""
        self._check_offer("take")
        assert self.turn is not None
        return self._with(
            cube_value=self.cube_value << self.offers, cube_owner=1 - self.turn, offers=0
        )

    def drop(self) -> "GameState":
        """Pass the pending double, and lose the cube value before the double."""
        self._check_offer("pass")
        assert self.to_act is not None
        dropped = self._with(cube_value=self.cube_value << self.offers - 1, offers=0)
        return dropped._over(1 - self.to_act, 1)

    def resign(self, player: int, lost: int = 1) -> "GameState":
        """Resign the game for either player; the opponent must have agreed.

        Parameters
        ----------
        player : int
            Player who resigns, 0 or 1.
        lost : int
            Points lost divided by the cube value: 1 for a single game, 2 for a gammon, 3
            for a backgammon.
        """
        self._check_on()
        if player not in (0, 1):
            raise GameError(f"the player must be 0 or 1, got {player!r}")
        if lost not in _RESIGNED:
            raise GameError(
                "the points lost by resigning must be 1 (single game), 2 (gammon) or 3 "
                f"(backgammon), got {lost!r}"
            )
        return self._with(offers=0)._over(1 - player, lost)

    def next_game(self) -> "GameState":
        """Return the state at the start of the next game of the match or session."""
        won = self.score_after
        near = self.length > 1 and self.length - 1 in won
        crawford = near and self.crawford_rule and self.length - 1 not in self.won
        return GameState(
            length=self.length,
            won=won,
            crawford=crawford,
            crawford_rule=self.crawford_rule,
            jacoby=self.jacoby,
            beavers=self.beavers,
        )

    def _over(self, winner: int, worth: int) -> "GameState":
        if self.jacoby and self.cube_owner is None:
            worth = 1
        return self._with(winner=winner, points=worth * self.cube_value)

    def _with(self, **changes: object) -> "GameState":
        """Return a copy of the state with changed fields, without checking them."""
        state = object.__new__(GameState)
        vars(state).update(vars(self), **changes)
        return state

    def _check_on(self) -> None:
        if self.winner is not None:
            raise GameError("the game is over")

    def _check_turn(self) -> None:
        """Raise an error unless a player may roll now."""
        self._check_on()
        if self.turn is None:
            raise GameError("the game has not started; each player must first roll one die")
        if self.offers:
            raise GameError("a double was neither taken nor passed")
        if self.dice is not None:
            raise GameError(
                f"the roll {self.dice[0]}-{self.dice[1]} has not been played yet"
            )

    def _check_offer(self, action: str) -> None:
        self._check_on()
        if not self.offers:
            raise GameError(f"a {action} must follow a double")

    def _why_no_double(self) -> str:
        """Return why the player on roll may not double now; empty if doubling is legal."""
        try:
            self._check_turn()
        except GameError as error:
            return str(error)
        if self.crawford:
            return "nobody may double in the Crawford game"
        if self.cube == "opponent":
            return "the opponent owns the cube, so only the opponent may double"
        if self.cube_value >= LARGEST_CUBE:
            return f"the cube value may be at most {LARGEST_CUBE:,}"
        return ""

"""Conversion of a match's actions to and from the format of its file."""

from typing import Any

from bearoff import BearoffError
from bearoff.app.game.table import GameTable
from bearoff.game.records import Action

PERSON, OTHER = 0, 1


def kept_of(action: Action) -> list[Any]:
    """Return an action as a list, in the format of the file of a match."""
    return [action.player, action.kind, action.roll, action.text, action.value]


def do_again(table: GameTable, action: list[Any]) -> None:
    """Apply an action that was read from the match's file."""
    player, kind, roll, text, value = action
    if player == PERSON:
        table.mark()
    if kind == "play":
        fell(table, tuple(roll), player)
    if kind != "resign" and table.state.to_act != player:
        raise BearoffError(
            f"player {player} cannot {kind} now, because it is the other player's turn"
        )
    match kind:
        case "play":
            table.play(text)
        case "double":
            table.double()
        case "take":
            table.take()
        case "pass":
            table.drop()
        case "resign":
            table.resign(value, player)
        case _:
            raise BearoffError(f"unknown action {kind!r}")


def fell(table: GameTable, roll: tuple[int, int], player: int) -> None:
    """Set the dice of a stored roll; at the opening, the starter has the higher die."""
    high, low = max(roll), min(roll)
    opening_of_other = table.state.turn is None and player == OTHER
    table.throw((low, high) if opening_of_other else (high, low))

"""`bearoff cube`: the cube decision before the roll, and the effect of the next rolls."""

from bearoff.app.options import Rolls
from bearoff.app.race_answers.asked import Asked, asks


@asks
def cube(asked: Asked, rolls: Rolls = False) -> None:
    """Show the cube decision, and what mistakes cost.

    The cube part of bearoff race, with the doubling window of this roller and the market
    losers: sequences of two rolls after which the opponent would pass. At a score,
    equities (EMG) stand beside the chances to win the match. Dice are ignored.

    \b
    bearoff tables build --two-sided --checkers 8
    bearoff cube 8,0,0,0,0,0 8,0,0,0,0,0 --cube owned
    bearoff cube LwAAwC0AAAAAAA --rolls
    bearoff cube 0,2,2,0,0,0 0,2,2,0,0,0 --score 2 4
    bearoff cube 0,2,2,0,0,0 0,2,2,0,0,0 --match 7 --score 4-3 --cube owned
    """
    from bearoff.app.race_answers.one import answer_race
    from bearoff.app.race_answers.text import View

    answer_race(asked, View(dice=False, market=True, rolls=rolls))

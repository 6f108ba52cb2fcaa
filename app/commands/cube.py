"""`bearoff cube`: the cube decision before the roll, and the effect of the next rolls."""

from bearoff.app.options import Rolls
from bearoff.app.race_answers.asked import Asked, asks_before_the_roll


@asks_before_the_roll
def cube(asked: Asked, rolls: Rolls = False) -> None:
    """Show the cube decision before a roll, and what mistakes cost.

    The output includes the doubling window and the market losers: sequences of two rolls
    after which the opponent would pass. At a match score, it has equities (EMG) and
    match-winning chances.

    \b
    bearoff cube 8,0,0,0,0,0 8,0,0,0,0,0 --cube owned
    bearoff cube LwAAwC0AAAAAAA --score 2 4 --rolls
    """
    from bearoff.app.race_answers.one import answer_race
    from bearoff.app.race_answers.text import View

    answer_race(asked, View(dice=False, market=True, rolls=rolls))

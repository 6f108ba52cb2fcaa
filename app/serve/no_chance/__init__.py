"""Games of No Chance Backgammon, which has no dice, against the program.

The module `games` has the state of a game, and `thinking` computes the program's decisions
and hints. The module `routes` is the API for the page and for bots.
"""

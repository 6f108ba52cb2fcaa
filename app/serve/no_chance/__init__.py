"""Games of No Chance Backgammon, which has no dice, against the program.

`games` has the state of a game, `thinking` the program's decisions and hints. `routes` is
the API for the page and bots, `shown` its JSON.
"""

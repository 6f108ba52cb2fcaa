"""Play without dice: games of No Chance Backgammon against the program.

`games` says what a game is, `thinking` what the program names and plays and what a hint
tells. `routes` is what the page and bots see, `shown` how a game is told to them.
"""

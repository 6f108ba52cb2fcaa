"""Games of backgammon against the program, stored by the server.

The module `games` has the state of a match, `dice` computes the rolls, and `store` writes
the files. The module `opponents` lists the computer players, and `thinking` computes the
costs of decisions. The module `routes` is the API for the page and for bots.
"""

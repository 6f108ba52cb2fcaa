"""Games of backgammon against the program, stored by the server.

`games` has the state of a match, `dice` produces its rolls, and `store` writes its files.
`opponents` has the computer players, and `thinking` computes the costs of decisions.
`analysing` analyses a game. `routes` is the API for the page and for bots, and `shown`
creates its JSON.
"""

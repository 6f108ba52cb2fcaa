"""Play: games against the program, stored by the server.

`games` has the state of a match, `dice` its rolls, `store` its files. `opponents` decide
for the other side, and `thinking` computes the costs of decisions. `analysing` analyses a
game. `routes` is the API for the page and bots, `shown` its JSON.
"""

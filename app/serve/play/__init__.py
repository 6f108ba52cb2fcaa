"""Play: games against the program, kept by the server.

`games` says what a game is, `dice` where its rolls come from, `store` keeps games in files;
`opponents` are who decides for the other side, `thinking` what decisions cost. `after` goes
through a game. `routes` is what the page and bots see, `shown` how a game is told to them.
"""

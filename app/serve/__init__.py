"""Web page on this machine, and its HTTP API: `bearoff serve`.

The server is a thin layer: it parses a request into a race, calls a function of a lower
layer, and returns the answer as JSON. It needs the extra ``web``; only `app.commands.serve`
imports it.
"""

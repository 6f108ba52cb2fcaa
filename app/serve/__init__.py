"""Local web server of `bearoff serve`: the web page and its HTTP API.

The server only converts: it parses a request, calls a function of a lower layer, and
returns the answer as JSON. It needs the extra ``web``, so only `app.commands.serve` imports
it.
"""

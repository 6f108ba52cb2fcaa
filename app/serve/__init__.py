"""Web page on this machine, and its HTTP API: `bearoff serve`.

The server only converts: it parses a request, calls a function of a lower layer, and
returns the answer as JSON. It needs the extra ``web``, so only `app.commands.serve` imports
it.
"""

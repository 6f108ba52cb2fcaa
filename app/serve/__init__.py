"""Web page on this machine, and its HTTP API: `bearoff serve`.

Like the commands, it is a thin layer: a request is parsed into a race, a function of a
lower layer answers it, and the answer is returned as JSON. It needs the extra ``web``; only
`app.commands.serve` imports it.
"""

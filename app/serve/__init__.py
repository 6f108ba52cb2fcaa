"""The page on this machine and its HTTP interface: `bearoff serve`.

Thin as the commands are: a request is read into a race, one function of the layers below
answers it, and the answer is written as JSON. Needs the extra ``web``; only
`app.commands.serve` imports it.
"""

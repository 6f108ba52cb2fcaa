"""Programs that create the results pages and the package's data.

`bearoff` never calls these programs. They may import every package of the wheel, and
`oracles`.
"""

"""Programs that write results/ and data of the package (``python -m research.match``).

`bearoff` never calls these programs. They may import every package of the wheel, and
`oracles`.
"""

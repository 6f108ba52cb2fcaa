"""Programs that create results/ and the package's data (``python -m research.match``).

`bearoff` never calls these programs. They may import every package of the wheel, and
`oracles`.
"""

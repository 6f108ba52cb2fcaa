"""Programs that write results/ and files that are shipped: ``python -m research.match``.

No command of `bearoff` calls them. It may import all that is in the wheel, and `oracles`.
"""

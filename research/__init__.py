"""Programs that write results/ and files that are shipped: ``python -m research.match``.

No command of `bearoff` calls them, and nothing imports this package. It may import all
that is in the wheel.
"""

"""Programs that hold ours to exact values and to other programs, and measure by how much.

One a file, as ``python -m research.comparisons.matches``; ``--write`` keeps the page that a
program names.
"""

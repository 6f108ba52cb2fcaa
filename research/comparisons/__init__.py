"""Comparisons with exact values and with other programs.

Each program is run as ``python -m research.comparisons.matches``; ``--write`` writes its
page.
"""

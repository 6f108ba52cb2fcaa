"""Comparisons of this program with exact values and with other programs.

A comparison is run as, for example, ``python -m research.comparisons.matches``; ``--write``
writes its page.
"""

"""References that tests compare with: simple implementations, and other programs.

Tests, benchmarks, `research` and `verify` import this package; the program does not.
"""

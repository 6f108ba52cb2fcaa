"""References for tests: plain implementations that share no code, and other programs.

Tests, benchmarks, `research` and `verify` import this package; the program does not.
"""

"""What ours is held to: plain twins that share none of its code, and other programs.

Tests, benchmarks, `research` and `verify` import it; the program itself does not.
"""

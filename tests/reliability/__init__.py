"""What tries to break the program, at full scale; docs/reliability.md has the figures.

Modules named ``test_...`` are the short forms that run with the other tests.
"""

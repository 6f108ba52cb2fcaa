"""The subcommands of `bearoff`, a module for each kind.

Every module is imported for ``bearoff --help``, so each imports what its commands need
inside them.
"""

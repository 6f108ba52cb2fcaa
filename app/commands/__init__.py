"""Subcommands of `bearoff`, one module for each group of commands.

``bearoff --help`` imports every module, so a command imports its libraries only when it is
called.
"""

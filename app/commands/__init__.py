"""Subcommands of `bearoff`, one module for each group of commands.

``bearoff --help`` imports all modules of commands. To keep the help fast, commands import
their libraries only when they run.
"""

"""Subcommands of `bearoff`, one module for each group of commands.

``bearoff --help`` imports every module of commands. Commands therefore import their
libraries only when they run.
"""

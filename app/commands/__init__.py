"""Subcommands of `bearoff`, one module for each group of commands.

``bearoff --help`` imports every module, so commands import what they need when called.
"""

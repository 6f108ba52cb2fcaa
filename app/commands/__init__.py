"""Subcommands of `bearoff`, one module for each group.

``bearoff --help`` imports every module, so commands import what they need inside.
"""

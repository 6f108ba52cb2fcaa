"""Entry point of ``python -m bearoff``, if the command `bearoff` is not on the path."""

import sys
from importlib import import_module

if __name__ == "__main__":
    # The package `bearoff` must not import `bearoff.app` statically, so the command is
    # imported by name.
    sys.exit(import_module("bearoff.app.main").main())

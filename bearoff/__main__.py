"""Entry point of ``python -m bearoff``, which works without the command on the path."""

import sys
from importlib import import_module

if __name__ == "__main__":
    # The command belongs to `bearoff.app`. This package must not import it, so the function
    # is found by its name.
    sys.exit(import_module("bearoff.app.main").main())

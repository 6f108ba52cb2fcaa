"""Entry point of ``python -m bearoff``, which works without the command on the path."""

import sys
from importlib import import_module

if __name__ == "__main__":
    # The command is in `bearoff.app`, which this package must not import, so it is looked
    # up by name.
    sys.exit(import_module("bearoff.app.main").main())

"""Entry point of ``python -m bearoff``, for use when the command is not on the path."""

import sys
from importlib import import_module

if __name__ == "__main__":
    # The command belongs to a higher layer, so its function is looked up by name, as an
    # installed script would do.
    sys.exit(import_module("bearoff.app.main").main())

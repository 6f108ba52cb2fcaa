"""``python -m bearoff``: the command, where no script of that name is on the path."""

import sys
from importlib import import_module

if __name__ == "__main__":
    # A higher layer, looked up as the script of the installed package does.
    sys.exit(import_module("bearoff.app.main").main())

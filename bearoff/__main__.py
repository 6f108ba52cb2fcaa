"""Entry point of ``python -m bearoff``, where the command is not on the path."""

import sys
from importlib import import_module

if __name__ == "__main__":
    # The command is in a higher layer and is looked up as the installed script does.
    sys.exit(import_module("bearoff.app.main").main())

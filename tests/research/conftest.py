"""The command, as the tests of `app` call it."""

from tests.app.conftest import bearoff

__all__ = ["bearoff"]

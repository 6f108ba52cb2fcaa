"""Error messages for commands whose optional libraries are not installed."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Context manager that adds installation advice to a failed import."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("app", "bearoff"):
            raise
        from bearoff import BearoffError

        raise BearoffError(
            f"{what} requires {error.name}, which is not installed: {how_to_install(extra)}"
        ) from None


def how_to_install(extra: str) -> str:
    """Return the command that installs the libraries of an extra.

    The command names the libraries instead of this package, because a package index might
    have a different package with the same name.
    """
    from importlib.metadata import requires

    ending = f'extra == "{extra}"'
    needs = [need.partition(";") for need in requires("bearoff") or ()]
    names = [f'"{name.strip()}"' for name, _, when in needs if when.endswith(ending)]
    return " ".join(["python -m pip install", *names])

"""Commands that need libraries which a plain installation leaves out."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Refuse a command whose libraries cannot be imported, and say what installs them.

    Parameters
    ----------
    extra : str
        The extra of this package that lists the libraries.
    what : str
        What needs them, as a message begins: "the page".

    Raises
    ------
    BearoffError
        Naming the library that is missing.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("app", "bearoff"):
            raise
        from bearoff import BearoffError

        raise BearoffError(
            f"{what} needs {error.name}, which is not installed: {how_to_install(extra)}"
        ) from None


def how_to_install(extra: str) -> str:
    """Return the command that installs the libraries of an extra.

    The libraries are named one by one: this package is installed from a clone or a file,
    and an index may hold anything under its name.
    """
    from importlib.metadata import requires

    ending = f'extra == "{extra}"'
    needs = [need.partition(";") for need in requires("bearoff") or ()]
    names = [f'"{name.strip()}"' for name, _, when in needs if when.endswith(ending)]
    return " ".join(["python -m pip install", *names])

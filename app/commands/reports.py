def analyze() -> None:
    """S."""


def chart() -> None:
    """S."""


def figures() -> None:
    """S."""

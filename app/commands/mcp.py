"""`bearoff mcp`: a server of the Model Context Protocol on standard input and output."""


def mcp() -> None:
    """Answer programs by the Model Context Protocol.

    Its tools: race, plays, cube, formula, review, and library_search in one's own games.
    A client starts this command and speaks with it over standard input and output;
    docs/library.md says how it is told to.

    \b
    bearoff mcp
    """
    from bearoff import BearoffError

    try:
        from app.mcp.server import make_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] in ("app", "bearoff"):
            raise
        raise BearoffError(
            f"the server needs {error.name}, which is not installed: pip install "
            '"bearoff[mcp]"'
        ) from None

    make_server().run()

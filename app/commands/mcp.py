"""`bearoff mcp`: server of the Model Context Protocol on standard input and output."""

from bearoff.app.extras import needing


def mcp() -> None:
    """Answer programs by the Model Context Protocol.

    Its tools are race, plays, cube, formula, review, and library_search. A client starts
    this command and speaks with it over standard input and output; docs/http.md shows
    the client's settings.

    \b
    bearoff mcp
    """
    with needing("mcp", "the server"):
        from bearoff.app.mcp.server import make_server

    make_server().run()

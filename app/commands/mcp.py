"""`bearoff mcp`: server of the Model Context Protocol on standard input and output."""

from bearoff.app.extras import needing


def mcp() -> None:
    """Answer programs by the Model Context Protocol (MCP).

    A client starts this command and calls its tools: race, plays, cube, formula, review
    and library_search. docs/http.md shows the settings of the client.

    \b
    bearoff mcp
    """
    with needing("mcp", "the server"):
        from bearoff.app.mcp.server import make_server

    make_server().run()

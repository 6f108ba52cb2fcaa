"""`bearoff mcp`: server of the Model Context Protocol on standard input and output."""

from bearoff.app.extras import needing


def mcp() -> None:
    """Run a server for AI assistants (Model Context Protocol, MCP).

    The client starts this command and calls its tools: race, plays, cube, formula, review
    and library_search. docs/http.md shows how to configure a client.

    \b
    bearoff mcp
    """
    with needing("mcp", "the server"):
        from bearoff.app.mcp.server import make_server

    make_server().run()

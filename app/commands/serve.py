"""`bearoff serve`: the web page on this machine, and the HTTP API."""

from contextlib import ExitStack
from typing import Annotated

import typer

from bearoff.app.extras import needing
from bearoff.app.output import note
from bearoff.app.progress import waiting


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Address to listen on. With any address other than 127.0.0.1, other "
            "machines can reach the server.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=65535, help="Port of the server; 0 means any free port."
        ),
    ] = 8642,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Host name under which the server is reached, for example behind a proxy.",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Open the page: calculator, review, trainer, play.

    The server also answers programs in JSON; /api/v1/openapi.json describes the requests.
    docs/http.md has examples, and explains how to run a server for others.

    \b
    bearoff serve --port 9000 --no-browser
    """
    with needing("web", "the page"):
        from bearoff.app.serve.server import serve as run
        from bearoff.app.serve.settings import Settings

    with ExitStack() as starting:
        starting.enter_context(waiting("starting the page"))

        def say(where: str) -> None:
            starting.close()
            note(where)

        settings = Settings(host, port, tuple(allow_host or ()))
        if not settings.private:
            note(
                "warning: any machine that can reach this one can use the server, "
                "over unencrypted HTTP; the pages Library, Trainer and Play are "
                "turned off (see Serving others in docs/http.md)"
            )
        run(settings, browser=browser, say=say)

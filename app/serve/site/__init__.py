"""Calculator as static files, which answers in the browser without a server."""

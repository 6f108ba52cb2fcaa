"""Race calculator as static files, which answers in the browser without a server."""

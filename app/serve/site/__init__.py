"""The calculator as static files: pages that answer in the browser, without a server."""

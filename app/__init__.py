"""User interfaces: the command line `bearoff`, the web page, the HTTP API and MCP."""

"""Read-only MCP (Model Context Protocol) server: answers, reviews and the library."""

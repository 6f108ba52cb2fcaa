"""Read-only server for the Model Context Protocol (MCP): answers, reviews and the
library."""

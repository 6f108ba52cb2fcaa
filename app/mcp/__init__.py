"""Server of the Model Context Protocol: answers, reviews and the library, read-only."""

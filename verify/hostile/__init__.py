"""Files, names and paths that strangers might send, and the process that reads them."""

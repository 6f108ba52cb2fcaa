"""Files, names and places that strangers might send, and the process that reads them."""

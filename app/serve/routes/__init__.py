"""Routes of the API, with a module for each kind of request."""

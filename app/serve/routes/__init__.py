"""HTTP routes of the API, in one module for each kind of request."""

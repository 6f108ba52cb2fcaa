"""Routes: what can be asked, a module for each kind of question."""

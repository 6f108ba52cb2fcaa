"""The configurations that are shipped; in the wheel they are in `app/examples/configs`."""

"""Configurations that come with the program; in the wheel, `app/examples/configs`."""

"""The description of the interface, beyond what the routes say of themselves."""

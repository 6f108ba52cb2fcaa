"""Ctrl-C in a command that has something to say about it."""


class Interrupted(Exception):
    """The user stopped the command; the message says what is kept and how to go on."""

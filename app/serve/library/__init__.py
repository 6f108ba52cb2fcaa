"""API of the library: matches, decisions, saved positions and progress.

The routes require a server that serves only this machine. An example library is available
on all servers.
"""

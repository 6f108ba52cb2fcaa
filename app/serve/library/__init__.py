"""API of the library: matches, decisions, saved positions and progress.

They require a server for this machine alone. An example library is available on all
servers.
"""

"""HTTP API of the library: matches, decisions, saved positions and progress.

The routes exist only on a server for this machine alone. The example library is available
on all servers.
"""

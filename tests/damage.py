"""Functions that damage files by changing single bits."""


def flipped(data, at, bit=0):
    """Return bytes with one changed bit."""
    changed = bytearray(data)
    changed[at] ^= 1 << bit
    return bytes(changed)


def flip(path, at, bit=0):
    """Change one bit of a file."""
    path.write_bytes(flipped(path.read_bytes(), at, bit))

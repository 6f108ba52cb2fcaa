"""What the page may load, wherever it is from: itself and nothing else."""

DIRECTIVES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "connect-src": "'self'",
    "font-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}
"""The Content-Security-Policy of the page."""


def written(directives: dict[str, str]) -> str:
    """Return a policy as a header has it."""
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())

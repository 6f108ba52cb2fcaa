from .rolled import (
    Rolled as Rolled,
)

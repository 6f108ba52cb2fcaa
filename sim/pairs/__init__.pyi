from .build import (
    build_pairs as build_pairs,
)
from .file import (
    read_pairs as read_pairs,
)
from .table import (
    Pairs as Pairs,
    RunPairs as RunPairs,
)

from .runner import (
    RunSummary as RunSummary,
    run as run,
)

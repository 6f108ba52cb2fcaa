from .combining import (
    combine as combine,
)
from .runner import (
    RunSummary as RunSummary,
    run as run,
)
from .strategies import (
    StrategyError as StrategyError,
)

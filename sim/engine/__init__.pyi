from . import plan as plan
from .plan import (
    MOST_BLOCKS as MOST_BLOCKS,
    Block as Block,
    blocks_of as blocks_of,
    part_ranges as part_ranges,
    part_size as part_size,
)
from .progress import (
    PassProgress as PassProgress,
    progress_bar as progress_bar,
    skip as skip,
)
from .workers import (
    Task as Task,
    run_tasks as run_tasks,
    worker_count as worker_count,
)

from . import (
    at_score as at_score,
    codings as codings,
    pair_order as pair_order,
)
from .build import (
    build_two_sided_table as build_two_sided_table,
)
from .cached import (
    CachedTwoSidedTable as CachedTwoSidedTable,
    cached_two_sided_tables as cached_two_sided_tables,
    smallest_table_with as smallest_table_with,
    tables_with_cube as tables_with_cube,
)
from .estimate import (
    BuildEstimate as BuildEstimate,
    estimate_build as estimate_build,
)
from .manifest import (
    build_command as build_command,
)
from .opening import (
    two_sided_table as two_sided_table,
)
from .table import (
    TwoSidedTable as TwoSidedTable,
)

from . import (
    features as features,
)
from .adjustment import (
    Adjustment as Adjustment,
    Compared as Compared,
)
from .count import (
    Count as Count,
)
from .count_estimate import (
    CountEstimate as CountEstimate,
)
from .epc_estimates import (
    EpcEstimate as EpcEstimate,
    estimates as estimates,
    get_estimate as get_estimate,
)
from .floor import (
    Floor as Floor,
)
from .sides import (
    CountsArray as CountsArray,
    Float64Array as Float64Array,
    count_and_lead as count_and_lead,
    side_epc as side_epc,
)

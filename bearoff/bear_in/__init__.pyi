from . import gammon_kernels as gammon_kernels, side_kernels as side_kernels
from .coefficients import (
    BOARD as BOARD,
    DATA as DATA,
    PIP as PIP,
    SAVING_DATA as SAVING_DATA,
    VARIANCE_UNITS as VARIANCE_UNITS,
    load_coefficients as load_coefficients,
)
from .games import (
    SPREADS as SPREADS,
    play_home as play_home,
    random_sides as random_sides,
)
from .model import (
    BearIn as BearIn,
    KernelArrays as KernelArrays,
    bear_in as bear_in,
    widen as widen,
)
from .saving import (
    LAST as LAST,
    LAST_SIX as LAST_SIX,
    first_off as first_off,
    first_off_model as first_off_model,
    idle_chances as idle_chances,
    saving_bear_in as saving_bear_in,
    soonest as soonest,
)

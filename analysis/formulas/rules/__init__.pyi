from . import (
    ours as ours,
    published as published,
)
from .chance import (
    RatioWin as RatioWin,
    StraightWin as StraightWin,
    bend as bend,
)
from .formula import (
    Formula as Formula,
    WinFormula as WinFormula,
    WorkedFormula as WorkedFormula,
    decide_by_chance as decide_by_chance,
)
from .lead import (
    LeadRule as LeadRule,
)
from .line import (
    Line as Line,
)
from .percent import (
    ChanceRule as ChanceRule,
    Percent as Percent,
)
from .rule import (
    CountRule as CountRule,
    CountWinRule as CountWinRule,
)
from .scale import (
    Scale as Scale,
)

from . import (
    ours as ours,
    published as published,
)
from .formula import (
    Formula as Formula,
    WinFormula as WinFormula,
    WorkedFormula as WorkedFormula,
    decide_by_chance as decide_by_chance,
)
from .line import (
    Line as Line,
)
from .percent import (
    ChanceRule as ChanceRule,
    LinearChance as LinearChance,
    Percent as Percent,
    RatioChance as RatioChance,
    bend as bend,
    janowski_percents as janowski_percents,
)
from .rule import (
    CountRule as CountRule,
    CountWinRule as CountWinRule,
)
from .scale import (
    Scale as Scale,
)

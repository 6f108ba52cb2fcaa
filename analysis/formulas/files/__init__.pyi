from .model import (
    FormulaFile as FormulaFile,
)
from .read import (
    load_formulas as load_formulas,
    read_formulas as read_formulas,
)
from .write import (
    formulas_yaml as formulas_yaml,
)

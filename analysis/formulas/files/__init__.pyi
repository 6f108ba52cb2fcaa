from .read import (
    load_formulas as load_formulas,
)
from .write import (
    formulas_yaml as formulas_yaml,
)

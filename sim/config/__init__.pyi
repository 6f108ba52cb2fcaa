from . import (
    cube as cube,
    errors as errors,
    match as match,
    pairs as pairs,
    races as races,
)
from .batch import (
    BatchConfig as BatchConfig,
)
from .errors import (
    ConfigError as ConfigError,
    Problem as Problem,
)
from .formulas import (
    formula_plug_in as formula_plug_in,
)
from .load import (
    json_schema as json_schema,
    load_config as load_config,
)
from .match import (
    terms_of as terms_of,
)
from .problems import (
    validate_model as validate_model,
)
from .surroundings import (
    SURROUNDINGS as SURROUNDINGS,
)
from .values import (
    Strict as Strict,
    refusal as refusal,
    whole as whole,
)
from .yaml_source import (
    YamlSource as YamlSource,
    read_yaml_file as read_yaml_file,
)

from .files import (
    BLOCK as BLOCK,
    StoredPlane as StoredPlane,
)
from .kernels import (
    code_of as code_of,
)
from .layout import (
    UNFITTED as UNFITTED,
    Layout as Layout,
)
from .plane import (
    Plane as Plane,
    open_plane as open_plane,
)
from .reading import (
    PlaneArrays as PlaneArrays,
)
from .writer import (
    PlaneWriter as PlaneWriter,
)

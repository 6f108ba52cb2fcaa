from .kernels import (
    PlaneArrays as PlaneArrays,
    code_of as code_of,
)
from .layout import (
    Layout as Layout,
)
from .plane import (
    BLOCK as BLOCK,
    Plane as Plane,
    StoredPlane as StoredPlane,
    open_plane as open_plane,
)
from .writer import (
    PlaneWriter as PlaneWriter,
)

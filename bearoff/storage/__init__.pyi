from . import (
    checked_array as checked_array,
    manifest as manifest,
    sealing as sealing,
)
from .cache import (
    Arrays as Arrays,
    CheckedArrays as CheckedArrays,
    cache_folder as cache_folder,
    check_disk as check_disk,
    load_or_build as load_or_build,
    open_or_build as open_or_build,
    open_table as open_table,
    require_shapes as require_shapes,
    users_folder as users_folder,
)
from .checked_file import (
    CheckedFile as CheckedFile,
)
from .files import (
    atomic_path as atomic_path,
    claimed as claimed,
    make_private as make_private,
    remove_unfinished as remove_unfinished,
    require_regular as require_regular,
    sync as sync,
    write_atomic as write_atomic,
)
from .speeds import (
    keep_seconds as keep_seconds,
    known_seconds as known_seconds,
    seconds_of as seconds_of,
)

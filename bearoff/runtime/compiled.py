"""Compile kernels with numba, announce the first compilation, and cache the code.

Machine code is cached in the user's cache folder (`bearoff.runtime.code_cache`) or, if it
cannot be written to, beside the sources; ``NUMBA_CACHE_DIR`` names another folder. It is
compiled again for another version of a source or of those whose kernels it calls, of
numba, of Python or another kind of processor. Where no folder can be written to, every
process compiles for itself.
"""

import logging
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from multiprocessing import parent_process
from pathlib import Path
from types import ModuleType
from typing import Any
from zlib import crc32

from bearoff.errors import BearoffError
from bearoff.runtime.code_cache import code_cache

try:
    import numba
    from numba.core import event
except ValueError as error:
    raise BearoffError(
        "numba refuses a setting of the environment, NUMBA_NUM_THREADS="
        f"{os.environ.get('NUMBA_NUM_THREADS')}: {error}"
    ) from error


def _load_arrays_alone() -> None:
    """Have numba load what it knows of arrays, but not scipy's linear algebra.

    It would look for BLAS, a quarter of a second of every process that calls a kernel, and
    no kernel multiplies matrices. Of other compiled code only the sums in ``np.correlate``
    and ``np.convolve`` are loops then.
    """
    from numba.np import linalg

    known = getattr(linalg, "ensure_blas", None)

    def looked_for() -> None:
        raise ImportError

    if known is not None:
        linalg.ensure_blas = looked_for
    try:
        import numba.np.arraymath  # noqa: F401
    finally:
        if known is not None:
            linalg.ensure_blas = known


_load_arrays_alone()

COMPILING = "compiling for this machine, once: some seconds"
"""The announcement of the first compilation."""

_FOLDER = str(code_cache() or "")

Kernel = Callable[..., Any]

_NOT_FOR_C: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Nobody calls a kernel from C, and the entry for it takes a fifteenth of the time."""


def njit(**options: Any) -> Callable[[Kernel], Kernel]:
    """Compile a function as `numba.njit` does, and cache it wherever that can be.

    Parameters
    ----------
    **options
        Of `numba.njit`.
    """

    def compiled(function: Kernel) -> Kernel:
        kernel: Kernel
        try:
            with _own_folder():
                kernel = numba.njit(**_NOT_FOR_C, **options)(function)
            _mark(kernel)
        except RuntimeError:  # Numba has found no folder.
            _warn_of_no_folder()
            kernel = numba.njit(**{**options, "cache": False})(function)
        return kernel

    return compiled


@contextmanager
def _own_folder() -> Iterator[None]:
    """Name a folder for the code of kernels that are made here, if the user named none."""
    settings: Any = numba.config
    named = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = named or _FOLDER
        yield
    finally:
        settings.CACHE_DIR = named


def _mark(kernel: Any) -> None:
    """Let the cached code of a kernel be of the modules, too, whose kernels it calls.

    numba looks at the kernel's source alone: code of a kernel that calls another's, changed
    since, would meet arrays that are laid out otherwise.
    """
    file = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if file is not None:
        file._source_stamp = (file._source_stamp, *_stamps(kernel.py_func.__module__))
        file._load_index = partial(_index, file._load_index)


def _index(load: Callable[[], dict[Any, Any]]) -> dict[Any, Any]:
    """Return what is cached of a kernel: nothing, if what lies there cannot be read.

    numba reads the types of an older program's arguments before it sees that it is older;
    their modules may have other names now.
    """
    try:
        return load()
    except Exception:  # Whatever the bytes make of themselves.
        return {}


def _stamps(module: str) -> list[tuple[str, int]]:
    """Return names and checksums of the sources whose kernels and tuples one takes."""
    found: dict[str, int] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        source = getattr(sys.modules.get(name), "__file__", None)
        if name in found or source is None:
            continue
        found[name] = _checksum(source)
        waiting += filter(None, map(_home, list(vars(sys.modules[name]).values())))
    return sorted(found.items())


@cache
def _checksum(source: str) -> int:
    return crc32(Path(source).read_bytes())


def _home(value: object) -> str | None:
    """Return the module that a kernel, a tuple or a module of kernels comes from."""
    if isinstance(value, ModuleType):
        return value.__name__ if value.__name__.endswith("kernels") else None
    if hasattr(value, "py_func") or (isinstance(value, type) and hasattr(value, "_fields")):
        return value.__module__
    return None


@lru_cache(maxsize=1)
def _warn_of_no_folder() -> None:
    """Warn once a process."""
    warnings.warn(
        "compiled code cannot be cached, so every command compiles it again: neither your "
        "cache folder nor the program's can be written to; name a folder that can with "
        "NUMBA_CACHE_DIR",
        RuntimeWarning,
        stacklevel=2,
    )


class _Announcer(event.Listener):
    """Announces the first compilation through the log `bearoff`."""

    def __init__(self) -> None:
        self._announced = parent_process() is not None  # A worker's parent announces.

    def on_start(self, event: event.Event) -> None:
        if not self._announced:
            self._announced = True
            logging.getLogger("bearoff").warning("bearoff: %s", COMPILING)

    def on_end(self, event: event.Event) -> None:
        pass


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]

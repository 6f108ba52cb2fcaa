"""Compilation of kernels with numba, with a cache and a message before the first kernel.

Machine code is cached in the user's cache folder (`bearoff.runtime.code_cache`) or, if it
is read-only, next to the sources; ``NUMBA_CACHE_DIR`` names another folder. A kernel is
compiled again after a change of its source, of a source whose kernels it calls, of numba,
of Python or of the processor type. If no folder is writable, every process compiles the
kernels that it needs.
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
from bearoff.runtime.compiled_code import code_cache

try:
    import numba
    from numba.core import event
except ValueError as error:
    raise BearoffError(
        "numba rejects an environment variable, "
        f"NUMBA_NUM_THREADS={os.environ.get('NUMBA_NUM_THREADS')}: {error}"
    ) from error


def _load_arrays_alone() -> None:
    """Load numba's array functions without scipy's linear algebra.

    Otherwise, every process that calls a kernel would spend a quarter of a second searching
    for BLAS, although no kernel multiplies matrices. The only other effect is that sums in
    ``np.correlate`` and ``np.convolve`` are compiled as loops.
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

COMPILING = "compiling for this machine, which takes some seconds the first time"
"""Message that is logged when the first kernel is compiled."""

_FOLDER = str(code_cache() or "")

Kernel = Callable[..., Any]

_NOT_FOR_C: dict[str, Any] = {"no_cfunc_wrapper": True}
"""Compiler options that leave out numba's C wrapper, which is never called and would take a
fifteenth of the compile time."""


def njit(**options: Any) -> Callable[[Kernel], Kernel]:
    """Compile a function like `numba.njit`, and cache the code if possible.

    Parameters
    ----------
    **options
        Options of `numba.njit`.
    """

    def compiled(function: Kernel) -> Kernel:
        kernel: Kernel
        try:
            with _own_folder():
                kernel = numba.njit(**_NOT_FOR_C, **options)(function)
            _mark(kernel)
        except RuntimeError:  # Numba found no folder for its cache.
            _warn_of_no_folder()
            kernel = numba.njit(**{**options, "cache": False})(function)
        _ignore_constants(kernel)
        return kernel

    return compiled


@contextmanager
def _own_folder() -> Iterator[None]:
    """Set the cache folder of kernels defined in this context, unless the user set it."""
    settings: Any = numba.config
    named = settings.CACHE_DIR
    try:
        settings.CACHE_DIR = named or _FOLDER
        yield
    finally:
        settings.CACHE_DIR = named


def _ignore_constants(kernel: Any) -> None:
    """Compile a kernel once for a type of argument, not again for each constant argument.

    numba gives a constant in the source of a caller a type of its own, which would make the
    compiled code a fifth larger. LLVM inserts constants when it inlines a kernel.
    """
    template = kernel.get_call_template
    plain: Callable[[Any], Any] = numba.types.unliteral
    kernel.get_call_template = lambda types, named: template(
        tuple(map(plain, types)), {name: plain(each) for name, each in named.items()}
    )


def _mark(kernel: Any) -> None:
    """Make numba discard a kernel's cached code when a kernel that it calls has changed.

    numba checks only the kernel's own source. Code that calls a changed kernel of another
    module might pass it arrays in an outdated layout.
    """
    file = getattr(getattr(kernel, "_cache", None), "_cache_file", None)
    if file is not None:
        file._source_stamp = (file._source_stamp, *_stamps(kernel.py_func.__module__))
        file._load_index = partial(_index, file._load_index)


def _index(load: Callable[[], dict[Any, Any]]) -> dict[Any, Any]:
    """Read the index of a kernel's cached code; return an empty index if this fails.

    numba unpickles argument types before it notices that an index is outdated, and the
    modules of these types may have been renamed since then.
    """
    try:
        return load()
    except Exception:  # Damaged or outdated pickles may raise any exception.
        return {}


def _stamps(module: str) -> list[tuple[str, int]]:
    """Return names and checksums of the source files that a module's kernels depend on."""
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
    """Return the module that defines a kernel or a tuple type; None for other values."""
    if isinstance(value, ModuleType):
        return value.__name__ if value.__name__.endswith("kernels") else None
    if hasattr(value, "py_func") or (isinstance(value, type) and hasattr(value, "_fields")):
        return value.__module__
    return None


@lru_cache(maxsize=1)
def _warn_of_no_folder() -> None:
    """Warn once per process that compiled code cannot be cached."""
    warnings.warn(
        "compiled code cannot be cached, so every command compiles it again: neither your "
        "cache folder nor the program's can be written to; set NUMBA_CACHE_DIR to a "
        "writable folder",
        RuntimeWarning,
        stacklevel=2,
    )


class _Announcer(event.Listener):
    """Listener that logs a message when the first kernel is compiled."""

    def __init__(self) -> None:
        # A worker process does not log the message, because its parent process has already
        # done so.
        self._announced = parent_process() is not None

    def on_start(self, event: event.Event) -> None:
        if not self._announced:
            self._announced = True
            logging.getLogger("bearoff").warning("bearoff: %s", COMPILING)

    def on_end(self, event: event.Event) -> None:
        pass


_TIMING = event.TimingListener()  # type: ignore[no-untyped-call]

for _each in (_Announcer(), _TIMING):
    event.register("numba:compile", _each)  # type: ignore[no-untyped-call]


def compile_seconds() -> float:
    """Return the time that this process has spent compiling kernels, in seconds."""
    return float(_TIMING.duration) if _TIMING.done else 0.0

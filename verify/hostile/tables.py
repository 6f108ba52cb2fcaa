"""Malicious tables in the cache, with valid checksums but wrong arrays."""

import io
import json
import pickle
import shutil
import zlib
from collections.abc import Callable
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

ONE_SIDED_NAME = "one-sided-06x15"


class Evil:
    """Object that creates a file if the program unpickles it, which it must never do."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("unpickled"),))


def npy(array: Any) -> bytes:
    """Return an array as an ``.npy`` file."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=True)
    return file.getvalue()


def header(shape: str, dtype: str = "<f8", order: str = "False") -> bytes:
    """Return an ``.npy`` file that has too little data for the shape in its header."""
    text = f"{{'descr': '{dtype}', 'fortran_order': {order}, 'shape': {shape}, }}\n"
    return (
        b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode() + b"\0" * 64
    )


def _seal_one_sided(folder: Path) -> None:
    def describe(table: dict[str, Any]) -> None:
        for key in table["arrays"]:
            table["arrays"][key] = _described(folder / f"{key}.npy")

    _sealed(describe)(folder)


def _described(path: Path) -> dict[str, Any]:
    from bearoff.storage.checked_array import describe_file

    return asdict(describe_file(path))


def one_sided(folder: Path, change: Callable[[Path], None]) -> list[str]:
    """Change a one-sided table and its checksums; return arguments that must rebuild it."""
    import os

    from bearoff.one_sided import opening as module

    good = Path(os.environ["BEAROFF_CACHE"]) / ONE_SIDED_NAME
    copy = folder / "cache" / ONE_SIDED_NAME
    shutil.copytree(good, copy)
    shutil.copy(copy / "table.json", folder / "good.json")
    change(copy)
    os.environ["BEAROFF_CACHE"] = str(copy.parent)
    module._open_table.cache_clear()
    return ["epc", "8887"]


def built_anew(folder: Path) -> bool:
    """Return whether a rebuilt one-sided table has the same description file as before."""
    built = folder / "cache" / ONE_SIDED_NAME / "table.json"
    return built.read_bytes() == (folder / "good.json").read_bytes()


def _array(name: str, data: bytes) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        (folder / f"{name}.npy").write_bytes(data)
        _seal_one_sided(folder)

    return change


def _loaded(name: str, make: Callable[[Any], Any]) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        array = np.load(folder / f"{name}.npy", allow_pickle=False)
        (folder / f"{name}.npy").write_bytes(npy(make(array)))
        _seal_one_sided(folder)

    return change


def _manifest(text: str) -> Callable[[Path], None]:
    return lambda folder: (
        (folder / "table.json").write_text(text, encoding="utf-8"),
        None,
    )[1]


def _pipe(name: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        import os

        (folder / name).unlink()
        os.mkfifo(folder / name)

    return change


def _leads(start: int, end: int) -> Callable[[Path], None]:
    def change(policy: Any) -> Any:
        changed = policy.copy()
        changed[start, 5] = end
        return changed

    return _loaded("policy", change)


ONE_SIDED: dict[str, Callable[[Path], None]] = {
    "a stated size of a terabyte": _array("mean_rolls", header("(137438953472,)")),
    "a stated size beyond all memory": _array("mean_rolls", header(f"({10**30},)")),
    "a negative shape": _array("mean_rolls", header("(-5,)")),
    "Python code as the shape": _array(
        "mean_rolls", header("(__import__('os').getpid(),)")
    ),
    "a header with nested brackets": _array("mean_rolls", header("(" * 5000 + ")" * 5000)),
    "pickled objects": _array("mean_rolls", npy(np.array([Evil()] * 10, dtype=object))),
    "a pickle": _array("mean_rolls", pickle.dumps(Evil())),
    "a header that announces objects": _array("mean_rolls", header("(54264,)", "|O")),
    "an archive": _array("mean_rolls", b"PK\x03\x04" + b"\0" * 1000),
    "another byte order": _loaded("mean_rolls", lambda a: a.astype(">f8")),
    "column-major order": _loaded("policy", np.asfortranarray),
    "a missing row": _loaded("mean_rolls", lambda a: a[:-1]),
    "single precision": _loaded("mean_rolls", lambda a: a.astype(np.float32)),
    "whole numbers": _loaded("distribution", lambda a: a.astype(np.int64)),
    "an additional dimension": _loaded("mean_rolls", lambda a: a[:, None]),
    "a policy that leads out of the table": _leads(5, 65535),
    "a policy that never leaves a position": _leads(5, 5),
    "a policy that leads in a circle": _leads(5, 54_000),
    "a policy that continues without checkers": _leads(0, 1),
    "a manifest nested 100,000 levels deep": _manifest("[" * 100_000),
    "an empty manifest": _manifest(""),
    "a manifest that is null": _manifest("null"),
    "a pipe in place of the table's manifest": _pipe("table.json"),
    "a pipe in place of the file of an array": _pipe("policy.npy"),
}

_CHECKERS = 3


def small_two_sided() -> Path:
    """Build a two-sided table of three checkers per side in the cache."""
    import bearoff

    return bearoff.build_two_sided_table(_CHECKERS, workers=1)


def two_sided(folder: Path, change: Callable[[Path], None]) -> list[str]:
    """Change a two-sided table; return a command that must reject it."""
    import os

    from bearoff.two_sided import opening as module

    os.environ["BEAROFF_CACHE"] = str(folder / "cache")
    change(small_two_sided())
    module._open_table.cache_clear()
    return ["tables", "verify"]


def _sealed(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path], None]:
    """Return a function that changes a table's manifest and updates the checksum."""

    def do(folder: Path) -> None:
        from bearoff.storage import sealing

        path = folder / "table.json"
        table = json.loads(path.read_text(encoding="utf-8"))["table"]
        change(table)
        sealed = {
            "table": table,
            "sha256": sealing.seal(table) if _is_finite(table) else "",
        }
        path.write_text(json.dumps(sealed), encoding="utf-8")

    return do


def _successors(name: str, data: Callable[[Any], bytes]) -> Callable[[Path], None]:
    def do(folder: Path) -> None:
        path = folder / f"{name}.npy"
        path.write_bytes(data(np.load(path, allow_pickle=False)))
        entry = {"bytes": path.stat().st_size, "crc32": zlib.crc32(path.read_bytes())}
        _sealed(lambda table: table["files"].update({path.name: entry}))(folder)

    return do


def _is_finite(table: dict[str, Any]) -> bool:
    """Return whether a table's description has only finite numbers, as JSON requires."""
    return "Infinity" not in json.dumps(table)


def _changed(array: Any, value: int) -> bytes:
    array = array.copy()
    array[7] = value
    return npy(array)


def _standing(successors: Any) -> bytes:
    from bearoff.two_sided import pair_order

    changed = successors.copy()
    # The last entry is a play from the last position, which now leads back to it.
    changed[-1] = pair_order.pair_order_of(6, _CHECKERS).size - 1
    return npy(changed)


def _plane_with(**values: Any) -> Callable[[Path], None]:
    return _sealed(lambda manifest: manifest["planes"]["owned"].update(values))


def _sealed_plane(data: bytearray, index: bytearray, folder: Path) -> None:
    """Write an array of a two-sided table and its index with valid checksums."""
    path = folder / "owned.plane"
    block = 1 << 14
    sums = [zlib.crc32(data[k : k + block]) for k in range(0, len(data), block)]
    index[-4 * len(sums) :] = np.array(sums, dtype="<u4").tobytes()
    path.write_bytes(data)
    path.with_suffix(".index").write_bytes(index)
    digest = sha256(index).hexdigest()
    _plane_with(bytes=len(data), digest=digest)(folder)


def _places(change: tuple[int, int]) -> Callable[[Path], None]:
    def do(folder: Path) -> None:
        data = bytearray((folder / "owned.plane").read_bytes())
        index = bytearray((folder / "owned.index").read_bytes())
        column, value = change
        index[8 * column : 8 * column + 8] = value.to_bytes(8, "little", signed=True)
        _sealed_plane(data, index, folder)

    return do


def _tiles(folder: Path) -> None:
    """Overwrite the start of a plane's first compressed rectangle, and correct the sums."""
    data = bytearray((folder / "owned.plane").read_bytes())
    index = bytearray((folder / "owned.index").read_bytes())
    word, rank = np.frombuffer(index[:16], dtype="<i8").tolist()
    start = 2 * word + 2 * 2 * 16 * rank
    data[start : start + 12] = b"\xff" * 12
    _sealed_plane(data, index, folder)


TWO_SIDED: dict[str, Callable[[Path], None]] = {
    "a manifest nested 100,000 levels deep": _manifest("[" * 100_000),
    "a manifest that is null": _manifest("null"),
    "a pipe in place of the table's manifest": _pipe("table.json"),
    "a pipe in place of the file owned.plane of a table": _pipe("owned.plane"),
    "a pipe in place of a plane's index file": _pipe("owned.index"),
    "a pipe in place of the file of legal plays": _pipe("offsets.npy"),
    "a manifest that claims 15 checkers for a smaller table": _sealed(
        lambda m: m.update(checkers=15)
    ),
    "a manifest that claims a billion checkers": _sealed(
        lambda m: m.update(checkers=10**9)
    ),
    "a table described by text": _sealed(lambda m: m.update(checkers="all")),
    "a plane that does not match its index's SHA-256": _plane_with(digest="0" * 64),
    "a plane whose storage step is infinite": _plane_with(step=float("inf")),
    "a plane whose storage step is text": _plane_with(step="0.1"),
    "a plane that claims to have a terabyte": _plane_with(bytes=1 << 40),
    "a plane that claims to have no bytes": _plane_with(bytes=0),
    "an index entry that points beyond the end of the plane": _places((0, 1 << 50)),
    "an index entry that points to a negative place in the plane": _places((0, -(1 << 62))),
    "an index entry of a block with a trillion columns": _places((1, 1 << 40)),
    "a block description that points beyond the end of the plane's file": _tiles,
    "a number instead of the description of a plane": _sealed(
        lambda m: m["planes"].update(owned=3)
    ),
    "a plane whose name contains a path to another folder": _sealed(
        lambda m: m["planes"].update({"../../x": m["planes"]["owned"]})
    ),
    "a play that leads to a position outside the table": _successors(
        "successors", lambda a: _changed(a, 65535)
    ),
    "a play that leads to a position with more pips": _successors(
        "successors", lambda a: _changed(a, 20)
    ),
    "a play that leads to the same position again": _successors("successors", _standing),
    "an offset of a trillion in the list of plays": _successors(
        "offsets", lambda a: _changed(a, 1 << 40)
    ),
    "a negative offset in the list of plays": _successors(
        "offsets", lambda a: _changed(a, -1)
    ),
    "offsets of another type in the list of plays": _successors(
        "offsets", lambda a: npy(a.astype(np.int32))
    ),
    "Python objects in the list of plays": _successors(
        "successors", lambda a: npy(np.array([Evil()] * 9, dtype=object))
    ),
    "a list of plays that claims to have a terabyte": _successors(
        "successors", lambda a: header("(549755813888,)", "<u2")
    ),
}

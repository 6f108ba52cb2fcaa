"""Damage to a copy of a file, and assessment of what the program then returns.

The function from `assessor` runs in a process that may die. Its memory is limited to little
more than undamaged files need, so that absurd sizes in a damaged file are noticed.
"""

import hashlib
import shutil
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bearoff import BearoffError
from verify.common.processes import limit_memory
from verify.common.tallies import WRONG
from verify.damage.damage import Damage
from verify.damage.files import SELDOM, Kind, use_tables
from verify.damage.run_files import kinds

ROOM = 1 << 30
"""Bytes of memory that damaged files may need in addition to what undamaged files need."""

_LONGEST_SENTENCE = 1000

DETECTED, HARMLESS, TEXT = "detected", "harmless", "another text"


class Wrong(Exception):
    """Error for behaviour of the program that a damaged file must never cause."""


def fingerprint(value: Any) -> str:
    """Return a digest of a reader's answer that depends on every bit."""
    whole = hashlib.sha256()
    _add(whole.update, value)
    return whole.hexdigest()


def _add(update: Callable[[bytes], None], value: Any) -> None:
    if isinstance(value, np.ndarray):
        update(f"{value.dtype}{value.shape}".encode())
        update(np.ascontiguousarray(value).tobytes())
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            update(field.name.encode())
            _add(update, getattr(value, field.name))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            update(repr(key).encode())
            _add(update, each)
    elif isinstance(value, list | tuple):
        update(f"[{len(value)}".encode())
        for each in value:
            _add(update, each)
    else:
        update(repr(value).encode())


def ask(
    kind: Kind, folder: Path, seldom: bool = True
) -> tuple[dict[str, str], dict[str, str]]:
    """Call all readers of a kind of file; return digests of their answers, or their errors.

    If `seldom` is false, slow readers are left out.

    Raises
    ------
    Wrong
        If a reader raises an error that is not a single sentence.
    """
    answers, errors = {}, {}
    for name, reader in kind.readers.items():
        if name in kind.seldom and not seldom:
            continue
        use_tables(folder.parent)
        try:
            answers[name] = fingerprint(reader(folder))
        except BearoffError as error:
            sentence = str(error)
            if kind.is_text:  # A text may have several errors, one per line.
                sentence = sentence.partition("\n")[0]
            if not sentence or "\n" in sentence or len(sentence) > _LONGEST_SENTENCE:
                raise Wrong(f"{name}: not one sentence: {sentence[:300]!r}") from error
            errors[name] = sentence
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            raise Wrong(
                f"{name}: {type(error).__name__}: {str(error)[:200]} "
                f"({Path(last.filename).name}:{last.lineno})"
            ) from error
    return answers, errors


def assess(
    kind: Kind, good: Path, work: Path, right: dict[str, str], damage: Damage
) -> tuple[str, str]:
    """Damage a copy of a file, call all readers, and return the verdict with its reason."""
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(good, work)
    path = work / damage.file
    path.write_bytes(damage.done_to(path.read_bytes()))
    damaged = path.read_bytes()
    try:
        answers, errors = ask(kind, work, damage.number % SELDOM == 0)
    except Wrong as wrong:
        return WRONG, str(wrong)
    different = [name for name, answer in answers.items() if answer != right[name]]
    if different:
        return (
            (TEXT, f"{different[0]} with the content as it is now")
            if kind.is_text
            else (WRONG, f"{different[0]}: another answer without an error")
        )
    if errors:
        name, sentence = next(iter(errors.items()))
        return DETECTED, f"{name}: {sentence}"
    if not path.exists() or path.read_bytes() != damaged:
        return DETECTED, "rebuilt, with the same answers"
    reason = kind.reason(good, work, damage.file)
    return (HARMLESS, reason) if reason else (WRONG, "not noticed, for an unknown reason")


def assessor(scratch: Path, work: Path) -> Callable[[Damage], tuple[str, str]]:
    """Read the undamaged files; return a function that assesses one case of damage."""
    warnings.simplefilter("ignore")
    known = {
        kind.name: (folder, kind)
        for k, kind in enumerate(kinds())
        if (folder := scratch / f"good-{k}").exists()
    }
    right: dict[str, dict[str, str]] = {}
    for folder, kind in known.values():
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(folder, work)
        right[kind.name], errors = ask(kind, work)
        if errors:
            raise AssertionError(f"{kind.name} is wrong even without damage: {errors}")
    limit_memory(ROOM)

    def assessed(damage: Damage) -> tuple[str, str]:
        folder, kind = known[damage.kind]
        return assess(kind, folder, work, right[kind.name], damage)

    return assessed

"""Output of the calculator as a folder of static files, for any web host.

The files are those of the page of `bearoff serve`, two-sided tables, and modules that
compute the answers in the browser instead of the server (`app/serve/web/local/`).
"""

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

from bearoff import BearoffError, build_two_sided_table, one_sided_table, two_sided_table
from bearoff.analysis.formulas import WorkedFormula
from bearoff.app.serve.policy import DIRECTIVES, written
from bearoff.app.serve.site.model import write_model
from bearoff.app.serve.site.rules import formulas_as_data
from bearoff.storage import atomic_path, cache_folder

WEB = Path(__file__).parents[1] / "web"
"""Folder of the web page's static files."""

SHELL = (
    *("index.html", "icon.svg", "theme.js", "app.js", "calculator.js", "local/kept.js"),
    *("style.css", "calculator.css", "print.css", "vendor/hyperlegible.woff2"),
)
"""Files that the page loads first, without the modules that they import."""

LICENSES = ("vendor/htm.LICENSE", "vendor/preact.LICENSE", "vendor/hyperlegible.LICENSE")
"""Licences of third-party files on the page."""

CONTENTS = "data/site.json"
"""File that lists the tables and all files of a site."""

HOME = "data/one-sided-06x15/policy.npy"

_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*"(\.[^"]+\.js)\"""")


@dataclass(frozen=True)
class Site:
    """Summary of a static site that was written.

    Attributes
    ----------
    folder : Path
    bytes, table_bytes : int
        Size of all files, and of the two-sided table among them, in bytes.
    formulas : tuple of str
        Names of the formulas on the site.
    left_out : tuple of str
        Names of the formulas that the page cannot calculate.
    """

    folder: Path
    bytes: int
    table_bytes: int
    formulas: tuple[str, ...]
    left_out: tuple[str, ...]


def write_site(
    folder: Path,
    formulas: Mapping[str, WorkedFormula],
    checkers: int = 8,
    tables: Sequence[str] = (),
) -> Site:
    """Write the static site to a folder, replacing an earlier site."""
    _check_free(folder)
    places = [_checked_place(table) for table in tables]
    data = formulas_as_data(formulas)
    build_two_sided_table(checkers)
    table = two_sided_table(checkers)
    one_sided_table()
    inside = f"data/{table.folder.name}"
    contents: dict[str, Any] = {
        "version": version("bearoff"),
        "tables": [{"folder": inside, "checkers": checkers}]
        + [{"folder": place} for place in places],
        "formulas": "formulas.json",
    }
    with atomic_path(folder) as fresh:
        shown = _with_imports(SHELL)
        for name in shown:
            _copy(WEB / name, fresh / name)
        (fresh / "LICENSE.txt").write_text(_licenses(), encoding="utf-8")
        _copy(cache_folder() / "one-sided-06x15" / "policy.npy", fresh / HOME)
        for plane in table.planes:
            for kind in ("plane", "index"):
                file = f"{plane}.{kind}"
                _copy(table.folder / file, fresh / inside / file)
        _copy(table.folder / "table.json", fresh / inside / "table.json")
        contents["tables"][0]["bytes"] = sum(_sizes(fresh / inside).values())
        write_model(fresh / "data" / "model")
        _write_json(fresh / "data" / "formulas.json", data)
        _write_json(fresh / "manifest.webmanifest", MANIFEST)
        page = (fresh / "index.html").read_text(encoding="utf-8")
        answering = [name for name in shown if name.startswith("local/")]
        page = as_static(page, sorted(answering), [urlsplit(place) for place in places])
        (fresh / "index.html").write_text(page, encoding="utf-8")
        shell = [name for name in _files(fresh) if not name.startswith(inside)]
        contents["files"] = sorted([*_files(fresh), CONTENTS, "sw.js"])
        _write_json(fresh / CONTENTS, contents)
        shell.append(CONTENTS)
        worker = (WEB / "local" / "sw.js").read_text(encoding="utf-8")
        listed = json.dumps(["./", *sorted(shell)])
        worker = worker.replace('"FILES"', listed).replace("VERSION", _digest(fresh, shell))
        (fresh / "sw.js").write_text(worker, encoding="utf-8")
        total = sum(_sizes(fresh).values())
    known = tuple(data["rules"])
    left_out = tuple(name for name in formulas if name not in known)
    return Site(folder, total, contents["tables"][0]["bytes"], known, left_out)


MANIFEST = {
    "name": "bearoff: races of backgammon",
    "short_name": "bearoff",
    "start_url": ".",
    "display": "standalone",
    "background_color": "#ffffff",
    "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
}
"""Web app manifest, which makes the page installable."""


def as_static(page: str, modules: Sequence[str], tables: Sequence[SplitResult]) -> str:
    """Return the page's HTML with its security policy inside, for use without a server."""
    hosts = sorted({f"{one.scheme}://{one.netloc}" for one in tables if one.netloc})
    allowed = DIRECTIVES | {"connect-src": " ".join(["'self'", *hosts])}
    # Browsers ignore the directive `frame-ancestors` in a page; it works only in an HTTP
    # header.
    allowed.pop("frame-ancestors")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{written(allowed)}">'
    page = _replaced(page, '<html lang="en">', '<html lang="en" data-answers="page">')
    page = _replaced(page, '<meta charset="utf-8">', f'<meta charset="utf-8">\n{policy}')
    page = _replaced(
        page,
        '<script type="module" src="app.js"></script>',
        "".join(f'<link rel="modulepreload" href="{name}">\n' for name in modules)
        + '<link rel="manifest" href="manifest.webmanifest">\n'
        '<script type="module" src="app.js"></script>\n'
        '<script type="module" src="local/kept.js"></script>',
    )
    page = _replaced(
        page, '<p id="live"', '<footer id="site" class="site"></footer>\n<p id="live"'
    )
    return re.sub(
        r'<link rel="stylesheet" href="(?:trainer|play|library)\.css">\n', "", page
    )


def _replaced(page: str, old: str, new: str) -> str:
    if page.count(old) != 1:
        raise BearoffError(
            f"index.html must contain {old!r} exactly once, got {page.count(old)} times"
        )
    return page.replace(old, new)


def _check_free(folder: Path) -> None:
    """Raise an error if the folder contains anything but an earlier site."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise BearoffError(f"{folder} is a file; specify a folder for the site")
    found = set(_files(folder))
    known: set[str] = set()
    if (folder / CONTENTS).is_file():
        known.update(json.loads((folder / CONTENTS).read_text(encoding="utf-8"))["files"])
    if others := sorted(found - known):
        raise BearoffError(
            f"{folder} contains {others[0]}, which is not part of a site; choose an empty "
            "folder"
        )


def _checked_place(table: str) -> str:
    """Check the address of a table's folder; return it without a final slash."""
    parts = urlsplit(table)
    if parts.scheme not in ("", "http", "https") or bool(parts.scheme) != bool(
        parts.netloc
    ):
        raise BearoffError(
            "a table must be an address (http or https) or a path relative to the site, "
            f"such as ../two-sided-06-15; got {table!r}"
        )
    if re.search(r"""[\s;,'"<>?#]""", table) or not parts.path.strip("/"):
        raise BearoffError(
            "a table must be the address of its folder, without a query or spaces; got "
            f"{table!r}"
        )
    return table.rstrip("/")


def _with_imports(names: Sequence[str]) -> list[str]:
    """Return files of the page with all modules that they import."""
    found, left = [], list(names)
    while left:
        name = left.pop()
        if name in found:
            continue
        found.append(name)
        if name.endswith(".js"):
            for path in _IMPORT.findall((WEB / name).read_text(encoding="utf-8")):
                there = ((WEB / name).parent / path).resolve()
                left.append(there.relative_to(WEB.resolve()).as_posix())
    return found


def _licenses() -> str:
    """Return this project's licence and those of third-party files."""
    ours = distribution("bearoff").read_text("licenses/LICENSE")
    if ours is None:  # The package is not installed, but run from its repository.
        ours = (Path(__file__).resolve().parents[3] / "LICENSE").read_text(encoding="utf-8")
    others = [(WEB / name).read_text(encoding="utf-8") for name in LICENSES]
    return "\n\n".join([ours, *others])


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write_json(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def _files(folder: Path) -> list[str]:
    return [
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()
    ]


def _sizes(folder: Path) -> dict[str, int]:
    return {name: (folder / name).stat().st_size for name in _files(folder)}


def _digest(folder: Path, names: Sequence[str]) -> str:
    """Return a hash of the names and the content of files."""
    found = sha256()
    for name in sorted(names):
        found.update(name.encode() + (folder / name).read_bytes())
    return found.hexdigest()[:16]

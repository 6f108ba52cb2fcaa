"""Hooks of the site: pages keep their places, and every room has a page of its API.

The site has the layout of the repository, so that a link between docs/, results/ and the
README leads to the same file on disk and in the site. It holds the README, what is in
docs/, and all that these link to, directly or not. mkdocs and griffe both load this file.
"""

import ast
import importlib
import inspect
import re
from pathlib import Path
from typing import Any

import griffe

ROOT = Path(__file__).parents[1]
LAYERS = ("bearoff", "bearoff.game", "bearoff.sim", "bearoff.analysis")
NAMES = "docs/api/public-names.md"
KEYS = "docs/api/config-keys.md"
COLUMNS = "docs/api/columns.md"
JSON = "docs/api/json-keys.md"
REFERENCE = "docs/api/README.md"
LINK = re.compile(r"(!?\[[^\]]*\])\(([^)\s#]+)(#[^)\s]*)?\)")

PARTS: dict[str, tuple[tuple[str | None, str], ...]] = {
    "All": ((None, ""),),
    "table": (("TableSize", ""),),
    "pairs: list": (("ListedRace", "Each entry has `roller` and `opponent`, or `race`."),),
    "pairs: file": (("PairFile", ""),),
    "pairs: grid": (
        ("PairGrid", ""),
        (
            "Span",
            "`roller` and `lead` are ranges, in whole pips unless `by` is `epc`:",
        ),
    ),
    "pairs: random": (
        ("RandomPairs", ""),
        ("Between", "`checkers` and `pips` are ranges of whole numbers with these keys:"),
    ),
    "pairs: harvest": (("HarvestPairs", ""),),
    "pairs: every": (
        ("Every", ""),
        ("NumberRange", "Both are ranges of position numbers (default: all):"),
    ),
    "players": (("Players", ""),),
    "cube": (
        ("CubeConfig", ""),
        ("Thresholds", "`thresholds` has these keys:"),
        (
            "StateStrategy",
            "A strategy that depends on the state of the cube has these keys:",
        ),
    ),
    "rollout": (("RolloutConfig", ""),),
    "match": (("MatchConfig", ""),),
    "standard_error": (("StandardError", ""),),
}
"""Headings of the page of a configuration's keys, each with the models listed below it."""


def rooms(layer: str) -> list[str]:
    """Names of the packages of a layer, itself first."""
    # In bearoff/ the other layers are links, which the pattern does not follow.
    inits = sorted(ROOT.joinpath(*layer.split(".")).glob("**/__init__.py"))
    return [".".join(init.parent.relative_to(ROOT).parts) for init in inits]


def face(package: str) -> dict[str, str]:
    """The public names of a package, each with the module that it comes from."""
    folder = ROOT.joinpath(*package.split("."))
    stub = folder / "__init__.pyi"
    text = (stub if stub.exists() else folder / "__init__.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    names = {
        alias.asname: f"{package}.{node.module}" if node.module else package
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names |= dict.fromkeys(ast.literal_eval(node.value), package)
    return names


def modules(package: str) -> list[str]:
    """The modules among the public names of a package."""
    folder = ROOT.joinpath(*package.split("."))
    names = (name for name, home in face(package).items() if home == package)
    return [name for name in names if (folder / f"{name}.py").exists()]


class Faces(griffe.Extension):
    """What griffe cannot see: the faces, which are made when a package is imported."""

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """State the public names of a package and of its rooms."""
        for name in rooms(pkg.path) if pkg.path in LAYERS else ():
            room = pkg if name == pkg.path else pkg[name.removeprefix(f"{pkg.path}.")]
            room.exports = sorted(face(name))

    def on_alias_instance(self, *, node: Any, alias: griffe.Alias, **_: Any) -> None:
        """Take a name that is imported as itself for public."""
        names = node.names if isinstance(node, ast.ImportFrom) else ()
        if any(one.asname == one.name == alias.name for one in names):
            alias.public = True

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Show formulas as they are written, for a site without TeX."""
        if obj.docstring:
            text = obj.docstring.value.replace(":math:", "")
            obj.docstring.value = text.replace(".. math:: ", "    ").replace(
                ".. math::", ""
            )


def on_config(config: Any) -> Any:
    """Add the rooms to the navigation."""
    (api,) = (entry["API"] for entry in config.nav if "API" in entry)
    for layer in LAYERS:
        api.append({layer: [{name: f"docs/api/{name}.md"} for name in rooms(layer)]})
    return config


def on_files(files: Any, config: Any) -> Any:
    """Collect the pages and what they link to, each under its place in the repository."""
    from mkdocs.structure.files import File

    for file in list(files):
        if file.src_dir == config.docs_dir:
            files.remove(file)
    ahead = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")]
    found = set(ahead)
    for path in ahead:  # Grows on the way.
        name = path.relative_to(ROOT).as_posix()
        files.append(File(name, str(ROOT), config.site_dir, config.use_directory_urls))
        if path.suffix == ".md":
            for target in _targets(path) - found:
                found.add(target)
                ahead.append(target)
    for name in (name for layer in LAYERS for name in rooms(layer)):
        files.append(File.generated(config, f"docs/api/{name}.md", content=_page(name)))
    files.append(File.generated(config, NAMES, content=_public_names()))
    files.append(File.generated(config, KEYS, content=configuration_keys()))
    files.append(File.generated(config, COLUMNS, content=columns()))
    files.append(File.generated(config, JSON, content=json_keys()))
    files.append(File.generated(config, REFERENCE, content=_reference()))
    return files


def _targets(page: Path) -> set[Path]:
    links = (link for _, link, _ in LINK.findall(page.read_text("utf-8")))
    paths = {(page.parent / link).resolve() for link in links if ":" not in link}
    return {path for path in paths if path.is_file()}


def _page(package: str) -> str:
    """Write the API page of a room: all its names; of a layer: links to where they are."""
    names = sorted(face(package).items())
    if package in LAYERS:
        linked = {name: f"{home}.{name}" for name, home in names}
        files = sorted(ROOT.joinpath(*package.split(".")).glob("[a-z]*.py"))
        parts = [f"{package}.{file.stem}" for file in files]
    else:
        inside = rooms(package)[1:]
        linked = {name.rpartition(".")[2]: name for name in inside}
        parts = [f"{package}.{module}" for module in modules(package)]
        # A name that is also its module's is hidden by the module.
        parts += [f"{home}.{name}" for name, home in names if home.endswith(f".{name}")]
    options = "    options: {members: false}\n" if package in LAYERS else ""
    links = [f"- [`{package}.{name}`][{place}]\n" for name, place in linked.items()]
    more = [f"::: {part}\n    options: {{heading_level: 2}}\n" for part in parts]
    return f"::: {package}\n{options}\n{''.join(links)}\n" + "\n".join(more)


def _public_names() -> str:
    """Write the page of all public names, each with the first line of its docstring."""
    lines = ["# Public names", "", "This page lists the public names of each package."]
    for room in (room for layer in LAYERS for room in rooms(layer)):
        lines += ["", f"## [`{room}`]({room}.md)", "", _summary(room), ""]
        package = importlib.import_module(room)
        for name in sorted(face(room)):
            thing = getattr(package, name)
            documented = inspect.isroutine(thing) or inspect.isclass(thing)
            if documented or inspect.ismodule(thing):
                lines.append(f"- `{name}`: {(inspect.getdoc(thing) or '').splitlines()[0]}")
            else:
                lines.append(f"- `{name}`")
    return "\n".join(lines)


def _reference() -> str:
    """Write the first page of the API: where to start, and all packages."""
    names = (name for layer in LAYERS for name in rooms(layer))
    return """# API reference

This reference is made from docstrings. The package [`bearoff`](bearoff.md) contains races,
judges and their answers, tables and stakes. `bearoff.run` plays a batch, `bearoff.open_run`
opens a stored run, and `bearoff.analysis.formulas.get` returns a formula. One page lists
[all public names](public-names.md).
""" + "".join(f"\n- [`{name}`]({name}.md): {_summary(name)}" for name in names)


def configuration_keys() -> str:
    """Write the page of all keys of a configuration, from their schema."""
    from bearoff.sim.config.load import json_schema

    schema = json_schema()
    sections = [
        "# All keys of a configuration",
        "This page is made from the output of `bearoff schema`.",
    ]
    for heading, models in PARTS.items():
        sections.append(f"## {heading}")
        for model, text in models:
            node = schema["$defs"][model] if model else schema
            rows = [
                _key(name, field, name in node.get("required", ()), schema)
                for name, field in node["properties"].items()
            ]
            sections += [*filter(None, [text]), "\n".join(rows)]
    return "\n\n".join(sections) + "\n"


def columns() -> str:
    """Write the page of all columns of runs and populations, from their schemas."""
    from bearoff.sim.populations.file import population_schema
    from bearoff.sim.storage import schema

    schemas = {f"Runs: {kind}": schema.outcome_schema(6, kind) for kind in schema.KINDS}
    schemas["Populations"] = population_schema(6, cube=True, at_score=True)
    sections = [
        "# Columns of runs and populations",
        "This page is made from the files' schemas.",
    ]
    for heading, fields in schemas.items():
        rows = [
            f"- `{field.name}` ({field.type}): {field.metadata[b'description'].decode()}"
            for field in fields
        ]
        sections += [f"## {heading}", "\n".join(rows)]
    return "\n\n".join(sections) + "\n"


def json_keys() -> str:
    """Write the page of all keys of JSON over HTTP, from the OpenAPI document."""
    from bearoff.app.serve.application import create_app

    named = create_app().openapi()["components"]["schemas"]
    sections = [
        "# Keys of JSON",
        "This page is made from the OpenAPI document. `AnswerOut` is the answer to a race, "
        "over HTTP and by `bearoff race --json`.",
    ]
    for name, schema in sorted(named.items()):
        text = schema.get("description", "").partition("\n\n")[0].replace("\n", " ")
        rows = [
            f"- `{key}`: {field['description']}".replace("\n", " ")
            if "description" in field
            else f"- `{key}`"
            for key, field in schema.get("properties", {}).items()
        ]
        sections += [f"## {name}", *filter(None, [text]), "\n".join(rows)]
    return "\n\n".join(sections) + "\n"


def _key(name: str, field: dict[str, Any], required: bool, schema: dict[str, Any]) -> str:
    from bearoff.sim.config.problems import describe

    if "$ref" in field:
        takes = "a mapping"
    elif "oneOf" in field and "format" not in field:
        takes = "`auto` or " + describe(field["oneOf"][1], schema)
    elif "enum" in field:
        takes = ", ".join(f"`{value}`" for value in field["enum"])
    else:
        takes = describe(field, schema)
    default = field.get("default")
    if required:
        takes += ", required"
    elif isinstance(default, dict):
        takes += f", default `{{{', '.join(f'{k}: {v}' for k, v in default.items())}}}`"
    elif isinstance(default, bool):
        takes += f", default `{str(default).lower()}`"
    elif default not in (None, "", []):
        shown = f"{default:g}" if isinstance(default, float) else default
        takes += f", default `{shown}`"
    return f"- `{name}`: {takes}. {field['description']}"


def _summary(package: str) -> str:
    init = ROOT.joinpath(*package.split("."), "__init__.py")
    return (ast.get_docstring(ast.parse(init.read_text("utf-8"))) or "").split("\n")[0]


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn links to folders into plain text."""
    folder = (ROOT / page.file.src_uri).parent

    def rewritten(match: re.Match[str]) -> str:
        path = folder / match[2]
        return match[1].strip("[]") if path.is_dir() else match[0]

    return LINK.sub(rewritten, markdown)

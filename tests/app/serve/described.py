"""What is made from the interface: types of the page, and examples of answers.

    python -m tests.app.serve.described

writes `app/serve/web/types.d.ts`, by which TypeScript checks the page, what is asked for at
each path and what is answered; and `app/serve/describing/examples.json`.
"""

import json
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from app.library.library import Library
from app.serve.application import PREFIX, WEB, create_app
from app.serve.describing import examples
from app.serve.judges import Judges
from app.serve.play.store import Matches
from app.serve.settings import Settings
from app.serve.training.session import Trainer
from app.serve.training.store import Store
from tests.app.serve.asking import HANGS, Client
from tests.two_sided_tables import built

TYPES = WEB / "types.d.ts"

SHOWN = 2
"""Of a long list, what an example shows."""

LONG = 24
"""From so many on a list is long: a board and a side are shown whole."""

THEN = datetime(2026, 3, 2, 9, tzinfo=UTC)

BEGUN = {
    "id": "kQ3vN0y-8wTz",
    "status": "running",
    "error": None,
    "done": 3,
    "decisions": 20,
    "news": 4,
    "found": None,
}
"""A review that was begun: its id is drawn anew each time."""

MATCH = {"length": 5, "seed": "2123456789abcdef0123456789abcdef"}
POSTED = {"/actions": {"do": "roll"}, "/ask": {"depth": 2}}
"""A match whose first turn is one's own, and what is asked then."""

NO_CHANCE = {"opponent": "one", "first": "opponent"}
NAMED = {"do": "name", "number": 5}
"""A game without dice, in which the opponent names first."""

DRAWN = {"key": "kQ3vN0y8wTz2", "begun": THEN.isoformat(), "folder": "matches"}
"""What is drawn anew each time."""

STORED = {"path": "library.sqlite", "bytes": 180_000}
"""Where the library's example is, and its size, which depends on SQLite."""

HEAD = """// What the program is asked and answers, made from its OpenAPI document:
//     python -m tests.app.serve.described
"""

PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean"}
PLAIN |= {"null": "null", "object": "Record<string, unknown>"}


def main() -> None:
    """Write both files."""
    TYPES.write_text(written(create_app().openapi()), encoding="utf-8")
    text = json.dumps(answers(), indent=1, ensure_ascii=False)
    examples.FILE.write_text(f"{text}\n", encoding="utf-8")


def answers() -> dict[str, Any]:
    """Return what a server with a table of four checkers answers to the examples."""
    with TemporaryDirectory() as folder:
        trainer = Trainer(Store(Path(folder) / "training.sqlite"), Random(1), lambda: THEN)
        matches = Matches(Path(folder) / "matches")
        library = Library(Path(folder) / "library.sqlite", lambda: THEN)
        app = create_app(
            Settings(seconds=HANGS), Judges([built(4)]), trainer, library, matches
        )
        client, document = Client(app), app.openapi()
        found: dict[str, Any] = {}
        for path, operations in document["paths"].items():
            if "{id}" in path or path == f"{PREFIX}/reviews":
                found[path] = BEGUN
            elif path.startswith(f"{PREFIX}/play"):
                found |= played(client, path)
            elif path.startswith(f"{PREFIX}/library") and "post" not in operations:
                found[path] = short(kept(client, path))
            elif (operation := operations.get("post")) is not None:
                schema = schema_of(document, body_of(operation))
                (body,) = schema["examples"]
                # A faster machine would solve what another leaves to the model.
                waits = {"patience": 0} if "patience" in schema["properties"] else {}
                found[path] = short(client.post(path, json=body | waits).json())
            elif answer_of(operations["get"]):
                found[path] = short(client.get(path).json())
    for path in ("/health", f"{PREFIX}/training/answers"):
        found[path] |= (
            {"version": "1.0.0"} if path == "/health" else {"due": THEN.isoformat()}
        )
    return found


def kept(client: Client, path: str) -> Any:
    """Return what the library answers at a path: of its example, or a note that goes."""
    at = path.replace("{number}", "2")
    if path.endswith("/notes/{number}"):
        return client.delete(at).json()
    return _with(client.get(at, params={"example": True}).json(), STORED)


def named(client: Client, path: str) -> Any:
    """Return what play without dice answers at a path: the person's first turn."""
    games = f"{PREFIX}/play/no-chance/games"
    if path == f"{PREFIX}/play/no-chance":
        return client.get(path).json()
    begun = client.post(games, json=NO_CHANCE).json()
    at = path.replace("{key}", begun["key"])
    if path in (games, f"{games}/{{key}}", f"{games}/{{key}}/stop"):
        return begun
    if path.endswith("/decide"):
        return client.post(at, json={}).json()
    client.post(f"{games}/{begun['key']}/decide", json={})
    answer = client.post(f"{games}/{begun['key']}/actions", json=NAMED).json()
    if path.endswith("/actions"):
        return answer
    client.post(f"{games}/{begun['key']}/decide", json={})
    return client.post(at, json={}).json()


def played(client: Client, path: str) -> dict[str, Any]:
    """Return what Play answers at a path, what is drawn anew each time made the same."""
    if "/no-chance" in path:
        return {path: short(_with(named(client, path), DRAWN))}
    begun = client.post(f"{PREFIX}/play/matches", json=MATCH).json()
    at = path.replace("{key}", begun["key"])
    if path.endswith(("{ending}", ".apkg")):
        return {}
    if path.endswith("/trainer"):
        return {path: {"question": "n1"}}  # Of a mistake, which this game has not.
    if path.endswith(("/play/matches", "/decide", "/stop", "{key}")):
        answer = begun
    elif path.endswith(tuple(POSTED)):
        for end, body in POSTED.items():  # A play is asked about once there is a roll.
            answer = client.post(at.rpartition("/")[0] + end, json=body).json()
            if path.endswith(end):
                break
    else:
        answer = client.get(at).json()
    kept = answer | {"matches": answer["matches"][:1]} if "matches" in answer else answer
    return {path: short(_with(kept, DRAWN))}


def _with(found: Any, values: dict[str, Any]) -> Any:
    """Put values wherever their names are, at any depth."""
    if isinstance(found, dict):
        return {name: values.get(name, _with(one, values)) for name, one in found.items()}
    return [_with(one, values) for one in found] if isinstance(found, list) else found


def schema_of(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that is referred to."""
    named: dict[str, Any] = document["components"]["schemas"]
    return dict(named[schema["$ref"].rpartition("/")[2]])


def short(found: Any) -> Any:
    """Cut long lists, and round what is a fraction to what is read."""
    if isinstance(found, dict):
        return {name: short(value) for name, value in found.items()}
    if isinstance(found, list):
        long = len(found) > LONG + 2 or (found and isinstance(found[0], dict))
        return [short(value) for value in (found[:SHOWN] if long else found)]
    return round(found, 6) if isinstance(found, float) else found


def written(document: dict[str, Any]) -> str:
    """Return the types of a document as the page has them."""
    named = document["components"]["schemas"]
    parts = [interface(name, named[name]) for name in sorted(named)]
    for name, find in (("Answers", answer_of), ("Bodies", body_of)):
        rows = [
            f"  {place!r}: {type_of(schema)};".replace("'", '"')
            for place, schema in asked(document, find)
        ]
        parts.append("\n".join([f"export interface {name} {{", *rows, "}"]))
    return "\n\n".join([HEAD.rstrip(), *parts]) + "\n"


def asked(document: dict[str, Any], find: Any) -> list[tuple[str, Any]]:
    """Return what `find` finds in each path's operations, a path with what it is about."""
    found = []
    for path, operations in sorted(document["paths"].items()):
        for method in ("post", "get"):
            schema = find(operations.get(method, {}))
            if schema and path.startswith(PREFIX):
                found.append((path.removeprefix(PREFIX), schema))
                break
    return found


def answer_of(operation: dict[str, Any]) -> Any:
    """Return the schema of the JSON that is answered, if any is."""
    content = operation.get("responses", {}).get("200", {}).get("content", {})
    return content.get("application/json", {}).get("schema")


def body_of(operation: dict[str, Any]) -> Any:
    """Return the schema of what is sent."""
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("schema")


def interface(name: str, schema: dict[str, Any]) -> str:
    """Return a named type."""
    if "properties" not in schema:
        return f"export type {name} = {type_of(schema)};"
    needed = schema.get("required", [])
    rows = [
        f"  {key}{'' if key in needed else '?'}: {type_of(of)};"
        for key, of in schema["properties"].items()
    ]
    return "\n".join([f"export interface {name} {{", *rows, "}"])


def type_of(schema: dict[str, Any]) -> str:
    """Return the TypeScript of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema or "const" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " | ".join('"' + str(value) + '"' for value in values)
    several = schema.get("anyOf") or schema.get("oneOf")
    if several:
        kinds = [type_of(one) for one in several]
        return " | ".join(dict.fromkeys(kinds))
    match schema.get("type"):
        case "array":
            of = type_of(schema["items"]) if "items" in schema else "unknown"
            return f"({of})[]" if " " in of else f"{of}[]"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"Record<string, {type_of(schema['additionalProperties'])}>"
        case None:
            return "unknown"
        case kind:
            return PLAIN[kind]


if __name__ == "__main__":
    main()

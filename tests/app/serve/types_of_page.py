"""Script that writes TypeScript types of the web server's requests and answers.

    python -m tests.app.serve.types_of_page

Writes `app/serve/web/types.d.ts` from the OpenAPI document; `make check` does so, too.
"""

from bearoff.app.serve.application import PREFIX, WEB, create_app

TYPES = WEB / "types.d.ts"

HEAD = """// What the program is asked and answers, made from its OpenAPI document:
//     python -m tests.app.serve.types_of_page

/** A whole number. */
export type Integer = number;
"""

PLAIN = {"integer": "Integer", "number": "number", "string": "string", "boolean": "boolean"}
PLAIN |= {"null": "null", "object": "Record<string, unknown>"}


def main():
    TYPES.write_text(written(create_app().openapi()), encoding="utf-8")


def written(document):
    """Return the TypeScript types of an OpenAPI document, as text for a file."""
    named = document["components"]["schemas"]
    parts = [interface(name, named[name]) for name in sorted(named)]
    for name, find in (("Answers", answer_of), ("Bodies", body_of)):
        rows = [
            f"  {place!r}: {type_of(schema)};".replace("'", '"')
            for place, schema in asked(document, find)
        ]
        parts.append("\n".join([f"export interface {name} {{", *rows, "}"]))
    return "\n\n".join([HEAD.rstrip(), *parts]) + "\n"


def asked(document, find):
    """Return the JSON schemas that `find` finds in the OpenAPI document, by path."""
    found = []
    for path, operations in sorted(document["paths"].items()):
        schema = find(operations.get("post", {})) or find(operations.get("get", {}))
        if schema and path.startswith(PREFIX):
            found.append((path.removeprefix(PREFIX), schema))
    return found


def answer_of(operation):
    """Return the schema of an operation's JSON answer, if it has one."""
    content = operation.get("responses", {}).get("200", {}).get("content", {})
    return content.get("application/json", {}).get("schema")


def body_of(operation):
    """Return the schema of an operation's request body, if it has one."""
    content = operation.get("requestBody", {}).get("content", {})
    return content.get("application/json", {}).get("schema")


def interface(name, schema):
    """Return the TypeScript declaration of a named type, from its JSON schema."""
    if "properties" not in schema:
        return f"export type {name} = {type_of(schema)};"
    needed = schema.get("required", [])
    rows = [
        f"  {key}{'' if key in needed else '?'}: {type_of(of)};"
        for key, of in schema["properties"].items()
    ]
    return "\n".join([f"export interface {name} {{", *rows, "}"])


def type_of(schema):
    """Return the TypeScript type that corresponds to a JSON schema."""
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
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(map(type_of, schema['prefixItems']))}]"
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

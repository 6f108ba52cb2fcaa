"""Examples of answers, for the description of the interface.

They are real answers, kept beside this file: `examples.json` has one for each path that
answers JSON, its long lists cut short. Tests hold them equal to what is answered.
"""

import json
from pathlib import Path
from typing import Any

from fastapi import FastAPI

FILE = Path(__file__).with_name("examples.json")


def add_examples(app: FastAPI) -> None:
    """Have the description of an application's interface show an answer at each path."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = describe()
            examples = json.loads(FILE.read_text(encoding="utf-8"))
            for path, operations in document["paths"].items():
                for operation in operations.values():
                    content = operation["responses"].get("200", {}).get("content", {})
                    if path in examples and "application/json" in content:
                        content["application/json"]["example"] = examples[path]
        return app.openapi_schema or {}

    app.openapi = described  # type: ignore[method-assign]

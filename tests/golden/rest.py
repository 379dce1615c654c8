"""Answers of REST: each operation of the OpenAPI document, of each design and with the documentation's examples."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from tests.golden.canonical import canonical_answer
from tests.golden.scene import Entry, Scene
from tests.golden.surfaces import exempt

QUERY_NOT_TRIED = frozenset({"theme", "own_prices", "conflicts", "dry_run", "limit", "sort", "deleted"})
"""Parameters that change colours, rights or the order of a list."""
SAVED = (
    "/api/v1/scenarios",
    "/api/v1/designs",
    "/api/v1/saved-projections",
    "/api/v1/saved-studies",
    "/api/v1/saved-fleets",
)
"""Collections of saved work; of each the example of the documentation is saved and read."""


class RestRecorder:
    """Records operations."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    def of_design(self, design: str) -> Iterator[Entry]:
        for (method, path), operation in self._scene.surfaces.operations.items():
            declared = f"rest {method} {path}"
            if exempt(declared):
                continue
            if method == "GET":
                if "{key}" in path and re.search(r"/(examples|gallery)/", path):
                    yield from self._operation(declared, operation, design, {"key": design}, None)
                continue
            for body in self._bodies(operation, design):
                yield from self._operation(declared, operation, design, {}, body)

    def _bodies(self, operation: dict[str, Any], design: str) -> Iterator[dict[str, Any]]:
        """The scenario as the body of an operation, with what else it requires; none where it takes no scenario."""
        scenario = self._scene.document(design)
        schema = self._scene.surfaces.schema(self._scene.surfaces.json_body(operation).get("schema", {}))
        choices = [self._scene.surfaces.schema(one) for one in schema.get("anyOf", [schema])]
        members = {name: member for one in choices for name, member in one.get("properties", {}).items()}
        if "schema_version" in members:
            yield scenario
            return
        place = next((name for name in ("scenario", "first") if name in members), None)
        if place is None:
            return
        required = set.intersection(*(set(one.get("required", ())) for one in choices)) - {place}
        body: dict[str, Any] = {place: scenario}
        if required:
            example = self._scene.surfaces.example_body(operation)
            body |= {name: example[name] for name in sorted(required)}
        if "quantity" in body:
            body["quantity"] = self._scene.headline(design)
        yield body
        formats = members.get("format", {})
        formats = self._scene.surfaces.schema(next(iter(formats.get("anyOf", [formats])))) | formats
        for name in formats.get("enum", ()):
            yield body | {"format": name}

    def _operation(
        self,
        declared: str,
        operation: dict[str, Any],
        design: str,
        place: dict[str, str],
        body: Any,
    ) -> Iterator[Entry]:
        """One operation: as it is, with each word of its parameters, and in each media type that it declares."""
        _, method, path = declared.split(" ")
        parameters = [one for one in operation.get("parameters", ()) if "$ref" not in one]
        words = {
            one["name"]: one["schema"]["enum"]
            for one in parameters
            if "enum" in one.get("schema", {}) and one["name"] not in QUERY_NOT_TRIED
        }
        in_path = {one["name"] for one in parameters if one["in"] == "path"}
        places = [place]
        for name in words.keys() & in_path - place.keys():
            places = [found | {name: word} for found in places for word in words[name]]
        queries = [""] + [f"?{name}={word}" for name in words.keys() - in_path for word in words[name]]
        suffix = f" format={body['format']}" if body and "format" in body else ""
        for found in places:
            address = path
            for name, value in found.items():
                address = address.replace(f"{{{name}}}", quote(value, safe="/"))
            shown = address if "key" not in found or found["key"] != design else path
            for query in sorted(queries):
                yield from self._answers(declared, f"{method} {shown}{query}{suffix}", method, address + query,
                                         design, body, operation)  # fmt: skip

    def _answers(
        self,
        declared: str,
        view: str,
        method: str,
        address: str,
        design: str,
        body: Any,
        operation: dict[str, Any],
    ) -> Iterator[Entry]:
        kinds = {
            kind for kind in operation["responses"].get("200", {}).get("content", {}) if "ndjson" not in kind
        }
        varied = "?format" in address or "format=" in view or len(kinds) < 2 or "{format}" in declared
        first = ""
        for kind in ["", *([] if varied else sorted(kinds))]:
            shown = f"{view} {kind}".strip()
            if not self._scene.wants("rest", shown, design):
                continue
            start = time.perf_counter()
            headers = {"accept": kind} if kind else {}
            answer = self._scene.client.request(method, address, json=body, headers=headers)
            media_type = answer.headers.get("content-type", "")
            if kind and media_type == first:
                continue
            first = first or media_type
            text = f"{answer.status_code} {media_type}\n{canonical_answer(answer.content, media_type)}"
            seconds = time.perf_counter() - start
            yield Entry("rest", shown, design, text, answer.status_code < 300, seconds)

    def examples(self) -> Iterator[Entry]:
        """The example bodies of the API's documentation, which state options."""
        for (method, path), operation in self._scene.surfaces.operations.items():
            declared = f"rest {method} {path}"
            if exempt(declared) or method == "GET" or "{" in path:
                continue
            body = self._scene.surfaces.json_body(operation)
            for name, example in body.get("examples", {}).items():
                if "$ref" not in example:
                    value = self._scene.surfaces.example(example)
                    yield from self._operation(declared, operation, f"example {name}", {}, value)

    def lists(self) -> Iterator[Entry]:
        """What is read and is of no design: lists, and each of their rows, those of one list as one entry."""
        if not self._scene.may_want("saved", "rest GET"):
            return
        for collection in SAVED:  # first, since lists show them
            self._saved(collection)
        for (method, path), operation in self._scene.surfaces.operations.items():
            declared = f"rest {method} {path}"
            if method != "GET" or exempt(declared) or re.search(r"/(examples|gallery)/\{key\}", path):
                continue
            missing = [
                one["name"]
                for one in operation.get("parameters", ())
                if one.get("required") and one["in"] == "query"
            ]
            if "scenario" in missing:
                asked = f"{path}?scenario={self._saved(SAVED[0])}"
                yield from self._answers(
                    declared, f"{method} {path}", method, asked, "saved", None, operation
                )
            elif "{id}" in path:
                yield from self._of_saved(declared, operation)
            elif "{" not in path:
                yield from self._operation(declared, operation, "", {}, None)
            else:
                yield from self._rows(declared, operation)

    def _rows(self, declared: str, operation: dict[str, Any]) -> Iterator[Entry]:
        """Each row of a list, joined: `/trends/{key}` of `/trends`."""
        _, method, path = declared.split(" ")
        for parent in self._filled(path.rpartition("/{")[0]):
            if not self._scene.wants("rest", f"{method} {path}", parent.rpartition("/")[2]):
                continue
            texts = []
            for key in _keys_in(self._scene.client.get(parent).json()):
                answer = self._scene.client.request(method, f"{parent}/{quote(key, safe='/')}")
                media_type = answer.headers.get("content-type", "")
                texts.append(
                    f"--- {key} {answer.status_code}\n{canonical_answer(answer.content, media_type)}"
                )
            of = parent.rpartition("/")[2] if "{" in path.rpartition("/{")[0] else ""
            yield Entry("rest", f"{method} {path}", of, "\n".join(texts), bool(texts))

    def _filled(self, path: str) -> list[str]:
        """A path with each key that the list above it names."""
        if "{" not in path:
            return [path]
        before, _, after = path.partition("/{")
        rest = after.partition("}")[2]
        return [f"{before}/{key}{rest}" for key in _keys_in(self._scene.client.get(before).json())]

    def _of_saved(self, declared: str, operation: dict[str, Any]) -> Iterator[Entry]:
        """What is read of saved work: one scenario, one design and one projection, as the documentation shows them."""
        _, _, path = declared.split(" ")
        collection = path.partition("/{id}")[0]
        id = self._saved(collection)
        if id is not None:
            place = {"id": id, "number": "1"}
            for entry in self._operation(declared, operation, "saved", place, None):
                view = entry.view.replace(id, "{id}")
                yield Entry("rest", view, "saved", entry.text, entry.answered, entry.seconds)

    @functools.cache  # noqa: B019 - a recorder lasts as long as its process
    def _saved(self, collection: str) -> str | None:
        operation = self._scene.surfaces.operations.get(("POST", collection))
        if operation is None:
            return None
        example = self._scene.surfaces.example_body(operation)
        answer = self._scene.client.post(collection, json=example)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])


def _keys_in(content: Any) -> list[str]:
    """Keys of the items of a list that the API answers with."""
    lists = (
        [content] if isinstance(content, list) else [one for one in content.values() if isinstance(one, list)]
    )
    for items in lists:
        for name in ("key", "kind", "name"):
            keys = [
                item[name] for item in items if isinstance(item, dict) and isinstance(item.get(name), str)
            ]
            if keys and len(keys) == len(items):
                return keys
    return []

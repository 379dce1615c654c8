"""What the product declares, and what of it is not recorded.

A new operation, page or command is recorded without being named anywhere here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

EXEMPT = {
    r"rest (DELETE|PUT|PATCH) ": "changes saved work, the catalog or people and answers with no figures of a design",
    r"rest POST /api/v1/(scenarios|designs|saved-projections|saved-studies|saved-fleets)(/|$)": "saves; what is saved is read below GET",
    r"rest (GET|POST) /api/v1/(account|workspaces|tokens|teams|audit)(/|$)": "people and teams, not designs",
    r"rest POST /api/v1/(imports|catalog/imports)": "receives files; tests/surfaces/rest proves it",
    r"rest GET /api/v1/.*/(comments|events|presence|shares|links)": "talk between people, and a stream without end",
    r"rest GET /api/v1/(own-runs|jobs/\{id\}/results|jobs/\{id\})": "rows that people keep",
    r"rest GET /(healthz|readyz)": "state of the process",
    r"rest GET /api/v1/jobs": "the queue of the process; `podwright sweep` records what sweeps compute",
    r"rest POST /api/v1/sweeps": "answers with a job before it is computed; `podwright sweep` records the results",
    r"rest POST /api/v1/(study|fleets)": "`podwright study` and `podwright fleet` record the results",
    r"rest GET /api/v1/(saved-studies|saved-fleets|fleets)(/|$)": "studies and fleets that people keep",
    r"rest POST /api/v1/(reports|packs|pictures|study/reports|study/workbook)": "put together from what is recorded; tests/surfaces/pages/report proves them",
    r"page GET /designs/\{key\}/(report|pack|embed)(/|$)": "put together from what is recorded; tests/surfaces/pages/report proves them",
    r"cli (report|pack|picture)$": "put together from what is recorded; tests/surfaces/pages/report proves them",
    r"page GET /studies/": "forms, and studies that people keep",
    r"page GET /fleet/": "fleets that people have made",
    r"page POST (?!/studio/)": "answers a form with a redirect or the page that is recorded below GET",
    r"page POST /studio/(detach|export|timeline)": "the same answers as /designs/{key}/export and REST",
    r"page GET /help/files/": "files of the documents as they are in the repository",
    r"page GET /(account|admin|teams|invitations|mentions|sign-in|s|healthz|readyz|static|docs)(/|$)": "people, the process and its documentation",
    r"page GET /openapi\.json": "docs/openapi.json is committed itself",
    r"page GET /sweeps/": "sweeps that people have made; /sweep/{key} is recorded",
    r"page GET /(saved|scaling)/\{": "saved work is shown by the pages of designs",
    r"page GET /scaling/(save|use)": "a form for saving, and a redirect into the studio",
    r"page GET /designs/\{key\}/(comments|newest|history|revisions|detach)": "of saved work: an example has none",
    r"page GET /explore/\{key\}/(adopt|narrow)": "a redirect that carries a choice of the answer",
    r"page GET /catalog/own": "rows that people add",
    r"page GET /start(/|$)": "a page that waits for no answer; the answers are recorded over REST and on the command line",
    r"page GET /examples/\{key\}/card": "a card of the home page, which is recorded",
    r"page GET /library/new": "an empty form, which asks for the kind of design; the studio shows its fields",
    r"cli (serve|backup|restore|version|save|scenarios|seed|jobs .*|db .*|user .*)$": "the process, the database or people",
    r"cli fabric (memory-pool|supernode-difference)$": "no design has a pool, or is one of two saved SuperNodes; tests/views/fabric proves both",
    r"cli catalog (import|climate|export|review)": "changes or carries the catalog",
}  # fmt: skip
"""Surfaces that are not recorded, as patterns, each with the reason."""


@dataclass(frozen=True)
class Surfaces:
    """What the product declares: `rest METHOD /path`, `page METHOD /path`, `cli COMMAND`."""

    operations: dict[tuple[str, str], dict[str, Any]]
    """Of the OpenAPI document, by method and path."""
    pages: tuple[str, ...]
    """`METHOD /path` of what is not below /api."""
    commands: dict[str, Any]
    """Of the command line, by words."""
    document: dict[str, Any] = field(repr=False)

    @property
    def declared(self) -> list[str]:
        """All of them, by the names that entries and exemptions have."""
        return [
            *(f"rest {method} {path}" for method, path in self.operations),
            *(f"page {page}" for page in self.pages),
            *(f"cli {command}" for command in self.commands),
        ]

    def declared_by(self, surface: str, view: str) -> str:
        """The name of the surface that a view of the record belongs to; empty for what no registry declares."""
        if surface == "cli":
            names = [name for name in self.commands if f"{view} ".startswith(f"{name} ")]
            return f"cli {max(names, key=len)}" if names else ""
        if surface not in ("rest", "page", "file"):
            return ""
        method, _, path = view.partition(" ") if view.startswith(("GET ", "POST ")) else ("GET", "", view)
        path = re.split(r"[? ]", path)[0]
        kind = "rest" if surface == "rest" else "page"
        routes = self.operations if kind == "rest" else [tuple(page.split(" ")) for page in self.pages]
        places = [place for verb, place in routes if verb == method]
        found = (
            path if path in places else next((one for one in places if pattern_of(one).fullmatch(path)), "")
        )
        return f"{kind} {method} {found}" if found else ""

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A schema with its reference followed."""
        while "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema

    def json_body(self, operation: dict[str, Any]) -> dict[str, Any]:
        """What an operation says of its body as JSON; nothing where it takes none."""
        body = operation.get("requestBody", {}).get("content", {})
        found: dict[str, Any] = body.get("application/json", {})
        return found

    def example_body(self, operation: dict[str, Any]) -> Any:
        """The first example of its body."""
        return self.example(next(iter(self.json_body(operation)["examples"].values())))

    def example(self, example: dict[str, Any]) -> Any:
        """The value of an example, its reference followed."""
        if "$ref" in example:
            example = self.document["components"]["examples"][example["$ref"].rpartition("/")[2]]
        return example["value"]


def exempt(declared: str) -> str | None:
    """Why a surface is not recorded; None for one that is."""
    return next((reason for pattern, reason in EXEMPT.items() if re.match(pattern, declared)), None)


def designs() -> dict[str, bool]:
    """Keys of all designs; True for those of the gallery."""
    from app.catalog.gallery import reference_designs
    from app.scenarios.examples import list_examples

    return {one.key: False for one in list_examples()} | dict.fromkeys(reference_designs(), True)


def surfaces_of(app: Any) -> Surfaces:
    """The surfaces of an application and of the command line beside it."""
    from fastapi import FastAPI
    from starlette.routing import Mount
    from typer.main import get_command

    from app.surfaces import cli
    from app.surfaces.rest.openapi import openapi_document
    from tests.access.routes import routes_of

    api = next(one.app for one in app.routes if isinstance(one, Mount) and isinstance(one.app, FastAPI))
    document = openapi_document(api)
    return Surfaces(
        operations={
            (method.upper(), path): operation
            for path, operations in document["paths"].items()
            for method, operation in operations.items()
        },
        pages=tuple(route for route in dict.fromkeys(routes_of(app)) if " /api/" not in route),
        commands=dict(_commands(get_command(cli.app))),
        document=document,
    )


def _commands(command: Any, words: str = "") -> Iterator[tuple[str, Any]]:
    if hasattr(command, "commands"):
        for name, below in command.commands.items():
            yield from _commands(below, f"{words} {name}".strip())
    else:
        yield words, command


def pattern_of(route: str) -> re.Pattern[str]:
    """What paths a route takes."""
    return re.compile(re.sub(r"\\\{\w+(:path)?\\\}", _part, re.escape(route)))


def _part(found: re.Match[str]) -> str:
    return ".+" if found.group(1) else "[^/]+"

"""What is recorded: every surface of the product, as its own registries declare it.

Operations come from the OpenAPI document, pages from the routes, commands from the command line's tree, charts from
the pages that show them, files from the links on pages and the formats of the API. A new one is recorded without
being named here. What takes something that no registry can tell (such as a file to compare with) is given it by
`ARGUMENTS`; what is left out stands in `EXEMPT` with its reason.
"""

from __future__ import annotations

import functools
import io
import re
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import quote, urlsplit

import orjson

from tests.golden.canonical import canonical_answer, canonical_json, lines_of_figures, normalised, page_of

EXEMPT = {
    r"rest (DELETE|PUT|PATCH) ": "changes saved work, the catalog or people and answers with no figures of a design",
    r"rest POST /api/v1/(scenarios|designs|saved-projections)(/|$)": "saves; what is saved is read below GET",
    r"rest (GET|POST) /api/v1/(account|workspaces|tokens|teams|audit)(/|$)": "people and teams, not designs",
    r"rest POST /api/v1/(imports|catalog/imports)": "receives files; tests/api proves it",
    r"rest GET /api/v1/.*/(comments|events|presence|shares|links)": "talk between people, and a stream without end",
    r"rest GET /api/v1/(own-runs|jobs/\{id\}/results|jobs/\{id\})": "rows that people keep",
    r"rest GET /(healthz|readyz)": "state of the process",
    r"rest GET /api/v1/jobs": "the queue of the process; `podwright sweep` records what sweeps compute",
    r"rest POST /api/v1/sweeps": "answers with a job before it is computed; `podwright sweep` records the results",
    r"page POST (?!/studio/)": "answers a form with a redirect or the page that is recorded below GET",
    r"page POST /studio/(detach|export|timeline)": "the same answers as /designs/{key}/export and REST",
    r"page GET /(account|admin|teams|invitations|mentions|sign-in|s|healthz|readyz|static|docs)(/|$)": "people, the process and its documentation",
    r"page GET /openapi\.json": "docs/openapi.json is committed itself",
    r"page GET /sweeps/": "sweeps that people have made; /sweep/{key} is recorded",
    r"page GET /(saved|scaling)/\{": "saved work is shown by the pages of designs",
    r"page GET /scaling/(save|use)": "a form for saving, and a redirect into the studio",
    r"page GET /designs/\{key\}/(comments|newest|history|revisions|detach)": "of saved work: an example has none",
    r"page GET /explore/\{key\}/(adopt|narrow)": "a redirect that carries a choice of the answer",
    r"page GET /catalog/own": "rows that people add",
    r"cli (serve|backup|restore|version|save|scenarios|seed|jobs .*|db .*|user .*)$": "the process, the database or people",
    r"cli catalog (import|climate|export|review)": "changes or carries the catalog",
}  # fmt: skip
"""Surfaces that are not recorded, as patterns, each with the reason."""

FEW = (
    "edge_node",
    "deepseek_r1_on_8_h200",
    "training_and_serving_on_8_dgx_h200",
    "fft_3d_on_512_dgx_a100",
)
"""One design of each kind of workload, for what takes long."""
ON_EXAMPLES = (
    r"economics/(cost_against_time|\{key\}/time)|figures/domain_sizes",
    r"^cli (search|economics (uncertainty|difference)|facility (savings|sites))",
)
"""Not recorded of the gallery."""
ON_FEW = (
    r"^cli .* --",
    r"^cli (economics (time|difference)|serving cost|fabric cables)",
    r"/exports/\w+\?what=(scenario|evaluation)(?<!json\?what=evaluation)",
    r"uncertainty text/csv|samples\.csv|hours/file|uncertainty/(sobol|report)|hours format=",
    r"/fabric/cables(/diff)? (format=|\w+/)|/cables/file",
    r"/economics/(\{key\}/)?difference|/export/",
)
"""What takes seconds and gives again what is recorded of all designs: another form, another surface."""

QUERY_NOT_TRIED = frozenset({"theme", "own_prices", "conflicts", "dry_run", "limit", "sort", "deleted"})
"""Parameters that change colours, rights or the order of a list."""
SAVED = ("/api/v1/scenarios", "/api/v1/designs", "/api/v1/saved-projections")
"""Collections of saved work; of each the example of the documentation is saved and read."""
MOST_PAGES, MOST_ROWS = 40, 4
"""Pages of one address pattern that are of no design; and single rows of one list, such as parts of the catalog."""
COMMON = ("lists", "examples", "pages", "commands")
"""Units of what is of no design."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of the record."""

    surface: str
    view: str
    design: str
    text: str = field(repr=False)
    answered: bool = field(default=True, compare=False)
    """Whether it is an answer rather than a refusal."""
    seconds: float = field(default=0.0, compare=False)

    @property
    def key(self) -> tuple[str, str, str]:
        return self.surface, self.view, self.design


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
        found = path if path in places else next((one for one in places if _pattern(one).fullmatch(path)), "")
        return f"{kind} {method} {found}" if found else ""

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """A schema with its reference followed."""
        while "$ref" in schema:
            schema = self.document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema

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

    from app import cli
    from app.api.openapi import openapi_document
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


class Recorder:
    """Records units of work in this process: one design, or what is of no design.

    `wanted` is a pattern; what cannot match it is not computed.
    """

    def __init__(self, client: Any, surfaces: Surfaces, folder: Path, wanted: str = "") -> None:
        self._client = client
        self._surfaces = surfaces
        self.folder = folder
        self._wanted = re.compile(wanted)
        self._designs = designs()

    def record(self, unit: str) -> Iterator[Entry]:
        """The entries of a design, or of what is of no design: a unit of `COMMON`."""
        if unit in COMMON:
            yield from {
                "lists": self._common_operations,
                "examples": self._examples_of_operations,
                "pages": self._common_pages,
                "commands": self._common_commands,
            }[unit]()
            return
        yield from self._figures(unit)
        yield from self._operations_of(unit)
        yield from self._pages_of(unit)
        yield from self._commands_of(unit)

    # -- evaluation and explanations

    def _figures(self, design: str) -> Iterator[Entry]:
        from app.catalog.ready import ready_catalog
        from app.scenarios.service import evaluate_example

        if not (self._wants("evaluation", "", design) or self._wants("explanation", "", design)):
            return
        scenario = evaluate_example(design, ready_catalog())
        for section, values in scenario.as_json.items():
            lines = sorted(lines_of_figures({section: values}))
            yield Entry("evaluation", section, design, normalised("\n".join(lines)))
        blocks: dict[str, dict[str, str]] = {}
        for path, figure in scenario.figures.items():
            for node in figure.node.walk():
                if node is figure.node or node.kind in ("quantity", "input"):
                    name = path if node is figure.node else node.name
                    section = "inputs" if node.kind == "input" else re.split(r"[.\[]", name)[0]
                    text = "\n".join(_explained(node, name))
                    blocks.setdefault(section, {})[f"{name}\n{text}"] = text
        for section, found in blocks.items():
            text = "\n".join(found[key] for key in sorted(found))
            yield Entry("explanation", section, design, normalised(text))

    # -- REST

    def _operations_of(self, design: str) -> Iterator[Entry]:
        scenario = self.document(design)
        for (method, path), operation in self._surfaces.operations.items():
            declared = f"rest {method} {path}"
            if exempt(declared):
                continue
            if method == "GET":
                if "{key}" in path and re.search(r"/(examples|gallery)/", path):
                    yield from self._operation(declared, operation, design, {"key": design}, None)
                continue
            for body in self._bodies(operation, scenario):
                yield from self._operation(declared, operation, design, {}, body)

    def _bodies(self, operation: dict[str, Any], scenario: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """The scenario as the body of an operation, with what else it requires; none where it takes no scenario."""
        declared = self._json_body(operation)
        schema = self._surfaces.schema(declared.get("schema", {}))
        choices = [self._surfaces.schema(one) for one in schema.get("anyOf", [schema])]
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
            example = self._surfaces.example(next(iter(declared["examples"].values())))
            body |= {name: example[name] for name in sorted(required)}
        if "quantity" in body:
            body["quantity"] = self._first_figure(scenario)
        yield body
        formats = members.get("format", {})
        formats = self._surfaces.schema(next(iter(formats.get("anyOf", [formats])))) | formats
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
            if not self._wants("rest", shown, design):
                continue
            start = time.perf_counter()
            headers = {"accept": kind} if kind else {}
            answer = self._client.request(method, address, json=body, headers=headers)
            media_type = answer.headers.get("content-type", "")
            if kind and media_type == first:
                continue
            first = first or media_type
            text = f"{answer.status_code} {media_type}\n{canonical_answer(answer.content, media_type)}"
            seconds = time.perf_counter() - start
            yield Entry("rest", shown, design, text, answer.status_code < 300, seconds)

    def _examples_of_operations(self) -> Iterator[Entry]:
        """The example bodies of the API's documentation, which state options."""
        for (method, path), operation in self._surfaces.operations.items():
            declared = f"rest {method} {path}"
            if exempt(declared) or method == "GET" or "{" in path:
                continue
            body = self._json_body(operation)
            for name, example in body.get("examples", {}).items():
                if "$ref" not in example:
                    value = self._surfaces.example(example)
                    yield from self._operation(declared, operation, f"example {name}", {}, value)

    def _common_operations(self) -> Iterator[Entry]:
        """What is read and is of no design: lists, and each of their rows, those of one list as one entry."""
        if self._wanted.pattern and not re.search(r"rest|lists|GET|api|saved", self._wanted.pattern):
            return
        for collection in SAVED:  # first, since lists show them
            self._saved(collection)
        for (method, path), operation in self._surfaces.operations.items():
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
            if not self._wants("rest", f"{method} {path}", parent.rpartition("/")[2]):
                continue
            texts = []
            for key in _keys_in(self._client.get(parent).json()):
                answer = self._client.request(method, f"{parent}/{quote(key, safe='/')}")
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
        return [f"{before}/{key}{rest}" for key in _keys_in(self._client.get(before).json())]

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
        operation = self._surfaces.operations.get(("POST", collection))
        if operation is None:
            return None
        examples = self._json_body(operation)["examples"]
        example = self._surfaces.example(next(iter(examples.values())))
        answer = self._client.post(collection, json=example)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    def _json_body(self, operation: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = (
            operation.get("requestBody", {}).get("content", {}).get("application/json", {})
        )
        return found

    # -- pages, their charts and their files

    def _pages_of(self, design: str) -> Iterator[Entry]:
        for page in self._surfaces.pages:
            method, path = page.split(" ")
            declared = f"page {page}"
            names = re.findall(r"\{(\w+)", path)
            if exempt(declared):
                continue
            if method == "POST":
                yield from self._studio(declared, path, design)
            elif path == "/designs/{key}/explain/{path}":
                figure = self._first_figure(self.document(design))
                yield from self._page(declared, path, f"/designs/{design}/explain/{figure}", design)
            elif names == ["key"] and not path.startswith(("/claims", "/scaling", "/validation", "/catalog")):
                yield from self._page(declared, path, path.replace("{key}", design), design)

    def _page(self, declared: str, view: str, address: str, design: str) -> Iterator[Entry]:
        """A page, its charts, and the files that it links to."""
        if not (self._wants("page", view, design) or self._wants_charts(view, design)):
            return
        start = time.perf_counter()
        answer = self._client.get(address)
        media_type = answer.headers.get("content-type", "")
        head = (
            f"{answer.status_code} {media_type} {urlsplit(answer.headers.get('location', '')).path}".rstrip()
        )
        answered = answer.status_code < 400
        if not media_type.startswith("text/html"):
            text = f"{head}\n{canonical_answer(answer.content, media_type)}"
            seconds = time.perf_counter() - start
            yield Entry("file" if media_type else "page", view, design, text, answered, seconds)
            return
        page = page_of(answer.text)
        seconds = time.perf_counter() - start
        yield Entry("page", view, design, f"{head}\n{page.text}", answered, seconds)
        times: dict[str, int] = {}
        for name, chart in page.charts:
            times[name] = times.get(name, 0) + 1
            shown = f"{view} {name}" + (f" {times[name]}" if times[name] > 1 else "")
            yield Entry("chart", shown, design, canonical_json(chart))
        for link in dict.fromkeys(page.links):
            path = urlsplit(link).path
            if design and self._is_file(path) and (urlsplit(link).query or "/export/" in path):
                place = link.replace(f"/{design}/", "/{key}/")
                route = self._route_of(path)
                if len(place) < 120 and route and not exempt(f"page GET {route}"):
                    yield from self._page(f"page GET {route}", place, link, design)

    def _studio(self, declared: str, path: str, design: str) -> Iterator[Entry]:
        """What the studio asks for while somebody types, of the design as it stands."""
        if not self._wants("page", path, design):
            return
        scenario = self.document(design)
        body = {"key": design, "scenario": scenario, "path": self._first_figure(scenario)}
        start = time.perf_counter()
        answer = self._client.post(path, json=body)
        media_type = answer.headers.get("content-type", "")
        text = f"{answer.status_code} {media_type}\n{_studio_text(answer.content, media_type)}"
        seconds = time.perf_counter() - start
        yield Entry("page", f"POST {path}", design, text, answer.status_code < 300, seconds)

    def _common_pages(self) -> Iterator[Entry]:
        """Pages that are of no design, then what they link to: up to `MOST_PAGES` of each address pattern."""
        wanted = [
            page for page in self._surfaces.pages if page.startswith("GET ") and not exempt(f"page {page}")
        ]
        seen: dict[str, list[str]] = {}
        asked = [path for path in (page.split(" ")[1] for page in wanted) if "{" not in path]
        links: list[str] = []
        while asked:
            path = asked.pop(0)
            route = self._route_of(path)
            if route is None or f"GET {route}" not in wanted or self._is_of_a_design(path, route):
                continue
            is_row = route.endswith(("{key}", "{key:path}"))
            found = seen.setdefault(path.rpartition("/")[0] if is_row else route, [])
            if path in found or len(found) >= (MOST_ROWS if is_row else MOST_PAGES):
                continue
            found.append(path)
            yield from self._page(f"page GET {route}", path, path, "")
            if self._wanted.pattern:
                continue
            links = page_of(self._client.get(path).text).links
            asked += sorted(urlsplit(link).path for link in links if link.startswith("/"))

    def _is_of_a_design(self, path: str, route: str) -> bool:
        return route != path and any(part in self._designs or part == "new" for part in path.split("/"))

    def _is_file(self, path: str) -> bool:
        return bool(re.search(r"/file$|\.(csv|json|xlsx)$|/export/", path))

    def _route_of(self, path: str) -> str | None:
        """The address pattern of a path, as the first route that takes it."""
        for pattern, route in self._patterns:
            if pattern.fullmatch(path):
                return route
        return None

    @functools.cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        routes = [page.split(" ")[1] for page in self._surfaces.pages if page.startswith("GET ")]
        return [
            (re.compile(re.sub(r"\\\{\w+(:path)?\\\}", _part, re.escape(route))), route) for route in routes
        ]

    # -- command line

    def _commands_of(self, design: str) -> Iterator[Entry]:
        for words, command in self._surfaces.commands.items():
            declared = f"cli {words}"
            if exempt(declared):
                continue
            names = [one.name for one in command.params]
            if words == "gallery":
                if self._designs[design]:
                    yield from self._command(declared, words, [design], design)
                continue
            if not {"ref", "first"} & {*names}:
                continue
            arguments = [
                design,
                *(self._argument(words, one.name, design) for one in command.params[1:] if one.required),
            ]
            for options in ARGUMENTS.get(words, ([],)):
                yield from self._command(declared, words, [*arguments, *options], design, " ".join(options))
            for option in command.params:
                flag = option.opts[0]
                if option.name in ("as_json", "as_csv"):
                    yield from self._command(declared, words, [*arguments, *ARGUMENTS.get(words, ([],))[0], flag],
                                             design, flag)  # fmt: skip
                elif option.name in ("csv", "xlsx", "output", "out") and not option.required:
                    yield from self._written(declared, words, [*arguments, flag], design, option)

    def _common_commands(self) -> Iterator[Entry]:
        for words, runs in WITHOUT_DESIGN.items():
            if words in self._surfaces.commands:
                for given in runs:
                    arguments = [
                        str(self._prepared(one[1:])) if one.startswith("@") else one for one in given
                    ]
                    yield from self._command(f"cli {words}", words, arguments, "", " ".join(given))

    def _argument(self, words: str, name: str, design: str) -> str:
        """What a command needs beside the design."""
        if name == "quantity":
            return self._first_figure(self.document(design))
        if name == "second":
            return "edge_node"
        return str(self._prepared(f"{words} {name}"))

    @functools.cache  # noqa: B019
    def _prepared(self, name: str) -> Path:
        """A file for a command, made of the example that the API's documentation has of the same question."""
        made = {
            "fabric diff file": ("cables.csv", self._cables),
            "fabric sharing jobs": ("jobs.json", lambda: self._example_members("/api/v1/fabric/sharing", "jobs")),
            "sweep": ("sweep.json", lambda: orjson.dumps(self._example_body("/api/v1/sweeps"))),
            "model": ("config.json", lambda: orjson.dumps(self._example_body("/api/v1/model-descriptions")["config"])),
            "training": ("training.csv", lambda: _seeded("tests/fixtures/training_runs.csv")),
            "collectives": ("collectives.csv", lambda: _seeded("tests/fixtures/collectives.csv")),
            "scaling": ("scaling.csv", lambda: _seeded("tests/fixtures/scaling_laws.csv")),
        }  # fmt: skip
        file, make = made[name]
        path = self.folder / file
        path.write_bytes(make())
        return path

    def _cables(self) -> bytes:
        example = self._example_body("/api/v1/fabric/cables/diff")["cables"]
        if isinstance(example, str):
            return example.encode()
        columns = list(example[0])
        return "\n".join(
            [",".join(columns), *(",".join(str(row.get(name) or "") for name in columns) for row in example)]
        ).encode()

    def _example_body(self, path: str) -> Any:
        examples = self._json_body(self._surfaces.operations["POST", path])["examples"]
        return self._surfaces.example(next(iter(examples.values())))

    def _example_members(self, path: str, *names: str) -> bytes:
        return orjson.dumps({name: self._example_body(path)[name] for name in names})

    def _command(
        self, declared: str, words: str, arguments: list[str], design: str, shown: str = ""
    ) -> Iterator[Entry]:
        view = f"{words} {shown}".strip()
        if not self._wants("cli", view, design):
            return
        start = time.perf_counter()
        code, output, errors = called([*words.split(), *arguments])
        text = f"exit {code}\n" + self._readable(output, "--json" in shown)
        if errors.strip():
            text += f"--- standard error\n{normalised(errors)}"
        text = text.replace(str(self.folder), "FOLDER")
        yield Entry("cli", view, design, text, code == 0, time.perf_counter() - start)

    def _written(
        self, declared: str, words: str, arguments: list[str], design: str, option: Any
    ) -> Iterator[Entry]:
        """A file that a command writes, by the ending that its option asks for."""
        flag = option.opts[0]
        ending = "xlsx" if option.name == "xlsx" else "csv"
        view = f"{words} {flag}"
        if words in ("sweep", "jobs results") or not self._wants("cli", view, design):
            return
        start = time.perf_counter()
        path = self.folder / f"{words.replace(' ', '_')}.{ending}"
        path.unlink(missing_ok=True)
        code, _, errors = called([*words.split(), *arguments, str(path)])
        text = f"exit {code}\n{normalised(errors)}"
        if path.exists():
            kind = "x/spreadsheetml.sheet" if ending == "xlsx" else "text/csv"
            text += canonical_answer(path.read_bytes(), kind)
        text = text.replace(str(self.folder), "FOLDER")
        yield Entry("cli", view, design, text, code == 0, time.perf_counter() - start)

    def _readable(self, output: bytes, is_json: bool) -> str:
        if is_json and output.strip():
            try:
                return canonical_json(orjson.loads(output))
            except orjson.JSONDecodeError:
                pass
        return normalised(output.decode())

    # -- what is wanted

    def _wants(self, surface: str, view: str, design: str) -> bool:
        """Whether an entry is to be computed: it may match the pattern, and is not left to other designs."""
        name = f"{surface} {view}"
        if design in self._designs and design not in FEW and _matches(ON_FEW, name):
            return False
        if self._designs.get(design) and _matches(ON_EXAMPLES, name):
            return False
        return not self._wanted.pattern or bool(
            self._wanted.search(f"{name} {design}") or (not view and self._may_match(surface, design))
        )

    def _may_match(self, surface: str, design: str) -> bool:
        return self._wanted.pattern.startswith(surface)

    def _wants_charts(self, view: str, design: str) -> bool:
        return self._wanted.pattern.startswith(("chart", "file"))

    @functools.cache  # noqa: B019
    def document(self, design: str) -> dict[str, Any]:
        from app.scenarios.examples import example

        found: dict[str, Any] = example(design).read().as_dict()
        return found

    def _first_figure(self, scenario: dict[str, Any]) -> str:
        """The figure that is explained where one is: the headline of a workload."""
        answer = self._client.post("/api/v1/evaluations", json=scenario).json()
        for path in ("performance.mfu", "serving.cost_per_million_output_tokens_usd", "cost.total_usd"):
            section, _, name = path.partition(".")
            if name in (answer.get(section) or {}):
                return path
        section = next(name for name, value in answer.items() if isinstance(value, dict) and value)
        return f"{section}.{next(iter(answer[section]))}"


ARGUMENTS: dict[str, tuple[list[str], ...]] = {
    "project": (["--deadline-days", "90"],),
    "calibrate": (["--tokens-per-s", "400"], ["--ttft", "0.9"]),
}
"""Options of commands that ask for something: the first is the usual call."""
WITHOUT_DESIGN: dict[str, tuple[list[str], ...]] = {
    "project": (["--flops", "5.76e23"], ["--parameters", "7e9", "--tokens", "2e12", "--json"]),
    "sweep": (["@sweep"], ["@sweep", "--json"]),
    "trends": ([], ["--json"]),
    "gallery": ([], ["--json"]),
    "claims": ([], ["--json"]),
    "validate": (["training", "@training"], ["collectives", "@collectives"], ["scaling", "@scaling"]),
    "model describe": (["@model"], ["@model", "--json"]),
    "catalog show": (
        [],
        ["accelerators"],
        ["accelerators", "nvidia_h100_sxm"],
        ["prices"],
        ["sites"],
        ["systems", "dgx_h100"],
    ),
}
"""Commands that take no design, with their arguments; `@` is a prepared file."""


def called(words: list[str]) -> tuple[int, bytes, str]:
    """`podwright` with these words in this process: exit code, standard output, standard error."""
    from app import cli

    output, errors = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    code = 0
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(sys, "argv", ["podwright", *words]))
        stack.enter_context(redirect_stdout(output))
        stack.enter_context(redirect_stderr(errors))
        stack.enter_context(mock.patch("typer.main.get_command", _command_tree))
        try:
            cli.main()
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        except Exception as error:
            code = -1
            errors.write(f"{type(error).__name__}: {error}\n")
    return code, output.buffer.getvalue(), errors.getvalue()  # type: ignore[attr-defined]


@functools.cache
def _command_tree(app: Any) -> Any:
    """The tree of commands, which takes as long to build as a command to run."""
    from typer.main import get_group

    return get_group(app)


def _explained(node: Any, name: str) -> Iterator[str]:
    """A step of a computation: its words and value, then how it comes from the steps below it."""
    from dataclasses import asdict

    yield f"{name} = {_value(node)}"
    if node.quantity:
        about = {part: getattr(node.quantity, part) for part in ("label", "formula", "description", "source")}
        yield from (f"    {part}: {' '.join(str(value).split())}" for part, value in about.items() if value)
    if node.origin:
        yield from (
            f"    {part}: {value}" for part, value in asdict(node.origin).items() if value not in ("", None)
        )
    if node.note:
        yield f"    note: {node.note}"
    yield from _inputs(node, "    ")


def _inputs(node: Any, indent: str) -> Iterator[str]:
    for role, child in node.inputs:
        yield f"{indent}{role or '-'} <- {child.kind} {child.name} = {_value(child)}"
        if child.kind not in ("quantity", "input") and len(indent) < 40:
            yield from _inputs(child, f"{indent}  ")


def _value(node: Any) -> str:
    import numpy as np

    array = np.asarray(node.value, dtype=float).reshape(-1)
    unit = f" {node.unit}" if node.unit else ""
    if array.size == 1:
        return f"{array[0]:.10g}{unit}"
    finite = array[np.isfinite(array)]
    return (
        f"{array.size} values, {finite.min():.10g} to {finite.max():.10g}{unit}" if finite.size else "unknown"
    )


def _studio_text(content: bytes, media_type: str) -> str:
    """An answer to the studio: the members of it that are HTML as their text."""
    if not media_type.startswith("application/json"):
        return canonical_answer(content, media_type)
    return canonical_json(_without_html(orjson.loads(content)))


def _without_html(value: Any) -> Any:
    match value:
        case str() if value.lstrip().startswith("<"):
            page = page_of(value)
            return {"text": page.text.splitlines(), "charts": [chart for _, chart in page.charts]}
        case dict():
            return {key: _without_html(item) for key, item in value.items()}
        case list():
            return [_without_html(item) for item in value]
    return value


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


def _matches(patterns: tuple[str, ...], text: str) -> bool:
    return any(re.search(pattern, text) for pattern in patterns)


def _pattern(route: str) -> re.Pattern[str]:
    """What paths a route takes."""
    return re.compile(re.sub(r"\\\{\w+(:path)?\\\}", _part, re.escape(route)))


def _part(found: re.Match[str]) -> str:
    return ".+" if found.group(1) else "[^/]+"


def _seeded(path: str) -> bytes:
    from tests.support import ROOT

    return (ROOT / path).read_bytes()

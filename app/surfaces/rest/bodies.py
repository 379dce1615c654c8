"""Request bodies: bytes of a stated type -> plain values with their places in the text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import Message
from typing import Annotated, Any, Literal

from fastapi import Depends, Request

from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.reading.json_text import MOST_VALUES, read_json
from app.scenarios.reading.yaml_text import Place, read_yaml
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import BODY_TOO_LARGE, MALFORMED_BODY, UNSUPPORTED_MEDIA_TYPE
from app.surfaces.rest.problems import ProblemError

JSON = "application/json"
YAML = "application/yaml"
BYTES = "application/octet-stream"  # the one type of a file that every client generator knows
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")  # neither JSON nor YAML has them anywhere
READ: dict[str, Literal["json", "yaml"]] = {
    JSON: "json",
    YAML: "yaml",
    "application/x-yaml": "yaml",
    "text/yaml": "yaml",
    "text/x-yaml": "yaml",
}


@dataclass(frozen=True, slots=True)
class Body:
    """The bytes of a request, and how to read them."""

    content: bytes
    format: Literal["json", "yaml"]


@dataclass(frozen=True, slots=True)
class BodyValues:
    """Plain values, and where each stands in the text: line and column from 1, for YAML only."""

    values: Any
    positions: dict[Place, tuple[int, int]]

    def below(self, name: str) -> BodyValues:
        """The part of the body under one of its keys."""
        positions = {place[1:]: at for place, at in self.positions.items() if place[:1] == (name,)}
        return BodyValues(self.values[name], positions)


async def request_body(request: Request) -> Body:
    """The body of a request, as a dependency: see `body_beside`."""
    return await body_beside(request)


async def batch_body(request: Request) -> Body:
    """The body of a request with many scenarios: JSON may be larger than that of one."""
    return await body_beside(request, most_json=request.app.state.services.limits.most_batch_bytes)


async def body_beside(request: Request, types: Sequence[str] = (), most_json: int | None = None) -> Body:
    """The body of a request, not yet read as text; `types` are those the caller has looked for itself.

    Raises
    ------
    ProblemError : it is of a type that is not read, or too large
    """
    header = Message()
    header["content-type"] = request.headers.get("content-type", "")
    kind = header.get_content_type() if request.headers.get("content-type") else ""
    charset = str(header.get_param("charset", "utf-8")).strip("\"' ").lower()
    accept = {"accept-post": ", ".join((*types, JSON, YAML))}
    if kind not in READ:
        said = f"{kind[:80]} is" if kind else "A body without Content-Type is"
        detail = f"{said} not read here; send {', '.join((*types, JSON))} or {YAML}."
        raise ProblemError(UNSUPPORTED_MEDIA_TYPE, detail, headers=accept)
    if charset not in ("utf-8", "utf8", "us-ascii"):
        detail = f"The charset {charset[:40]} is not read; send UTF-8."
        raise ProblemError(UNSUPPORTED_MEDIA_TYPE, detail, headers=accept)
    content = await request.body()
    most = request.app.state.services.limits.most_body_bytes
    if most_json is not None and READ[kind] == "json":
        most = most_json
    if len(content) > most:
        raise ProblemError(BODY_TOO_LARGE, f"The body has more than {most:,} bytes.")
    return Body(content, READ[kind])


BodyDep = Annotated[Body, Depends(request_body)]
BatchBodyDep = Annotated[Body, Depends(batch_body)]


def read_body(body: Body, limits: Limits, most_values: int = MOST_VALUES) -> BodyValues:
    """Plain values of a body; JSON may hold `most_values`. Slow for large YAML: to be run by a worker.

    Raises
    ------
    ProblemError : the text cannot be read; with line and column where they are known
    """
    try:
        text = _text(body.content)
        if body.format == "json":
            return BodyValues(read_json(text, most_values), {})
        read = read_yaml(text)
        return BodyValues(read.values, read.positions)
    except ScenarioError as error:
        raise scenario_problem(error, limits, MALFORMED_BODY) from None


def body_text(body: Body, limits: Limits) -> str:
    """The text of a body.

    Raises
    ------
    ProblemError : it is no text
    """
    try:
        return _text(body.content)
    except ScenarioError as error:
        raise scenario_problem(error, limits, MALFORMED_BODY) from None


def _text(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        line, column = before.count(b"\n") + 1, error.start - before.rfind(b"\n")
        raise refuse(
            "The text is not UTF-8.", rule="encoding", hint="Send UTF-8.", line=line, column=column
        ) from None
    if control := CONTROL.search(text):
        before_it = text[: control.start()]
        raise refuse(
            "The text holds a control character.",
            rule="encoding",
            hint="Send plain text.",
            line=before_it.count("\n") + 1,
            column=control.start() - before_it.rfind("\n"),
        )
    if not text.strip():
        raise refuse("The body is empty.", rule="empty", hint="A scenario needs a workload and a supernode.")
    return text

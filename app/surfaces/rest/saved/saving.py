"""Making and changing saved work: what is read of a request, and the answer to a save."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ParamSpec

from fastapi import Request, Response

from app.saved.records import Saved
from app.saved.tags import clean_tags
from app.saved.team_catalog.received import CONFLICTS, Conflicts
from app.saved.writing import LONGEST_NOTE
from app.scenarios.errors import ScenarioError, shorten
from app.surfaces.rest.bodies import JSON, Body
from app.surfaces.rest.parameters import parameter_fault, parameter_problem
from app.surfaces.rest.preconditions import idempotency_key, request_hash
from app.surfaces.rest.problem_types import TOOK_TOO_LONG
from app.surfaces.rest.problems import ProblemError, json_bytes
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services

Given = ParamSpec("Given")
PRIVATE = "private, no-cache"


@dataclass(frozen=True, slots=True)
class Once:
    """Work that is done once for all requests with the same Idempotency-Key, and always without one."""

    key: str | None
    request_hash: str

    @classmethod
    def of(cls, request: Request, body: Body | None = None) -> Once:
        return cls(idempotency_key(request), request_hash(request, body.content if body else b""))

    def done(self, found: Services, work: Callable[[], Saved]) -> tuple[Saved, bool]:
        """Result of the work, and whether it is of an earlier request."""
        if self.key is None:
            return work(), False
        return found.saved.idempotent(self.key, self.request_hash, work)


async def in_a_worker(
    found: Services, work: Callable[Given, Response], *arguments: Given.args, **named: Given.kwargs
) -> Response:
    """Work that saves, by one of the threads for evaluations: it evaluates what it saves.

    Raises
    ------
    ProblemError : among others, it took too long; then no one here knows whether it was saved in the end
    """
    try:
        return await found.workers.run(work, *arguments, **named)
    except ProblemError as problem:
        if problem.kind is not TOOK_TOO_LONG:
            raise
        detail = (
            "It took too long, and may still be saved: read it again before you repeat this. "
            "With an Idempotency-Key the same request can be repeated safely."
        )
        raise ProblemError(problem.kind, detail, headers=problem.headers) from None


def given_note(request: Request) -> str:
    """Options of a save in the address.

    Raises
    ------
    ProblemError : it is too long
    """
    note = request.query_params.get("note", "")
    if len(note) > LONGEST_NOTE:
        raise parameter_problem(
            "note", "at_most", f"note has {len(note):,} characters, more than {LONGEST_NOTE}."
        )
    return note


def given_tags(request: Request) -> tuple[str, ...]:
    """The tags that the address gives.

    Raises
    ------
    ProblemError : one cannot be used
    """
    with of_parameter("tag"):
        return clean_tags(request.query_params.getlist("tag"))


def conflicts_of(text: str) -> Conflicts:
    """Treatment of own rows that differ from those of the workspace.

    Raises
    ------
    ProblemError : there is no such way
    """
    for known in CONFLICTS:
        if text == known:
            return known
    message = f"conflicts is {shorten(text)}."
    raise parameter_problem("conflicts", "one_of", message, f"One of: {', '.join(CONFLICTS)}.")


@contextmanager
def of_parameter(name: str) -> Iterator[None]:
    """Report a fault of a value at the parameter it came in."""
    try:
        yield
    except ScenarioError as error:
        raise parameter_fault(name, error.errors[0]) from None


def yaml_etag(saved: Saved) -> str:
    """The tag of the document as YAML, which is another text than the JSON answer."""
    return f'{saved.etag[:-1]}-yaml"'


def made(shelf: Shelf, saved: Saved, replayed: bool) -> Response:
    """201 with the address and the tag of what was made."""
    headers = {"etag": saved.etag, "cache-control": PRIVATE, "location": f"{shelf.address}/{saved.id}"}
    if replayed:
        headers["idempotency-replayed"] = "true"
    return Response(json_bytes(shelf.answer_of(saved)), 201, headers=headers, media_type=JSON)


def changed(shelf: Shelf, saved: Saved) -> Response:
    """200 with what was changed and its new tag."""
    headers = {"etag": saved.etag, "cache-control": PRIVATE}
    return Response(json_bytes(shelf.answer_of(saved)), headers=headers, media_type=JSON)

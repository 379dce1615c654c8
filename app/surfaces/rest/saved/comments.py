"""Comments on one thing that is saved: threads, written, changed, resolved and taken away."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from app.saved.errors import NotSavedError
from app.saved.records import Kind
from app.scenarios.errors import ScenarioError
from app.scenarios.fields import WORDS, Part, schema_pattern
from app.scenarios.load import build_document
from app.surfaces.rest.bodies import JSON, Body, BodyDep, read_body
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.documented import problem_answers, query_parameter
from app.surfaces.rest.handlers import scenario_problem
from app.surfaces.rest.paging import AFTER, LIMIT, LINK, page_answer, read_limit
from app.surfaces.rest.parameters import given_parameters, only, parameter_problem
from app.surfaces.rest.preconditions import IDEMPOTENCY_KEY, REPLAYED, idempotency_key, request_hash
from app.surfaces.rest.problem_types import INVALID_COMMENT, KEY_REUSED, NOT_FOUND
from app.surfaces.rest.problems import ProblemError, json_bytes, json_response
from app.surfaces.rest.saved.answers import time_text
from app.surfaces.rest.saved.declared import READING, WRITING, Id, body_problems
from app.surfaces.rest.saved.saving import PRIVATE, in_a_worker
from app.surfaces.rest.saved.shelf import ID, Shelf
from app.surfaces.rest.services import Services, ServicesDep
from app.teams.comments.anchors import ANCHOR_KINDS, WHOLE, Anchor, AnchorKind
from app.teams.comments.records import Comment, Thread
from app.teams.comments.store import Comments, NoCommentError, Once
from app.teams.comments.text import BODY, LONGEST, LONGEST_NAME

EXAMPLE_COMMENT = "c0ffee00c0ffee00c0ffee00c0ffee00"
CommentId = Annotated[str, Path(description="id of a comment.", examples=[EXAMPLE_COMMENT])]


class AnchorBody(Part):
    """Subject of a comment."""

    kind: AnchorKind = Field(default="whole", description="The whole, one field, or one result.")
    path: str = Field(
        default="", max_length=200, description="Of the field or result, such as pod.supernodes."
    )


class TextBody(Part):
    """New text of a comment."""

    body: Annotated[str, schema_pattern(BODY)] = Field(
        min_length=1,
        max_length=LONGEST,
        description='Plain text. @Name, @"Full Name" or @ and an e-mail address notify a person.',
    )


class CommentBody(TextBody):
    """A comment, or an answer where it names a thread."""

    anchor: AnchorBody = Field(default=AnchorBody(), description="Subject; that of its thread for a reply.")
    thread: str | None = Field(
        default=None, pattern=ID.pattern, description="id of the comment that it answers."
    )
    guest_name: Annotated[str, schema_pattern(f"^(?:{WORDS[1:-1]})?$")] = Field(
        default="",
        max_length=LONGEST_NAME,
        description="Name of a guest who came by a link; required for guests.",
    )


class AnchorAnswer(Answer):
    """Subject of a comment."""

    kind: AnchorKind
    path: str = Field(description="Empty for the whole.")


class CommentAnswer(Answer):
    """A comment. What was deleted has neither text nor author."""

    id: str
    thread: str | None = Field(
        description="id of the comment that it answers; null where it begins a thread."
    )
    anchor: AnchorAnswer
    body: str
    author: str
    revision: int = Field(description="The newest when it was written.")
    created_at: str
    edited_at: str | None
    resolved_at: str | None
    resolved_by: str | None
    deleted: bool
    mentions: list[str] = Field(description="Names of the notified people.")
    may_edit: bool
    may_delete: bool


class ThreadAnswer(CommentAnswer):
    """A comment with the answers to it."""

    replies: list[CommentAnswer] = Field(description="The oldest first.")


class ThreadsPage(Answer):
    """A page of threads."""

    items: list[ThreadAnswer]
    next: str | None = Field(description="Value of `after` for the next page; null at the end.")


FILTERS = [
    query_parameter("resolved", "Only threads that are resolved, or only open ones.", {"type": "boolean"}),
    query_parameter("anchor", "Only about this: whole, field:PATH or result:PATH.", {"type": "string", "maxLength": 220, "pattern": "^(?:whole|(?:field|result):[^\\x00]+)$"}),
    query_parameter("revision", "Only what was written until this was the newest revision.", {"type": "integer", "minimum": 1, "maximum": 1_000_000_000}),
]  # fmt: skip
COMMENT = {"body": "Is ten per cent what finance uses?", "anchor": {"kind": "whole"}}
WRITTEN = (*WRITING, *body_problems(INVALID_COMMENT))


def add_comments(router: APIRouter, shelf: Shelf) -> None:
    """Comments on one thing on a shelf."""

    @router.get(
        "/{id}/comments",
        name=f"list_{shelf.one}_comments",
        summary=f"List the comments on a {shelf.one}",
        description="Threads with their answers, the oldest first, one page at a time.",
        responses={200: {"model": ThreadsPage, "description": "A page of threads.", "headers": LINK}, **problem_answers(*READING)},
        openapi_extra={"parameters": [*FILTERS, LIMIT, AFTER]},
        dependencies=[only("resolved", "anchor", "revision", "limit", "after")],
    )  # fmt: skip
    def list_comments(id: Id, request: Request, found: ServicesDep) -> Response:
        given = given_parameters(request)
        revision = _revision(given)
        page = _of_kind(
            shelf,
            id,
            lambda kind: Comments(found.saved).listed(
                kind,
                id,
                limit=read_limit(given, found.limits),
                after=given.get("after"),
                resolved=_yes_or_no(given),
                anchor=_anchor(given.get("anchor")),
                revision=revision,
            ),
        )
        items = [thread_answer(thread) for thread in page.items]
        content, headers = page_answer(items, page.next, f"{shelf.address}/{id}/comments", given)
        return json_response(content, {"cache-control": PRIVATE, **headers})

    @router.post(
        "/{id}/comments",
        name=f"comment_on_{shelf.one}",
        status_code=201,
        summary=f"Comment on a {shelf.one}",
        description="On the whole, a field or a result; or as an answer to a comment. It needs the role commenter.",
        responses={201: {"model": CommentAnswer, "description": "The comment.", "headers": REPLAYED}, **problem_answers(*dict.fromkeys((*WRITTEN, KEY_REUSED)))},
        openapi_extra={"requestBody": _body(CommentBody, COMMENT), "parameters": [IDEMPOTENCY_KEY]},
        dependencies=[only()],
    )  # fmt: skip
    async def comment(id: Id, request: Request, body: BodyDep, found: ServicesDep) -> Response:
        key = idempotency_key(request)
        once = Once(key, request_hash(request, body.content)) if key else None
        return await in_a_worker(found, _add, shelf, found, id, body, once)

    @router.patch(
        "/{id}/comments/{comment_id}",
        name=f"change_{shelf.one}_comment",
        summary="Edit a comment",
        description="By its author only. Newly mentioned people are notified.",
        responses={200: {"model": CommentAnswer, "description": "The comment."}, **problem_answers(*WRITTEN)},
        openapi_extra={"requestBody": _body(TextBody, {"body": "Ten per cent is too much."})},
        dependencies=[only()],
    )
    async def change(id: Id, comment_id: CommentId, body: BodyDep, found: ServicesDep) -> Response:
        return await in_a_worker(found, _change, shelf, found, id, comment_id, body)

    @router.delete(
        "/{id}/comments/{comment_id}",
        name=f"delete_{shelf.one}_comment",
        status_code=204,
        summary="Delete a comment",
        description="For good, by who wrote it or an owner of the workspace. Answers to it stay.",
        responses={204: {"description": "It is gone."}, **problem_answers(*WRITING)},
        dependencies=[only()],
    )
    def delete(id: Id, comment_id: CommentId, found: ServicesDep) -> Response:
        with _faults(found):
            _of_kind(shelf, id, lambda kind: Comments(found.saved).delete(kind, id, comment_id))
        return Response(status_code=204)

    def add_resolving(word: Literal["resolve", "reopen"], summary: str) -> None:
        @router.post(
            f"/{{id}}/comments/{{comment_id}}/{word}",
            name=f"{word}_{shelf.one}_comment",
            summary=summary,
            description="By the comment that begins the thread. A thread that is so already stays so. No body is read.",
            responses={
                200: {"model": CommentAnswer, "description": "The comment."},
                **problem_answers(*WRITING, INVALID_COMMENT),
            },
            dependencies=[only()],
        )
        def resolve(id: Id, comment_id: CommentId, found: ServicesDep) -> Response:
            comments = Comments(found.saved)
            with _faults(found):
                done = _of_kind(
                    shelf,
                    id,
                    lambda kind: comments.resolve(kind, id, comment_id, resolved=word == "resolve"),
                )
            return json_response(comment_answer(done), {"cache-control": PRIVATE})

    add_resolving("resolve", "Resolve a thread")
    add_resolving("reopen", "Open a resolved thread again")


def comment_answer(comment: Comment) -> dict[str, Any]:
    """A comment as plain values."""
    return {
        "id": comment.id,
        "thread": comment.thread_id,
        "anchor": comment.anchor._asdict(),
        "body": comment.body,
        "author": comment.author,
        "revision": comment.revision,
        "created_at": time_text(comment.created_at),
        "edited_at": time_text(comment.edited_at) if comment.edited_at else None,
        "resolved_at": time_text(comment.resolved_at) if comment.resolved_at else None,
        "resolved_by": comment.resolved_by or None,
        "deleted": comment.is_deleted,
        "mentions": list(comment.mentions),
        "may_edit": comment.may_edit,
        "may_delete": comment.may_delete,
    }


def thread_answer(thread: Thread) -> dict[str, Any]:
    """A comment with the answers to it."""
    return {**comment_answer(thread.first), "replies": [comment_answer(one) for one in thread.replies]}


def _add(shelf: Shelf, found: Services, id: str, body: Body, once: Once | None) -> Response:
    read = read_body(body, found.limits)
    with _faults(found):
        asked = build_document(CommentBody, read.values, read.positions)
        anchor = Anchor(asked.anchor.kind, asked.anchor.path)
        made, replayed = _of_kind(
            shelf,
            id,
            lambda kind: Comments(found.saved).add(
                kind,
                id,
                asked.body,
                anchor=anchor,
                thread_id=asked.thread,
                guest_name=asked.guest_name,
                once=once,
            ),
        )
    headers = {"cache-control": PRIVATE, **({"idempotency-replayed": "true"} if replayed else {})}
    return Response(json_bytes(comment_answer(made)), 201, headers=headers, media_type=JSON)


def _change(shelf: Shelf, found: Services, id: str, comment_id: str, body: Body) -> Response:
    read = read_body(body, found.limits)
    with _faults(found):
        asked = build_document(TextBody, read.values, read.positions)
        edited = _of_kind(
            shelf, id, lambda kind: Comments(found.saved).edit(kind, id, comment_id, asked.body)
        )
    return json_response(comment_answer(edited), {"cache-control": PRIVATE})


def _of_kind(shelf: Shelf, id: str, work: Callable[[Kind], Any]) -> Any:
    """Result of `work` for the kind that the id is of; a shelf may hold several.

    Raises
    ------
    ProblemError : there is no such thing, or it may not be seen
    """
    for kind in shelf.kinds if ID.fullmatch(id) else ():
        try:
            return work(kind)
        except NotSavedError:
            continue
    raise ProblemError(NOT_FOUND, f"There is no saved {shelf.one} {id[:40]!r}.")


@contextmanager
def _faults(found: Services) -> Iterator[None]:
    try:
        yield
    except ScenarioError as error:
        raise scenario_problem(error, found.limits, INVALID_COMMENT) from None
    except NoCommentError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None


def _revision(given: Mapping[str, str]) -> int | None:
    text = given.get("revision")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0):
        raise parameter_problem(
            "revision", "range", "revision is not the number of one.", "They are counted from 1."
        )
    return int(text)


def _yes_or_no(given: Mapping[str, str]) -> bool | None:
    text = given.get("resolved")
    if text not in (None, "true", "false"):
        raise parameter_problem("resolved", "true_or_false", "resolved is neither true nor false.")
    return None if text is None else text == "true"


def _anchor(text: str | None) -> Anchor | None:
    if text is None:
        return None
    if text == "whole":
        return WHOLE
    kind, _, path = text.partition(":")
    if kind not in ANCHOR_KINDS[1:] or not path:
        raise parameter_problem(
            "anchor",
            "anchor",
            "anchor is not whole, field:PATH or result:PATH.",
            "Such as field:pod.supernodes.",
        )
    return Anchor(kind, path)


def _body(model: type[Part], example: dict[str, Any]) -> dict[str, Any]:
    schema = model.model_json_schema()
    if schema.pop("$defs", None):
        schema["properties"]["anchor"] = AnchorBody.model_json_schema()
    return {
        "required": True,
        "description": "The comment.",
        "content": {
            JSON: {"schema": schema, "examples": {"comment": {"summary": "A comment", "value": example}}},
        },
    }

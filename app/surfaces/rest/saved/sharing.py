"""Shares of saved work: with teams, and by links."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Request, Response
from pydantic import BeforeValidator, Field, WithJsonSchema

from app.scenarios.fields import Part, Whole, fault
from app.scenarios.load import build_document
from app.surfaces.rest.bodies import JSON, Body, BodyDep, read_body
from app.surfaces.rest.catalog_models import Answer
from app.surfaces.rest.conditional import conditional, content_etag
from app.surfaces.rest.documented import IF_NONE_MATCH, problem_answers
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problem_types import FORBIDDEN, NOT_FOUND
from app.surfaces.rest.problems import ProblemError, json_bytes
from app.surfaces.rest.saved.answers import time_text
from app.surfaces.rest.saved.declared import LOCATION, WRITING, Id, Responses, body_problems, reading
from app.surfaces.rest.saved.saving import PRIVATE, in_a_worker
from app.surfaces.rest.saved.shelf import Shelf
from app.surfaces.rest.services import Services, ServicesDep
from app.teams.sharing import LONGEST_LABEL, Grant, Link, NoShareError

Role = Literal["viewer", "commenter", "editor"]
EXAMPLE_LINK = "11ce11ce11ce11ce11ce11ce11ce11ce"
Team = Annotated[str, Path(description="key of the team.", examples=["platform"])]
LinkId = Annotated[str, Path(description="id, as the list of links gives it.", examples=[EXAMPLE_LINK])]


def _moment(value: Any) -> Any:
    """A time with its zone; programs write RFC 3339."""
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(str(value))
    except ValueError:
        raise fault("time", "is not a time", hint="write it as 2027-03-31T00:00:00Z") from None
    if moment.tzinfo is None:
        raise fault("time", "has no time zone", hint="write it as 2027-03-31T00:00:00Z")
    try:
        return moment.astimezone(UTC)
    except OverflowError:  # the last hours of the year 9999 elsewhere are no year of ours
        raise fault("time", "is beyond the year 9999", hint="leave it out for never") from None


Moment = Annotated[
    datetime, BeforeValidator(_moment), WithJsonSchema({"type": "string", "format": "date-time"})
]


class ShareBody(Part):
    """Rights of a team; each member at most what their role in the team allows."""

    role: Role


class LinkBody(Part):
    """A new link."""

    role: Role = "viewer"
    revision: Whole | None = Field(
        default=None, ge=1, le=1_000_000_000, description="The one it shows for ever; the newest without it."
    )
    expires_at: Moment | None = Field(default=None, description="null for never.")
    label: str = Field(default="", max_length=LONGEST_LABEL, description="For whom it is.")


class LinkChange(Part):
    """Another end of a link."""

    expires_at: Moment | None = Field(description="null for never.")


class ShareAnswer(Answer):
    """A team that may use it."""

    workspace: str = Field(description="key of the team.")
    name: str
    role: Role
    created_by: str | None
    created_at: datetime


class SharesAnswer(Answer):
    """The teams that it is shared with, by name."""

    items: list[ShareAnswer]


class LinkAnswer(Answer):
    """A link. Anyone who has its token may use it."""

    id: str
    role: Role
    revision: int | None = Field(description="The one it shows for ever; null for the newest.")
    label: str
    state: Literal["open", "expired", "revoked"]
    token: str = Field(description="To be sent as Authorization: Bearer; it is stored nowhere.")
    path: str = Field(description="Address for a browser, on this server.")
    created_by: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None


class LinksAnswer(Answer):
    """Its links, the newest first."""

    items: list[LinkAnswer]


def add_sharing(router: APIRouter, shelf: Shelf) -> None:
    """Teams and links of one thing on a shelf; all need the action share."""
    _add_shares(router, shelf)
    _add_links(router, shelf)


def _add_shares(router: APIRouter, shelf: Shelf) -> None:
    one = shelf.one

    @router.get(
        "/{id}/shares",
        name=f"list_{one}_shares",
        summary=f"List the teams that a {one} is shared with",
        responses=reading(SharesAnswer, "The teams.", also=(FORBIDDEN,)),
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    def list_shares(id: Id, request: Request, found: ServicesDep) -> Response:
        """Teams, and what their members may do with it."""
        saved = shelf.find(found, id)
        content = {"items": [share_answer(each) for each in found.sharing.grants(saved.kind, id)]}
        return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)

    @router.put(
        "/{id}/shares/{team}",
        name=f"share_{one}",
        summary=f"Share a {one} with a team",
        description="Or give a team that it is shared with another role. It stays where it is: members of the team "
        "find it in lists with shared=true.",
        responses=_changed(ShareAnswer, "The share.", shelf),
        openapi_extra={"requestBody": _body(ShareBody, {"role": "viewer"})},
        dependencies=[only()],
    )
    async def put(id: Id, team: Team, body: BodyDep, found: ServicesDep) -> Response:
        return await in_a_worker(found, _put_share, shelf, found, id, team, body)

    @router.delete(
        "/{id}/shares/{team}",
        name=f"unshare_{one}",
        status_code=204,
        summary=f"Share a {one} no longer with a team",
        responses={204: {"description": "It is shared with the team no longer."}, **_problems()},
        dependencies=[only()],
    )
    def withdraw(id: Id, team: Team, found: ServicesDep) -> Response:
        """Members of the team do not find it any more; what they copied stays theirs."""
        saved = shelf.find(found, id)
        with _no_share():
            found.sharing.withdraw(saved.kind, id, team)
        return Response(status_code=204)


def _add_links(router: APIRouter, shelf: Shelf) -> None:
    one = shelf.one

    @router.get(
        "/{id}/links",
        name=f"list_{one}_links",
        summary=f"List the links to a {one}",
        responses=reading(LinksAnswer, "The links, those that no longer work too.", also=(FORBIDDEN,)),
        openapi_extra={"parameters": [IF_NONE_MATCH]},
        dependencies=[only()],
    )
    def list_links(id: Id, request: Request, found: ServicesDep) -> Response:
        """Links with their tokens, which are made again from their ids whenever they are shown."""
        saved = shelf.find(found, id)
        content = {"items": [link_answer(each) for each in found.sharing.links(saved.kind, id)]}
        return conditional(request, content_etag(content), lambda: (content, {}), cache_control=PRIVATE)

    @router.post(
        "/{id}/links",
        name=f"make_{one}_link",
        status_code=201,
        summary=f"Create a link to a {one}",
        description="Anyone with the link can use it, with an account or without, until it ends or is revoked. One to a "
        "revision shows that revision for ever, and only to look at.",
        responses=_made(shelf),
        openapi_extra={
            "requestBody": _body(LinkBody, {"role": "viewer", "expires_at": "2099-12-31T00:00:00Z"})
        },
        dependencies=[only()],
    )
    async def make(id: Id, body: BodyDep, found: ServicesDep) -> Response:
        return await in_a_worker(found, _make_link, shelf, found, id, body)

    @router.patch(
        "/{id}/links/{link}",
        name=f"change_{one}_link",
        summary=f"Change the expiry of a link to a {one}",
        description="Later, sooner or never. One that was revoked stays so.",
        responses=_changed(LinkAnswer, "The link.", shelf),
        openapi_extra={"requestBody": _body(LinkChange, {"expires_at": "2099-12-31T00:00:00Z"})},
        dependencies=[only()],
    )
    async def change(id: Id, link: LinkId, body: BodyDep, found: ServicesDep) -> Response:
        return await in_a_worker(found, _change_link, shelf, found, id, link, body)

    @router.delete(
        "/{id}/links/{link}",
        name=f"revoke_{one}_link",
        status_code=204,
        summary=f"Revoke a link to a {one}",
        responses={204: {"description": "The link opens nothing any more."}, **_problems()},
        dependencies=[only()],
    )
    def revoke(id: Id, link: LinkId, found: ServicesDep) -> Response:
        """From the next request on, for everybody; it stays in the list."""
        saved = shelf.find(found, id)
        with _no_share():
            found.sharing.revoke_link(saved.kind, id, link)
        return Response(status_code=204)


def share_answer(grant: Grant) -> dict[str, Any]:
    return {
        "workspace": grant.key,
        "name": grant.name,
        "role": grant.role,
        "created_by": grant.created_by or None,
        "created_at": time_text(grant.created_at),
    }


def link_answer(link: Link) -> dict[str, Any]:
    names = ("id", "role", "revision", "label", "state", "token", "path")
    times = ("created_at", "expires_at", "last_used_at")
    return {
        **{name: getattr(link, name) for name in names},
        "created_by": link.created_by or None,
        **{name: time_text(time) if (time := getattr(link, name)) else None for name in times},
    }


def _put_share(shelf: Shelf, found: Services, id: str, team: str, body: Body) -> Response:
    saved = shelf.find(found, id)
    with _faults(shelf, found.limits):
        wanted = _read(ShareBody, body, found)
        return _answer(share_answer(found.sharing.grant(saved.kind, id, team, wanted.role)))


def _make_link(shelf: Shelf, found: Services, id: str, body: Body) -> Response:
    saved = shelf.find(found, id)
    with _faults(shelf, found.limits):
        wanted = _read(LinkBody, body, found)
        link = found.sharing.add_link(
            saved.kind,
            id,
            role=wanted.role,
            revision=wanted.revision,
            expires_at=wanted.expires_at,
            label=wanted.label,
        )
    location = {"location": f"{shelf.address}/{id}/links/{link.id}"}
    return _answer(link_answer(link), 201, location)


def _change_link(shelf: Shelf, found: Services, id: str, link_id: str, body: Body) -> Response:
    saved = shelf.find(found, id)
    with _faults(shelf, found.limits):
        wanted = _read(LinkChange, body, found)
        return _answer(link_answer(found.sharing.extend_link(saved.kind, id, link_id, wanted.expires_at)))


def _read(model: Any, body: Body, found: Services) -> Any:
    read = read_body(body, found.limits)
    return build_document(model, read.values, read.positions)


def _answer(content: dict[str, Any], status: int = 200, headers: dict[str, str] | None = None) -> Response:
    headers = {"cache-control": "no-store", **(headers or {})}
    return Response(json_bytes(content), status, headers=headers, media_type=JSON)


@contextmanager
def _no_share() -> Iterator[None]:
    try:
        yield
    except NoShareError as error:
        raise ProblemError(NOT_FOUND, str(error)) from None


@contextmanager
def _faults(shelf: Shelf, limits: Limits) -> Iterator[None]:
    with _no_share(), shelf.faults(limits):
        yield


def _body(model: type[Part], example: dict[str, Any]) -> dict[str, Any]:
    schema = model.model_json_schema()
    return {
        "required": True,
        "description": model.__doc__,
        "content": {
            JSON: {"schema": schema, "examples": {"usual": {"summary": "An example", "value": example}}},
        },
    }


def _problems(*more: Any) -> Responses:
    return problem_answers(*dict.fromkeys((*WRITING, FORBIDDEN, *more)))


def _changed(model: Any, description: str, shelf: Shelf) -> Responses:
    return {
        200: {"model": model, "description": description},
        **_problems(*body_problems(shelf.invalid)),
    }


def _made(shelf: Shelf) -> Responses:
    answer = {"model": LinkAnswer, "description": "The link.", "headers": dict(LOCATION)}
    return {201: answer, **_problems(*body_problems(shelf.invalid))}

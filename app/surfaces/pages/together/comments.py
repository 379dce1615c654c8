"""Comments on one thing, on a page of their own and as a part that other pages fetch."""

from __future__ import annotations

import logging
import re
from typing import Any, NamedTuple
from urllib.parse import quote, unquote

from fastapi import APIRouter, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse
from markupsafe import Markup, escape

from app.catalog.ready import ready_engine
from app.saved.access import ForbiddenError
from app.saved.errors import BadCursorError, NotSavedError, StorageError
from app.saved.records import Kind
from app.saved.store import SavedWork
from app.scenarios.errors import InputError, ScenarioError
from app.surfaces.pages.people.asking import put
from app.surfaces.pages.saved.forms import FormDep, by_script, done
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, saved_key, work_asked
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.surfaces.pages.together.view import (
    Shown,
    anchor_of,
    discussion,
    label_of_anchor,
    shown_thread,
    text_of,
)
from app.teams.asking import asked
from app.teams.comments.anchors import WHOLE
from app.teams.comments.mentions import Mentions
from app.teams.comments.records import Mention
from app.teams.comments.store import Comments, NoCommentError
from app.teams.comments.text import LONGEST_NAME

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

GUEST_NAME_COOKIE = "podwright_guest_name"
GUEST_NAME_S = 180 * 24 * 3600  # as long as an opened link is kept
HERE = "/saved/{kind}/{id}/comments"


@router.get("/designs/{key}/comments")
def of_scenario(
    key: str,
    request: Request,
    work: ReadDep,
    page: TemplatesDep,
    at: str = "",
    after: str = "",
    panel: bool = False,
) -> HTMLResponse:
    """Comments on a saved scenario."""
    named = saved_key(key)
    if named is None:
        raise HTTPException(404, f"{key} has no comments: it is an example. Save it first.")
    return comments_page("scenario", named.id, request, work, page, at, after, panel)


@router.get(HERE)
def comments_page(
    kind: Kind,
    id: str,
    request: Request,
    work: ReadDep,
    page: TemplatesDep,
    at: str = "",
    after: str = "",
    panel: bool = False,
) -> HTMLResponse:
    """Comments on anything saved; `at` is the place they are about, `panel` asks for the part without its page."""
    return _shown(request, work, page, kind, id, at=at, after=after, panel=panel)


@router.post(HERE)
def add(kind: Kind, id: str, request: Request, form: FormDep, work: WriteDep, page: TemplatesDep) -> Response:
    """A comment, or an answer where the form names a thread."""
    place = form.get("anchor", "")
    try:
        made, _ = Comments(work).add(
            kind,
            id,
            form.get("body", ""),
            anchor=anchor_of(place) or WHOLE,
            thread_id=form.get("thread") or None,
            guest_name=form.get("guest_name", ""),
        )
    except ScenarioError as error:
        return _refused(request, work, page, kind, id, form, error.errors)
    except NoCommentError as error:
        gone = InputError(path="", value=None, rule="thread", message=f"{error} It was deleted meanwhile.")
        return _refused(request, work, page, kind, id, form, (gone,))
    answer = _done(request, kind, id, "Comment written", made.id, text_of(made.anchor))
    if is_guest() and (name := " ".join(form.get("guest_name", "").split())):
        put(answer, request, GUEST_NAME_COOKIE, quote(name, safe=""), GUEST_NAME_S)
    return answer


@router.post(f"{HERE}/{{comment_id}}/edit")
def edit(
    kind: Kind, id: str, comment_id: str, request: Request, form: FormDep, work: WriteDep, page: TemplatesDep
) -> Response:
    """One's own comment, written again."""
    try:
        Comments(work).edit(kind, id, comment_id, form.get("body", ""))
    except ScenarioError as error:
        return _refused(request, work, page, kind, id, form, error.errors, edited=comment_id)
    except NoCommentError as error:
        raise HTTPException(404, str(error)) from None
    return _done(request, kind, id, "Comment changed", comment_id)


@router.post(f"{HERE}/{{comment_id}}/delete")
def delete(kind: Kind, id: str, comment_id: str, request: Request, form: FormDep, work: WriteDep) -> Response:
    """Gone for good."""
    try:
        Comments(work).delete(kind, id, comment_id)
    except NoCommentError as error:
        raise HTTPException(404, str(error)) from None
    return _done(request, kind, id, "Comment deleted")


@router.post(f"{HERE}/{{comment_id}}/resolve")
def resolve(
    kind: Kind, id: str, comment_id: str, request: Request, form: FormDep, work: WriteDep
) -> Response:
    """Closed, or open again where the form says so."""
    reopen = bool(form.get("reopen"))
    try:
        Comments(work).resolve(kind, id, comment_id, resolved=not reopen)
    except (NoCommentError, ScenarioError) as error:
        raise HTTPException(404, str(error)) from None
    return _done(request, kind, id, "Thread opened again" if reopen else "Thread resolved", comment_id)


def _done(
    request: Request, kind: Kind, id: str, said: str, comment_id: str = "", place: str = ""
) -> Response:
    address = f"/designs/{id}/comments" if kind == "scenario" else HERE.format(kind=kind, id=id)
    return done(request, f"{address}#c-{comment_id}" if comment_id else address, said=said, place=place)


def _refused(
    request: Request,
    work: SavedWork,
    page: Templates,
    kind: Kind,
    id: str,
    form: dict[str, str],
    faults: tuple[InputError, ...],
    *,
    edited: str = "",
) -> Response:
    """What is wrong; without scripts the page comes back with what was typed."""
    if by_script(request):
        told = {"faults": [f"{fault.message} {fault.hint}".strip() for fault in faults]}
        return JSONResponse(told, headers={"cache-control": "no-store"})
    typed = {**form, "edited": edited}
    return _shown(
        request, work, page, kind, id, at=form.get("at", ""), faults=faults, typed=typed, status=422
    )


def is_guest() -> bool:
    """Return whether comments of this request are signed with a name that the form asks for."""
    actor = asked().actor
    return not actor.account_id and not actor.is_local


def _guest_name(request: Request) -> str:
    """The name of the last comment from this browser; "" for none, or for text that is no name."""
    name = unquote(request.cookies.get(GUEST_NAME_COOKIE, ""))
    return name if is_guest() and name.isprintable() and len(name) <= LONGEST_NAME else ""


def _shown(
    request: Request,
    work: SavedWork,
    page: Templates,
    kind: Kind,
    id: str,
    *,
    at: str = "",
    after: str = "",
    panel: bool = False,
    faults: tuple[InputError, ...] = (),
    typed: dict[str, str] | None = None,
    status: int = 200,
) -> HTMLResponse:
    try:
        found = discussion(work, kind, id, only=at, after=after)
    except BadCursorError as error:
        raise HTTPException(422, str(error)) from error
    template = "together/panel.html" if panel else "together/comments.html"
    context: dict[str, Any] = {
        "found": found,
        "faults": faults,
        "typed": typed or {},
        "remembered": _guest_name(request),
    }
    answer = page.page(template, status=status, **context)
    answer.headers["cache-control"] = "no-store"
    return answer


ADDRESS = re.compile(r"https?://[^\s<>\"'`]+")
ENDS = ".,;:!?)]}"
"""What ends a sentence rather than an address."""


def comment_text(body: str) -> Markup:
    """Everything escaped; addresses become links that tell the other site nothing.

    >>> str(comment_text("<b>see https://example.org/a?b=1&c.</b>"))  # doctest: +ELLIPSIS
    '&lt;b&gt;see <a href="https://example.org/a?b=1&amp;c" ...>https://example.org/a?b=1&amp;c</a>.&lt;/b&gt;'
    """
    parts: list[Markup] = []
    at = 0
    for match in ADDRESS.finditer(body):
        address = match[0].rstrip(ENDS)
        parts.append(escape(body[at : match.start()]))
        parts.append(
            Markup('<a href="{}" rel="external nofollow noopener noreferrer">{}</a>').format(address, address)
        )
        at = match.start() + len(address)
    parts.append(escape(body[at:]))
    return Markup("").join(parts)


class Line(NamedTuple):
    """A mention, what it is about, and where it can be answered."""

    mention: Mention
    about: str
    address: str


@router.get("/mentions")
def mentions(work: ReadDep, page: TemplatesDep) -> HTMLResponse:
    """The newest, read and unread."""
    lines = [_line(one) for one in Mentions(work.sessions.engine, work.actor).newest()]
    unread = sum(not line.mention.is_read for line in lines)
    return page.page("together/mentions.html", lines=lines, unread=unread)


@router.post("/mentions/read")
def read(request: Request, form: FormDep, work: WriteDep) -> Response:
    """Marked as read: one, those on one thing, or all."""
    found = Mentions(work.sessions.engine, work.actor)
    found.read(saved_id=form.get("saved", ""), comment_id=form.get("comment", ""))
    return done(request, "/mentions", unread=found.unread())


def _line(mention: Mention) -> Line:
    kind, id = mention.kind, mention.saved_id
    page = f"/designs/{id}/comments" if kind == "scenario" else f"/saved/{kind}/{id}/comments"
    about = label_of_anchor(kind, mention.anchor)
    return Line(mention, about, f"{page}?at={text_of(mention.anchor)}#c-{mention.comment_id}")


logger = logging.getLogger(__name__)


def add_together(app: FastAPI) -> None:
    """Give the templates of an application their questions. Each answers for the caller."""

    def open_comments(kind: Kind, id: str) -> int:
        """Number of open threads; none where they cannot be read."""
        try:
            return sum(Comments(work_asked(app)).open_threads(kind, id).values())
        except (NotSavedError, ForbiddenError, StorageError):
            return 0

    def comments_then(kind: Kind, id: str, revision: int) -> tuple[Shown, ...]:
        """What had been said when a revision was the newest."""
        try:
            threads = Comments(work_asked(app)).listed(kind, id, revision=revision).items
        except (NotSavedError, ForbiddenError, StorageError):
            return ()
        return tuple(shown_thread(kind, thread) for thread in threads)

    def unread_mentions() -> int:
        """For the head of every page, error pages too: a database that cannot be read has none."""
        actor = asked().actor
        if not actor.account_id:
            return 0
        try:
            return Mentions(ready_engine(app.state.settings), actor).unread()
        except Exception as error:
            logger.warning("mentions cannot be counted", exc_info=error)
            return 0

    pages: Templates = app.state.templates
    pages.environment.globals |= {
        "open_comments": open_comments,
        "comments_then": comments_then,
        "unread_mentions": unread_mentions,
    }
    pages.environment.filters["comment_text"] = comment_text

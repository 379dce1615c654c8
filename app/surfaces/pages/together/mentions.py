"""Comments that name the signed-in user."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from app.surfaces.pages.saved.forms import FormDep, done
from app.surfaces.pages.saved.ready import ReadDep, WriteDep
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.together.view import label_of_anchor, text_of
from app.teams.comments.mentions import Mentions
from app.teams.comments.records import Mention

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


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
    """Marked as read: one of them, those on one thing, or all."""
    found = Mentions(work.sessions.engine, work.actor)
    found.read(saved_id=form.get("saved", ""), comment_id=form.get("comment", ""))
    return done(request, "/mentions", unread=found.unread())


def _line(mention: Mention) -> Line:
    kind, id = mention.kind, mention.saved_id
    page = f"/designs/{id}/comments" if kind == "scenario" else f"/saved/{kind}/{id}/comments"
    about = label_of_anchor(kind, mention.anchor)
    return Line(mention, about, f"{page}?at={text_of(mention.anchor)}#c-{mention.comment_id}")

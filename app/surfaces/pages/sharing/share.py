"""Who can see something saved, and what changes that: teams, and links."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from app.db.tables.base import now
from app.saved.records import WORDS, Kind, Saved
from app.scenarios.errors import InputError, ScenarioError, refuse, shorten
from app.settings import Settings
from app.surfaces.pages.saved.forms import FormDep, asked_again, by_script
from app.surfaces.pages.saved.rights import ReadDep, WriteDep, address_of, service_asked
from app.surfaces.pages.templating import Templates, TemplatesDep
from app.teams.asking import asked
from app.teams.secrets import Secrets
from app.teams.sharing import SHARED_ROLES, Grant, Link, Member, NoShareError, Sharing

router = APIRouter(
    prefix="/saved/{kind}/{id}/share", include_in_schema=False, default_response_class=HTMLResponse
)

MAY = {"viewer": "Can view", "commenter": "Can comment", "editor": "Can edit"}


class SharePage(NamedTuple):
    """`typed` is what stands in the forms, `faults` what is wrong with it, by form."""

    saved: Saved
    word: str
    back: str
    workspace: str
    members: tuple[Member, ...]
    grants: tuple[Grant, ...]
    links: tuple[Link, ...]
    teams: tuple[tuple[str, str], ...]  # of the asker, that it is not shared with yet: key, name
    origin: str  # of the server, before the path of a link
    roles: tuple[tuple[str, str], ...]
    ends: tuple[tuple[str, str], ...]
    typed: dict[str, str]
    faults: dict[str, tuple[InputError, ...]]

    @property
    def action(self) -> str:
        return f"/saved/{self.saved.kind}/{self.saved.id}/share"


def share_page(
    request: Request, saved: Saved, sharing: Sharing, typed: dict[str, str] | None = None,
    faults: dict[str, tuple[InputError, ...]] | None = None,
) -> SharePage:  # fmt: skip
    """Everything the page shows; who may not share it cannot see it."""
    workspace, members = sharing.members(saved.kind, saved.id)
    grants = sharing.grants(saved.kind, saved.id)
    granted = {grant.key for grant in grants}
    return SharePage(
        saved=saved,
        word=WORDS[saved.kind],
        back=address_of(saved.kind, saved.id),
        workspace=workspace,
        members=members,
        grants=grants,
        links=sharing.links(saved.kind, saved.id),
        teams=tuple(
            (each.key, each.name)
            for each in asked().workspaces
            if each.kind == "team" and each.id != saved.workspace_id and each.key not in granted
        ),
        origin=server_address(request),
        roles=tuple((role, MAY[role]) for role in SHARED_ROLES),
        ends=ENDS,
        typed={
            "role": "viewer",
            "workspace": "",
            "other": "",
            "label": "",
            "end": USUAL,
            "date": "",
            **(typed or {}),
        },
        faults=faults or {},
    )


def secrets_in(app: FastAPI) -> Secrets:
    """Those of the server; its file is read once."""
    return service_asked(app).secrets()


def sharing(request: Request) -> Sharing:
    """Shares as the caller may see and change them."""
    return service_asked(request.app).sharing


SharingDep = Annotated[Sharing, Depends(sharing)]


def server_address(request: Request) -> str:
    """What the addresses of links begin with."""
    settings: Settings = request.app.state.settings
    return settings.public_url or str(request.base_url).rstrip("/")


@router.get("")
def show(
    kind: Kind, id: str, request: Request, work: ReadDep, sharing: SharingDep, page: TemplatesDep
) -> HTMLResponse:
    return page.page("sharing/share.html", share=share_page(request, work.get(kind, id), sharing))


@router.post("/teams")
def grant(
    kind: Kind,
    id: str,
    request: Request,
    form: FormDep,
    work: WriteDep,
    sharing: SharingDep,
    page: TemplatesDep,
) -> Response:
    """Share it with a team, or give it another role."""
    key = form.get("other", "").strip() or form.get("workspace", "")

    def change() -> None:
        sharing.grant(kind, id, key, form.get("role", ""))

    return _changed(request, work.get(kind, id), sharing, page, form, "team", change)


@router.post("/teams/{key}/withdraw")
def withdraw(
    kind: Kind, id: str, key: str, request: Request, form: FormDep, work: WriteDep, sharing: SharingDep,
    page: TemplatesDep,
) -> Response:  # fmt: skip
    return _changed(
        request, work.get(kind, id), sharing, page, form, "team", lambda: sharing.withdraw(kind, id, key)
    )


@router.post("/links")
def make_link(
    kind: Kind,
    id: str,
    request: Request,
    form: FormDep,
    work: WriteDep,
    sharing: SharingDep,
    page: TemplatesDep,
) -> Response:
    """A link to whatever is newest, or to the revision that the form names."""

    def change() -> None:
        sharing.add_link(
            kind,
            id,
            role=form.get("role", ""),
            revision=_revision(form),
            expires_at=end_of(form.get("end", ""), form.get("date", "")),
            label=form.get("label", ""),
        )

    return _changed(request, work.get(kind, id), sharing, page, form, "link", change)


@router.post("/links/{link}/extend")
def extend(
    kind: Kind, id: str, link: str, request: Request, form: FormDep, work: WriteDep, sharing: SharingDep,
    page: TemplatesDep,
) -> Response:  # fmt: skip
    """Another end."""

    def change() -> None:
        sharing.extend_link(kind, id, link, end_of(form.get("end", ""), form.get("date", "")))

    return _changed(request, work.get(kind, id), sharing, page, {}, f"link-{link}", change)


@router.post("/links/{link}/revoke")
def revoke(
    kind: Kind, id: str, link: str, request: Request, form: FormDep, work: WriteDep, sharing: SharingDep,
    page: TemplatesDep,
) -> Response:  # fmt: skip
    return _changed(
        request, work.get(kind, id), sharing, page, {}, "link", lambda: sharing.revoke_link(kind, id, link)
    )


def _changed(
    request: Request, saved: Saved, sharing: Sharing, page: Templates, form: dict[str, str], part: str,
    change: Callable[[], None],
) -> Response:  # fmt: skip
    """Make a change and show the page again: a browser is sent there, a script puts it into its dialog."""
    try:
        change()
    except ScenarioError as error:
        again = share_page(request, saved, sharing, form, {part: error.errors})
        return asked_again(request, page, "sharing/share.html", share=again)
    except NoShareError as error:
        raise HTTPException(404, str(error)) from None
    if by_script(request):
        again = share_page(request, saved, sharing)
        return asked_again(request, page, "sharing/share.html", status=200, share=again)
    return RedirectResponse(f"/saved/{saved.kind}/{saved.id}/share", 303)


def _revision(form: dict[str, Any]) -> int | None:
    """The revision that a link is to show; none where it shows whatever is newest."""
    text = str(form.get("revision", ""))
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise refuse("That is not the number of a revision.", rule="range", path="revision", value=text[:40])
    return int(text)


ENDS = (
    ("1", "in 1 day"),
    ("7", "in 7 days"),
    ("30", "in 30 days"),
    ("never", "never"),
    ("date", "on a date"),
)
USUAL = "30"


def end_of(chosen: str, date: str) -> datetime | None:
    """The moment at which a link ends, None for never. A date counts to its end, in UTC.

    Raises
    ------
    ScenarioError : no end was chosen, or the date is none
    """
    if chosen == "never":
        return None
    if chosen in ("1", "7", "30"):
        return now() + timedelta(days=int(chosen))
    if chosen != "date":
        raise refuse(
            f"{shorten(chosen)} is not a valid expiry date.", rule="one_of", path="end", value=chosen
        )
    try:
        day = datetime.strptime(date.strip(), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        hint = "Write it as 2027-03-31."
        raise refuse(
            f"{shorten(date)} is not a date.", rule="date", path="date", value=date, hint=hint
        ) from None
    return day + timedelta(days=1)

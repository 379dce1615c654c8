"""Comments as pages show them."""

from __future__ import annotations

from typing import NamedTuple

from app.engine.quantities import short_label_at
from app.saved.diff import label_of_path
from app.saved.records import Kind
from app.saved.store import SavedWork
from app.surfaces.pages.design_page import HEADLINES
from app.surfaces.pages.saved.rights import address_of
from app.surfaces.pages.studio.fields import fields_by_path
from app.teams.comments.anchors import ANCHOR_KINDS, BOARD_ROWS, WHOLE, Anchor
from app.teams.comments.records import Thread
from app.teams.comments.store import Comments

PLACES: dict[Kind, str] = {
    "scenario": "The whole scenario",
    "supernode": "The whole design",
    "pod": "The whole design",
    "projection": "The whole projection",
    "study": "The whole study",
    "fleet": "The whole fleet",
}


class Shown(NamedTuple):
    """A thread, and what it is about in words."""

    thread: Thread
    about: str
    anchor: str


class Discussion(NamedTuple):
    """Comments on one thing; `only` is the place that is asked about, "" where all are shown."""

    kind: Kind
    id: str
    name: str
    open: tuple[Shown, ...]
    resolved: tuple[Shown, ...]
    more: str  # token of those that follow
    may_comment: bool
    only: str
    only_label: str
    places: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]  # title of a group -> (anchor, label)
    names: tuple[str, ...]  # people who can be named

    @property
    def address(self) -> str:
        return f"/saved/{self.kind}/{self.id}/comments"

    @property
    def home(self) -> str:
        """The page of what is commented on."""
        return home_of(self.kind, self.id)


def discussion(work: SavedWork, kind: Kind, id: str, *, only: str = "", after: str = "") -> Discussion:
    """What is said on something, and what a comment on it can be about.

    Raises
    ------
    NotSavedError : there is no such thing
    BadCursorError : `after` was not given out for this list
    """
    saved = work.get(kind, id)
    comments = Comments(work)
    anchor = anchor_of(only)
    page = comments.listed(kind, id, anchor=anchor, after=after or None, limit=200)
    shown = tuple(shown_thread(kind, thread) for thread in page.items)
    return Discussion(
        kind=kind,
        id=id,
        name=saved.name,
        open=tuple(one for one in shown if one.thread.first.resolved_at is None),
        resolved=tuple(one for one in shown if one.thread.first.resolved_at is not None),
        more=page.next or "",
        may_comment=comments.may_comment(kind, id),
        only=only if anchor else "",
        only_label=label_of_anchor(kind, anchor) if anchor else "",
        places=_places(kind, anchor),
        names=tuple(one.name for one in comments.people(kind, id)),
    )


def shown_thread(kind: Kind, thread: Thread) -> Shown:
    """A thread with what it is about."""
    anchor = thread.first.anchor
    return Shown(thread, label_of_anchor(kind, anchor), text_of(anchor))


def label_of_anchor(kind: Kind, anchor: Anchor) -> str:
    """What a comment is about, in the words of the page."""
    if anchor == WHOLE:
        return PLACES[kind]
    if anchor.kind == "result":
        return short_label_at(anchor.path)
    if anchor.kind == "cell":
        column, _, row = anchor.path.rpartition("/")
        return f"{column}, {BOARD_ROWS[row][:1].lower()}{BOARD_ROWS[row][1:]}"
    field = fields_by_path().get(anchor.path) if kind == "scenario" else None
    return field.label if field else label_of_path(anchor.path)


def anchor_of(text: str) -> Anchor | None:
    """The place that an address or a form names, None where it names none.

    >>> anchor_of("field:pod.supernodes"), anchor_of("whole"), anchor_of("field:")
    (Anchor(kind='field', path='pod.supernodes'), Anchor(kind='whole', path=''), None)
    """
    kind, _, path = text.partition(":")
    if text == "whole":
        return WHOLE
    known = next((one for one in ANCHOR_KINDS if one == kind and one != "whole"), None)
    return Anchor(known, path) if known and path else None


def text_of(anchor: Anchor) -> str:
    """A place as addresses and forms name it."""
    return f"{anchor.kind}:{anchor.path}" if anchor.path else "whole"


def home_of(kind: Kind, id: str) -> str:
    """The page of something saved."""
    return address_of(kind, id)


def _places(kind: Kind, asked: Anchor | None) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    groups = [("", [WHOLE])]
    if kind == "scenario":
        groups.append(("Inputs", [Anchor("field", path) for path in fields_by_path()]))
        groups.append(("Results", [Anchor("result", path) for path in HEADLINES["training"]]))
    if asked and not any(asked in anchors for _, anchors in groups):
        groups[0][1].append(asked)
    return tuple(
        (title, tuple((text_of(one), label_of_anchor(kind, one)) for one in anchors))
        for title, anchors in groups
    )

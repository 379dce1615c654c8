"""A study as a page has it: saved or carried by the address, its document, its review, and what the caller
may do."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.saved.records import Revision, Saved
from app.saved.store import SavedWork
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.surfaces.pages.saved.rights import Rights, rights
from app.surfaces.pages.studio.state import encode_state
from app.teams.asking import asked
from app.teams.comments.store import Comments
from app.teams.reviews import Review, Reviews
from app.views.study.report import StudyAnswer
from app.views.written import read_back

MOST_REVISIONS = 100


class OpenedStudy(NamedTuple):
    """`document` is None where `values` are no study, and `errors` say why. `kept` is the answer that was
    kept with the revision that is shown. `is_old` says that it is not the newest, `is_alone` that a link
    shows nothing else.
    """

    values: dict[str, Any]
    document: StudyDocument | None
    errors: tuple[InputError, ...]
    saved: Saved | None
    shown: Revision | None
    revisions: tuple[Revision, ...]
    review: Review | None
    rights: Rights
    may_comment: bool
    comments: dict[str, int]  # open ones, by cell
    kept: StudyAnswer | None
    is_old: bool
    is_alone: bool

    @property
    def name(self) -> str:
        return str(self.values.get("name") or "Untitled study")

    @property
    def state(self) -> str:
        """The document in an address."""
        return encode_state(self.values)

    @property
    def address(self) -> str:
        """The page of it."""
        return f"/studies/{self.saved.id}" if self.saved else f"/studies/new?s={self.state}"

    @property
    def changing(self) -> str:
        """Where forms that change it are sent."""
        return f"/studies/{self.saved.id}/change" if self.saved else "/studies/change"

    @property
    def may_change(self) -> bool:
        """Return whether forms of the page change something: one's own unsaved study, or one that may be
        edited."""
        return not self.saved or (self.rights.write and not self.is_old and not self.is_alone)


def unsaved(values: dict[str, Any]) -> OpenedStudy:
    """A study that no one has saved."""
    document, errors = checked(values)
    return OpenedStudy(
        values=values,
        document=document,
        errors=errors,
        saved=None,
        shown=None,
        revisions=(),
        review=None,
        rights=rights(frozenset()),
        may_comment=False,
        comments={},
        kept=None,
        is_old=False,
        is_alone=False,
    )


def opened(work: SavedWork, id: str, number: int) -> OpenedStudy:
    """A saved study with a revision of it, the newest where `number` is 0.

    Raises
    ------
    NotSavedError : there is no such study or revision
    """
    actions = work.rights("study", id)
    if not actions and number:  # a link shows this revision, and nothing else
        saved, is_alone = work.shown("study", id, number), True
    else:
        saved, is_alone = work.get("study", id), False
    shown = work.revision("study", id, number or saved.revision)
    results = work.kept("study", id, shown.revision)
    document, errors = checked(shown.document)
    threads = {} if is_alone else Comments(work).open_threads("study", id)
    return OpenedStudy(
        values=shown.document,
        document=document,
        errors=errors,
        saved=saved,
        shown=shown,
        revisions=(shown,) if is_alone else work.revisions("study", id, limit=MOST_REVISIONS).items,
        review=None if is_alone else Reviews(work, asked()).of("study", id),
        rights=rights(actions),
        may_comment="comment" in actions,
        comments={anchor.path: count for anchor, count in threads.items() if anchor.kind == "cell"},
        kept=read_back(StudyAnswer, results) if results is not None else None,
        is_old=shown.revision != saved.revision,
        is_alone=is_alone,
    )


def checked(values: dict[str, Any]) -> tuple[StudyDocument | None, tuple[InputError, ...]]:
    """The document of plain values, or what is wrong with them."""
    try:
        return build_document(StudyDocument, values), ()
    except ScenarioError as error:
        return None, error.errors

"""Reading saved work: items, lists, revisions, and revisions opened again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine
from sqlmodel import Session

from app.catalog.lookup import Catalog
from app.catalog.pinned import PinnedCatalog
from app.catalog.snapshot import Snapshot, SnapshotError
from app.db.tables import (
    PERSONAL_WORKSPACE_ID,
    CatalogSnapshotRow,
    DesignRevisionRow,
    ScenarioRevisionRow,
)
from app.saved import listing, trash
from app.saved.access import LOCAL, Action, Actor, ForbiddenError, Resource, may
from app.saved.errors import NotSavedError
from app.saved.expand import DESIGN_KINDS, FindSaved
from app.saved.faults import storage_error
from app.saved.listing import Asked, Elsewhere, Sort
from app.saved.names import authors_of, with_names
from app.saved.packing import PackingError, packed, unpacked
from app.saved.records import Kind, Listed, Page, Reopened, Revision, Saved
from app.saved.reopening import reopened
from app.saved.rows import (
    TABLES,
    HeadRow,
    RevisionRow,
    revision_record,
    saved_record,
    summary_of,
)
from app.saved.sessions import Sessions
from app.saved.studies import scenarios_named
from app.saved.writing import numbered_revision, record, uses_of


class SavedReading:
    """The half of `SavedWork` that changes nothing."""

    def __init__(
        self,
        engine: Engine,
        catalog: Callable[[], Catalog],
        workspace_id: int = PERSONAL_WORKSPACE_ID,
        actor: Actor = LOCAL,
    ) -> None:
        self._builtin = catalog
        self._workspace_id = workspace_id
        self._sessions = Sessions(engine, actor, workspace_id)

    @property
    def actor(self) -> Actor:
        """The caller."""
        return self._sessions.actor

    @property
    def sessions(self) -> Sessions:
        """Units of work with the actor's rights, for what is kept beside saved work."""
        return self._sessions

    @property
    def workspace_id(self) -> int:
        """The workspace that is listed, and where new things are saved."""
        return self._workspace_id

    def catalog(self, workspace_id: int | None = None) -> Catalog:
        """The catalog with the own rows of a workspace: that of something saved, else the one asked for."""
        return self._builtin().of(self._workspace_id if workspace_id is None else workspace_id)

    def require(self, action: Action) -> None:
        """Nothing, where the actor may do this in the workspace; raises ForbiddenError otherwise."""
        self._sessions.require(action)

    def may(self, action: Action, kind: Kind, id: str) -> bool:
        """Return whether the actor may do this with something that they may see."""
        try:
            self.require_on(action, kind, id)
        except (ForbiddenError, NotSavedError):
            return False
        return True

    @property
    def has_lists(self) -> bool:
        """Return whether there is a workspace to list: who came by links only has none."""
        return may(self.actor, "read", Resource(workspace_id=self._workspace_id))

    def is_member(self, workspace_id: int) -> bool:
        """Return whether the actor may read a workspace as a whole, its own rows of the catalog among it."""
        return may(self.actor, "read", Resource(workspace_id=workspace_id))

    def may_take_prices(self, workspace_id: int) -> bool:
        """Return whether the actor may pass own prices of a workspace on, which is a way of sharing them."""
        return may(self.actor, "share", Resource(workspace_id=workspace_id))

    def require_own_prices(self, workspace_id: int) -> None:
        """Nothing, where the actor may pass own prices of a workspace on; raises ForbiddenError otherwise."""
        if not self.may_take_prices(workspace_id):
            raise ForbiddenError(
                "Own prices leave a workspace only by those who may share its work (role editor). Leave them out."
            )

    def require_on(self, action: Action, kind: Kind, id: str) -> None:
        """Nothing, where the actor may do this with something; raises ForbiddenError or NotSavedError otherwise."""
        with self._sessions.reading() as session:
            self._sessions.head(session, kind, id, action=action)

    def rights(self, kind: Kind, id: str) -> frozenset[Action]:
        """What the actor may do with something as it is now; nothing where they may not see it."""
        try:
            with self._sessions.reading() as session:
                return self._sessions.rights(session, kind, id)
        except NotSavedError:
            return frozenset()

    def shown(self, kind: Kind, id: str, number: int) -> Saved:
        """Something saved as a revision of it was, for anyone who may see that revision and perhaps no
        other."""
        with self._sessions.reading() as session:
            row = self._revision(session, kind, id, number)
            head = self._sessions.head(session, kind, id, revision=number)
            saved = saved_record(kind, head, row.document, row.note)
        name = str(row.document["name"])
        summary = summary_of(kind, row.summary)
        return replace(saved, name=name, revision=number, summary=summary, tags=(), updated_at=row.created_at)

    def get(self, kind: Kind, id: str, *, deleted: bool = False) -> Saved:
        """What is saved under an id; with `deleted`, also what was deleted."""
        with self._sessions.reading() as session:
            return record(session, kind, self._sessions.head(session, kind, id, deleted=deleted))

    def finder(self, holder: Saved | None = None) -> FindSaved:
        """Finds what a document names: whatever the actor may see, and what `holder` names already.

        Anyone who may see a scenario may see what it comes to, the designs of its workspace put in; but
        not, by naming them, designs of that workspace which are not in it.
        """
        reached = [holder.document] if holder else []  # a projection names a scenario, which names designs

        def find(kind: Kind, id: str) -> Saved:
            try:
                return self.get(kind, id, deleted=True)
            except NotSavedError:
                if holder is None or not any(_names(document, kind, id) for document in reached):
                    raise
                with self._sessions.reading() as session:
                    found = self._named(session, kind, id, holder.workspace_id)
                reached.append(found.document)
                return found

        return find

    def listed(
        self,
        kind: Listed,
        *,
        limit: int = 50,
        after: str | None = None,
        search: str = "",
        tag: str | None = None,
        model: str | None = None,
        system: str | None = None,
        feasible: bool | None = None,
        template: bool | None = None,
        deleted: bool = False,
        sort: Sort = "updated",
    ) -> Page[Saved]:
        """A page of saved work that fits every filter: what was changed last first, or by name.

        `model` and `system` are catalog keys, or names where they are written out; every word of
        `search` occurs in name, tags or summary. A walk by name meets each item once whatever is saved
        meanwhile; one by time never twice, and what was changed meanwhile stands on the first page.

        Raises
        ------
        BadCursorError : `after` was not given out for this list
        """
        _check_limit(limit)
        self.require("read")
        asked = Asked(
            kind=kind,
            workspace_id=self._workspace_id,
            search=search,
            tag=tag,
            model=model,
            system=system,
            feasible=feasible,
            template=template,
            deleted=deleted,
            sort=sort,
        )
        with self._sessions.reading() as session:
            return listing.page_of(session, asked, limit=limit, after=after)

    def shared(
        self,
        kind: Listed,
        *,
        limit: int = 50,
        after: str | None = None,
        search: str = "",
        tag: str | None = None,
        sort: Sort = "updated",
    ) -> Page[Saved]:
        """A page of what other workspaces share with the actor's teams, or by links that the actor has.

        Links to one revision are not in it: `pinned` are what they show.

        Raises
        ------
        BadCursorError : `after` was not given out for this list
        """
        _check_limit(limit)
        if "read" not in self.actor.scopes:
            return Page(items=(), next=None)
        live = tuple(link.saved_id for link in self.actor.links if link.revision is None)
        asked = Asked(
            kind=kind,
            workspace_id=self._workspace_id,
            search=search,
            tag=tag,
            sort=sort,
            elsewhere=Elsewhere(teams=tuple(self.actor.roles), ids=live),
        )
        with self._sessions.reading() as session:
            return listing.page_of(session, asked, limit=limit, after=after)

    def pinned(self, kind: Kind) -> tuple[Saved, ...]:
        """Revisions that the actor has links to, as they were; one that is not there any more is left out."""
        found = []
        for link in self.actor.links:
            if link.revision is not None:
                with suppress(NotSavedError):
                    found.append(self.shown(kind, link.saved_id, link.revision))
        return tuple(found)

    def tags(self, kind: Kind) -> tuple[tuple[str, int], ...]:
        """Tags in use with how often, the most used first."""
        self.require("read")
        with self._sessions.reading() as session:
            return listing.tags_in_use(session, kind, self._workspace_id)

    def deleted_by(self, ids: Sequence[str]) -> dict[str, str]:
        """Who deleted what the workspace has deleted, by id."""
        self.require("read")
        with self._sessions.reading() as session:
            return trash.deleted_by(session, ids)

    def used_by(self, kind: Kind, id: str) -> tuple[Saved, ...]:
        """Scenarios whose newest revision names a design; none for what is no design."""
        with self._sessions.reading() as session:
            head = self._sessions.head(session, kind, id, deleted=True)
            found = listing.scenarios_with(session, id) if kind in DESIGN_KINDS else ()
            own = Resource(workspace_id=head.workspace_id)
            return found if may(self.actor, "read", own) else ()

    def revisions(self, kind: Kind, id: str, *, limit: int = 50, after: str | None = None) -> Page[Revision]:
        """Revisions, newest first.

        Raises
        ------
        BadCursorError : `after` was not given out for this list
        """
        _check_limit(limit)
        with self._sessions.reading() as session:
            self._sessions.head(session, kind, id)
            page = listing.revisions_of(session, kind, id, limit=limit, after=after)
            return Page(items=with_names(session, id, page.items), next=page.next)

    def revision(self, kind: Kind, id: str, number: int) -> Revision:
        """One revision."""
        with self._sessions.reading() as session:
            found = revision_record(kind, id, self._revision(session, kind, id, number))
            return with_names(session, id, (found,))[0]

    def others(self, kind: Kind, id: str, after: int, up_to: int) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The document of a revision, and who saved it and those after another, as far as that is known."""
        with self._sessions.reading() as session:
            row = self._revision(session, kind, id, up_to)
            return row.document, authors_of(session, kind, id, after, up_to)

    def results(self, id: str, number: int) -> dict[str, Any]:
        """The evaluation of a scenario as it was computed at the save.

        Revisions of databases of the first version keep none: they are evaluated with what they keep.

        Raises
        ------
        ScenarioError : none was kept, and today's engine refuses the document
        """
        with self._sessions.reading() as session:
            results = self._results(self._revision(session, "scenario", id, number))
        return unpacked(packed(self.reopened(id, number).evaluated.as_json)) if results is None else results

    def projection(self, id: str, number: int) -> dict[str, Any]:
        """What a projection came to at the save."""
        results = self.kept("projection", id, number)
        assert results is not None  # every revision of a projection has them
        return results

    def kept(self, kind: Kind, id: str, number: int) -> dict[str, Any] | None:
        """Results of a revision at its save; None where none were computed."""
        with self._sessions.reading() as session:
            return self._results(self._revision(session, kind, id, number))

    def pinned_catalog(self, id: str, number: int) -> PinnedCatalog:
        """The catalog as a revision was computed with it."""
        with self._sessions.reading() as session:
            row = self._revision(session, "scenario", id, number)
            assert isinstance(row, ScenarioRevisionRow)
            kept = session.get(CatalogSnapshotRow, row.snapshot_hash) if row.snapshot_hash else None
            head = self._sessions.head(session, "scenario", id, revision=number)
        try:
            snapshot = Snapshot.unpacked(kept.content) if kept else Snapshot()
        except SnapshotError:
            raise self._damaged() from None
        return PinnedCatalog(self.catalog(head.workspace_id), snapshot, row.catalog_revision)

    def reopened(self, id: str, number: int) -> Reopened:
        """A revision evaluated with the catalog values of its time, and what has moved since.

        Raises
        ------
        ScenarioError : today's engine refuses the document
        """
        with self._sessions.reading() as session:
            row = self._revision(session, "scenario", id, number)
            assert isinstance(row, ScenarioRevisionRow)
            (revision,) = with_names(session, id, (revision_record("scenario", id, row),))
            kept = session.get(CatalogSnapshotRow, row.snapshot_hash) if row.snapshot_hash else None
            head = self._sessions.head(session, "scenario", id, revision=number)
            uses = [
                (use, self._named(session, use.field, use.id, head.workspace_id))
                for use in uses_of(session, row)
            ]
        try:
            snapshot = Snapshot.unpacked(kept.content) if kept else Snapshot()
        except SnapshotError:
            raise self._damaged() from None
        return reopened(
            revision,
            row.expanded or row.document,
            snapshot=snapshot,
            results=self._results(row),
            uses=uses,
            catalog=self.catalog(head.workspace_id),
        )

    def _named(self, session: Session, kind: Kind, id: str, workspace_id: int) -> Saved:
        """What something of a workspace names, the caller: nothing of another workspace is found so."""
        found: Any = session.get(TABLES[kind].head, id)
        row: HeadRow | None = found
        if row is None or row.workspace_id != workspace_id or getattr(row, "kind", kind) != kind:
            raise NotSavedError(kind, id)
        return record(session, kind, row)

    def _revision(self, session: Session, kind: Kind, id: str, number: int) -> RevisionRow:
        self._sessions.head(session, kind, id, revision=number)
        row = numbered_revision(session, kind, id, number)
        if row is None:
            raise NotSavedError(kind, id, number)
        return row

    def _results(self, row: RevisionRow) -> dict[str, Any] | None:
        if isinstance(row, DesignRevisionRow) or row.results is None:
            return None
        try:
            return unpacked(row.results)
        except PackingError:
            raise self._damaged() from None

    def _damaged(self) -> Exception:
        return storage_error("damaged", self._sessions.engine.url)


def _names(document: dict[str, Any], kind: Kind, id: str) -> bool:
    """Return whether a document names something saved."""
    if kind == "scenario":
        return document.get("scenario") == id or id in scenarios_named(document)
    part = document.get(kind)
    return isinstance(part, dict) and part.get("design") == id


def _check_limit(limit: int) -> None:
    if not 1 <= limit <= listing.MOST:
        raise ValueError(f"a page has 1 to {listing.MOST} items")

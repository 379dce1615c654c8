"""Saving scenarios, designs and projections: what the rest of the product works with."""

from __future__ import annotations

import copy
import re
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app import __version__
from app.catalog.lookup import Catalog
from app.db.engine import is_server
from app.db.process_lock import process_lock
from app.db.tables import PERSONAL_WORKSPACE_ID
from app.db.tables.base import now
from app.db.tables.saved import new_id
from app.db.turns import Turns
from app.saved import forking, trash, writing
from app.saved.access import LOCAL, Actor
from app.saved.change_log import Event, log_change
from app.saved.errors import ChangedMeanwhileError, MergeConflictError, NotSavedError
from app.saved.expand import expanded
from app.saved.faults import storage_faults
from app.saved.forking import ReceiveRows
from app.saved.idempotency import IdempotencyKeys
from app.saved.listing import Sort
from app.saved.merge import Side
from app.saved.merging import Saves, once_each, refuse_collision, saves_of
from app.saved.prepared import Prepared, answered, prepared, renamed
from app.saved.projections import projected
from app.saved.reading import SavedReading
from app.saved.records import WORDS, Kind, Saved
from app.saved.rows import HeadRow, RevisionRow, saved_record
from app.saved.sessions import Sessions
from app.saved.tags import clean_tags
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario, evaluated
from app.scenarios.load import build_scenario
from app.views.projecting.options import ProjectionDocument

__all__ = ["SavedWork", "Sort"]

LONGEST_NAME = 200
COPY = " (copy)"
MOST_EVALUATED_LOCKED = 4  # saves on a database server that hold a connection while they are evaluated
MOST_TRIES = 50  # at merging, each lost to someone who saved


class SavedWork(SavedReading):
    """Saved work of one database as one actor sees it from one workspace.

    Thread-safe; one per application; `of` gives each request its own. Every method raises StorageError where the database cannot do it, and NotSavedError for what is not
    there or was deleted. What is written is checked and computed first, then committed at once.
    """

    def __init__(
        self,
        engine: Engine,
        catalog: Callable[[], Catalog],
        workspace_id: int = PERSONAL_WORKSPACE_ID,
        actor: Actor = LOCAL,
        channels: Sequence[str] = (),
    ) -> None:
        """`channels` are those by which people are told of news: webhook and mail, as far as the server has
        them."""
        super().__init__(engine, catalog, workspace_id, actor)
        self.channels = tuple(channels)
        self._keys = IdempotencyKeys(engine, workspace_id, actor.account_id)
        # what is evaluated may look designs up on a second connection, of which there are as many as all have
        self._evaluating_locked = threading.BoundedSemaphore(MOST_EVALUATED_LOCKED)
        self._guard = threading.Lock()
        self._turns: weakref.WeakValueDictionary[str, Turns] = weakref.WeakValueDictionary()

    def of(self, actor: Actor, workspace_id: int) -> SavedWork:
        """The same saved work for the caller, from a workspace."""
        own = copy.copy(self)  # the line before each item stays that of all
        own._workspace_id = workspace_id
        own._sessions = Sessions(self._sessions.engine, actor, workspace_id)
        own._keys = self._keys.of(workspace_id, actor.account_id)
        return own

    def create(
        self,
        kind: Kind,
        document: dict[str, Any],
        *,
        note: str = "",
        tags: Sequence[str] = (),
        forked_from_id: str | None = None,
        id: str | None = None,
    ) -> Saved:
        """Save something new, as its revision 1.

        Raises
        ------
        ScenarioError : the document cannot be saved
        ChangedMeanwhileError : there is something with this `id`
        """
        self.require("write")
        save, cleaned = self._prepared(kind, document, note), clean_tags(tags)
        if id is not None and not re.fullmatch(r"[0-9a-f]{32}", id):
            hint = "Leave it out, and one is made."
            raise refuse("An id has 32 digits and letters a to f.", rule="id", path="id", value=id, hint=hint)
        return self._inserted(save, note, cleaned, id=id or new_id(), forked_from_id=forked_from_id)

    def replace(
        self, kind: Kind, id: str, document: dict[str, Any], *, version: int | None, note: str = ""
    ) -> Saved:
        """Save a new revision; `version` is that of what it was made from, None for whatever it is now.

        Raises
        ------
        ScenarioError : the document cannot be saved
        ChangedMeanwhileError : it has another version by now
        """
        # Of those who save the same version only one can succeed: they take turns, and a late one
        # is refused before it waits for its turn, and before anything is evaluated in vain.
        self._still_at(version, kind, id)
        with self._one_at_a_time(id):
            save = self._prepared(kind, document, note, self._still_at(version, kind, id))
            with self._sessions.changing(kind, id, version) as (session, head):
                row = self._revised(session, head, save, note)
                return self._changed(session, kind, head, row, "saved")

    def merge(
        self,
        kind: Kind,
        id: str,
        document: dict[str, Any],
        *,
        base_revision: int,
        note: str = "",
        choices: Mapping[str, Side] | None = None,
        seen_revision: int | None = None,
    ) -> Saved:
        """Save what was made from `base_revision`, with what others saved since.

        `choices` settle conflicts by their paths. They hold for what was seen, up to `seen_revision`: what
        was saved after it is asked for again.

        Raises
        ------
        ScenarioError : the document cannot be saved
        MergeConflictError : both changed the same field
        ChangedMeanwhileError : others were faster each time
        """

        def versions(
            session: Session, head: HeadRow
        ) -> tuple[Saved, dict[str, Any] | None, Mapping[str, Side]]:
            there = writing.record(session, kind, head)
            chosen = choices if seen_revision == there.revision else None
            return there, self._base(session, there, base_revision), chosen or {}

        def saves(session: Session, head: HeadRow) -> tuple[Saved, Saves]:
            there, base, chosen = versions(session, head)
            return there, self._saves(there, base_revision, base, document, note, chosen)

        # A conflict now is a conflict after waiting as well, so it is reported before the turn.
        with self._sessions.reading() as session:
            there, base, chosen = versions(session, self._sessions.head(session, kind, id, action="write"))
        if base is not None:
            with self._naming_authors(there, base_revision):
                refuse_collision(base, document, there, chosen)
        with self._one_at_a_time(id):
            if is_server(self._sessions.engine):
                # the row stays locked during evaluation, so that no other save is evaluated against an old version
                with self._evaluating_locked, self._sessions.changing(kind, id, None) as (session, head):
                    return self._written_in_turn(session, head, kind, saves(session, head)[1])
            for _ in range(MOST_TRIES):
                with self._sessions.reading() as session:
                    head = self._sessions.head(session, kind, id, action="write")
                    there, found = saves(session, head)
                # a process that did not get the lock in time may have saved: merge with that as well
                with suppress(ChangedMeanwhileError):
                    return self._saved_in_turn(there, found)
            raise ChangedMeanwhileError(self.get(kind, id))

    def keep_answer(
        self, kind: Kind, id: str, answer: dict[str, Any], *, version: int | None, note: str
    ) -> Saved:
        """A new revision of the same study or fleet with what it comes to, so that what is reviewed stays as
        it was seen.

        Raises
        ------
        ChangedMeanwhileError : it has another version by now
        """
        with self._sessions.changing(kind, id, version) as (session, head):
            before = writing.newest_revision(session, kind, head)
            now_known = replace(
                answered(writing.prepared_again(session, kind, before), answer),
                catalog_revision=self.catalog(head.workspace_id).revision,
                engine_version=__version__,
            )
            row = self._revised(session, head, now_known, note)
            return self._changed(session, kind, head, row, "saved")

    def update(
        self,
        kind: Kind,
        id: str,
        *,
        version: int | None,
        name: str | None = None,
        tags: Sequence[str] | None = None,
        template: bool | None = None,
    ) -> Saved:
        """Another name, which makes a revision of the same figures; other tags, or that it is offered as a
        template, which make none.

        Raises
        ------
        ScenarioError : it cannot have this name or these tags
        ChangedMeanwhileError : it has another version by now
        """
        cleaned = None if tags is None else clean_tags(tags)
        with self._sessions.changing(kind, id, version) as (session, head):
            same = name in (None, head.name) and cleaned in (None, tuple(head.tags))
            if same and template in (None, head.is_template):
                return writing.record(session, kind, head)  # nothing changes, its version neither
            row = writing.newest_revision(session, kind, head)
            event: Event = "tagged"
            if name is not None and name != head.name:
                save = renamed(writing.prepared_again(session, kind, row), name)
                row, event = self._revised(session, head, save, "Renamed"), "renamed"
            if cleaned is not None:
                head.tags = list(cleaned)
            if template is not None:
                head.is_template = template
            return self._changed(session, kind, head, row, event)

    def delete(self, kind: Kind, id: str, *, version: int | None) -> Saved:
        """Put it away; `restore` brings it back with all its revisions.

        Raises
        ------
        ChangedMeanwhileError : it has another version by now
        """
        with self._sessions.changing(kind, id, version, action="delete") as (session, head):
            head.deleted_at = now()
            newest = writing.newest_revision(session, kind, head)
            return self._changed(session, kind, head, newest, "deleted")

    def restore(self, kind: Kind, id: str) -> Saved:
        """Bring back what was deleted; what was not stays as it is."""
        with self._sessions.changing(kind, id, None, action="delete", deleted=True) as (session, head):
            if head.deleted_at is None:
                return writing.record(session, kind, head)
            head.deleted_at = None
            newest = writing.newest_revision(session, kind, head)
            return self._changed(session, kind, head, newest, "restored")

    def duplicate(
        self,
        kind: Kind,
        id: str,
        *,
        name: str | None = None,
        receive: ReceiveRows | None = None,
        own_prices: bool = False,
    ) -> Saved:
        """A copy of the newest revision with its figures and tags, under a name of its own.

        It is made in the workspace that is asked for, wherever the original is; what that workspace does
        not have is written out in it. `receive` adds the own rows that the original rests on to the catalog of
        that workspace; own prices are among them where they are asked for. Without them the copy is computed
        again, so that it holds none.

        Raises
        ------
        ScenarioError : it cannot have this name, or names parts that the catalog of the workspace lacks
        ForbiddenError : own prices are asked for by someone who may not pass them on
        """
        self.require("write")
        with self._sessions.reading() as session:
            head = self._sessions.head(session, kind, id)
            row = writing.newest_revision(session, kind, head)
            copy_name = name if name is not None else f"{head.name[: LONGEST_NAME - len(COPY)]}{COPY}"
            kept, is_written_out = forking.at_home(
                session, writing.prepared_again(session, kind, row), self._workspace_id
            )
            tags, note, revision = tuple(head.tags), f"Copy of revision {head.revision}", head.revision
            source = head.workspace_id
        is_elsewhere = source != self._workspace_id
        save = renamed(kept, copy_name)
        if is_written_out:
            note += f"; {forking.WRITTEN_OUT}"
        if own_prices and is_elsewhere:
            self.require_own_prices(source)
        if is_elsewhere and kind == "scenario" and receive is not None:
            save, words = forking.with_own_rows(
                save, self.pinned_catalog(id, revision), receive, self.catalog, own_prices=own_prices
            )
            note = "; ".join([note, *words])[: writing.LONGEST_NOTE]
        elif is_elsewhere:
            forking.check_parts(save, self.catalog())
        return self._inserted(save, note, tags, id=new_id(), forked_from_id=id)

    def erase(self, kind: Kind, id: str) -> None:
        """Delete for good what was deleted, with all its revisions, comments and shares.

        Raises
        ------
        ScenarioError : it was not deleted, or other saved work names it
        """
        changing = self._sessions.changing(kind, id, None, action="manage", deleted=True)
        with changing as (session, head):
            if head.deleted_at is None:
                hint = "Delete it first; then it can go for good."
                raise refuse(f"The {WORDS[kind]} {head.name!r} is not deleted.", rule="deleted", hint=hint)
            trash.refuse_in_use(session, kind, head)
            self._log(session, kind, head, "deleted", revision=head.revision, detail={"for_good": True})
            trash.erase(session, kind, id)

    def evaluated(self, document: dict[str, Any], holder: Saved | None = None) -> EvaluatedScenario:
        """A scenario with today's catalog, saved designs put in: those of the workspace of `holder`, what it
        was saved as, where it was.

        Raises
        ------
        ScenarioError : it cannot be evaluated
        """
        full = expanded(document, self.finder(holder))
        catalog = self.catalog(holder.workspace_id if holder else None)
        return evaluated(build_scenario(full.document), catalog)

    def projected(self, document: ProjectionDocument, holder: Saved | None = None) -> dict[str, Any]:
        """A projection with today's catalog, the scenario that it names as it is today; `holder` is what it
        was saved as, where it was.

        Raises
        ------
        ScenarioError : the law has no such model, or the scenario cannot be used
        """
        catalog = self.catalog(holder.workspace_id if holder else None)
        return projected(document, catalog, self.finder(holder))

    def idempotent(self, key: str, request_hash: str, work: Callable[[], Saved]) -> tuple[Saved, bool]:
        """What `work` saves; or what it saved when the key came first, and True.

        Raises
        ------
        KeyReusedError : the key came with another request
        KeyInFlightError : the first request of the key is still being worked on
        """
        with storage_faults(self._sessions.engine):
            return self._keys.once(key, request_hash, work)

    def _still_at(self, version: int | None, kind: Kind, id: str) -> Saved:
        there = self._changeable(kind, id)
        if version is not None and there.version != version:
            raise ChangedMeanwhileError(there)
        return there

    def _changeable(self, kind: Kind, id: str) -> Saved:
        """What is saved under an id, where the actor may change it."""
        with self._sessions.reading() as session:
            return writing.record(session, kind, self._sessions.head(session, kind, id, action="write"))

    def _base(self, session: Session, there: Saved, base_revision: int) -> dict[str, Any] | None:
        """The document of an older revision; None where it is the newest."""
        if there.revision == base_revision:
            return None
        row = writing.numbered_revision(session, there.kind, there.id, base_revision)
        if row is None:
            raise NotSavedError(there.kind, there.id, base_revision)
        return row.document

    def _saves(
        self,
        there: Saved,
        base_revision: int,
        base: dict[str, Any] | None,
        document: dict[str, Any],
        note: str,
        choices: Mapping[str, Side],
    ) -> Saves:
        """What has to be written for a document that was made from `base`."""
        prepare = once_each(lambda values: self._prepared(there.kind, values, note, there))
        if base is None:
            return Saves(revisions=((prepare(document), note),))
        with self._naming_authors(there, base_revision):
            return saves_of(base, document, there, note=note, choices=choices, prepare=prepare)

    @contextmanager
    def _naming_authors(self, there: Saved, base_revision: int) -> Iterator[None]:
        """Add the authors of the other revisions to a conflict raised inside."""
        try:
            yield
        except MergeConflictError as error:
            _, authors = self.others(there.kind, there.id, base_revision, there.revision)
            raise MergeConflictError(there, error.merge, authors) from None

    def _saved_in_turn(self, there: Saved, saves: Saves) -> Saved:
        with self._sessions.changing(there.kind, there.id, there.version) as (session, head):
            return self._written_in_turn(session, head, there.kind, saves)

    def _written_in_turn(self, session: Session, head: HeadRow, kind: Kind, saves: Saves) -> Saved:
        for save, note in saves.revisions:
            row = self._revised(session, head, save, note)
        return self._changed(session, kind, head, row, saves.event)

    @contextmanager
    def _one_at_a_time(self, id: str) -> Iterator[None]:
        """A save of an item waits for earlier saves of it, here and in other processes."""
        with (
            storage_faults(self._sessions.engine),
            self._turns_at(id).turn(),
            process_lock(self._sessions.engine, id),
        ):
            yield

    def _turns_at(self, id: str) -> Turns:
        """The queue of saves of an item; it is dropped when it is empty."""
        with self._guard:
            turns = self._turns.get(id)
            if turns is None:
                turns = self._turns[id] = Turns()
            return turns

    def _prepared(
        self, kind: Kind, document: dict[str, Any], note: str, there: Saved | None = None
    ) -> Prepared:
        """What a save writes; `there` is what it replaces."""
        if len(note) > writing.LONGEST_NOTE:
            hint = f"Notes have at most {writing.LONGEST_NOTE} characters."
            raise refuse("The note is too long.", rule="at_most", path="note", hint=hint)
        catalog = self.catalog(there.workspace_id if there else None)
        return prepared(kind, document, catalog, self.finder(there))

    def _inserted(
        self, save: Prepared, note: str, tags: tuple[str, ...], *, id: str, forked_from_id: str | None
    ) -> Saved:
        kind = save.kind
        with self._sessions.writing() as session:
            if forked_from_id is not None:
                self._sessions.head(session, kind, forked_from_id, deleted=True)
            try:
                with session.begin_nested():
                    head = writing.insert_head(
                        session,
                        save,
                        id=id,
                        workspace_id=self._workspace_id,
                        created_by=self.actor.account_id,
                        tags=tags,
                        forked_from_id=forked_from_id,
                    )
            except IntegrityError:  # it is there, be it from this moment on
                there = self._sessions.head(session, kind, id, deleted=True)
                raise ChangedMeanwhileError(writing.record(session, kind, there)) from None
            row = self._revised(session, head, save, note)
            return self._written(session, kind, head, row, "created")

    def _revised(self, session: Session, head: HeadRow, save: Prepared, note: str) -> RevisionRow:
        return writing.add_revision(session, head, save, note, self.actor.account_id)

    def _changed(
        self, session: Session, kind: Kind, head: HeadRow, newest: RevisionRow, event: Event
    ) -> Saved:
        head.version += 1
        return self._written(session, kind, head, newest, event)

    def _written(
        self, session: Session, kind: Kind, head: HeadRow, newest: RevisionRow, event: Event
    ) -> Saved:
        writing.touch(session, kind, head)
        saved = saved_record(kind, head, newest.document, newest.note)
        self._keys.note(session, saved)
        self._log(session, kind, head, event, revision=head.revision)
        return saved

    def _log(
        self,
        session: Session,
        kind: Kind,
        head: HeadRow,
        event: Event,
        *,
        revision: int,
        detail: dict[str, Any] | None = None,
    ) -> None:
        log_change(
            session,
            self.actor,
            event,
            kind=kind,
            saved_id=head.id,
            workspace_id=head.workspace_id,
            revision=revision,
            version=head.version,
            detail=detail,
        )

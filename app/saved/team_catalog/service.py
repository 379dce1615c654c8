"""A workspace's own rows of the catalog, as the caller may read and change them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import Engine
from sqlmodel import Session

from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog, catalog_changes
from app.catalog.own.entries import Entry, Fault, FaultError, Place
from app.catalog.own.known import Known
from app.catalog.own.planning import Line, Outcome, Plan, Write, planned
from app.catalog.own.removing import removal
from app.catalog.own.review import Finding, review
from app.catalog.own.writing import count_change, write_all
from app.catalog.values import Part
from app.catalog.weather.errors import WeatherError
from app.catalog.weather.year import About, UploadedYear, uploaded_year
from app.saved.access import Action, Actor
from app.saved.faults import storage_error
from app.saved.sessions import Sessions
from app.saved.team_catalog.errors import NotOwnError, RefusedLinesError, RowChangedError
from app.saved.team_catalog.lines import read_lines
from app.saved.team_catalog.own_rows import OwnRows
from app.saved.team_catalog.received import Conflicts, Received, differing, plan_received
from app.saved.team_catalog.tables import read_tables

TRIES = 5
NAMED_ONCE = (
    "models",
    "sites",
    "rentals",
    "prices",
    "reference_architectures",
    "assumptions",
    "cloud_regions",
)


class Imported(NamedTuple):
    """What an import came to; `applied` is false for a dry run, and where nothing had to be written."""

    plan: Plan
    applied: bool
    revision: str


Noted = Callable[[Session, str, Plan], None]
"""Writes down, in the same transaction, that rows were imported, changed or removed."""


class _StaleError(Exception):
    """Someone else was faster."""


class TeamCatalog:
    """Every way to change what a workspace adds to the built-in catalog, which itself is never touched."""

    def __init__(
        self,
        engine: Engine,
        builtin: Callable[[], Catalog],
        workspace_id: int,
        actor: Actor,
        noted: Noted | None = None,
    ) -> None:
        self._builtin = builtin
        self._noted = noted
        self._workspace_id = workspace_id
        self._sessions = Sessions(engine, actor, workspace_id)

    @property
    def workspace_id(self) -> int:
        """The workspace whose rows these are."""
        return self._workspace_id

    def require(self, action: Action) -> None:
        """Nothing, where the actor may do this; raises ForbiddenError otherwise."""
        self._sessions.require(action)

    def catalog(self) -> Catalog:
        """The catalog of the workspace as it is now."""
        return self._builtin().of(self._workspace_id)

    def rows(self, kind: str = "") -> tuple[Part, ...]:
        """Own rows, also those that lie over built-in ones."""
        self.require("read")
        return tuple(part for part in self.catalog().own_parts() if kind in ("", part.kind))

    def review(self) -> tuple[Finding, ...]:
        """What of them is worth another look."""
        self.require("read")
        return review(self.catalog())

    def import_file(
        self,
        content: bytes,
        *,
        filename: str = "",
        kind: str = "",
        dry_run: bool = True,
        skip_refused: bool = False,
    ) -> Imported:
        """What a file would change, and unless it is a dry run the change itself, as a whole.

        Raises
        ------
        ForbiddenError : the actor may not write here
        ScenarioError : the file cannot be read
        RefusedLinesError : lines are refused, and it was not asked to skip them
        StorageError : the database cannot be written; nothing was
        """
        self.require("write")
        tables = read_tables(content, filename)

        def plan(catalog: Catalog) -> Plan:
            read = read_lines(tables, kind, lambda key: kind_of(catalog, key))
            found = planned(read.entries, catalog, refused=read.refused)
            if found.refused and not dry_run and not skip_refused:
                raise RefusedLinesError(found.refused)
            return found

        if dry_run:
            catalog = self.catalog()
            return Imported(plan(catalog), False, catalog.revision)
        found = self._written(plan, "imported")
        return Imported(found, bool(found.writes), self.catalog().revision)

    def receive(
        self,
        rows: OwnRows,
        document: dict[str, Any],
        *,
        conflicts: Conflicts = "refuse",
        dry_run: bool = False,
    ) -> Received:
        """Add own rows that came with a scenario, all or nothing; a dry run only says what would become.

        Raises
        ------
        ForbiddenError : the actor may not write here
        ScenarioError : a row cannot be used, or differs from one of the workspace and `conflicts` is refuse
        """
        self.require("write")
        if dry_run:
            return plan_received(rows, document, self.catalog(), conflicts)
        made: list[Received] = []

        def plan(catalog: Catalog) -> Plan:
            made.append(plan_received(rows, document, catalog, conflicts))
            return made[-1].plan

        self._written(plan, "imported")
        return replace(made[-1], differing=differing(rows, made[-1], self.catalog()))

    def put(self, entries: Sequence[Entry], revision: int | None) -> Plan:
        """The own row of a key says exactly this from now on.

        `revision` is the one of the own row that was seen, 0 where there was none, None for whatever it is.

        Raises
        ------
        RefusedLinesError : it cannot be used
        RowChangedError : it was changed meanwhile
        """
        self.require("write")
        kind, key = entries[0].kind, entries[0].key

        def plan(catalog: Catalog) -> Plan:
            _check_revision(catalog, kind, key, revision)
            found = planned(entries, catalog, replace=True)
            if found.refused:
                raise RefusedLinesError(found.refused)
            return found

        return self._written(plan, "changed")

    def put_climate(self, key: str, content: bytes, about: About, revision: int | None) -> UploadedYear:
        """The own climate year of a key is that of an EPW file from now on.

        `revision` is as for `put`.

        Raises
        ------
        RefusedLinesError : the file cannot be used, or the key is that of a built-in year
        RowChangedError : it was changed meanwhile
        """
        self.require("write")
        try:
            year = uploaded_year(key, content, about)
        except (WeatherError, FaultError) as error:
            raise refused_file(key, error) from None

        def plan(catalog: Catalog) -> Plan:
            _check_revision(catalog, "climate", key, revision)
            known = Known(catalog)
            try:
                check_place_for_year(known, key)
            except FaultError as error:
                raise refused_file(key, error) from None
            outcome: Outcome = "changed" if known.has("climate", key) else "added"
            line = Line(place=Place(), kind="climate", key=key, outcome=outcome)
            write = Write(kind="climate", key=key, stated=None, year=year)
            return Plan(revision=catalog.revision, lines=(line,), writes=(write,))

        self._written(plan, "changed")
        return year

    def remove(self, kind: str, key: str, revision: int | None) -> None:
        """The own row of a key goes; the built-in one beneath it counts again, where there is one.

        Raises
        ------
        NotOwnError : there is no own row
        RefusedLinesError : other own rows name it
        RowChangedError : it was changed meanwhile
        """
        self.require("write")

        def plan(catalog: Catalog) -> Plan:
            _check_revision(catalog, kind, key, revision)
            if not own_revision(catalog, kind, key):
                raise NotOwnError(kind, key)
            try:
                return removal(catalog, kind, key)
            except FaultError as error:
                line = Line(place=Place(), kind=kind, key=key, outcome="refused", faults=(error.fault,))
                raise RefusedLinesError([line]) from None

        self._written(plan, "removed")

    def _written(self, make: Callable[[Catalog], Plan], action: str) -> Plan:
        """A plan made and written while no one else changed a row of the workspace in between."""
        for _ in range(TRIES):
            changes = catalog_changes(self._sessions.engine, self._workspace_id)  # before the catalog is read
            catalog = self.catalog()
            plan = make(catalog)
            if not plan.writes:
                return plan
            try:
                with self._sessions.writing() as session:
                    connection = session.connection()
                    if count_change(connection, self._workspace_id) != changes:
                        raise _StaleError
                    account = self._sessions.actor.account_id
                    write_all(connection, self._workspace_id, plan.writes, created_by=account)
                    if self._noted is not None:
                        self._noted(session, action, plan)
                return plan
            except _StaleError:
                continue
        raise storage_error("busy", self._sessions.engine.url)


def own_revision(catalog: Catalog, kind: str, key: str) -> int:
    """The revision of an own row; 0 where there is none."""
    part = Known(catalog).part(kind, key)
    return part.revision if part is not None and part.own else 0


def kind_of(catalog: Catalog, key: str) -> tuple[str, list[str]]:
    """The kind of the row that has a key; without one, or with several, the keys that are nearest."""
    known = Known(catalog)
    hardware = known.kind_of_hardware(key)
    found = [kind for kind in NAMED_ONCE if known.has(kind, key)]
    if hardware or len(found) == 1:
        return hardware or found[0], []
    return "", known.nearest(("accelerators", "systems", "switches", "optics", "models", "sites"), key)


def _check_revision(catalog: Catalog, kind: str, key: str, revision: int | None) -> None:
    if kind not in catalog.kinds():
        raise CatalogLookupError(f"there is no kind {kind!r}")
    if revision is not None and own_revision(catalog, kind, key) != revision:
        raise RowChangedError(kind, key)


MOST_OWN_YEARS = 200


def check_place_for_year(known: Known, key: str) -> None:
    """Nothing, where an own climate year may have this key.

    Raises
    ------
    FaultError : a built-in year has it, or there are too many own ones
    """
    if known.builtin("climate", key) is not None:
        raise FaultError(
            f"The key {key} is that of a built-in climate year.",
            rule="unique",
            column="key",
            value=key,
            hint="Choose another, such as one with the year in it.",
        )
    own = [part for part in known.catalog.own_parts() if part.kind == "climate" and part.key != key]
    if len(own) >= MOST_OWN_YEARS:
        raise FaultError(
            f"A workspace has at most {MOST_OWN_YEARS} climate years of its own.",
            rule="at_most",
            column="key",
            value=key,
            hint="Remove unused years.",
        )


def refused_file(key: str, error: WeatherError | FaultError) -> RefusedLinesError:
    if isinstance(error, WeatherError):
        fault = Fault(
            column=error.column or "file", value="", rule=error.rule, message=error.message, hint=error.hint
        )
        place = Place(line=error.line)
    else:
        fault, place = error.fault, Place()
    return RefusedLinesError([Line(place=place, kind="climate", key=key, outcome="refused", faults=(fault,))])

"""Own rows that arrive with a scenario: what becomes of each in the catalog of a workspace.

They go through the checks of any own row, and a row of the workspace is never overwritten.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from app.catalog.climate import COLUMNS, HOURS, unpack
from app.catalog.kinds import KINDS
from app.catalog.lookup import Catalog
from app.catalog.own.checking import hardware_kinds
from app.catalog.own.columns import own_columns
from app.catalog.own.entries import Entry
from app.catalog.own.known import Known
from app.catalog.own.planning import Line, Plan, planned
from app.catalog.weather.year import UploadedYear
from app.saved.team_catalog.own_rows import MOST_LINES, OwnRows, own_rows_of
from app.scenarios.document.scenario import OWN_ROWS as SECTION
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.load import build_document, build_scenario
from app.scenarios.reading.yaml_text import Place as TextPlace

Conflicts = Literal["refuse", "rename", "keep"]
CONFLICTS: tuple[Conflicts, ...] = get_args(Conflicts)
REFERENCES = frozenset({"model", "system", "accelerator", "site", "climate", "switch", "storage"})
"""Fields of a scenario that hold a catalog key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """Outcome of own rows that arrive. `document` names renamed rows by their new keys."""

    plan: Plan
    document: dict[str, Any]
    added: tuple[str, ...] = ()
    overriding: tuple[str, ...] = ()  # of the added, those that stand over built-in rows
    same: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()  # the receiver's own values stay
    renamed: Mapping[str, str] = dataclasses.field(default_factory=dict)
    left_out: tuple[str, ...] = ()
    not_carried: tuple[str, ...] = ()
    differing: tuple[str, ...] = ()  # own rows that count here and are not as they were sent

    def as_dict(self) -> dict[str, Any]:
        """The same as plain values, for answers."""
        fields = [field.name for field in dataclasses.fields(self) if field.name not in ("plan", "document")]
        values = {name: getattr(self, name) for name in fields}
        return {
            name: dict(value) if isinstance(value, Mapping) else list(value) for name, value in values.items()
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """The same as short words for the note of a save."""
        said = (
            (len(self.added) + len(self.renamed), "own rows added"),
            (len(self.renamed), "of them under new keys"),
            (len(self.kept), "own rows differ here and were kept"),
            (len(self.left_out), "own prices left out"),
            (len(self.not_carried), "rows not carried"),
            (len(self.differing), "other own rows count here"),
        )
        return tuple(f"{count} {words}" for count, words in said if count)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What happened, for people; one sentence a line."""
        renamed = [f"{old} as {new}" for old, new in self.renamed.items()]
        said = (
            ("Own rows added: {}.", self.added),
            (
                "These state built-in rows differently, for every design of the workspace: {}.",
                self.overriding,
            ),
            ("Own rows that were there already: {}.", self.same),
            ("Your own values were kept: {}. Figures may differ.", self.kept),
            ("Own rows added under new keys: {}.", renamed),
            ("Own prices were left out: {}. Costs come from the catalog, or are unknown.", self.left_out),
            ("Not carried: {}.", self.not_carried),
            ("Figures may differ, as these own rows count here: {}.", self.differing),
        )
        return tuple(words.format(_some(rows)) for words, rows in said if rows)


def _some(rows: Sequence[str], shown: int = 12) -> str:
    more = f" and {len(rows) - shown} more" if len(rows) > shown else ""
    return ", ".join(rows[:shown]) + more


def split_own_rows(
    values: Any, positions: dict[TextPlace, tuple[int, int]] | None = None
) -> tuple[Any, OwnRows | None]:
    """A scenario's values without the section, and the section, where there is one.

    Raises
    ------
    ScenarioError : the section cannot be read; one message a fault
    """
    if not isinstance(values, dict) or SECTION not in values:
        return values, None
    rest = {name: value for name, value in values.items() if name != SECTION}
    below = {place[1:]: at for place, at in (positions or {}).items() if place[:1] == (SECTION,)}
    try:
        rows = build_document(OwnRows, values[SECTION], below)
        count = sum(map(len, rows.tables.values()))
        if count > MOST_LINES:
            raise refuse(
                f"has {count:,} lines; {MOST_LINES:,} are the most.", rule="at_most", path="tables",
                hint="Import the tables by themselves.",
            )  # fmt: skip
    except ScenarioError as error:
        raise ScenarioError(
            dataclasses.replace(one, path=f"{SECTION}.{one.path}" if one.path else SECTION)
            for one in error.errors
        ) from None
    return rest, rows


def plan_received(
    rows: OwnRows, document: dict[str, Any], catalog: Catalog, conflicts: Conflicts
) -> Received:
    """Outcome of own rows in the catalog of a workspace. A row of the workspace is never overwritten.

    Raises
    ------
    ScenarioError : a row cannot be used, or the workspace has other values under its key and conflicts are
        refused
    """
    read = rows.read()
    if read.refused:
        raise _faults(read.refused)
    entries, years = list(read.entries), {year.key: year for year in rows.years()}
    here = Known(catalog)
    clashing = _clashes(entries, years.values(), catalog)
    renamed: dict[str, str] = {}
    kept: list[str] = []
    if clashing and conflicts == "refuse":
        raise ScenarioError(_refused(kind, key, changes, here) for (kind, key), changes in clashing.items())
    for (kind, key), changes in clashing.items():
        if conflicts == "keep":
            kept.append(f"{kind}/{key}")
            entries = [entry for entry in entries if (entry.kind, entry.key) != (kind, key)]
            years.pop(key, None) if kind == "climate" else None
            continue
        if here.builtin(kind, key) is not None or kind == "assumptions":
            raise ScenarioError([_refused(kind, key, changes, here, can_rename=False)])
        new = _free_key(kind, key, entries, years, catalog)
        renamed[f"{kind}/{key}"] = f"{kind}/{new}"
        entries = [_with_key(entry, kind, key, new) for entry in entries]
        if kind == "climate":
            years[new] = dataclasses.replace(years.pop(key), key=new)
        if kind not in ("prices", "rentals"):
            document = _with_reference(document, key, new)
    new_years = [year for year in years.values() if not _is_same_year(catalog, year)]
    found = planned(entries, catalog, replace=True, years=new_years)
    if found.refused:
        raise _faults(found.refused)
    written = dict.fromkeys(f"{write.kind}/{write.key}" for write in found.writes)
    everything = dict.fromkeys(
        [*(f"{one.kind}/{one.key}" for one in entries), *(f"climate/{key}" for key in years)]
    )
    fresh = [name for name in written if name not in renamed.values()]
    return Received(
        plan=found,
        document=document,
        added=tuple(fresh),
        overriding=tuple(name for name in fresh if here.builtin(*name.split("/", 1)) is not None),
        same=tuple(name for name in everything if name not in written),
        kept=tuple(kept),
        renamed=renamed,
        left_out=rows.left_out,
        not_carried=rows.not_carried,
    )


def differing(rows: OwnRows, received: Received, catalog: Catalog) -> tuple[str, ...]:
    """Own rows that the scenario rests on where it arrived, and that did not travel with it as they are there."""
    here = own_rows_of(build_scenario(received.document), catalog, prices=True)
    renamed = dict(received.renamed)
    sent = {f"{entry.kind}/{entry.key}" for entry in rows.read().entries} | {
        f"climate/{year.key}" for year in rows.climate
    }
    arrived = {renamed.get(name, name) for name in sent}
    return tuple(name for name in (here.keys if here else ()) if name not in arrived or name in received.kept)


def _clashes(
    entries: Sequence[Entry], years: Iterable[UploadedYear], catalog: Catalog
) -> dict[tuple[str, str], tuple[Any, ...]]:
    """Rows of which the workspace itself says something else, with what that is."""
    here = Known(catalog)
    years = list(years)
    plan = planned(entries, catalog, replace=True, years=years)
    found: dict[tuple[str, str], tuple[Any, ...]] = {}
    for year in years:
        present = here.part("climate", year.key)
        if present is not None and not _is_same_year(catalog, year):
            found["climate", year.key] = ()
    for write in plan.writes:
        present = here.part(write.kind, write.key)
        if write.kind != "climate" and present is not None and present.own:
            lines = [line for line in plan.lines if (line.kind, line.key) == (write.kind, write.key)]
            found[write.kind, write.key] = tuple(change for line in lines for change in line.changes)
    return found


def _refused(
    kind: str, key: str, changes: Sequence[Any], here: Known, *, can_rename: bool | None = None
) -> InputError:
    if can_rename is None:
        can_rename = here.builtin(kind, key) is None and kind != "assumptions"
    values = [
        f"{change.field} {change.before or 'not stated'} here, {change.after} in the file"
        for change in changes[:4]
    ]
    detail = f": {'; '.join(values)}" if values else ""
    ways = "Add it under a new key (rename), or keep your own values (keep)." if can_rename else (
        "It stands over a built-in row, so it cannot be renamed: keep your own values (keep), or change them first."
    )  # fmt: skip
    return InputError(
        path=f"{SECTION}.tables.{kind}",
        value=key,
        rule="own_row_differs",
        message=f"Your catalog has {kind}/{key} with other values{detail}.",
        hint=ways,
    )


def _faults(lines: Iterable[Line]) -> ScenarioError:
    """Why lines cannot be used, each fault with its place in the section."""
    return ScenarioError(
        InputError(
            path=f"{SECTION}.tables.{line.place.sheet or line.kind}"
            + (f"[{line.place.line - 1}]" if line.place.line else "")
            + (f".{one.column}" if one.column else ""),
            value=one.value,
            rule=one.rule,
            message=one.message,
            hint=one.hint,
        )
        for line in lines
        for one in line.faults
    )


def _free_key(
    kind: str, key: str, entries: Sequence[Entry], years: Mapping[str, UploadedYear], catalog: Catalog
) -> str:
    """A new key for a row: one that no one has, or that has the same values since an earlier import."""
    here = Known(catalog)
    for number in range(1, MOST_LINES):
        new = f"{key[: 60 if kind == 'climate' else 70]}_imported{'' if number == 1 else f'_{number}'}"
        if kind != "climate" and KINDS[kind].hardware and here.kind_of_hardware(new) not in ("", kind):
            continue
        if here.part(kind, new) is None:
            return new
        if kind == "climate":
            if _is_same_year(catalog, dataclasses.replace(years[key], key=new)):
                return new
            continue
        moved = [_with_key(entry, kind, key, new) for entry in entries]
        mine = [entry for entry in moved if (entry.kind, entry.key) == (kind, new)]
        if not planned(mine, catalog, replace=True).writes:
            return new
    raise refuse(
        f"{kind}/{key} finds no free key.", rule="unique", path=SECTION, hint="Remove imported rows."
    )


def _with_key(entry: Entry, kind: str, old: str, new: str) -> Entry:
    """A line with the new key of a row, whether it is about that row or names it."""
    if (entry.kind, entry.key) == (kind, old):
        entry = dataclasses.replace(entry, key=new)
    cells = dict(entry.cells)
    for column, field in own_columns(entry.kind).text.items():
        text = cells.get(column, "")
        kinds = KINDS[entry.kind].foreign_keys.get(field, ())
        if entry.kind == "prices" and field == "part_key":
            kinds = hardware_kinds()
        if text == old and kind in kinds:
            cells[column] = new
        elif entry.kind == "systems" and field == "accelerator_mix" and kind == "accelerators":
            pairs = (pair.partition(":") for pair in text.split(";"))
            cells[column] = ";".join(f"{new if key == old else key}{sign}{rest}" for key, sign, rest in pairs)
    return dataclasses.replace(entry, cells={name: text for name, text in cells.items() if text})


def _with_reference(value: Any, old: str, new: str, field: str = "") -> Any:
    """A scenario that names the new key wherever it named the old one."""
    if isinstance(value, dict):
        return {name: _with_reference(item, old, new, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_with_reference(item, old, new, field) for item in value]
    return new if value == old and field in REFERENCES else value


def _is_same_year(catalog: Catalog, year: UploadedYear) -> bool:
    if year.key not in catalog.keys("climate"):
        return False
    present, hours = catalog.climate(year.key), unpack(year.data, ",".join(COLUMNS), HOURS)
    return bool(present.own) and present.name == year.name and present.source == year.source.citation and all(
        np.array_equal(getattr(present, name), hours[name], equal_nan=True) for name in COLUMNS
    )  # fmt: skip

"""Links between rows: what a row names, and what names it."""

from __future__ import annotations

from typing import NamedTuple

from app.catalog.kinds import KINDS
from app.catalog.kinds.aliases import CATALOG_KIND
from app.catalog.lookup import Catalog
from app.catalog.values import Part
from app.charts.format import TIMES, number
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.catalog.tabs import part_link


class Use(NamedTuple):
    link: str
    name: str
    beside: str


class Uses(NamedTuple):
    title: str
    rows: tuple[Use, ...]


def links_of(catalog: Catalog, part: Part, name: str) -> tuple[tuple[str, str], ...]:
    """Text and address for each row that an attribute names; none when it only says words."""
    value = str(part.attributes[name])
    if name == "accelerator_mix":
        pairs = (pair.partition(":") for pair in value.split(";"))
        return tuple(
            (
                f"{number(int(count))} {TIMES} {catalog.part('accelerators', key).name}",
                part_link("accelerators", key),
            )
            for key, _, count in pairs
        )
    kinds = KINDS[part.kind].foreign_keys.get(name, ())
    if part.kind == "prices" and name == "part_key":
        kinds = tuple(kind for kind, known in KINDS.items() if known.hardware)
    elif part.kind == "aliases" and name == "target":
        kind = CATALOG_KIND.get(str(part.attributes["of"]))
        kinds = (kind,) if kind else ()
    for kind in kinds:
        if kind in KINDS and value in catalog.keys(kind):
            return ((catalog.part(kind, value).name, part_link(kind, value)),)
    return ()


def uses(catalog: Catalog, part: Part) -> tuple[Uses, ...]:
    """Rows of other kinds that name this one: systems of an accelerator, sites of a climate year."""
    if part.kind == "accelerators":
        found = _systems(catalog, part.key)
    else:
        found = {
            kind: tuple(
                Use(part_link(kind, other.key), other.name, other.vendor)
                for other in catalog.parts(kind)
                if other.attributes.get(field) == part.key
            )
            for kind, spec in KINDS.items()
            for field, targets in spec.foreign_keys.items()
            if part.kind in targets and kind in VIEWS
        }
    return tuple(Uses(VIEWS[kind].tab, rows) for kind, rows in found.items() if rows)


def _systems(catalog: Catalog, key: str) -> dict[str, tuple[Use, ...]]:
    rows = []
    for system in catalog.parts("systems"):
        count = _accelerators_of(system).get(key)
        if count is not None:
            rows.append(Use(part_link("systems", system.key), system.name, f"{number(count)} accelerators"))
    return {"systems": tuple(rows)}


def _accelerators_of(system: Part) -> dict[str, float]:
    """Accelerator keys with how many of each, mixed systems included."""
    mix = str(system.attributes.get("accelerator_mix", ""))
    if mix:
        return {key: float(count) for key, _, count in (pair.partition(":") for pair in mix.split(";"))}
    key, count = system.attributes.get("accelerator_key"), system.facts.get("accelerators")
    return {str(key): count.value} if key and count else {}

"""One row of the catalog as a page: its facts with their sources, its prices, and who uses it."""

from __future__ import annotations

import datetime
from collections import Counter
from typing import NamedTuple

from app.catalog.errors import CatalogLookupError
from app.catalog.kinds import KINDS
from app.catalog.kinds.aliases import CATALOG_KIND
from app.catalog.lookup import Catalog
from app.catalog.own.columns import NOT_OWN
from app.catalog.own.known import Known, covered
from app.catalog.prices import PART_RANGE
from app.catalog.values import Fact, Part
from app.charts.format import Shown
from app.surfaces.pages.catalog.climate import Month, months
from app.surfaces.pages.catalog.groups import grouped
from app.surfaces.pages.catalog.kinds import VIEWS, KindView
from app.surfaces.pages.catalog.money import PriceLine, RentalTerms, price_lines, rental_terms
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.catalog.table import name_of, other_names, year_of
from app.surfaces.pages.catalog.tabs import Tab, tabs
from app.surfaces.pages.catalog.uses import Uses, links_of, uses
from app.surfaces.pages.catalog.values import column_of, printed_text, range_text, shown_fact
from app.surfaces.pages.catalog.words import CONFIDENCE, MARKS, age_of, date_text, label_of_field, word_of

PROSE = ("description", "notes", "price_note", "power_note", "licence_note")
SAID_ELSEWHERE = {
    "name",
    "vendor",
    "provider",
    "organisation",
    "item",
    "status",
    "unit",
    "value_kind",
    "aliases",
    "licence_key",
}


YES_OR_NO = frozenset({"tied_embedding"})
DATES = frozenset({"date", "as_of"})


class FactLine(NamedTuple):
    """One figure: what is used, what was printed, and where it is from."""

    field: str
    label: str
    basis: str
    shown: Shown
    value: float
    unit: str
    range: str
    note: str
    printed: str
    kind: str
    kind_text: str
    confidence: str
    recalled: bool
    date: str
    age_mark: str
    source: Source
    own: str  # whose own figure it is, who entered it and when
    builtin: str  # the built-in figure that it stands in place of


class FactGroup(NamedTuple):
    title: str
    lines: tuple[FactLine, ...]


class Attribute(NamedTuple):
    label: str
    text: str
    links: tuple[tuple[str, str], ...]  # text and address; they stand in place of the text


class Badge(NamedTuple):
    word: str
    tone: str
    title: str


class Detail(NamedTuple):
    view: KindView
    tabs: tuple[Tab, ...]
    key: str
    name: str
    meta: tuple[str, ...]
    badges: tuple[Badge, ...]
    attributes: tuple[Attribute, ...]
    prose: tuple[Attribute, ...]
    groups: tuple[FactGroup, ...]
    prices: tuple[PriceLine, ...]
    rentals: tuple[RentalTerms, ...]
    uses: tuple[Uses, ...]
    months: tuple[Month, ...]
    other_names: tuple[str, ...]
    sources: tuple[Source, ...]
    own: str  # whose own row it is, who entered it and when
    is_override: bool
    revision: int  # of the own row, 0 where there is none
    may_be_own: bool  # whether a workspace can have rows of this kind


def detail(catalog: Catalog, kind: str, key: str, *, today: datetime.date) -> Detail:
    """Everything the page of a row shows, in words.

    Raises
    ------
    CatalogLookupError : no such kind or key; the message names the nearest
    """
    part = catalog.part(kind, key)
    sources = Sources()
    chosen = catalog.price(key) if KINDS[kind].hardware else None
    priced_below = chosen is not None and chosen.condition != PART_RANGE
    groups = tuple(
        FactGroup(
            title,
            tuple(
                _line(part, field, part.facts[field], sources, today, priced_below=priced_below)
                for field in fields
            ),
        )
        for title, fields in grouped(kind, part.facts).items()
    )
    beneath = covered(catalog, part)
    groups = tuple(
        FactGroup(
            group.title,
            tuple(
                line._replace(builtin=shown_text(beneath[line.field])) if line.field in beneath else line
                for line in group.lines
            ),
        )
        for group in groups
    )
    hardware = KINDS[kind].hardware
    prices = price_lines(catalog, part, sources, today) if hardware else ()
    rentals = rental_terms(catalog, part.key, sources, today) if kind == "accelerators" else ()
    if not sources.listed() and part.source and part.source != "not stated":
        sources.cite(text=part.source, url="", licence="")
    return Detail(
        view=VIEWS[kind],
        tabs=tabs(catalog, kind),
        key=key,
        name=name_of(part),
        meta=_meta(part),
        badges=_badges(groups, prices),
        attributes=_attributes(catalog, part),
        prose=tuple(
            Attribute(label_of_field(name), str(part.attributes[name]), ())
            for name in PROSE
            if part.attributes.get(name)
        ),
        groups=groups,
        prices=prices,
        rentals=rentals,
        uses=uses(catalog, part),
        months=_months(catalog, part),
        other_names=_other_names(catalog, part),
        sources=sources.listed(),
        own=part.own,
        is_override=is_builtin(catalog, part) if part.own else False,
        revision=part.revision if part.own else 0,
        may_be_own=kind not in NOT_OWN,
    )


def shown_text(fact: Fact) -> str:
    """A figure with its unit, on one line."""
    shown = shown_fact(fact)
    return f"{shown.text} {shown.unit}".strip()


def is_builtin(catalog: Catalog, part: Part) -> bool:
    """Return whether the built-in catalog has a row of the same key."""
    return Known(catalog).builtin(part.kind, part.key) is not None


def _line(
    part: Part, field: str, fact: Fact, sources: Sources, today: datetime.date, *, priced_below: bool
) -> FactLine:
    column = column_of(part.kind, field)
    priced = field == "price_usd" or (part.kind in ("prices", "rentals") and fact.unit.startswith("USD"))
    label = label_of_field(field)
    basis = (column.basis if column else "").replace("`", "")
    return FactLine(
        field=field,
        label=label,
        basis="" if basis in ("in unit", "dense") else basis,
        shown=Shown("yes" if fact.value else "no") if field in YES_OR_NO else shown_fact(fact),
        value=fact.value,
        unit=fact.unit,
        range=range_text(fact),
        note="not used: a price below speaks for it" if field == "price_usd" and priced_below else "",
        printed=printed_text(fact),
        kind=fact.kind,
        kind_text=MARKS[fact.kind],
        confidence="" if fact.confidence == "recalled" else CONFIDENCE[fact.confidence],
        recalled=fact.confidence == "recalled",
        date=date_text(fact.date),
        age_mark=age_of(fact.date, today).mark if priced else "",
        source=sources.cite(
            text=fact.source, url=fact.url, licence=fact.licence, ship=fact.ship, credit=fact.credit
        ),
        own=fact.own,
        builtin="",
    )


def _meta(part: Part) -> tuple[str, ...]:
    year = year_of(part)
    return tuple(word for word in (part.vendor, str(year) if year else "", word_of(part.status)) if word)


def _badges(groups: tuple[FactGroup, ...], prices: tuple[PriceLine, ...]) -> tuple[Badge, ...]:
    """What a reader should know before relying on the row."""
    lines = [line for group in groups for line in group.lines]
    counts = Counter(line.kind for line in lines)
    recalled = sum(line.recalled for line in lines)
    found = []
    if recalled:
        found.append(Badge(f"{recalled} recalled", "warn", "Written down from memory and not confirmed"))
    if counts["third_party"]:
        found.append(
            Badge(f"{counts['third_party']} third-party", "", "From analysts or other third parties")
        )
    chosen = next((price for price in prices if price.chosen), None)
    aged = [line.age_mark for line in lines if line.age_mark]
    mark = chosen.age_mark if chosen else next(iter(aged), "")
    if mark:
        title = "Older than 180 days" if mark == "stale" else "Undated"
        found.append(Badge(f"price {mark}", "warn", title))
    return tuple(found)


def _attributes(catalog: Catalog, part: Part) -> tuple[Attribute, ...]:
    """What is said in words, with links where a word is the key of another row."""
    return tuple(
        Attribute(
            label_of_field(name),
            date_text(str(value)) if name in DATES else word_of(value),
            links_of(catalog, part, name),
        )
        for name, value in part.attributes.items()
        if name not in SAID_ELSEWHERE and name not in PROSE and value != ""
    )


def _months(catalog: Catalog, part: Part) -> tuple[Month, ...]:
    if part.kind != "climate":
        return ()
    try:
        return months(catalog.climate(part.key))
    except CatalogLookupError:
        return ()


def _other_names(catalog: Catalog, part: Part) -> tuple[str, ...]:
    own = [name for name in str(part.attributes.get("aliases", "")).split(";") if name]
    if part.kind in CATALOG_KIND.values():
        own += [name for key, name in other_names(catalog, part.kind) if key == part.key]
    return tuple(dict.fromkeys(name for name in own if name not in (part.name, part.key)))

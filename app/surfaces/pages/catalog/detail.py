"""One row of the catalog as a page: its facts with their sources, its prices, and who uses it."""

from __future__ import annotations

import calendar
import datetime
from collections import Counter
from typing import NamedTuple

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.kinds import KINDS
from app.catalog.kinds.aliases import CATALOG_KIND
from app.catalog.lookup import Catalog
from app.catalog.own.columns import NOT_OWN
from app.catalog.own.known import Known, covered
from app.catalog.prices import PART_RANGE
from app.catalog.values import ClimateYear, Fact, Part
from app.charts.format import TIMES, Shown, as_read, number
from app.surfaces.pages.catalog.kinds import VIEWS, KindView
from app.surfaces.pages.catalog.money import PriceLine, RentalTerms, price_lines, rental_terms
from app.surfaces.pages.catalog.sources import Source, Sources
from app.surfaces.pages.catalog.table import name_of, other_names, year_of
from app.surfaces.pages.catalog.tabs import Tab, part_link, tabs
from app.surfaces.pages.catalog.values import column_of, grouped, printed_text, range_text, shown_fact
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


HOURS_PER_DAY = 24
COMMON_YEAR = 2023  # any that is no leap year


class Month(NamedTuple):
    """Temperatures in degrees Celsius, humidity in percent; the bar in percent of the year's span."""

    name: str
    dry_bulb_lowest: str
    dry_bulb_mean: str
    dry_bulb_highest: str
    wet_bulb_mean: str
    wet_bulb_highest: str
    humidity_mean: str
    bar_start: float
    bar_width: float
    bar_mean: float


def months(year: ClimateYear) -> tuple[Month, ...]:
    """The twelve months of an hourly year that starts on 1 January."""
    coldest, hottest = float(year.dry_bulb_c.min()), float(year.dry_bulb_c.max())
    span = max(hottest - coldest, 1e-9)
    found, start = [], 0
    for month in range(1, 13):
        end = start + HOURS_PER_DAY * calendar.monthrange(COMMON_YEAR, month)[1]
        dry, wet = year.dry_bulb_c[start:end], year.wet_bulb_c[start:end]
        low, mean, high = float(dry.min()), float(dry.mean()), float(dry.max())
        found.append(
            Month(
                name=calendar.month_abbr[month],
                dry_bulb_lowest=_tenths(low),
                dry_bulb_mean=_tenths(mean),
                dry_bulb_highest=_tenths(high),
                wet_bulb_mean=_tenths(float(wet.mean())),
                wet_bulb_highest=_tenths(float(wet.max())),
                humidity_mean=number(round(float(np.mean(year.rh_pct[start:end])))),
                bar_start=round(100 * (low - coldest) / span, 2),
                bar_width=round(100 * (high - low) / span, 2),
                bar_mean=round(100 * (mean - coldest) / span, 2),
            )
        )
        start = end
    return tuple(found)


def _tenths(value: float) -> str:
    """A temperature as it is read, to one decimal with a true minus; hourly temperatures are known to a
    tenth."""
    text = f"{as_read(value, 'degC')[0]:.1f}"
    return "0.0" if text in ("0.0", "-0.0") else text.replace("-", "\u2212")


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
        found.append(Badge(f"{recalled} unverified", "warn", "Written down from memory and not confirmed"))
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

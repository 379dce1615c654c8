"""What the reader of a validation page asked for: predicted by which fit, and which of the measurements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.filters import (
    Choice,
    Option,
    Query,
    RangeField,
    limits_text,
    ranges_of,
    read_query,
    select,
)
from app.surfaces.pages.catalog.table import Table
from app.surfaces.pages.validation.subjects import Subject, Words, table_of
from app.validation.judged import Basis, Judged, judged

BASIS = "basis"


class Asked(NamedTuple):
    """A request read: all measurements beside their predictions, and those that were asked for, in order."""

    subject: Subject
    query: Query
    basis: Basis[Any]
    words: Words
    table: Table
    everything: tuple[Judged[Any], ...]
    found: tuple[Judged[Any], ...]

    @property
    def clear(self) -> str:
        """The overview of everything, by the same fit."""
        return self.without_filters(self.subject.overview)

    def without_filters(self, path: str) -> str:
        """A page of everything, by the same fit."""
        return path if not self.query.raw.get(BASIS) else f"{path}?{BASIS}={self.basis.key}"

    def link(self, path: str, **changes: str) -> str:
        """An address that asks for the same measurements, some parameters changed."""
        return self.query.link(path, **{"page": "", "sort": "", "order": "", **changes})


class Switch(NamedTuple):
    """A fit to predict by, as a link."""

    name: str
    link: str
    current: bool


class Filters(NamedTuple):
    """The form that narrows the measurements, as it was filled in."""

    search: str
    choices: tuple[Choice, ...]
    ranges: tuple[RangeField, ...]
    ranges_used: int
    kept: tuple[tuple[str, str], ...]  # parameters the form sends on unseen


def asked_of(subject: Subject, catalog: Catalog, given: Iterable[tuple[str, str]]) -> Asked:
    """A request for measurements of a kind, with what could not be used said and left aside."""
    pairs, words = list(given), Words(catalog, subject.names)
    basis = subject.bases.get(next((text for name, text in pairs if name == BASIS), ""), subject.usual_basis)
    everything = judged(subject.published(catalog), basis)
    table = table_of(subject, everything, words)
    query = read_query(table, pairs, choices={BASIS: subject.bases})
    by_key = {one.run.id: one for one in everything}
    found = tuple(by_key[row.key] for row in select(table, query))
    return Asked(subject, query, basis, words, table, everything, found)


def switches(asked: Asked, path: str) -> tuple[Switch, ...]:
    """Every fit to predict by; the default one needs no parameter."""
    return tuple(
        Switch(
            basis.name,
            asked.query.link(path, basis="" if basis is asked.subject.usual_basis else basis.key, page=""),
            basis is asked.basis,
        )
        for basis in asked.subject.bases.values()
    )


def filters(asked: Asked, *, kept: tuple[str, ...] = (BASIS,)) -> Filters:
    """The form of the page, each choice with how many of all it would leave."""
    raw = asked.query.raw
    ranges = ranges_of(asked.table, asked.query)
    return Filters(
        search=raw.get("q", ""),
        choices=tuple(_choice(asked, name) for name in asked.subject.groupings),
        ranges=ranges,
        ranges_used=sum(bool(field.low or field.high) for field in ranges),
        kept=tuple((name, raw[name]) for name in kept if raw.get(name)),
    )


def asked_text(asked: Asked) -> str:
    """What the measurements were narrowed to, in words."""
    said = [f"“{asked.query.raw['q'].strip()}”"] if asked.query.words else []
    for name, group in asked.query.facets.items():
        said.append(f"{asked.subject.groupings[name].title.lower()} {asked.words.group(name, group)}")
    said += [
        limits_text(field)
        for field in ranges_of(asked.table, asked.query)
        if (field.low or field.high) and not field.fault
    ]
    return ", ".join(said)


def count_text(asked: Asked) -> str:
    """Number of requested entries, and of all."""
    noun = asked.subject.noun
    found, everything = len(asked.found), len(asked.everything)
    return f"{found:,} {noun}" if found == everything else f"{found:,} of {everything:,} {noun}"


def _choice(asked: Asked, name: str) -> Choice:
    grouping = asked.subject.groupings[name]
    counts = Counter(grouping.group(one.run) for one in asked.everything)
    chosen = asked.query.raw.get(name, "")
    order = grouping.order or sorted(counts, key=lambda group: asked.words.group(name, group).casefold())
    options = [
        Option(group, f"{asked.words.group(name, group)} ({counts[group]})", group == chosen)
        for group in order
        if counts[group]
    ]
    if chosen and not any(option.chosen for option in options):
        options.append(Option(chosen, f"{chosen[:40]} (unknown)", True))  # what was asked for stays
    return Choice(name, grouping.title, tuple(options), chosen)

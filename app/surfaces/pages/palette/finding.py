"""Candidates of each group of the palette, and those that fit what is typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from urllib.parse import quote

from app.catalog.glossary import glossary
from app.catalog.lookup import Catalog
from app.charts.format import show_at
from app.engine.quantities import quantity_at
from app.saved.records import KINDS, WORDS
from app.saved.store import SavedWork
from app.scenarios.errors import ScenarioError
from app.scenarios.examples import list_examples
from app.scenarios.load import build_scenario
from app.surfaces.pages.catalog.kinds import GROUPS as CATALOG_GROUPS
from app.surfaces.pages.catalog.kinds import VIEWS
from app.surfaces.pages.designs import NEW, Designs
from app.surfaces.pages.help.search import search as search_help
from app.surfaces.pages.navigation import MENUS
from app.surfaces.pages.saved.rights import address_of
from app.surfaces.pages.studio.state import decode_state

MOST = 6
"""Entries of a group."""

ELSEWHERE = 4
"""Rank of an entry that is found by other words than its name."""

WITHOUT = ("prices", "rentals", "aliases")
"""Kinds whose rows are many of one name; the pages of their parts lead to them."""

PART_KINDS = tuple(kind for group in CATALOG_GROUPS for kind in group.kinds if kind not in WITHOUT)


class Entry(NamedTuple):
    """Where an entry leads; `note` tells entries of one name apart, `also` are other words that find it."""

    name: str
    note: str
    address: str
    also: str = ""


class Group(NamedTuple):
    title: str
    entries: tuple[Entry, ...]

    def is_named(self, words: list[str]) -> bool:
        """Whether the words are in a name of it, rather than only in what belongs to the name."""
        return any(_rank(entry.name.lower(), words) < ELSEWHERE for entry in self.entries)


def pages(key: str, tabs: Iterable[tuple[str, str, str]]) -> Iterator[Entry]:
    """The pages of the navigation, and the sections of the open design as (tab, title, address)."""
    for tab, title, address in tabs:
        yield Entry(title, f"{tab} of this design", address, tab)
    if key != NEW:
        yield Entry("New design", "Design", f"/designs/{NEW}", "start create")
    for menu in MENUS:
        for place in menu.places:
            yield Entry(place.name, f"{menu.name}: {place.note}", place.address)


def designs(work: SavedWork, search: str) -> Iterator[Entry]:
    """Saved work that the caller may see, then worked examples."""
    for kind in KINDS:
        note = WORDS[kind].capitalize()
        if work.has_lists:
            for saved in work.listed(kind, limit=MOST, search=search).items:
                yield Entry(saved.name, f"{note}, saved", address_of(kind, saved.id), search)
        for saved in work.shared(kind, limit=MOST, search=search).items:
            yield Entry(saved.name, f"{note}, shared with you", address_of(kind, saved.id), search)
    for one in list_examples():
        yield Entry(one.read().name, "Worked example", f"/designs/{one.key}", one.key.replace("_", " "))


def figures(source: Designs, key: str, state: str) -> Iterator[Entry]:
    """The figures of a design, or of what was made from it and is not saved, with their values.

    There are none where there is no such design, or where it cannot be evaluated.
    """
    if not key:
        return
    try:
        values = decode_state(state)
        evaluated = source.evaluated(key) if values is None else source.evaluate(key, build_scenario(values))
        evaluation = evaluated.as_json
    except (KeyError, ScenarioError):
        return
    for path, value in places(evaluation):
        record = quantity_at(path)
        if record is not None:
            room = path.partition(".")[0].replace("_", " ").capitalize()
            note = f"{room}, {show_at(path, value).text}"
            yield Entry(
                record.label, note, f"/designs/{quote(key)}/explain/{path}", f"{path} {record.short_label}"
            )


def places(part: dict[str, Any], above: str = "") -> Iterator[tuple[str, float]]:
    """Places of known numbers in an evaluation; those in lists are reached from the tabs."""
    for name, value in part.items():
        if isinstance(value, dict):
            yield from places(value, f"{above}{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{above}{name}", value


def parts(catalog: Catalog) -> tuple[Entry, ...]:
    """Rows of the catalog, hardware first."""
    return tuple(
        Entry(
            _name(kind, part.name),
            VIEWS[kind].row,
            f"/catalog/{kind}/{quote(part.key)}",
            f"{part.key} {part.vendor}",
        )
        for kind in PART_KINDS
        for part in catalog.parts(kind)
    )


def _name(kind: str, name: str) -> str:
    """The name of a row; those of assumptions are keys."""
    return name.replace("_", " ").capitalize() if kind == "assumptions" else name


def documents(search: str) -> tuple[Entry, ...]:
    """Sections of the help."""
    return tuple(
        Entry(hit.heading, hit.document if hit.document != hit.heading else "Help", hit.address)
        for hit in search_help(search, MOST).hits
    )


def terms() -> Iterator[Entry]:
    """The terms of the glossary."""
    for term in glossary().values():
        yield Entry(term.term, term.what, f"/terms#{term.key}", " ".join(term.aliases))


def fitting(entries: Iterable[Entry], words: list[str]) -> tuple[Entry, ...]:
    """The entries that hold every word, best first: whole names, then names that begin so, then the rest."""
    ranked = []
    for place, entry in enumerate(entries):
        name = entry.name.lower()
        everything = f"{name} {entry.also.lower()} {entry.note.lower()}"
        if all(word in everything for word in words):
            ranked.append((_rank(name, words), place, entry))
    ranked.sort(key=lambda one: one[:2])
    return tuple(dict.fromkeys(entry for _, _, entry in ranked))[:MOST]


def _rank(name: str, words: list[str]) -> int:
    whole = " ".join(words)
    if name == whole:
        return 0
    if name.startswith(whole):
        return 1
    own = name.replace("-", " ").replace("/", " ").split()
    if all(any(one.startswith(word) for one in own) for word in words):
        return 2
    return 3 if all(word in name for word in words) else ELSEWHERE

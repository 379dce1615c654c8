"""Own names in a design, each with the neutral name that replaces it in every file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.values import Part
from app.engine.trace import Origin
from app.saved.team_catalog.rests_on import RestsOn
from app.scenarios.evaluation.service import EvaluatedScenario

KIND_WORDS = {
    "models": "model", "systems": "system", "sites": "site", "climate": "climate year", "prices": "price row",
    "rentals": "rental row", "assumptions": "assumption", "jurisdictions": "jurisdiction",
}  # fmt: skip
PLACES = ("sites", "climate", "jurisdictions")
"""Kinds of row that say where something is."""
STATED = ("name", "first_name", "title", "note", "source")
"""Fields of a scenario whose words are its author's."""
PLACES_STATED = re.compile(
    r"^facility\.site(\.|$)|^economics\.jurisdiction$|^facility\.power_supply\.market$"
)
TEXTS = ("notes", "note", "price_note", "description", "reliability_reason", "vendor_headline")
MAKERS = ("vendor", "organisation", "provider")
ENTERED = re.compile(r"^(?P<team>.+), entered(?: by (?P<who>.+))? on \d{4}-\d{2}-\d{2}$")
FIELD_OF = re.compile(r", (?=[a-z])")  # "Our node, maximum power"
PART_OF_A_PLACE = re.compile(r"(?<![^\W_])[^\W\d_]{4,}")
GENERAL = frozenset((
    "campus", "center", "centre", "climate", "data", "east", "energyplus", "grid", "hall", "hourly", "north",
    "open", "plant", "site", "south", "station", "the", "typical", "west", "year",
))  # fmt: skip


class OwnWord(NamedTuple):
    """A word and what takes its place; `kind` is what it is of."""

    word: str
    neutral: str
    kind: str
    is_place: bool = False
    is_of_money: bool = False


def own_words(
    scenario: EvaluatedScenario,
    rests: RestsOn | None,
    today: Catalog,
    beside: Iterable[str] = (),
    numbers: Numbers | None = None,
) -> tuple[OwnWord, ...]:
    """Every own word that a file of a design may hold: its own, and those of all own rows of the catalog.

    Parameters
    ----------
    today : the catalog whose own rows count, whether the evaluation asks for them or not: a bill may name
        others
    beside : further words of the author, such as the note of a save
    numbers : of files that hold several designs, so that the same row has the same neutral name in all of them
    """
    numbers = numbers or Numbers()
    found = [OwnWord(scenario.document.name, "Design", "design")]
    found += [
        OwnWord(one, "own description", "design") for one in (scenario.document.description or "", *beside)
    ]
    found += stated_words(scenario.document.as_dict(), numbers)
    found += words_of_rows(rests, today, numbers)
    found += _of_origins(scenario.resolved.origins, numbers, _known(today.builtin))
    found += _of_the_site(scenario)
    return tuple(dict.fromkeys(one for one in found if one.word.strip()))


def words_of_rows(rests: RestsOn | None, today: Catalog, numbers: Numbers) -> Iterator[OwnWord]:
    """Words of own rows: those that a design rests on, and all others of the catalog."""
    builtin = today.builtin
    rows = dict(rests.parts) if rests else {}
    rows |= {(part.kind, part.key): part for part in today.own_parts() if (part.kind, part.key) not in rows}
    rows |= {(row.kind, row.key): row for _, row in (rests.years if rests else ())}
    known = _known(builtin)
    for place, part in sorted(rows.items()):
        yield from _of_row(part, _builtin_row(builtin, *place), numbers, known)
    for kept, _ in rests.years if rests else ():
        for words in (kept.source, kept.note):
            if words:
                yield OwnWord(words, numbers.of("source", words), "source", True)


class Numbers:
    """Own system 1, own system 2: a number for each row and each text, the same wherever it is met."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, str]] = {}

    def of(self, kind: str, word: str) -> str:
        held = self._found.setdefault(kind, {})
        return held.setdefault(word, f"own {kind} {len(held) + 1}")


def kind_word(kind: str) -> str:
    return KIND_WORDS.get(kind, "part")


def stated_words(document: Mapping[str, Any], numbers: Numbers, path: str = "") -> Iterator[OwnWord]:
    """Names and remarks that a scenario or a study states, wherever they are in it."""
    for name, value in document.items():
        place = f"{path}.{name}" if path else name
        for inner in value if isinstance(value, list | tuple) else (value,):
            if isinstance(inner, Mapping):
                yield from stated_words(inner, numbers, place)
            elif isinstance(inner, str) and path and name in STATED:
                is_place = bool(PLACES_STATED.match(place)) or ".regions" in place
                word = "model" if path.endswith("model") else "part" if "supernode" in path else "name"
                yield OwnWord(inner, "the site" if is_place else numbers.of(word, inner), word, is_place)


def _of_row(part: Part, builtin: Part | None, numbers: Numbers, known: frozenset[str]) -> Iterator[OwnWord]:
    """Key and name of a row, who makes it, where it is from, and what is noted on it."""
    kind, is_place = kind_word(part.kind), part.kind in PLACES
    money = part.kind in ("prices", "rentals")
    neutral = numbers.of(kind, f"{part.kind}/{part.key}")
    names = [part.key, part.name, str(part.attributes.get("item") or "")]
    if builtin is not None:
        names = [one for one in names if one not in (builtin.key, builtin.name)]
    for one in names:
        yield OwnWord(one, neutral, kind, is_place, money)
    for field in MAKERS:
        maker = str(part.attributes.get(field) or "")
        if maker and maker.casefold() not in known:
            yield OwnWord(maker, numbers.of("maker", maker.casefold()), "maker")
    for field in TEXTS:
        words = str(part.attributes.get(field) or "")
        if words and (builtin is None or builtin.attributes.get(field) != words):
            yield OwnWord(words, numbers.of("note", words), "note", is_place, money or field == "price_note")
    for fact in part.facts.values():
        if fact.own:
            yield from _source(fact.source, fact.url, numbers, is_place, money or "USD" in fact.unit)
            yield from _people(fact.own)
    yield from _people(part.own)


def _source(
    source: str, url: str, numbers: Numbers, is_place: bool, money: bool = False
) -> Iterator[OwnWord]:
    for words in (source, url):
        if words:
            yield OwnWord(words, numbers.of("source", words), "source", is_place, money)


def _people(own: str) -> Iterator[OwnWord]:
    """The team whose row it is, and who entered it."""
    match = ENTERED.match(own)
    if match:
        yield OwnWord(match["team"], "the team", "team")
        if match["who"]:
            yield OwnWord(match["who"], "a member", "team")


def _of_origins(origins: Mapping[str, Origin], numbers: Numbers, known: frozenset[str]) -> Iterator[OwnWord]:
    """What the inputs of an evaluation say of own rows: all there is to see for those to whom it was shared."""
    for path, origin in origins.items():
        if not origin.own:
            continue
        kind, _, key = origin.catalog.partition("/")
        is_place = kind in PLACES or bool(PLACES_STATED.match(path))
        neutral = numbers.of(kind_word(kind), f"{kind}/{key}")
        name = FIELD_OF.split(origin.label)[0]
        for one in (key, name):
            if one and one.casefold() not in known:
                yield OwnWord(one, neutral, kind_word(kind), is_place)
        yield from _source(origin.source, "", numbers, is_place, "usd" in path)
        yield from _people(origin.own)


def _of_the_site(scenario: EvaluatedScenario) -> Iterator[OwnWord]:
    """Names of the site and its climate year, whether own or built in."""
    document = scenario.document.as_dict()
    facility, economics = document.get("facility") or {}, document.get("economics") or {}
    site, supply = facility.get("site"), facility.get("power_supply") or {}
    names = {str((scenario.as_json.get("inputs", {}).get("site") or {}).get("name") or "")}
    names |= (
        {site}
        if isinstance(site, str)
        else {str(site.get("name") or ""), str(site.get("climate") or "")}
        if site
        else set()
    )
    for path, origin in scenario.resolved.origins.items():
        if path.startswith("facility.site.climate."):
            names.add(origin.label)
        kind, _, key = origin.catalog.partition("/")
        if path.startswith("facility.site.") and kind in PLACES:
            names.add(key)
    names |= {str(one) for one in (economics.get("jurisdiction"), supply.get("market")) if one}
    yield from words_of_places(names)


def words_of_places(names: Iterable[str]) -> Iterator[OwnWord]:
    """Names of places, and each name in them: "Ashburn" of "Ashburn VA"."""
    for name in sorted(names):
        yield OwnWord(name, "the site", "site", True)
        for word in PART_OF_A_PLACE.findall(name):
            if (word[0].isupper() or name.islower()) and word.casefold() not in GENERAL:
                yield OwnWord(word, "the site", "site", True)


def _builtin_row(builtin: Catalog, kind: str, key: str) -> Part | None:
    return (
        next((part for part in builtin.parts(kind) if part.key == key), None) if kind != "climate" else None
    )


def _known(builtin: Catalog) -> frozenset[str]:
    """Names, keys and makers of built-in rows: no own words."""
    found: set[str] = set()
    for kind in (
        "accelerators",
        "systems",
        "models",
        "switches",
        "nics",
        "optics",
        "cpus",
        "storage",
        "facility_parts",
        "rentals",
    ):
        for part in builtin.parts(kind):
            found |= {part.key, part.name.casefold(), part.vendor.casefold()}
            found |= {str(part.attributes.get(field) or "").casefold() for field in MAKERS}
    return frozenset(found)

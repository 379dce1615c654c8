"""The own rows that a scenario rests on: found from what its evaluation asks of the catalog."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from app.catalog.assumptions import assumption_row
from app.catalog.climate import KeptYear
from app.catalog.lookup import Catalog
from app.catalog.own.checking import hardware_kinds
from app.catalog.own.removing import references
from app.catalog.pinned import PinnedCatalog, RecordingCatalog
from app.catalog.prices import BARE_SHARES, PART_RANGE, basis_of
from app.catalog.snapshot import Snapshot
from app.catalog.values import Fact, Part, Price
from app.catalog.view import CatalogView
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario


class RestsOn(NamedTuple):
    """Own rows by kind and key, own climate years with their rows, and what cannot be written as rows."""

    parts: Mapping[tuple[str, str], Part]
    years: tuple[tuple[KeptYear, Part], ...]
    lost: tuple[str, ...]


def rests_on(document: ScenarioDocument, view: CatalogView) -> RestsOn | None:
    """The own rows of a catalog that a scenario rests on; None where the catalog has none."""
    today = view.today
    if isinstance(view, PinnedCatalog):
        return _asked(view.snapshot, today)
    if not today.own_parts():
        return None
    recording = RecordingCatalog(today)
    with suppress(ScenarioError):  # what it asked until then counts all the same
        evaluate_scenario(document, recording)
    return _asked(recording.snapshot, today)


def _asked(snapshot: Snapshot, today: Catalog) -> RestsOn:
    """Own rows among the answers of a catalog, those that these name, and what cannot be written as rows."""
    own = {(part.kind, part.key): part for part in today.own_parts()}
    found: dict[tuple[str, str], Part] = {}
    kept_years: dict[str, KeptYear | None] = {}
    lost: list[str] = []

    def add(part: Part) -> None:
        found.setdefault((part.kind, part.key), part)

    for kind, about, answer in snapshot.answers():
        if kind == "part" and answer.own and answer.kind != "climate":
            add(answer)
        elif kind.startswith("price") and isinstance(answer, Price) and answer.own:
            if answer.condition != PART_RANGE:
                add(_price_part(answer, own))
                share = BARE_SHARES.get(basis_of(dataclasses.replace(answer, **(answer.stated or {}))), "")
                if ("assumptions", f"economics.{share}") in own:
                    add(own["assumptions", f"economics.{share}"])
        elif kind == "rental" and answer is not None and answer.own:
            accelerator, terms = about.rsplit("/", 1)
            if today.rental(accelerator, terms) == answer:
                offers = today.rentals(accelerator, terms)
                for offer in (offer for offer in offers if offer.own and offer.date == answer.as_of):
                    add(own["rentals", offer.key])
            else:
                lost.append(f"rental offers of {accelerator} ({terms}), which were changed since")
        elif kind == "climate" and isinstance(answer, KeptYear):
            kept_years[answer.key] = answer
        elif kind == "assumption":
            for row in (row for row in answer if row.own):
                same = [
                    part
                    for part in own.values()
                    if part.kind == "assumptions" and assumption_row(part) == row
                ]
                if same:
                    add(same[0])
                else:
                    lost.append(f"assumption {about}, which was changed since")
        if kind == "price":  # whether a part is sold is a matter of its own row
            for hardware in hardware_kinds():
                if (hardware, about) in own:
                    add(own[hardware, about])
    pending = list(found.values())
    while pending:
        for key, kinds in references(pending.pop()):
            for kind in kinds:
                if kind == "climate" and (kind, key) in own:
                    kept_years.setdefault(key, None)
                elif (kind, key) in own and (kind, key) not in found:
                    found[kind, key] = own[kind, key]
                    pending.append(own[kind, key])
    years: list[tuple[KeptYear, Part]] = []
    for key, kept in sorted(kept_years.items()):
        if ("climate", key) in own:
            years.append((kept or KeptYear.of(today.climate(key)), own["climate", key]))
        else:
            lost.append(f"climate year {key}, which was removed since")
    return RestsOn(found, tuple(years), tuple(lost))


def _price_part(price: Price, own: Mapping[tuple[str, str], Part]) -> Part:
    """The row of an own price as it was asked; words that a price does not keep are those of today."""
    if price.stated is not None:
        price = dataclasses.replace(price, **price.stated)
    today = own.get(("prices", price.key))
    words = {
        "part_key": price.part_key, "item": price.item, "unit": price.printed_unit, "condition": price.condition,
        "basis": price.basis, "reliability": price.reliability, "reliability_reason": price.reliability_reason,
        "notes": price.note,
    }  # fmt: skip
    if words["reliability"] == "usable" and (today is None or not today.attributes.get("reliability")):
        words["reliability"] = ""
    attributes = dict(today.attributes) if today is not None else {}
    fact = Fact(
        value=price.value, low=price.low, typical=price.typical, high=price.high, unit=price.unit,
        printed_value="", printed_unit=price.printed_unit, printed_column="", kind=price.kind,
        source=price.source, url=price.url, date=price.as_of, confidence=price.confidence,
        licence=price.licence, ship="", credit="", own=price.own,
    )  # fmt: skip
    return Part(
        kind="prices", key=price.key, name=price.item, vendor="", year=None, status="",
        attributes={**attributes, **{name: word for name, word in words.items() if word or name in attributes}},
        facts={"value": fact}, source=price.source, own=price.own,
    )  # fmt: skip

"""The model, the hardware and the prices that a row of costs speaks of."""

from __future__ import annotations

import re
import statistics
from typing import NamedTuple

import numpy as np

from app.catalog.growth import NotableModel, growth_data
from app.catalog.lookup import Catalog, RentalOffer
from app.catalog.values import Part, Price
from app.engine.economics.runs.acquisition import server_usd_per_accelerator
from app.engine.trace import Array
from app.scenarios.resolve.hardware_words import context_of
from app.validation.study import UnsupportedRowError
from app.views.economics.run_assumptions import RunAssumptions

# Which published model a row speaks of: its run as it is kept in the figures of growth.

OTHER = frozenset({"turbo", "mini", "nano", "flash", "lite", "pro", "xl"})
"""Words after a name that make it that of another model."""


def model_in(subject: str) -> NotableModel | None:
    """The model whose name the subject begins with; the longest name, or the only one that goes on as the subject.

    >>> model_in("Llama 3.1 405B, end to end").key, model_in("GPT-4 (three methods)").key, model_in("A new model")
    ('llama_3_1_405b', 'gpt_4_mar_2023', None)
    """
    asked = _chunks(_without_brackets(subject)), _chunks(subject)
    found = [
        (len(name), model)
        for model in growth_data().models
        for name in (_chunks(model.name), _chunks(_without_brackets(model.name)))
        if name
        and any(
            words[: len(name)] == name and not OTHER.intersection(words[len(name) : len(name) + 1])
            for words in asked
        )
    ]
    if found:
        return max(found, key=lambda one: one[0])[1]
    head = _chunks(re.split(r"[(,;:]", subject)[0])
    going_on = [model for model in growth_data().models if head and _chunks(model.name)[: len(head)] == head]
    return going_on[0] if len(going_on) == 1 else None


def _chunks(name: str) -> tuple[str, ...]:
    """Words of a name, whatever joins them."""
    return tuple(re.findall(r"[a-z0-9.]+", name.lower()))


def _without_brackets(name: str) -> str:
    return re.sub(r"\(.*?\)", " ", name)


# What the catalog knows of an accelerator's price with its server, and of its rent at a date.

NEAR_YEARS = 1.5
"""Rents change: an offer that is further away in time stands for nothing."""
IT_CONDITIONS = ("new", "list", "quote", "hyperscale")
"""Prices of a server or rack alone, without the network around it."""


class Known(NamedTuple):
    """A price, and in words where it comes from."""

    value: Array
    said: str


def server_price(accelerator: Part, catalog: Catalog) -> Known | None:
    """What an accelerator costs with its share of a server; None where it is not published.

    By the smallest server that has a price of its own, else by the price of the accelerator.
    """
    servers = sorted(
        (part.facts["accelerators"].value, part.key, part)
        for part in catalog.parts("systems")
        if part.attributes.get("accelerator_key") == accelerator.key and "accelerators" in part.facts
    )
    for devices, _, server in servers:
        price = catalog.price(server.key)
        if price is not None and price.condition in IT_CONDITIONS and devices > 1:
            said = f"{server.name} at {price.value:,.0f} USD for {devices:g} accelerators"
            return Known(np.array([price.value / devices]), said)
    chip: Price | None = catalog.price(accelerator.key) or catalog.price_estimate(accelerator.key)
    if chip is None:
        return None
    ratio = RunAssumptions(catalog, context_of(accelerator))("server_price_ratio")
    each = server_usd_per_accelerator(accelerator_price_usd=np.array([chip.value]), server_price_ratio=ratio)
    return Known(each, f"{accelerator.name} at {chip.value:,.0f} USD x {ratio[0]:g} for its server")


def rent_about(
    accelerator: Part, year: float, kind: str, catalog: Catalog, *, term: str = ""
) -> Known | None:
    """The usual rent at a date: the median of what providers asked then, the cheapest offer of each.

    Offers that stood at the date are those last seen before it; where none was, those first seen after it. None
    where the nearest are more than a year and a half away.
    """
    offers = [one for one in catalog.rentals(accelerator.key, kind) if term in one.term]
    before = [one for one in offers if year - NEAR_YEARS <= _year(one) <= year]
    after = [one for one in offers if year < _year(one) <= year + NEAR_YEARS]
    standing: dict[str, RentalOffer] = {}
    for offer in sorted(
        before or after, key=lambda one: (abs(_year(one) - year), one.usd_per_accelerator_hour)
    ):
        standing.setdefault(offer.provider, offer)
    if not standing:
        return None
    price = statistics.median(offer.usd_per_accelerator_hour for offer in standing.values())
    words = f"{kind} {term}".replace("_", " ").strip()
    return Known(np.array([price]), f"{accelerator.name} {words} at {price:g} USD/h about {year:.1f}")


def _year(offer: RentalOffer) -> float:
    """The middle of the year, month or day that an offer is dated by."""
    year, month, day = (int(part) for part in (*offer.date.split("-"), "0", "0")[:3])
    return year + ((month - 1) / 12 if month else 0.5) + (day / 365 if day else 0.5 / 12 if month else 0.0)


# Which accelerator or system a row speaks of, and its price or rent.


def accelerator_in(text: str, catalog: Catalog) -> Part | None:
    """The accelerator of the catalog that a text names; of several with that name the one that it says most of."""
    found: list[tuple[int, int, Part]] = []
    for place, part in enumerate(catalog.parts("accelerators")):
        words = [word for word in re.sub(r"\(.*?\)", "", part.name).split() if word != "Instinct"]
        if re.search(rf"(?<![A-Za-z0-9]){_short(words)}s?(?![0-9A-Za-z])", text, re.IGNORECASE):
            memory = re.search(r"(\d+) ?GB", part.name)
            sized = bool(memory and re.search(rf"\b{memory[1]} ?GB", text))
            others = sum(word.lower() in text.lower() for word in words)
            found.append((2 * sized + others, -place, part))
    return max(found, key=lambda one: one[:2])[2] if found else None


def _short(words: list[str]) -> str:
    """A name as far as its first number, however it is joined: H100, TPU v4, Ascend 910B, Trainium 2."""
    numbered = next(
        (place for place, word in enumerate(words, start=1) if re.search(r"\d", word)), len(words)
    )
    parts = re.sub(r"(?<=[a-z]{2})(?=\d)", " ", " ".join(words[:numbered])).split()
    return r"[ -]?".join(map(re.escape, parts))


def peak_of(accelerator: Part) -> float | None:
    """Dense 16-bit FLOP/s: BF16, else FP16 of hardware that is older than BF16."""
    peak = accelerator.facts.get("bf16_flop_per_s") or accelerator.facts.get("fp16_flop_per_s")
    return None if peak is None else peak.value


def context_for(accelerator: Part | None, text: str) -> dict[str, str]:
    """The words that assumptions are chosen by; of a device that is not in the catalog by its name alone."""
    if accelerator is not None:
        return context_of(accelerator)
    key = "_".join(re.findall(r"[a-z0-9]+", text.lower()))
    return {"accelerator": key, "generation": "tpu" if "tpu" in key else "", "chip": ""}


def host_in(text: str, catalog: Catalog) -> Part | None:
    """The system of the catalog that a text names, the longest name first."""
    named = [
        part
        for part in catalog.parts("systems")
        if re.search(rf"(?<!\w){re.escape(part.name)}(?!\w)", text, re.IGNORECASE)
    ]
    return max(named, key=lambda part: len(part.name), default=None)


def devices_of(text: str, catalog: Catalog) -> float | None:
    """Number of accelerators of the named system: by the catalog, else by the number after NVL."""
    host = host_in(text, catalog)
    if host is not None and "accelerators" in host.facts:
        return host.facts["accelerators"].value
    found = re.search(r"\bNVL(\d+)\b", text)
    return float(found[1]) if found else None


def needed_accelerator(text: str, catalog: Catalog) -> Part:
    """The accelerator that a text names.

    Raises
    ------
    UnsupportedRowError : it names none of the catalog
    """
    found = accelerator_in(text, catalog)
    if found is None:
        raise UnsupportedRowError("it names no accelerator that is in the catalog")
    return found


def needed_server_price(accelerator: Part, catalog: Catalog) -> Known:
    """What an accelerator costs with its share of a server.

    Raises
    ------
    UnsupportedRowError : not published
    """
    found = server_price(accelerator, catalog)
    if found is None:
        raise UnsupportedRowError(f"the catalog has no price of {accelerator.name} or of a server with it")
    return found


def needed_rent(
    accelerator: Part, year: float | None, kind: str, catalog: Catalog, *, term: str = ""
) -> Known:
    """The usual rent at a date.

    Raises
    ------
    UnsupportedRowError : the date is not known, or nothing was offered near it
    """
    if year is None:
        raise UnsupportedRowError("it states no price of an hour, and no date to look one up by")
    found = rent_about(accelerator, year, kind, catalog, term=term)
    if found is None:
        raise UnsupportedRowError(
            f"it states no price of an hour, and the catalog has no {term or kind.replace('_', ' ')} rent of "
            f"{accelerator.name} within a year and a half of {year:.1f}"
        )
    return found

"""Which accelerator or system a row speaks of, and its price or rent."""

from __future__ import annotations

import re

from app.catalog.lookup import Catalog
from app.catalog.values import Part
from app.scenarios.resolve.hardware_words import context_of
from app.validation.cost.prices import Known, rent_about, server_price
from app.validation.rows import UnsupportedRowError


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
    """How many accelerators the named system has: by the catalog, else by the number after NVL."""
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
    UnsupportedRowError : nobody published it
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

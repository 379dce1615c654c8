"""Regions of cloud providers: where they stand, and which of their figures are the provider's own mean."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from app.catalog.lookup import Catalog, Part
from app.validation.power.places import Place, place_at, plain

PROVIDERS = {
    "Amazon Web Services": ("amazon web services", "aws", "amazon"),
    "Google Cloud": ("google cloud", "gcp", "google"),
    "Microsoft Azure": ("microsoft azure", "azure", "microsoft"),
}
"""Providers of the table, and how texts call them."""
FILLER_SHARE = 0.25
FILLER_REGIONS = 5
"""A WUE that so many regions of a provider print in one year, and so large a share of them, is no region's own."""


@dataclass(frozen=True, slots=True)
class Region:
    """A region with its coordinates as printed."""

    provider: str
    code: str
    location: str
    latitude: float
    longitude: float

    def place(self, catalog: Catalog) -> Place:
        """Where it stands.

        Raises
        ------
        UnsupportedRowError : no climate year is near enough
        """
        return place_at(catalog, self.location, self.latitude, self.longitude)


def provider_in(text: str) -> str | None:
    """The provider that a text names, None where it names none."""
    for provider, names in PROVIDERS.items():
        if any(re.search(rf"\b{name}\b", plain(text)) for name in names):
            return provider
    return None


def region_in(catalog: Catalog, text: str) -> Region | None:
    """The region that a text names: by its code, else by its location.

    Of locations, those of the provider that the text names are looked at first, and longer ones first.
    """
    words = plain(text)
    regions = _regions(catalog.builtin)
    for region in regions:
        if re.search(rf"(?<![\w-]){re.escape(region.code)}(?![\w-])", words):
            return region
    provider = provider_in(text)
    found = [(len(name), region) for region in regions if (name := _name_in(words, region.location))]
    of_provider = [pair for pair in found if pair[1].provider == provider]
    return max(of_provider or found, key=lambda pair: pair[0], default=(0, None))[1]


def is_filler(catalog: Catalog, provider: str, year: int, wue_l_per_kwh: float) -> bool:
    """Whether a WUE is the provider's mean, printed where a region has none of its own."""
    return (provider, year, wue_l_per_kwh) in _fillers(catalog.builtin)


def _name_in(words: str, location: str) -> str:
    """The location as a text has it, whole or up to its colon (Wyoming: West Central US), "" where it has not."""
    for name in (plain(location), plain(location).partition(":")[0]):
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words):
            return name
    return ""


@functools.lru_cache(maxsize=4)
def _regions(catalog: Catalog) -> tuple[Region, ...]:
    """Every region once under each of the locations that it was printed with."""
    return tuple(dict.fromkeys(_region(part) for part in catalog.parts("cloud_regions")))


def _region(part: Part) -> Region:
    return Region(
        provider=str(part.attributes["provider"]),
        code=part.name,
        location=str(part.attributes["location"]),
        latitude=part.facts["latitude"].value,
        longitude=part.facts["longitude"].value,
    )


@functools.lru_cache(maxsize=4)
def _fillers(catalog: Catalog) -> frozenset[tuple[str, int, float]]:
    printed = Counter(_printed_wue(catalog))
    regions = Counter((provider, year) for provider, year, _ in printed.elements())
    return frozenset(
        key
        for key, count in printed.items()
        if count >= FILLER_REGIONS and count >= FILLER_SHARE * regions[key[:2]]
    )


def _printed_wue(catalog: Catalog) -> Iterator[tuple[str, int, float]]:
    for part in catalog.parts("cloud_regions"):
        if "wue_l_per_kwh" in part.facts and part.year is not None:
            yield str(part.attributes["provider"]), part.year, part.facts["wue_l_per_kwh"].value

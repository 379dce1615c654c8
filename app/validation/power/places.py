"""Places: their climate, and the regions of cloud providers."""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from app.catalog.lookup import Catalog, Part
from app.paths import seed_data
from app.validation.study import UnsupportedRowError, read_rows

# The climate year that stands for a place, by its coordinates or by the city that it names.

EARTH_RADIUS_KM = 6371.0
NEAR_KM = 300.0
"""A climate year up to here stands for the place also where places are ranked."""
FARTHEST_KM = 1000.0
"""Beyond this no climate year stands for a place at all."""
TOWNS_FILE = "validation/places.csv"
STATE = re.compile(r"\s+[A-Z]{2}$")
"""The state behind the name of an American city: Dallas TX."""


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere with a climate year: its own, or the nearest one's.

    `doubt` says why the printed coordinates were not believed, "" where they were.
    """

    name: str
    climate: str
    climate_name: str
    distance_km: float
    doubt: str = ""

    @property
    def near(self) -> bool:
        """Return whether the climate is near enough to rank the place by."""
        return self.distance_km <= NEAR_KM

    @property
    def badge(self) -> str:
        """What stands for its weather, and how far away that was measured."""
        said = f"climate of {self.climate_name}, {self.distance_km:,.0f} km away"
        return f"{said}; {self.doubt}" if self.doubt else said


@dataclass(frozen=True, slots=True)
class City:
    name: str
    latitude: float
    longitude: float


def distance_km(latitude: float, longitude: float, other_latitude: float, other_longitude: float) -> float:
    """Great-circle distance by the haversine formula.

    >>> round(distance_km(51.51, -0.13, 48.86, 2.35))  # London to Paris
    343
    """
    north, other_north = math.radians(latitude), math.radians(other_latitude)
    east = math.radians(other_longitude - longitude)
    half_chord = (
        math.sin((other_north - north) / 2) ** 2
        + math.cos(north) * math.cos(other_north) * math.sin(east / 2) ** 2
    )
    return 2 * EARTH_RADIUS_KM * math.asin(math.sqrt(half_chord))


def place_at(catalog: Catalog, name: str, latitude: float, longitude: float) -> Place:
    """The place of this name at these coordinates, with the climate year nearest to it.

    Where the name is that of a city that lies far from the coordinates, the coordinates are those of
    another one (Dallas in Oregon, Las Vegas in New Mexico), and the city is believed.

    Raises
    ------
    UnsupportedRowError : no climate year is near enough
    """
    city = city_in(catalog, name)
    doubt = ""
    if city is not None:
        off_km = distance_km(latitude, longitude, city.latitude, city.longitude)
        if off_km > NEAR_KM:
            doubt = f"its printed coordinates lie {off_km:,.0f} km from {city.name}"
            latitude, longitude = city.latitude, city.longitude
    return _nearest(catalog, name, latitude, longitude, doubt)


def place_of(catalog: Catalog, city: City) -> Place:
    """A city with the climate year nearest to it.

    Raises
    ------
    UnsupportedRowError : no climate year is near enough
    """
    return _nearest(catalog, city.name, city.latitude, city.longitude, "")


def city_in(catalog: Catalog, text: str) -> City | None:
    """The city of the sites or of the climate years that a text names, None where it names none."""
    plain_text = plain(text)
    found = [
        city for city in _cities(catalog) if re.search(rf"\b{re.escape(plain(city.name))}\b", plain_text)
    ]
    return max(found, key=lambda city: len(city.name), default=None)


def plain(text: str) -> str:
    """Small letters without accents.

    >>> plain("São Paulo")
    'sao paulo'
    """
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).lower()


def _cities(catalog: Catalog) -> Iterator[City]:
    """Sites of the catalog, places of climate years, and towns that published figures speak of."""
    for kind in ("sites", "climate"):
        for part in catalog.parts(kind):
            latitude, longitude = part.facts["latitude"].value, part.facts["longitude"].value
            # what stands in brackets after a climate year is no place of its own: (centre), (proxy for ...)
            names = part.name if kind == "sites" else part.name.partition("(")[0]
            for name in re.split(r"[/()]", names):
                if short := STATE.sub("", name.strip()):
                    yield City(short, latitude, longitude)
    yield from _towns()


@functools.cache
def _towns() -> tuple[City, ...]:
    rows = read_rows(seed_data() / TOWNS_FILE, ("name", "lat", "lon"))
    return tuple(City(row.text("name"), row.number("lat") or 0.0, row.number("lon") or 0.0) for row in rows)


def _nearest(catalog: Catalog, name: str, latitude: float, longitude: float, doubt: str) -> Place:
    away_km, found = min(
        (
            (
                distance_km(latitude, longitude, part.facts["latitude"].value, part.facts["longitude"].value),
                part,
            )
            for part in catalog.parts("climate")
        ),
        key=lambda pair: pair[0],
    )
    if away_km > FARTHEST_KM:
        raise UnsupportedRowError(
            f"the nearest climate year, {found.name}, is {away_km:,.0f} km from {name}; "
            f"none beyond {FARTHEST_KM:,.0f} km stands for a place"
        )
    return Place(name, found.key, found.name, away_km, doubt)


# Regions of cloud providers: where they stand, and which of their figures are the provider's own mean.

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
    """Return whether a WUE is the provider's mean, printed where a region has none of its own."""
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

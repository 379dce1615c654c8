"""The climate year that stands for a place, by its coordinates or by the city that it names."""

from __future__ import annotations

import functools
import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from app.catalog.lookup import Catalog
from app.paths import seed_data
from app.validation.rows import UnsupportedRowError, read_rows

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
        """Whether the climate is near enough to rank the place by."""
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

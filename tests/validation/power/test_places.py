"""Climate years that stand for places: by coordinates, by the city that is named, or not at all."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.validation.power.places import (
    FARTHEST_KM,
    NEAR_KM,
    city_in,
    distance_km,
    is_filler,
    place_at,
    provider_in,
    region_in,
)
from app.validation.study import UnsupportedRowError

LATITUDE = st.floats(-90, 90)
LONGITUDE = st.floats(-180, 180)


def test_distances():
    """London to Paris 344 km, a degree of the equator 111.2 km, pole to pole half the way round."""
    assert distance_km(51.51, -0.13, 48.86, 2.35) == pytest.approx(344, abs=2)
    assert distance_km(0, 0, 0, 1) == pytest.approx(2 * math.pi * 6371 / 360)
    assert distance_km(90, 0, -90, 0) == pytest.approx(math.pi * 6371)


@given(LATITUDE, LONGITUDE, LATITUDE, LONGITUDE)
def test_a_distance_is_the_same_both_ways_and_never_more_than_half_the_way_round(a, b, c, d):
    there, back = distance_km(a, b, c, d), distance_km(c, d, a, b)
    assert there == pytest.approx(back, abs=1e-6)
    assert 0 <= there <= math.pi * 6371 + 1e-6


def test_the_nearest_climate_year_with_its_distance(catalog):
    place = place_at(catalog, "Taiwan", 24.05, 120.5)
    assert place.climate == "shanghai"
    assert NEAR_KM < place.distance_km < FARTHEST_KM
    assert not place.near
    assert place.badge == f"climate of Shanghai, {place.distance_km:,.0f} km away"


def test_too_far_is_refused(catalog):
    with pytest.raises(UnsupportedRowError, match="none beyond 1,000 km stands for a place"):
        place_at(catalog, "New Zealand", -41.3, 174.8)


def test_a_city_is_believed_where_its_coordinates_are_those_of_another_one(catalog):
    """The published table puts Dallas to Oregon, and Las Vegas to New Mexico."""
    place = place_at(catalog, "Dallas", 44.9221, -123.313)
    assert place.climate == "dallas_tx"
    assert place.near
    assert "its printed coordinates lie 2,6" in place.badge


@pytest.mark.parametrize(
    ("text", "city"),
    [
        ("Golden, Colorado; warm-water cooling", "Golden"),
        ("South America (São Paulo)", "Sao Paulo"),
        ("Kajaani", "Kajaani"),
        ("a data centre", None),  # "London (centre)" is a climate year
        ("prefrankfurted", None),
    ],
)
def test_cities_in_texts(catalog, text, city):
    found = city_in(catalog, text)
    assert (found.name if found else None) == city


@pytest.mark.parametrize(
    ("text", "provider", "code"),
    [
        ("Google trailing 12-month PUE, us-east4 N. Virginia", "Google Cloud", "us-east4"),
        ("Google trailing 12-month PUE, europe-west1 Belgium", "Google Cloud", "europe-west1"),
        ("annual PUE, Amazon Web Services Asia Pacific (Tokyo)", "Amazon Web Services", "ap-northeast-1"),
        ("annual PUE, Microsoft Azure Ireland", "Microsoft Azure", "northeurope"),
        ("annual PUE, Microsoft Azure Wyoming", "Microsoft Azure", "westcentralus"),
        ("annual PUE, Microsoft Azure Arizona: west US 3", "Microsoft Azure", "westus3"),
        ("annual PUE, Google Cloud Netherlands", "Google Cloud", "europe-west4"),
    ],
)
def test_regions_in_texts(catalog, text, provider, code):
    region = region_in(catalog, text)
    assert region is not None
    assert (region.provider, region.code) == (provider, code)
    assert provider_in(text) == provider


def test_no_region(catalog):
    assert region_in(catalog, "industry mean PUE") is None
    assert provider_in("industry mean PUE") is None


def test_fillers_are_means_that_many_regions_print(catalog):
    assert is_filler(catalog, "Amazon Web Services", 2024, 0.18)
    assert is_filler(catalog, "Amazon Web Services", 2023, 0.18)
    assert is_filler(catalog, "Amazon Web Services", 2022, 0.19)
    assert not is_filler(catalog, "Amazon Web Services", 2024, 0.12)
    assert not is_filler(catalog, "Microsoft Azure", 2022, 0.023)  # three regions

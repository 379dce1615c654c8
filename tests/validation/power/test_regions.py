"""Regions, their places, and rank correlations."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.paths import seed_data
from app.validation.power.facility import operated_at, water_at
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
from app.validation.power.regions import REGIONS, by_group, rank_correlation
from app.validation.study import Row, UnsupportedRowError

# Published regions against the usual data centre in their climates.

PUBLISHED = seed_data() / "cloud_region_pue_wue.csv"


@pytest.fixture(scope="module")
def report(catalog):
    return REGIONS.report(PUBLISHED, catalog)


def region(**cells: object) -> Row:
    plain = {
        "key": "here", "year": 2024, "provider": "Amazon Web Services", "region": "eu-north-1",
        "location": "Europe (Stockholm)", "lat": 59.33, "lon": 17.84, "pue": 1.1, "wue_l_per_kwh": 0.02,
    }  # fmt: skip
    whole = {name: str(value) for name, value in {**plain, **cells}.items()}
    return Row(key=whole["key"], cells=whole)


@pytest.mark.slow
def test_the_shipped_table(report):
    found = report.as_json()
    assert found["rows"] == found["scored"] == 164
    assert found["supported"] + len(found["unsupported"]) == 164
    assert found["supported"] == 135
    assert found["median_abs_error"] < 0.06
    assert found["by_row"]["p90_abs_error"] < 0.12
    assert set(found["groups"]["provider"]) == {"Amazon Web Services", "Google Cloud", "Microsoft Azure"}
    assert found["rank_correlation_with_far"]["Amazon Web Services"]["spearman"] > 0.65
    assert (
        found["rank_correlation"]["all"]["pairs"] < found["rank_correlation_with_far"]["all"]["pairs"] == 135
    )
    assert "km away" in found["places"]["aws_ap_southeast_3_2024"]
    json.dumps(found, allow_nan=False)


@pytest.mark.slow
def test_the_band_of_operators_is_that_of_the_residuals(report, catalog):
    """The two assumptions are P10 and P90 of published less ours, of regions whose climate is near."""
    found = report.as_json()
    below = catalog.assumption("facility", "pue_operators_below", {})
    above = catalog.assumption("facility", "pue_operators_above", {})
    assert -found["residual_p10"] == pytest.approx(below.value, abs=0.01)
    assert found["residual_p90"] == pytest.approx(above.value, abs=0.01)
    assert "112 region-years" in below.source
    assert found["rank_correlation"]["all"]["pairs"] == 112


@pytest.mark.slow
def test_water_leaves_out_what_is_no_regions_own(report):
    water = report.as_json()["wue"]
    reasons = {one["id"]: one["reason"] for one in water["left_out"]}
    assert "0.18 L/kWh is the mean of Amazon Web Services" in reasons["aws_ap_south_1_2024"]
    assert "0.19 L/kWh is the mean" in reasons["aws_eu_west_1_2022"]
    assert "aws_us_east_1_2024" not in reasons
    assert water["rows"] == 36
    assert water["rank_correlation"]["Amazon Web Services"]["spearman"] > 0.5
    assert water["median_abs_difference_l_per_kwh"] < 0.2
    assert "WUE left out" in report.as_text()


def test_a_row_without_pue_has_its_water_and_the_reverse(catalog):
    table = REGIONS.compare([region(pue=""), region(key="two", wue_l_per_kwh="")], catalog)
    assert [(one.row.key, one.reason) for one in table.unsupported] == [("here", "no PUE is published")]
    without_wue = REGIONS.report_of(table, catalog).extra["wue"]["left_out"]
    assert without_wue == [{"id": "two", "reason": "no WUE is published"}]
    assert [one.found.pue for one in table.figures] == [None, 1.1]


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"lat": ""}, "lat or lon is not given"),
        ({"pue": 0.9}, "pue is 0.9, below 1"),
        ({"lat": -41.3, "lon": 174.8, "location": "New Zealand"}, "none beyond 1,000 km"),
        ({"lat": "north"}, "not a number"),
    ],
)
def test_regions_that_cannot_be_predicted(catalog, cells, why):
    table = REGIONS.compare([region(**cells)], catalog)
    assert why in table.unsupported[0].reason
    assert table.figures == ()


def test_hot_places_have_the_higher_pue_and_use_more_water(catalog):
    cold, hot = (operated_at(catalog, climate).pue for climate in ("stockholm", "singapore"))
    assert 1.1 < cold < hot < 1.35
    assert water_at(catalog, "stockholm") < water_at(catalog, "phoenix_az")
    assert operated_at(catalog, "stockholm").wue_l_per_kwh == 0


def test_the_columns_are_those_of_the_shipped_table():
    header = PUBLISHED.read_text(encoding="utf-8").splitlines()[0].split(",")
    assert set(REGIONS.columns) <= set(header)


# Rank correlation: by hand, at its limits, and by group.


def test_by_hand():
    """Ranks 1..5 against 2, 1, 3, 5, 4: rho = 1 - 6 (1 + 1 + 0 + 1 + 1) / (5 x 24) = 0.8."""
    pairs = list(zip((10, 20, 30, 40, 50), (2.0, 1.0, 3.0, 5.0, 4.0), strict=True))
    assert rank_correlation(pairs).spearman == pytest.approx(0.8)


def test_too_few_or_all_the_same_have_none():
    assert rank_correlation([(1, 1), (2, 2), (3, 3), (4, 4)]).spearman is None
    assert rank_correlation([(1, 1.0)] * 6).spearman is None
    assert rank_correlation([]).pairs == 0


@settings(max_examples=30)
@given(st.lists(st.floats(1, 2), min_size=5, max_size=30, unique=True))
def test_only_the_order_counts(values):
    pairs = [(value, value**3) for value in values]
    assert rank_correlation(pairs).spearman == pytest.approx(1)
    assert rank_correlation([(a, -b) for a, b in pairs]).spearman == pytest.approx(-1)


def test_of_all_and_of_each_group():
    found = by_group([("a", value, value) for value in range(5)] + [("b", 9, 9)])
    assert {name: one.pairs for name, one in found.items()} == {"all": 6, "a": 5, "b": 1}
    assert list(found) == ["all", "a", "b"]


# Climate years that stand for places: by coordinates, by the city that is named, or not at all.

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

"""Published regions against the usual data centre in their climates."""

from __future__ import annotations

import json

import pytest

from app.paths import seed_data
from app.validation.power.facility import operated_at, water_at
from app.validation.power.regions import REGIONS
from app.validation.study import Row

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

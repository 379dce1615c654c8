"""Warmer years: every hour at its relative humidity, bins and plants again, and the explanation says so."""

from __future__ import annotations

import numpy as np
import psychrolib
import pytest

from app.catalog.ready import ready_catalog
from app.engine.explore.job_sizes import evaluate_block
from app.engine.facility.sites.humid_air import wet_bulb_c
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve.climate import warmer
from tests.scenarios.support import scenario

ESTIMATED = "ESTIMATED"
"""Humidity of these years was set from the coldest hour of each day; it is printed to a whole percent."""


def evaluated(**facility: object) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(scenario(facility=facility)), ready_catalog())


def test_hours_are_warmer_at_their_humidity_by_psychrolib() -> None:
    year = ready_catalog().climate("stockholm")
    found = warmer(year, 2.0)
    np.testing.assert_allclose(found.dry_bulb_c, year.dry_bulb_c + 2)
    psychrolib.SetUnitSystem(psychrolib.SI)
    for hour in range(0, 8760, 61):
        theirs = psychrolib.GetTWetBulbFromRelHum(
            year.dry_bulb_c[hour] + 2, min(year.rh_pct[hour] / 100, 1.0), year.pressure_pa[hour]
        )
        assert found.wet_bulb_c[hour] == pytest.approx(theirs, abs=1e-6)
    assert found.binned_hours.sum() == 8760
    assert np.average(found.binned_dry_bulb_c, weights=found.binned_hours) == pytest.approx(
        found.dry_bulb_c.mean()
    )
    assert warmer(year, 2.0) is found, "a warmer year is made once"


@pytest.mark.slow
def test_wet_bulbs_of_the_shipped_years_are_psychrolibs() -> None:
    """They are printed to a tenth, and were computed before humidity was rounded to a whole percent.

    Where the file's humidity was itself computed, from dew point, the rounding moves the wet bulb by up to
    0.3 K near 0 degC, where ice and water both have an answer; elsewhere only hours whose humidity was put
    right are further off than the 0.05 K of a tenth.
    """
    catalog = ready_catalog()
    for key in catalog.keys("climate"):
        year = catalog.climate(key)
        found = wet_bulb_c(
            dry_bulb_c=year.dry_bulb_c, relative_humidity=year.rh_pct / 100, pressure_pa=year.pressure_pa
        )
        apart = np.abs(found - year.wet_bulb_c)
        if year.humidity.startswith(ESTIMATED) or key == "milan_pvgis":
            assert apart.max() < 0.35, key
            assert abs((found - year.wet_bulb_c).mean()) < 0.02, key
        else:
            assert (apart > 0.0501).sum() <= 15, key
            assert apart.max() < 0.15, key


@pytest.mark.slow
def test_a_warmer_year_costs_more_and_says_why() -> None:
    today, two, three = (evaluated(site="ashburn", warming_k=kelvin) for kelvin in (0, 2, 3))
    pues = [found.evaluation.sections.cooling.pue[0] for found in (today, two, three)]
    assert pues[0] < pues[1] < pues[2]
    hottest = [found.evaluation.sections.cooling.pue_hottest_hour[0] for found in (today, two, three)]
    assert hottest[0] < hottest[1] < hottest[2]
    told = str(two.explain("cooling.pue"))
    assert "2 K warmer at the same relative humidity" in told
    assert "warmer" not in str(today.explain("cooling.pue"))


@pytest.mark.slow
def test_no_warming_is_the_year_as_it_is() -> None:
    plain, none = evaluated(site="dublin"), evaluated(site="dublin", warming_k=0)
    assert plain.evaluation.sections.cooling.pue == none.evaluation.sections.cooling.pue
    assert "hourly year" in str(plain.explain("cooling.pue"))


@pytest.mark.slow
@pytest.mark.parametrize("cooling", ["air", "direct_liquid_dry", "direct_liquid_tower"])
def test_samples_see_the_warmer_year_too(cooling: str) -> None:
    """Many designs at once are computed over the binned year, which is binned again."""
    found = evaluated(site="phoenix", cooling=cooling, warming_k=3)
    block = evaluate_block(
        found.resolved.design,
        {"supernode.max_power_w": np.full(3, found.resolved.design.supernode.max_power_w[0])},
        3,
        ("cooling.pue", "cooling.pue_hottest_hour"),
    )
    cooled = found.evaluation.sections.cooling
    np.testing.assert_allclose(block.values[0], cooled.pue[0], atol=2e-5)
    np.testing.assert_allclose(block.values[1], cooled.pue_hottest_hour[0], atol=2e-3)

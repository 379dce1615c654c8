"""Usage effectiveness over the year and in the hottest hour."""

import dataclasses

import numpy as np
import pytest

from app.engine.facility.hours.hours import hours_of
from app.engine.facility.hours.metrics import metrics
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack, steady
from tests.support import number


def measured(weather, *, clean_energy_share=None, supernode=None, given=None, **changes):
    rules = given or defaults()
    facility = facility_at(weather, **changes)
    if clean_energy_share is not None:
        facility = dataclasses.replace(facility, clean_energy_share=number(clean_energy_share))
    power, cooling = evaluate(facility=facility, supernode=supernode, given=rules)
    hours = hours_of(power=power, cooling=cooling, facility=facility, assumptions=rules)
    found = metrics(hours=hours, power=power, cooling=cooling, facility=facility, assumptions=rules)
    return cooling, hours, {metric.name: metric for metric in found}


def test_annual_figures_are_those_of_the_evaluation():
    cooling, hours, found = measured(climate("dallas_tx"), cooling="direct_liquid_tower", coolant_supply_c=30)
    for name, metric in found.items():
        assert metric.path == f"cooling.{name}"
        assert metric.annual == getattr(cooling, name)[0]
    hottest = hours.pue.argmax()
    it_kw = hours.utility_w[hottest] / hours.pue[hottest] / 1e3
    assert found["pue"].hottest_hour == cooling.pue_hottest_hour[0]
    assert found["wue_l_per_kwh"].hottest_hour == pytest.approx(hours.water_l_per_h[hottest] / it_kw)
    assert found["tue"].hottest_hour / found["tue"].annual == pytest.approx(
        found["pue"].hottest_hour / found["pue"].annual
    )


def test_cue_by_hand():
    """A grid of 0.3 kg/kWh; three quarters contracted free of carbon leave a quarter."""
    cooling, _, found = measured(steady(dry_bulb_c=10, wet_bulb_c=8), clean_energy_share=0.75)
    assert found["cue_kg_per_kwh"].annual == pytest.approx(0.3 * cooling.pue[0])
    assert found["cue_market_kg_per_kwh"].annual == pytest.approx(0.075 * cooling.pue[0])
    assert found["cue_market_kg_per_kwh"].hottest_hour == pytest.approx(0.075 * cooling.pue_hottest_hour[0])


def test_without_contracts_there_is_no_market_based_figure():
    cooling, _, found = measured(steady(dry_bulb_c=10, wet_bulb_c=8))
    assert cooling.cue_market_kg_per_kwh is None
    assert "cue_market_kg_per_kwh" not in found


def test_water_of_power_stations_by_hand():
    """1.5 L for each kWh at the meter, also where the site takes none."""
    cooling, _, found = measured(steady(dry_bulb_c=10, wet_bulb_c=8), cooling="direct_liquid_dry")
    assert found["wue_l_per_kwh"].annual == 0
    assert found["wue_with_grid_l_per_kwh"].annual == pytest.approx(1.5 * cooling.pue[0])


def test_band_follows_what_operators_publish():
    rules = dataclasses.replace(defaults(), pue_operators_below=number(0.05), pue_operators_above=number(0.1))
    cooling, _, found = measured(climate("ashburn_va"), cooling="air", given=rules)
    pue = cooling.pue[0]
    assert found["pue"].low == pytest.approx(pue - 0.05)
    assert found["pue"].high == pytest.approx(pue + 0.1)
    assert found["tue"].high == pytest.approx(found["tue"].annual * (pue + 0.1) / pue)
    assert np.isnan(found["wue_l_per_kwh"].low)


def test_no_band_reaches_below_the_energy_of_the_it():
    rules = dataclasses.replace(defaults(), pue_operators_below=number(0.5))
    _, _, found = measured(climate("kiruna"), cooling="direct_liquid_dry", given=rules)
    assert found["pue"].low == 1


def test_unknown_stays_unknown():
    with np.errstate(invalid="ignore"):
        _, _, found = measured(climate("ashburn_va"), supernode=rack(float("nan")))
    for metric in found.values():
        assert np.isnan(metric.annual)
        assert np.isnan(metric.hottest_hour)

"""PUE while the hall fills."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.facility.cooling.plants import PLANTS
from app.engine.facility.hours.part_load import LOAD_SHARES, first_year, part_load, ramp
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at
from tests.support import number


def loaded(shares=LOAD_SHARES, *, given=None, **changes):
    facility = facility_at(climate("ashburn_va"), **({"cooling": "direct_liquid_dry"} | changes))
    rules = given or defaults()
    power, cooling = evaluate(facility=facility, given=rules)
    curve = part_load(load_share=shares, power=power, cooling=cooling, facility=facility, assumptions=rules)
    return power, cooling, curve


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("redundancy", ["N", "2N", "4N/3"])
def test_full_load_is_the_evaluation(plant, redundancy):
    _, cooling, curve = loaded(cooling=plant, redundancy=redundancy)
    assert curve.load_share[-1] == 1
    assert curve.pue[-1] == pytest.approx(cooling.pue[0], rel=1e-12)


def test_less_load_is_a_worse_pue_and_the_fixed_part_is_why():
    power, _, curve = loaded()
    assert np.all(np.diff(curve.pue) < 0)
    np.testing.assert_allclose(curve.fixed * curve.load_share, curve.fixed[-1], rtol=1e-9)
    np.testing.assert_allclose(curve.proportional, curve.proportional[-1], rtol=2e-3)
    np.testing.assert_allclose(curve.quadratic / curve.load_share, curve.quadratic[-1], rtol=5e-2)
    assert curve.fixed[-1] > power.house_load_w[0] / power.it_power_mean_w[0]


def test_parts_by_hand():
    """One stage, the UPS, that loses 1 % of its size always and 2 % of its load squared; no plants, no house."""
    none = {
        f"{stage}_loss_{term}": number(0)
        for stage in ("mv_transformer", "lv_transformer", "ups", "distribution")
        for term in ("constant", "linear", "quadratic")
    }
    rules = dataclasses.replace(
        defaults(),
        **none
        | {
            "ups_loss_constant": number(0.01),
            "ups_loss_quadratic": number(0.02),
            "house_load_share": number(0),
            "generator_heater_share": number(0),
            "electrical_loss_share_in_hall": number(0),
        },
    )
    power, cooling, curve = loaded(np.array([0.5, 1.0]), given=rules, redundancy="N")
    size = power.it_power_design_w[0] / power.it_power_mean_w[0]  # over the mean load
    np.testing.assert_allclose(curve.fixed, [0.01 * size / 0.5, 0.01 * size], rtol=1e-9)
    np.testing.assert_allclose(curve.quadratic, [0.02 * 0.5 / size, 0.02 / size], rtol=1e-9)
    plants = cooling.power_mean_w[0] / power.it_power_mean_w[0]
    np.testing.assert_allclose(curve.proportional, plants, rtol=1e-9)


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(months=st.integers(0, 36))
def test_ramp_grows_evenly_to_full(months):
    shares = ramp(months)
    assert shares.shape == (12,)
    assert np.all(np.diff(shares) >= -1e-12)
    assert np.all((shares > 0) & (shares <= 1 + 1e-12))
    assert np.all(shares[months:] == pytest.approx(1))
    full_months = 12 - months / 2 if months <= 12 else 12 * 12 / (2 * months)
    assert shares.sum() == pytest.approx(full_months)


def test_first_year_is_weighted_by_energy():
    _, cooling, months = loaded(ramp(12))
    year = first_year(months=months, ramp_months=12)
    energy = months.load_share
    assert year.pue == pytest.approx((months.pue * energy).sum() / energy.sum())
    assert cooling.pue[0] < year.pue < months.pue.mean()
    whole = loaded(ramp(0))[2]
    assert first_year(months=whole, ramp_months=0).pue == pytest.approx(cooling.pue[0], rel=1e-12)

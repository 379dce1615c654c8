"""Derating and fuel of plant, and the hours of markets."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.power_markets import power_markets
from app.engine.facility.power_supply.plant import (
    fuel_w,
    methane_kg_per_kwh,
    power_derating,
    pressure_ratio,
    running_share,
)
from app.engine.facility.power_supply.prices import DAY_RANKS, carbon_ratio, price_deviation_usd_per_kwh

TURBINE = {
    "temperature_derating_per_k": np.array([0.007]),
    "derating_dry_bulb_c": np.array([15.0]),
    "altitude_derating_per_m": np.array([0.00011]),
    "derating_altitude_m": np.array([0.0]),
}


def derated(dry_bulb_c: float, elevation_m: float) -> float:
    left = power_derating(dry_bulb_c=np.array([dry_bulb_c]), elevation_m=np.array([elevation_m]), **TURBINE)
    return float(left[0])


def test_a_turbine_at_iso_conditions_gives_its_rating() -> None:
    assert derated(15, 0) == derated(-10, 0) == 1
    assert derated(35, 0) == pytest.approx(0.86)  # 20 K at 0.7 %


@pytest.mark.parametrize("elevation_m", [0, 300, 600, 1000, 1600, 2200])
def test_thin_air_takes_from_a_turbine_what_it_lacks_in_pressure(elevation_m: float) -> None:
    pressure = float(pressure_ratio(elevation_m=np.array([elevation_m]))[0])
    assert derated(15, elevation_m) == pytest.approx(pressure, abs=0.015)


def test_derating_never_grows_with_heat_or_height() -> None:
    heat = [derated(celsius, 500) for celsius in range(-20, 60)]
    height = [derated(30, metres) for metres in range(0, 6000, 100)]
    assert heat == sorted(heat, reverse=True)
    assert height == sorted(height, reverse=True)
    assert min(*heat, *height) >= 0


def fuel(power_w: float) -> float:
    burnt = fuel_w(
        power_w=np.array([power_w]),
        capacity_w=np.array([200.0]),
        unit_w=np.array([50.0]),
        efficiency=np.array([0.37]),
        no_load_fuel_share=np.array([0.25]),
    )
    return float(burnt[0])


def test_few_units_run_at_their_best() -> None:
    assert fuel(0) == 0
    assert fuel(50) == pytest.approx(50 / 0.37)
    assert fuel(25) == pytest.approx((0.25 * 50 + 0.75 * 25) / 0.37)  # a unit at half load: 29.6 %
    assert fuel(200) == pytest.approx(200 / 0.37)
    rates = [fuel(power_w) / power_w for power_w in (10, 25, 40, 50)]
    assert rates == sorted(rates, reverse=True)


def test_spare_units_cover_outages() -> None:
    def share(spare: float) -> float:
        found = running_share(
            availability=np.array([0.9]), plant_units=np.array([4.0]), spare_units=np.array([spare])
        )
        return float(found[0])

    assert share(0) == 0.9
    assert share(1) == 1


def test_methane_slip_weighs_as_much_as_a_third_of_the_co2() -> None:
    """2 % of 72 g/kWh times 29.8 are 43 g, beside 202 g of CO2."""
    assert methane_kg_per_kwh(methane_slip_share=np.array([0.02]))[0] == pytest.approx(0.0429, rel=0.01)


def test_hours_of_every_market_keep_the_mean_of_the_year() -> None:
    for market in power_markets().values():
        if market.quantiles_usd_per_kwh is not None:
            hours = price_deviation_usd_per_kwh(quantiles_usd_per_kwh=market.quantiles_usd_per_kwh)
            assert hours.shape == (8760,)
            assert hours.mean() == pytest.approx(0, abs=1e-15)
            assert (np.diff(market.quantiles_usd_per_kwh, axis=-1) >= 0).all()
        if market.carbon_ratios is not None:
            ratios = carbon_ratio(ratios=market.carbon_ratios)
            assert ratios.mean() == pytest.approx(1, rel=1e-12)
            assert ratios.min() > 0
    assert np.unique(DAY_RANKS[:31]).size == 31


@pytest.mark.parametrize(("key", "negative"), [("de_lu", 0.0503), ("nl", 0.0515), ("us_cal_ciso", 0.0305)])
def test_hours_below_zero_are_as_many_as_in_the_year_measured(key: str, negative: float) -> None:
    """Negative share of the 8,784 hours of 2024: the figure of the file, which the shape does not read."""
    market = power_markets()[key]
    assert market.quantiles_usd_per_kwh is not None
    means = {"de_lu": 0.0846, "nl": 0.0833, "us_cal_ciso": 0.0407}
    hours = means[key] + price_deviation_usd_per_kwh(quantiles_usd_per_kwh=market.quantiles_usd_per_kwh)
    assert (hours < 0).mean() == pytest.approx(negative, abs=0.02)

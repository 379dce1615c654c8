"""Costs of runs by named method: hand-worked cases, limits and published totals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.economics.finance import capital_recovery_factor
from app.engine.economics.runs import acquisition, amortised, levelised

POSITIVE = st.floats(1e-3, 1e9)


def array(value: float) -> np.ndarray:
    return np.array([value])


def owned(price_usd: float, power_kw: float, years: float) -> tuple[float, float, float, float]:
    """Capital, place, electricity and the whole, on the terms of published own costs."""
    capital = levelised.capital_usd_per_hour(
        price_usd_per_accelerator=array(price_usd),
        capital_recovery_factor=capital_recovery_factor(rate=array(0.1), years=array(years)),
    )
    place = levelised.place_usd_per_hour(
        power_kw_per_accelerator=array(power_kw), colocation_usd_per_kw_month=array(130)
    )
    power = levelised.power_usd_per_hour(
        power_kw_per_accelerator=array(power_kw),
        load=array(0.8),
        pue=array(1.25),
        electricity_usd_per_kwh=array(0.087),
    )
    whole = levelised.owned_usd_per_hour(
        capital_usd_per_hour=capital, place_usd_per_hour=place, power_usd_per_hour=power
    )
    return capital[0], place[0], power[0], whole[0]


def test_own_cost_of_an_h100_of_31250_usd():
    """31,250 x 0.315471 / 8,760, 1.4 kW x 130 x 12 / 8,760, 1.4 x 0.8 x 1.25 x 0.087; published 1.42."""
    capital, place, power, whole = owned(31_250, 1.4, 4)
    assert capital == pytest.approx(1.12540, abs=1e-5)
    assert (place, power) == (pytest.approx(0.2493, abs=1e-4), pytest.approx(0.1218, abs=1e-4))
    assert whole == pytest.approx(1.497, abs=1e-3)
    assert whole == pytest.approx(1.42, rel=0.1)
    assert owned(31_250, 1.4, 5)[3] == pytest.approx(1.312, abs=1e-3)


def test_own_cost_of_a_gb200_and_its_ratio():
    whole = owned(3.9e6 / 72, 2.0, 4)[3]
    assert whole == pytest.approx(2.481, abs=1e-3)
    assert owned(3.9e6 / 72, 2.0, 5)[3] == pytest.approx(2.161, abs=1e-3)
    assert whole / owned(31_250, 1.4, 4)[3] == pytest.approx(1.6, rel=0.1)


def test_rental_equivalent_of_deepseek_v3():
    """2.788 M H800 hours at 2 USD: 5.576 M USD, as its report prints."""
    found = levelised.rental_equivalent_usd(
        accelerator_hours=array(2.788e6), usd_per_accelerator_hour=array(2.0)
    )
    assert found[0] == 5.576e6


def test_hours_by_arithmetic_and_by_the_clock():
    """A 7B model on 1T tokens at 300 TFLOP/s: 1,620 accelerator-days; failures add their share."""
    flop = {"flop": array(6 * 7e9 * 1e12), "peak_flop_per_s": array(1000e12), "mfu": array(0.3)}
    found = levelised.accelerator_hours_of_flop(**flop, ettr=array(1.0))
    assert found[0] / 24 == pytest.approx(1620.4, abs=0.1)
    assert levelised.accelerator_hours_of_flop(**flop, ettr=array(0.5))[0] == pytest.approx(2 * found[0])
    assert (
        levelised.accelerator_hours_of_wall_time(accelerators=array(128), wall_time_h=array(720))[0] == 92_160
    )
    assert levelised.wall_time_h(accelerator_hours=array(180e3), accelerators=array(2048))[
        0
    ] / 24 == pytest.approx(3.662, abs=1e-3)


def test_worth_that_hardware_loses():
    """At 0.14 orders of magnitude a year it is worth 10^-0.14 = 72.4 % after one."""
    progress = array(0.14)
    assert amortised.worth_at_start(age_years=array(1.0), hardware_progress_oom_per_year=progress)[
        0
    ] == pytest.approx(0.7244, abs=1e-4)
    assert amortised.worth_at_start(age_years=array(0.0), hardware_progress_oom_per_year=progress)[0] == 1.0
    lost = amortised.lost_worth_per_hour(hardware_progress_oom_per_year=progress)
    assert lost[0] * 8766 == pytest.approx(0.14 * math.log(10))
    assert amortised.lost_worth_per_hour(hardware_progress_oom_per_year=array(0.0))[0] == 0


def test_amortised_cost_by_hand():
    """100 M USD, new, for 1,000 h: 100e6 x 0.32236 / 8,766 x 1,000 = 3.677 M USD, and 0.1 M USD of electricity."""
    hardware = amortised.amortised_hardware_usd(
        acquisition_usd=array(100e6),
        worth_at_start=array(1.0),
        lost_worth_per_hour=amortised.lost_worth_per_hour(hardware_progress_oom_per_year=array(0.14)),
        wall_time_h=array(1000.0),
    )
    energy = amortised.run_electricity_kwh(
        accelerator_hours=array(1e6),
        tdp_w=array(700.0),
        server_power_ratio=array(1.82),
        mean_power_share=array(0.75),
        pue=array(1.1),
    )
    assert energy[0] == pytest.approx(1_051_050)
    electricity = amortised.run_electricity_usd(
        run_electricity_kwh=energy, electricity_usd_per_kwh=array(0.0771)
    )
    whole = amortised.amortised_usd(amortised_hardware_usd=hardware, run_electricity_usd=electricity)
    assert whole[0] == pytest.approx(3_677_423 + 81_036, rel=1e-4)


def test_acquisition_of_a_cluster():
    """57,000 TPU v4 at 5,176 USD, x 1.64, / 0.81: 597 M USD; 597.9 M USD is published."""
    server = acquisition.server_usd_per_accelerator(
        accelerator_price_usd=array(5176), server_price_ratio=array(1.64)
    )
    each = acquisition.installed_usd_per_accelerator(
        server_usd_per_accelerator=server, interconnect_share=array(0.19)
    )
    bought = acquisition.cluster_acquisition_usd(
        accelerators=array(57_000), installed_usd_per_accelerator=each
    )
    assert bought[0] == pytest.approx(597_913_206, rel=0.002)


@pytest.mark.parametrize(("endpoints", "tiers", "switches"), [(512, 1, 8), (1024, 2, 48), (16_384, 3, 1280)])
def test_switches_by_tiers(endpoints, tiers, switches):
    """A published sheet counts 768 for 16,384: it stays with two tiers beyond the 2,048 that they join."""
    found = acquisition.fabric_switches(
        endpoints=array(endpoints), switch_ports=array(64), tiers=array(tiers)
    )
    assert found[0] == switches


@pytest.mark.parametrize(
    ("nodes", "switches", "cables", "whole"), [(64, 8, 675_840, 24_003_840), (128, 48, 2_621_440, 50_429_440)]
)
def test_bill_of_a_published_sheet(nodes, switches, cables, whole):
    found = acquisition.cluster_bill_usd(
        nodes=array(nodes),
        node_price_usd=array(310e3),
        switches=array(switches),
        switch_price_usd=array(36e3),
        cables_usd=array(cables),
        place_usd_per_node=array(50e3),
    )
    assert found[0] == whole


def test_tokens_at_a_rate():
    """Eight accelerators at 2 USD and 2,500 tokens/s: 16 USD for 9 M tokens per hour; 10.2 kW at PUE 1.25: 5.1 J."""
    usd = levelised.usd_per_million_tokens_at_rate(
        usd_per_accelerator_hour=array(2.0), accelerators=array(8.0), tokens_per_s=array(2500.0)
    )
    assert usd[0] == pytest.approx(16 / 9)
    joules = levelised.joules_per_token_at_rate(
        power_w=array(10_200.0), pue=array(1.25), tokens_per_s=array(2500.0)
    )
    assert joules[0] == pytest.approx(5.1)
    assert levelised.joules_per_token_of_run(energy_kwh=array(36.69e6), tokens=array(15e12))[
        0
    ] == pytest.approx(8.8, rel=0.01)


@pytest.mark.slow
@given(hours=POSITIVE, price=POSITIVE, multiplier=st.floats(1, 100))
def test_money_grows_in_proportion(hours, price, multiplier):
    run = levelised.rental_equivalent_usd(
        accelerator_hours=array(hours), usd_per_accelerator_hour=array(price)
    )
    twice = levelised.rental_equivalent_usd(
        accelerator_hours=array(2 * hours), usd_per_accelerator_hour=array(price)
    )
    assert twice[0] == pytest.approx(2 * run[0])
    project = levelised.with_research_usd(run_usd=run, research_multiplier=array(multiplier))
    assert project[0] >= run[0]
    assert levelised.with_research_usd(run_usd=run, research_multiplier=array(1.0))[0] == run[0]


@pytest.mark.slow
@given(paid=POSITIVE, price=POSITIVE)
def test_rent_pays_for_the_hours_that_it_costs(paid, price):
    bought = levelised.accelerator_hours_of_payment(
        paid_usd=array(paid), usd_per_accelerator_hour=array(price)
    )
    back = levelised.rental_equivalent_usd(accelerator_hours=bought, usd_per_accelerator_hour=array(price))
    assert back[0] == pytest.approx(paid)


def test_unknown_stays_unknown():
    found = levelised.rental_equivalent_usd(
        accelerator_hours=array(np.nan), usd_per_accelerator_hour=array(2.0)
    )
    assert np.isnan(found[0])

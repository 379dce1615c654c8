"""The air plant behind a tower, and the air handlers: by hand, against the dry one."""

import numpy as np
import psychrolib
import pytest

from app.engine.facility.cooling.heat_rejection import evaporation_kg_per_j
from app.engine.facility.cooling.plant_year import plants_over
from app.engine.facility.cooling.year import full_year
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, steady
from tests.support import dgx_h100, number


def _air(plant, *, dry_bulb_c, wet_bulb_c, **context):
    _, air = plants_over(
        year=full_year(steady(dry_bulb_c=dry_bulb_c, wet_bulb_c=wet_bulb_c)),
        plant=plant,
        coolant_supply_c=number(40),
        assumptions=defaults(**context),
    )
    return air


def _evaporated(*, dry_bulb_c, wet_bulb_c, leaving_c, pressure_pa=101_325):
    """Water for each joule between outdoor and saturated leaving air, by PsychroLib."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    entering = psychrolib.GetHumRatioFromTWetBulb(dry_bulb_c, wet_bulb_c, pressure_pa)
    leaving = psychrolib.GetSatHumRatio(leaving_c, pressure_pa)
    heat = psychrolib.GetMoistAirEnthalpy(leaving_c, leaving) - psychrolib.GetMoistAirEnthalpy(
        dry_bulb_c, entering
    )
    return (leaving - entering) / heat


@pytest.mark.parametrize("pressure_pa", [101_325, 84_000])
@pytest.mark.parametrize(("dry_bulb_c", "wet_bulb_c"), [(-10, -12), (5, 2), (20, 15), (32, 24), (42, 20)])
def test_evaporation_is_the_moist_air_balance(dry_bulb_c, wet_bulb_c, pressure_pa):
    """PsychroLib (ASHRAE Handbook Fundamentals 2017, chapter 1) at sea level and at 1,550 m."""
    ours = evaporation_kg_per_j(
        dry_bulb_c=number(dry_bulb_c),
        wet_bulb_c=number(wet_bulb_c),
        pressure_pa=number(pressure_pa),
        leaving_air_c=number(31),
    )
    by_hand = _evaporated(dry_bulb_c=dry_bulb_c, wet_bulb_c=wet_bulb_c, leaving_c=31, pressure_pa=pressure_pa)
    assert ours[0] == pytest.approx(by_hand, rel=2e-3)
    assert 0.3 < ours[0] * 2.43e6 < 1.4


def test_thin_air_evaporates_more():
    low, high = (
        evaporation_kg_per_j(
            dry_bulb_c=number(15),
            wet_bulb_c=number(10),
            pressure_pa=number(pressure),
            leaving_air_c=number(31),
        )
        for pressure in (101_325, 84_000)
    )
    assert high > low


def test_outdoor_air_by_hand():
    """24 degC supplied: below, outdoor air alone; above, pads of 0.9; what they leave too warm is compressed."""
    cold = _air("outdoor_air", dry_bulb_c=10, wet_bulb_c=8)
    assert (cold.chiller_w_per_w[0], cold.makeup_kg_per_j[0], cold.pumps_w_per_w[0]) == (0, 0, 0)
    assert cold.power_w_per_w[0] == cold.fans_w_per_w[0] == pytest.approx(0.026, rel=1e-3)
    dry = _air("outdoor_air", dry_bulb_c=34, wet_bulb_c=20)  # the pads reach 21.4 and stop at 24
    assert dry.economiser_share[0] == 1
    assert dry.makeup_kg_per_j[0] == pytest.approx((34 - 24) / 12 / 2.43e6 * 1.5, rel=1e-6)
    damp = _air("outdoor_air", dry_bulb_c=33, wet_bulb_c=28)  # the pads reach 28.5: 7.5 of 12 K are left
    assert damp.economiser_share[0] == pytest.approx((36 - 28.5) / 12)
    cop = 0.5 * (18 + 273.15) / (33 + 12 - 18)
    assert damp.chiller_w_per_w[0] == pytest.approx((1 + 0.026) * 4.5 / 12 / cop, rel=1e-3)


def test_indirect_evaporative_by_hand():
    """36 to 24 degC with an effectiveness of 0.7: alone up to 36 - 12 / 0.7 = 18.9 degC of outdoor air."""
    dry = _air("indirect_evaporative", dry_bulb_c=18.8, wet_bulb_c=15)
    assert dry.economiser_share[0] == pytest.approx(1)
    assert dry.makeup_kg_per_j[0] == 0
    wet = _air("indirect_evaporative", dry_bulb_c=30, wet_bulb_c=20)  # pads reach 21
    assert wet.economiser_share[0] == pytest.approx(0.7 * (36 - 21) / 12)
    assert wet.chiller_w_per_w[0] > 0
    assert wet.makeup_kg_per_j[0] == pytest.approx((30 - 21) / 12 / 2.43e6 * 1.5, rel=1e-6)
    cold = _air("indirect_evaporative", dry_bulb_c=0, wet_bulb_c=-1)
    assert cold.rejection_w_per_w[0] < dry.rejection_w_per_w[0]


def test_sea_or_lake_water_has_the_mean_of_the_year_and_a_least():
    """Chilled water of 20/30 degC over 2 K of an exchanger: free up to 18 degC of water."""
    for air_c, share in ((-20, 1.0), (18, 1.0), (23, 0.5), (35, 0.0)):
        plant = _air("air_source_water", dry_bulb_c=air_c, wet_bulb_c=air_c - 3)
        assert plant.economiser_share[0] == pytest.approx(share)
        assert plant.makeup_kg_per_j[0] == 0
        assert plant.rejection_w_per_w[0] == 0.012


def test_water_cooled_chiller_by_hand():
    """Chilled water 20/30 degC, wet bulb 24: no free cooling; condensing at 24 + 4 + 4, evaporating at 18."""
    air = _air("air_tower", dry_bulb_c=32, wet_bulb_c=24)
    heat = 1 + 0.034 + 0.01
    cop = 0.6 * (18 + 273.15) / (32 - 18)
    assert air.economiser_share[0] == 0
    assert air.chiller_w_per_w[0] == pytest.approx(heat / cop, rel=1e-6)
    to_tower = heat * (1 + 1 / cop)
    assert air.rejection_w_per_w[0] == pytest.approx(to_tower * (0.01 + 0.003), rel=1e-6)
    evaporated = _evaporated(dry_bulb_c=32, wet_bulb_c=24, leaving_c=24 + 4 + 10 / 2)
    drift = 3e-5 / (4180 * 10)
    assert air.makeup_kg_per_j[0] == pytest.approx(to_tower * (evaporated * 1.25 + drift), rel=1e-6)


def test_wet_economiser_is_free_below_its_balance_point():
    cold, edge = (_air("air_tower", dry_bulb_c=wet + 3, wet_bulb_c=wet) for wet in (0.0, 14.0))
    assert cold.economiser_share[0] == edge.economiser_share[0] == 1
    assert cold.chiller_w_per_w[0] == edge.chiller_w_per_w[0] == 0
    assert cold.rejection_w_per_w[0] < edge.rejection_w_per_w[0]


@pytest.mark.parametrize("site", ["dallas_tx", "phoenix_az", "ashburn_va"])
def test_tower_saves_power_for_water(site):
    dry, wet = (
        evaluate(facility=facility_at(climate(site), cooling=plant), supernode=dgx_h100())[1]
        for plant in ("air", "air_tower")
    )
    assert wet.pue < dry.pue
    assert wet.pue_hottest_hour < dry.pue_hottest_hour
    assert dry.wue_l_per_kwh == 0
    assert 1.0 < wet.wue_l_per_kwh[0] < 2.2


def test_water_of_an_air_plant_is_in_the_wue():
    power, cooling = evaluate(
        facility=facility_at(climate("dallas_tx"), cooling="air_tower"), supernode=dgx_h100()
    )
    litres = cooling.wue_l_per_kwh * power.energy_it_kwh_per_year
    assert cooling.water_m3_per_year == pytest.approx(litres / 1e3)


def test_coolers_nearer_to_the_racks_blow_less():
    fans = [
        _air("air", dry_bulb_c=10, wet_bulb_c=5, air_handling=word).fans_w_per_w[0]
        for word in ("perimeter", "in_row", "rear_door")
    ]
    assert fans == sorted(fans, reverse=True)
    assert fans[0] == pytest.approx(0.034)
    assert np.all(np.array(fans) >= 0)

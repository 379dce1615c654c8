"""The air plant behind a tower, and the air handlers: by hand, against the dry one."""

import numpy as np
import pytest

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


def test_water_cooled_chiller_by_hand():
    """Chilled water 20/30 degC, wet bulb 24: no free cooling; condensing at 24 + 4 + 4, evaporating at 18."""
    air = _air("air_tower", dry_bulb_c=32, wet_bulb_c=24)
    heat = 1 + 0.034 + 0.01
    cop = 0.6 * (18 + 273.15) / (32 - 18)
    assert air.economiser_share[0] == 0
    assert air.chiller_w_per_w[0] == pytest.approx(heat / cop, rel=1e-6)
    to_tower = heat * (1 + 1 / cop)
    assert air.rejection_w_per_w[0] == pytest.approx(to_tower * (0.01 + 0.003), rel=1e-6)
    evaporated = (0.55 + 0.012 * 32) / 2.43e6
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

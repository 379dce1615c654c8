"""Chillers alone, liquid to air, tanks: by hand and at their limits."""

import dataclasses

import numpy as np
import pytest

from app.engine.facility.cooling.liquid_loops import as_cooled
from app.engine.facility.cooling.plant_year import plants_over
from app.engine.facility.cooling.year import full_year
from tests.engine.facility.cases import climate, defaults, evaluate, facility_at, rack, steady
from tests.support import dgx_h100, number


def test_chiller_plant_by_hand():
    """30 degC coolant is 26 degC water; at 30 degC outdoors COP = 0.5 (24 + 273.15) / (42 - 24)."""
    weather = steady(dry_bulb_c=30, wet_bulb_c=20)
    liquid, _ = plants_over(
        year=full_year(weather),
        plant="direct_liquid_chiller",
        coolant_supply_c=number(30),
        assumptions=defaults(),
    )
    heat = 1 + liquid.pumps_w_per_w[0]
    chiller = heat / (0.5 * (24 + 273.15) / (42 - 24))
    assert liquid.chiller_w_per_w[0] == pytest.approx(chiller, rel=1e-9)
    assert liquid.rejection_w_per_w[0] == pytest.approx(0.02 * (heat + chiller), rel=1e-9)
    assert liquid.economiser_share.max() == 0
    assert liquid.makeup_kg_per_j[0] == 0


def test_chillers_run_in_the_cold_too():
    _, cooling = evaluate(facility=facility_at(climate("kiruna"), cooling="direct_liquid_chiller"))
    dry = evaluate(facility=facility_at(climate("kiruna"), cooling="direct_liquid_dry"))[1]
    assert cooling.full_economiser_hours[0] == 0
    assert cooling.breakdown_w["chillers"] > 10 * dry.breakdown_w["chillers"]


def test_liquid_to_air_puts_everything_through_the_air_plant():
    facility = facility_at(climate("ashburn_va"), cooling="liquid_to_air", coolant_supply_c=38)
    power, cooling = evaluate(facility=facility)
    a = defaults()
    pumped = 0.03 + 1.0 / 80  # CDU fans at sea level, 1.25 % of pumps
    in_hall = power.it_power_mean_w + power.electrical_losses_w
    assert cooling.air_heat_w[0] == pytest.approx((in_hall + cooling.liquid_heat_w * pumped)[0], rel=1e-3)
    assert cooling.heat_rejected_w + cooling.breakdown_w["heat_rejection"] == pytest.approx(
        in_hall + cooling.power_mean_w, rel=1e-12
    )
    units = np.ceil(cooling.liquid_heat_design_w / a.cdu_to_air_unit_w) + a.cdu_spare_units
    assert cooling.cdu_count == units
    air = evaluate(facility=facility_at(climate("ashburn_va"), cooling="air"), supernode=rack(0.0))[1]
    assert cooling.pue > air.pue
    assert cooling.full_economiser_hours == air.full_economiser_hours


def test_tank_takes_all_heat_and_no_fans():
    oil = defaults(coolant="dielectric")
    node = dgx_h100()
    power, cooling = evaluate(
        facility=facility_at(climate("ashburn_va"), cooling="immersion_dry"), supernode=node, given=oil
    )
    in_air = evaluate(facility=facility_at(climate("ashburn_va"), cooling="air"), supernode=node)[0]
    assert power.it_breakdown_w["fans"][0] == 0
    assert power.power_per_rack_w == pytest.approx(in_air.power_per_rack_w * 0.88)
    beside = power.it_breakdown_w["network"] + power.it_breakdown_w["storage"]
    assert cooling.liquid_heat_w == pytest.approx(power.it_power_mean_w - beside)
    assert cooling.air_heat_per_rack_w[0] == 0


def test_only_tanks_change_the_supernode():
    for plant in ("air", "direct_liquid_dry", "liquid_to_air"):
        node = rack()
        assert as_cooled(supernode=node, plant=plant, assumptions=defaults()) is node
    tank = as_cooled(supernode=rack(1.0), plant="immersion_tower", assumptions=defaults())
    assert tank.max_power_w[0] == rack().max_power_w[0]


def test_oil_needs_more_flow_than_glycol():
    """0.79 kg/L and 2.24 kJ/(kg K) carry 10 K with 3.4 L/min/kW."""
    facility = facility_at(climate("ashburn_va"), cooling="immersion_dry")
    oil = evaluate(facility=facility, given=defaults(coolant="dielectric"))[1]
    per_kw = oil.coolant_flow_l_per_min / (oil.liquid_heat_design_w / 1e3)
    assert per_kw[0] == pytest.approx(3.39, rel=0.01)
    thicker = dataclasses.replace(
        defaults(coolant="dielectric"), coolant_log_viscosity_constant=number(4.674)
    )
    assert evaluate(facility=facility, given=thicker)[1].breakdown_w["pumps"] > oil.breakdown_w["pumps"]


@pytest.mark.parametrize(("coolant", "more"), [("pg30", 1.0), ("eg25", 1.0)])
def test_other_glycols_by_rows(coolant, more):
    facility = facility_at(climate("ashburn_va"))
    flow = evaluate(facility=facility)[1].coolant_flow_l_per_min
    other = evaluate(facility=facility, given=defaults(coolant=coolant))[1].coolant_flow_l_per_min
    assert 0.98 * more < (other / flow)[0] < 1.02

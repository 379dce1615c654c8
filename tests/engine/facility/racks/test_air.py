"""Air that carries what liquid leaves."""

import numpy as np
import pytest

from app.engine.facility.racks.kind import (
    air_density_kg_per_m3,
    air_supply_for_inlet_c,
    rack_air,
    rack_air_flow_m3_per_s,
    recirculation_rise_k,
)
from tests.engine.facility.cases import defaults
from tests.support import number


def test_residual_air_of_an_nvl72_by_hand():
    """17.16 kW at 12 K and sea level: 17,160 / (1.188 * 1,006 * 12) is 1.197 m3/s, 2,535 CFM."""
    air = rack_air(air_heat_w=number(17160), pressure_pa=number(101325), assumptions=defaults())
    assert air.density_kg_per_m3 == pytest.approx(101325 / (287.055 * 297.15))
    assert air.flow_m3_per_s == pytest.approx(1.197, abs=0.001)
    assert air.flow_cfm == pytest.approx(2535, abs=3)


def test_standard_air_and_the_rule_of_thumb():
    """ISO 2533: 1.225 kg/m3 at 15 degC. Practice: about 160 CFM a kilowatt at 20 degF, 11.1 K."""
    density = air_density_kg_per_m3(pressure_pa=number(101325), air_c=number(15.0))
    assert density == pytest.approx(1.225, abs=5e-4)
    flow = rack_air_flow_m3_per_s(
        air_heat_w=number(1e3), air_density_kg_per_m3=number(1.2), air_rise_k=number(20 / 1.8)
    )
    assert flow * 2118.88 == pytest.approx(158, rel=0.01)


def test_thin_air_is_a_larger_flow():
    """Denver, 83.4 kPa: a larger flow by the ratio of pressures."""
    low, high = (
        rack_air(air_heat_w=number(20e3), pressure_pa=number(pressure), assumptions=defaults())
        for pressure in (101325, 83400)
    )
    assert high.flow_m3_per_s / low.flow_m3_per_s == pytest.approx(101325 / 83400)


def test_recirculation_by_mixing():
    """Inlet of 93 % supply and 7 % exhaust, which is 12 K above the inlet."""
    rise = recirculation_rise_k(recirculation_share=number(0.07), air_rise_k=number(12))
    supply = air_supply_for_inlet_c(rack_inlet_c=number(24), recirculation_rise_k=rise)
    assert 0.93 * supply + 0.07 * (24 + 12) == pytest.approx(24)
    assert recirculation_rise_k(recirculation_share=number(0), air_rise_k=number(12)) == 0


def test_no_heat_no_air_and_unknown_heat_unknown_air():
    flows = [
        rack_air(air_heat_w=number(heat), pressure_pa=number(101325), assumptions=defaults()).flow_m3_per_s
        for heat in (0.0, float("nan"))
    ]
    assert flows[0] == 0
    assert np.isnan(flows[1])

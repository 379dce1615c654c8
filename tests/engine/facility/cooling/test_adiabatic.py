"""Wet pads before a dry cooler: against psychrometrics, by hand, at their limits."""

import numpy as np
import psychrolib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.facility.cooling.dry_plant import cooler_inlet_c, pad_makeup_kg_per_j, pre_cooling_set_point_c
from tests.engine.facility.cases import climate, evaluate, facility_at
from tests.support import number


def _inlet(dry, wet, set_point=28.0, effectiveness=0.75):
    return cooler_inlet_c(
        dry_bulb_c=number(dry),
        wet_bulb_c=number(wet),
        set_point_c=number(set_point),
        effectiveness=number(effectiveness),
    )[0]


@pytest.mark.parametrize(
    ("dry", "wet", "inlet"),
    [(20, 12, 20), (28, 20, 28), (30, 20, 28), (40, 22, 28), (44, 26, 30.5), (34, 33, 33.25)],
)
def test_air_is_held_at_the_set_point_as_long_as_the_pads_can(dry, wet, inlet):
    assert _inlet(dry, wet) == pytest.approx(inlet)


@given(
    dry=st.floats(-20, 50),
    depression=st.floats(0, 20),
    warmer=st.floats(0, 10),
    wetter=st.floats(0, 5),
)
def test_hotter_or_damper_air_never_enters_cooler(dry, depression, warmer, wetter):
    """So the hours that no other beats in dry and wet bulb hold the hottest hour of this plant too."""
    wet = dry - depression
    assert _inlet(dry + warmer, min(wet + wetter, dry + warmer)) >= _inlet(dry, wet) - 1e-12


def test_set_point_by_hand():
    given_rows = {"dry_cooler_approach_k": number(8), "lead_k": number(2), "least_dry_bulb_c": number(10)}
    assert pre_cooling_set_point_c(facility_supply_c=number(36), **given_rows)[0] == 26
    assert pre_cooling_set_point_c(facility_supply_c=number(16), **given_rows)[0] == 10


def test_water_is_that_of_psychrometrics():
    """m_air (w_out - w_in) by PsychroLib: 40 degC dry, 20 wet, air cooled to 28 degC at full fan speed."""
    psychrolib.SetUnitSystem(psychrolib.SI)
    before = psychrolib.GetHumRatioFromTWetBulb(40, 20, 101325)
    after = psychrolib.GetHumRatioFromTWetBulb(28, 20, 101325)
    air_kg_per_j = 1 / (1006 * 10)
    water = pad_makeup_kg_per_j(
        dry_bulb_c=number(40),
        cooler_inlet_c=number(28),
        fan_power_share=number(1),
        air_rise_k=number(10),
        evaporation_heat_j_per_kg=number(2.43e6),
        concentration_cycles=number(1e9),
    )
    assert water[0] == pytest.approx(air_kg_per_j * (after - before), rel=0.03)


def test_between_dry_and_wet_in_power_and_water():
    """Phoenix at 32 degC coolant: pads save most of the trim chiller for a part of a tower's water."""
    dry, pads, tower = (
        evaluate(facility=facility_at(climate("phoenix_az"), cooling=plant, coolant_supply_c=32))[1]
        for plant in ("direct_liquid_dry", "direct_liquid_adiabatic", "direct_liquid_tower")
    )
    assert tower.pue < pads.pue < dry.pue
    assert dry.wue_l_per_kwh == 0
    assert 0 < pads.wue_l_per_kwh < tower.wue_l_per_kwh
    assert dry.full_economiser_hours < pads.full_economiser_hours


def test_damp_air_gains_nothing():
    damp = np.full(8760, 29.0)
    weather = climate("singapore")
    assert _inlet(29.0, 29.0) == damp[0]
    pads = evaluate(facility=facility_at(weather, cooling="direct_liquid_adiabatic", coolant_supply_c=45))[1]
    assert pads.wue_l_per_kwh == pytest.approx(0, abs=0.02)

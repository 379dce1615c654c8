"""The coolant that leaves the racks with their heat: properties, flow and what its pumps draw.

Properties are fits of CoolProp 8.0.0 tables from 10 to 65 degC, temperature in degC; the
coefficients, with those of other coolants, are assumptions of the facility.
"""

from __future__ import annotations

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.quantities import quantity
from app.engine.trace import Array

FIT = "fit of CoolProp 8.0.0 incompressible tables, 10 to 65 degC"


@quantity(unit="degC", source="definition")
def coolant_mean_c(*, coolant_supply_c: Array, coolant_temperature_rise_k: Array) -> Array:
    """Mean temperature of the coolant between supply and return."""
    return coolant_supply_c + coolant_temperature_rise_k / 2


@quantity(unit="kg/m3", source=FIT)
def coolant_density_kg_per_m3(
    *, coolant_mean_c: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Density of the coolant.

    >>> import numpy as np
    >>> coolant_density_kg_per_m3(coolant_mean_c=np.array([40.0]), constant=1026.317, linear=-0.29827, quadratic=-0.002788)
    array([1009.9254])
    """
    return constant + coolant_mean_c * (linear + coolant_mean_c * quadratic)


@quantity(unit="J/(kg K)", source=FIT)
def coolant_heat_capacity_j_per_kg_k(
    *, coolant_mean_c: Array, constant: Array, linear: Array, quadratic: Array
) -> Array:
    """Heat capacity of the coolant."""
    return constant + coolant_mean_c * (linear + coolant_mean_c * quadratic)


@quantity(unit="mPa s", source=FIT)
def coolant_viscosity_mpa_s(
    *, coolant_mean_c: Array, constant: Array, linear: Array, quadratic: Array, cubic: Array
) -> Array:
    """Viscosity of the coolant."""
    return np.exp(
        constant + coolant_mean_c * (linear + coolant_mean_c * (quadratic + coolant_mean_c * cubic))
    )


@quantity(unit="m3/J", source="heat balance V = Q / (rho cp dT)")
def coolant_flow_m3_per_j(
    *,
    density_kg_per_m3: Array,
    heat_capacity_j_per_kg_k: Array,
    temperature_rise_k: Array,
    flow_excess: Array,
) -> Array:
    """Coolant volume for each joule of heat.

    25 % propylene glycol and 10 K make 1.5 L/min/kW, the rule of the OCP guideline.
    """
    return flow_excess / (density_kg_per_m3 * heat_capacity_j_per_kg_k * temperature_rise_k)


@quantity(unit="1", source="pump power V dp / efficiency; dp by Blasius friction")
def coolant_pump_w_per_w(
    *,
    coolant_flow_m3_per_j: Array,
    pressure_drop_pa: Array,
    flow_excess: Array,
    viscosity_mpa_s: Array,
    pressure_drop_viscosity_mpa_s: Array,
    pressure_flow_exponent: Array,
    pump_efficiency: Array,
) -> Array:
    """Coolant pump power for each watt of heat.

    Parameters
    ----------
    coolant_flow_m3_per_j : volume for each joule of heat [m3/J]
    pressure_drop_pa : of the loop at the needed flow and the stated viscosity [Pa]
    flow_excess : flow over what the heat needs [1]
    viscosity_mpa_s, pressure_drop_viscosity_mpa_s : of the coolant, and that of the stated drop [mPa s]
    pressure_flow_exponent : dp grows with flow^n and viscosity^(2 - n); 1.75 for smooth pipes
    pump_efficiency : pump and motor together [1]
    """
    thicker = (viscosity_mpa_s / pressure_drop_viscosity_mpa_s) ** (2 - pressure_flow_exponent)
    drop_pa = pressure_drop_pa * flow_excess**pressure_flow_exponent * thicker
    return coolant_flow_m3_per_j * drop_pa / pump_efficiency


@quantity(unit="1", source="pump power V dp / efficiency")
def facility_pump_w_per_w(
    *,
    density_kg_per_m3: Array,
    heat_capacity_j_per_kg_k: Array,
    temperature_rise_k: Array,
    pressure_drop_pa: Array,
    pump_efficiency: Array,
) -> Array:
    """Facility-water pump power for each watt of heat."""
    flow_m3_per_j = 1 / (density_kg_per_m3 * heat_capacity_j_per_kg_k * temperature_rise_k)
    return flow_m3_per_j * pressure_drop_pa / pump_efficiency


@quantity(unit="1", source="definition")
def liquid_pumps_w_per_w(*, coolant_pump_w_per_w: Array, facility_pump_w_per_w: Array) -> Array:
    """Pump power of the liquid plant for each watt of heat."""
    return coolant_pump_w_per_w + facility_pump_w_per_w


@quantity(unit="degC", source="definition of the approach")
def facility_supply_c(*, coolant_supply_c: Array, cdu_approach_k: Array) -> Array:
    """Facility water supplied to the CDUs."""
    return coolant_supply_c - cdu_approach_k


@quantity(unit="degC", source="definition")
def facility_return_c(*, facility_supply_c: Array, temperature_rise_k: Array) -> Array:
    """Facility water returned from the CDUs."""
    return facility_supply_c + temperature_rise_k


def coolant_loop(*, coolant_supply_c: Array, assumptions: FacilityAssumptions) -> tuple[Array, Array]:
    """Coolant volume for each joule of heat, and the power of the coolant's pumps for each watt."""
    a = assumptions
    mean_c = coolant_mean_c(
        coolant_supply_c=coolant_supply_c, coolant_temperature_rise_k=a.coolant_temperature_rise_k
    )
    flow_m3_per_j = coolant_flow_m3_per_j(
        density_kg_per_m3=coolant_density_kg_per_m3(
            coolant_mean_c=mean_c,
            constant=a.coolant_density_constant_kg_per_m3,
            linear=a.coolant_density_linear_kg_per_m3_k,
            quadratic=a.coolant_density_quadratic_kg_per_m3_k2,
        ),
        heat_capacity_j_per_kg_k=coolant_heat_capacity_j_per_kg_k(
            coolant_mean_c=mean_c,
            constant=a.coolant_heat_capacity_constant_j_per_kg_k,
            linear=a.coolant_heat_capacity_linear_j_per_kg_k2,
            quadratic=a.coolant_heat_capacity_quadratic_j_per_kg_k3,
        ),
        temperature_rise_k=a.coolant_temperature_rise_k,
        flow_excess=a.coolant_flow_excess,
    )
    return flow_m3_per_j, coolant_pump_w_per_w(
        coolant_flow_m3_per_j=flow_m3_per_j,
        pressure_drop_pa=a.coolant_pressure_drop_pa,
        flow_excess=a.coolant_flow_excess,
        viscosity_mpa_s=coolant_viscosity_mpa_s(
            coolant_mean_c=mean_c,
            constant=a.coolant_log_viscosity_constant,
            linear=a.coolant_log_viscosity_linear_per_k,
            quadratic=a.coolant_log_viscosity_quadratic_per_k2,
            cubic=a.coolant_log_viscosity_cubic_per_k3,
        ),
        pressure_drop_viscosity_mpa_s=a.coolant_pressure_drop_viscosity_mpa_s,
        pressure_flow_exponent=a.coolant_pressure_flow_exponent,
        pump_efficiency=a.coolant_pump_efficiency,
    )


def liquid_loops(*, coolant_supply_c: Array, assumptions: FacilityAssumptions) -> tuple[Array, Array]:
    """Coolant volume for each joule of heat, and the power of all pumps for each watt."""
    a = assumptions
    flow_m3_per_j, coolant_pump = coolant_loop(coolant_supply_c=coolant_supply_c, assumptions=a)
    facility_pump = facility_pump_w_per_w(
        density_kg_per_m3=a.facility_water_density_kg_per_m3,
        heat_capacity_j_per_kg_k=a.facility_water_heat_capacity_j_per_kg_k,
        temperature_rise_k=a.facility_water_temperature_rise_k,
        pressure_drop_pa=a.facility_water_pressure_drop_pa,
        pump_efficiency=a.facility_water_pump_efficiency,
    )
    pumps = liquid_pumps_w_per_w(coolant_pump_w_per_w=coolant_pump, facility_pump_w_per_w=facility_pump)
    return flow_m3_per_j, pumps

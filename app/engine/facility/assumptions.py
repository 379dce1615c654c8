"""What the facility models assume; values, ranges and sources stand in seed_data/assumptions/facility.csv."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class FacilityAssumptions:
    """Coefficients of IT power, electrical chain, cooling plants and limits.

    The rows marked `preset=reference` restate the reference run that the cooling model is checked
    against: constant efficiencies, electrical losses left uncooled, sea-level air. Rows marked
    `coolant=...` give other coolants than 25 % propylene glycol.
    """

    training_power_utilisation: Array
    computing_power_utilisation: Array
    waiting_power_utilisation: Array
    peak_power_utilisation: Array
    peak_diversity: Array
    pause_power_utilisation: Array
    idle_power_utilisation: Array
    accelerator_power_utilisation: Array
    fan_power_share_air: Array
    fan_power_share_liquid: Array
    power_supply_load_share: Array
    power_supply_efficiency_at_10_percent: Array
    power_supply_efficiency_at_20_percent: Array
    power_supply_efficiency_at_50_percent: Array
    power_supply_efficiency_at_100_percent: Array
    rack_converter_efficiency: Array
    processor_power_utilisation: Array
    processor_idle_utilisation: Array
    memory_power_w_per_byte: Array
    sub_second_power_factor: Array
    ramp_limit_share_per_s: Array
    supply_storage_smoothing_share: Array
    generator_step_share: Array
    flicker_least_hz: Array
    flicker_greatest_hz: Array
    storage_power_share: Array
    mv_transformer_loss_constant: Array
    mv_transformer_loss_linear: Array
    mv_transformer_loss_quadratic: Array
    lv_transformer_loss_constant: Array
    lv_transformer_loss_linear: Array
    lv_transformer_loss_quadratic: Array
    ups_loss_constant: Array
    ups_loss_linear: Array
    ups_loss_quadratic: Array
    distribution_loss_constant: Array
    distribution_loss_linear: Array
    distribution_loss_quadratic: Array
    mv_transformer_unit_w: Array
    lv_transformer_unit_w: Array
    ups_unit_w: Array
    distribution_unit_w: Array
    electrical_smallest_unit_w: Array
    electrical_most_units: Array
    house_load_share: Array
    electrical_loss_share_in_hall: Array
    coolant_density_constant_kg_per_m3: Array
    coolant_density_linear_kg_per_m3_k: Array
    coolant_density_quadratic_kg_per_m3_k2: Array
    coolant_heat_capacity_constant_j_per_kg_k: Array
    coolant_heat_capacity_linear_j_per_kg_k2: Array
    coolant_heat_capacity_quadratic_j_per_kg_k3: Array
    coolant_log_viscosity_constant: Array
    coolant_log_viscosity_linear_per_k: Array
    coolant_log_viscosity_quadratic_per_k2: Array
    coolant_log_viscosity_cubic_per_k3: Array
    coolant_temperature_rise_k: Array
    coolant_flow_excess: Array
    coolant_pressure_drop_pa: Array
    coolant_pressure_drop_viscosity_mpa_s: Array
    coolant_pressure_flow_exponent: Array
    coolant_pump_efficiency: Array
    facility_water_density_kg_per_m3: Array
    facility_water_heat_capacity_j_per_kg_k: Array
    facility_water_temperature_rise_k: Array
    facility_water_pressure_drop_pa: Array
    facility_water_pump_efficiency: Array
    cdu_approach_k: Array
    cdu_unit_w: Array
    cdu_spare_units: Array
    cdu_to_air_unit_w: Array
    cdu_to_air_approach_k: Array
    cdu_to_air_fan_power_share: Array
    dry_cooler_approach_k: Array
    dry_cooler_fan_power_share: Array
    dry_cooler_design_dry_bulb_c: Array
    dry_cooler_least_design_difference_k: Array
    dry_cooler_least_fan_speed: Array
    dry_cooler_least_coolant_supply_c: Array
    adiabatic_effectiveness: Array
    adiabatic_lead_k: Array
    adiabatic_least_dry_bulb_c: Array
    adiabatic_air_rise_k: Array
    adiabatic_concentration_cycles: Array
    tower_approach_k: Array
    tower_plate_approach_k: Array
    tower_fan_power_share: Array
    tower_pump_power_share: Array
    tower_design_wet_bulb_c: Array
    tower_least_design_difference_k: Array
    tower_least_fan_speed: Array
    tower_trim_water_cooled: Array
    tower_latent_share_at_freezing: Array
    tower_latent_share_per_k: Array
    tower_least_latent_share: Array
    tower_greatest_latent_share: Array
    tower_evaporation_heat_j_per_kg: Array
    tower_concentration_cycles: Array
    tower_drift_share: Array
    chiller_carnot_share_air: Array
    chiller_carnot_share_water: Array
    chiller_evaporator_approach_k: Array
    chiller_condenser_approach_air_k: Array
    chiller_condenser_approach_water_k: Array
    chiller_least_cop: Array
    chiller_greatest_cop: Array
    hall_fan_power_share: Array
    chilled_water_pump_power_share: Array
    air_rejection_fan_power_share: Array
    chilled_water_supply_c: Array
    chilled_water_return_c: Array
    air_economiser_approach_k: Array
    hall_air_supply_c: Array
    air_density_exponent: Array
    standard_pressure_pa: Array
    grid_water_l_per_kwh: Array
    air_rack_usual_w: Array
    air_rack_limit_w: Array
    direct_liquid_rack_usual_w: Array
    direct_liquid_rack_limit_w: Array
    all_liquid_rack_usual_w: Array
    all_liquid_rack_limit_w: Array
    all_liquid_share: Array
    immersion_rack_usual_w: Array
    immersion_rack_limit_w: Array
    alternating_current_rack_usual_w: Array
    rack_hose_bore_usual_m: Array
    rack_hose_bore_limit_m: Array
    coolant_velocity_limit_m_per_s: Array
    rack_pumping_unit_flow_l_per_min: Array
    rack_feeds_usual: Array
    rack_feeds_limit: Array
    floor_load_limit_n_per_m2: Array
    floor_panel_load_limit_n: Array
    floor_panel_load_share: Array
    rack_air_rise_k: Array
    containment_recirculation_share: Array
    coolant_supply_limit_c: Array
    hall_dew_point_c: Array
    condensation_margin_k: Array
    heat_pump_carnot_share: Array
    pue_operators_below: Array
    pue_operators_above: Array

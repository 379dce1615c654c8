"""What people call the inputs that matter most, and the field of the scenario that states each."""

from __future__ import annotations

import re

from app.engine.trace import Origin
from app.engine.units import words_of
from app.scenarios.sweeping.fields import ASSUMPTIONS, scenario_fields

NAMES = {
    "economics.life_years": "Life of the equipment",
    "economics.wacc": "Cost of capital",
    "economics.utilisation": "Utilisation",
    "economics.residual_value": "Residual value",
    "economics.rental_on_demand_usd_per_accelerator_hour": "Rental price on demand",
    "economics.rental_reserved_usd_per_accelerator_hour": "Rental price, reserved",
    "supernode.price_usd": "Price of a SuperNode",
    "supernode.accelerator.price_usd": "Price of an accelerator",
    "facility.site.electricity_price_usd_per_kwh": "Electricity price",
    "facility.site.water_price_usd_per_m3": "Water price",
    "facility.site.carbon_intensity_kg_per_kwh": "Carbon intensity of the grid",
    "operations.storage.price_usd_per_tb": "Price of storage",
    "workload.measured_over_predicted": "Speed against the prediction",
    "workload.measured_over_predicted_tpot": "Time of a token against the prediction",
    "workload.measured_over_predicted_ttft": "Time to the first token against the prediction",
    "assumptions.facility.training_power_utilisation": "Power in training over rated power",
    "assumptions.economics.facility_price_usd_per_mw": "Price of the building",
}
FIELDS = {
    "supernode.price_usd": "economics.supernode_price_usd",
    "facility.site.electricity_price_usd_per_kwh": "economics.electricity_price_usd_per_kwh",
    "facility.site.water_price_usd_per_m3": "economics.water_price_usd_per_m3",
    "supernode.accelerator.price_usd": "supernode.override.accelerator.price_usd",
    "workload.measured_over_predicted": "workload.calibration.measured_over_predicted",
    "workload.measured_over_predicted_tpot": "workload.calibration.measured_tpot_over_predicted",
    "workload.measured_over_predicted_ttft": "workload.calibration.measured_ttft_over_predicted",
}


def name_of(place: str, origin: Origin | None) -> str:
    """In people's words: a name of its own, else what the catalog says, else the words of the field."""
    if place in NAMES:
        return NAMES[place]
    if origin is not None and origin.kind != "scenario" and origin.label:
        first = re.split(r"[:;.](?:\s|$)", origin.label)[0]
        return first[0].upper() + first[1:]
    words = words_of(place)
    return words[:1].upper() + words[1:]


def field_of(place: str) -> str:
    """The field of the scenario that would state the number at a place of the design; empty where none does."""
    if place in FIELDS:
        return FIELDS[place]
    return place if place.startswith(ASSUMPTIONS) or place in scenario_fields() else ""

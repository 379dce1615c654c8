"""Labels of uncertain inputs, and the field of the scenario that states each."""

from __future__ import annotations

import math
import re

from app.catalog.ranges import physical_range
from app.engine.trace import Origin
from app.scenarios.declared_fields import declared_field, label_of_field
from app.scenarios.sweeping.fields import ASSUMPTIONS, scenario_fields

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
    """Label of the field that states the number, else what the catalog says, else the words of its place."""
    if field_of(place) in scenario_fields():
        return label_of_field(field_of(place))
    if origin is not None and origin.kind != "scenario" and origin.label:
        first = re.split(r"[:;.](?:\s|$)", origin.label)[0]
        return first[0].upper() + first[1:]
    return label_of_field(place)


def field_of(place: str) -> str:
    """The field of the scenario that would state the number at a place of the design; empty where none does."""
    if place in FIELDS:
        return FIELDS[place]
    return place if place.startswith(ASSUMPTIONS) or place in scenario_fields() else ""


def bounds_of_field(field: str) -> tuple[float, float]:
    """The least and the most that a field may be; of an assumption what it can be physically.

    >>> bounds_of_field("economics.utilisation")
    (0.0, 1.0)
    """
    if field.startswith(ASSUMPTIONS):
        possible = physical_range(field.removeprefix(ASSUMPTIONS))
        return possible.least, possible.most
    least, most = declared_field(field).bounds
    return (-math.inf if least is None else least, math.inf if most is None else most)

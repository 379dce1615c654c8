"""Kinds of own plant: the one list of their keys and names. Figures are assumptions `power_supply.*` of the kind."""

from __future__ import annotations

from typing import Literal

SourceKind = Literal[
    "gas_turbine",
    "aeroderivative_turbine",
    "combined_cycle",
    "gas_engine",
    "diesel_engine",
    "fuel_cell",
    "small_reactor",
    "solar",
    "wind",
]
CleanKind = Literal["solar", "wind"]

LABELS: dict[str, str] = {
    "gas_turbine": "Gas turbines, simple cycle",
    "aeroderivative_turbine": "Aeroderivative turbines",
    "combined_cycle": "Combined cycle",
    "gas_engine": "Gas engines",
    "diesel_engine": "Diesel engines",
    "fuel_cell": "Fuel cells",
    "small_reactor": "Small reactors",
    "solar": "Solar",
    "wind": "Wind",
}
WEATHER_BOUND = frozenset({"solar", "wind"})
"""Kinds whose power follows the weather of the site."""

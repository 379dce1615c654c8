"""Where heat flows in the picture of power and heat: from losses, plants and loops to what takes it away."""

from __future__ import annotations

from typing import Any, NamedTuple

from app.charts.figure import at

SINKS = {
    "dry_coolers": "Dry coolers",
    "towers": "Towers",
    "chiller_condensers": "Condensers",
    "hall_exhaust": "Hall exhaust",
    "heat_network": "Heat network",
}
OUTDOORS = "Outdoors"
COOLANT = "Coolant loop"
AIR = "Room air"


class Flow(NamedTuple):
    source: str
    target: str
    watts: float
    path: str = ""  # of the figure that states it
    main: bool = False


class Heat(NamedTuple):
    """What the evaluation says of heat, and of each sink by its name here."""

    liquid_w: float
    air_w: float
    sinks: dict[str, dict[str, float]]

    @classmethod
    def of(cls, evaluation: dict[str, Any]) -> Heat | None:
        """None where something is unknown."""
        liquid_w, air_w = at(evaluation, "cooling.liquid_heat_w"), at(evaluation, "cooling.air_heat_w")
        sinks = at(evaluation, "cooling.heat_sinks")
        if liquid_w is None or air_w is None:
            return None
        if sinks is None:  # results that were kept before sinks were told apart
            return cls(liquid_w, air_w, {OUTDOORS: _outdoors(evaluation, liquid_w, air_w)})
        if any(value is None for sink in sinks for value in sink.values()):
            return None
        return cls(liquid_w, air_w, {SINKS[sink["sink"]]: sink for sink in sinks})


def _outdoors(evaluation: dict[str, Any], liquid_w: float, air_w: float) -> dict[str, float]:
    """All heat that leaves, as one sink."""
    losses_w, house_w = at(evaluation, "power.electrical_losses_w"), at(evaluation, "power.house_load_w")
    in_hall_w = min(max(air_w + liquid_w - at(evaluation, "power.it_power_mean_w"), 0.0), losses_w)
    return {
        "liquid_heat_w": liquid_w,
        "air_heat_w": air_w,
        "cooling_power_w": at(evaluation, "cooling.power_mean_w"),
        "uncooled_w": losses_w - in_hall_w + house_w,
    }


def heat_flows(heat: Heat, taken: dict[str, float]) -> list[Flow]:
    """From losses, cooling plant and house, and from the loops, to what takes the heat away."""
    uncooled_w = sum(sink["uncooled_w"] for sink in heat.sinks.values())
    in_hall_w = taken["Electrical losses"] + taken["House load"] - uncooled_w
    to_hall_w = heat.liquid_w - sum(sink["liquid_heat_w"] for sink in heat.sinks.values())
    moving_w = taken["Cooling plant"] - sum(sink["cooling_power_w"] for sink in heat.sinks.values())
    exhaust = SINKS["hall_exhaust"] if OUTDOORS not in heat.sinks else OUTDOORS
    flows = [
        Flow("Electrical losses", AIR, in_hall_w),
        Flow("Electrical losses", exhaust, taken["Electrical losses"] - in_hall_w),
        Flow("House load", exhaust, taken["House load"]),
        Flow(COOLANT, AIR, to_hall_w, main=True),
        Flow("Cooling plant", AIR, moving_w),
    ]
    by_air = not heat.liquid_w or to_hall_w > 0.5 * heat.liquid_w
    for position, (name, sink) in enumerate(heat.sinks.items()):
        path = f"cooling.heat_sinks[{position}]" if name != OUTDOORS else ""
        flows += [
            Flow("Cooling plant", name, sink["cooling_power_w"], path and f"{path}.cooling_power_w"),
            Flow(COOLANT, name, sink["liquid_heat_w"], path and f"{path}.liquid_heat_w", True),
            Flow(AIR, name, sink["air_heat_w"], path and f"{path}.air_heat_w", by_air),
        ]
    return flows

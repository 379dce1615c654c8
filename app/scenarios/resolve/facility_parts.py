"""Units of power and cooling that a scenario names: their values replace assumptions."""

from __future__ import annotations

import dataclasses
from typing import Any

from app.catalog.kinds.facility_parts import pump_efficiency
from app.catalog.values import Part
from app.engine.facility.cooling.plants import LIQUID_TO_AIR
from app.engine.facility.it.supplies import DIRECT_CURRENT
from app.engine.trace import Array
from app.scenarios.document.facility import FacilityDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error

KIND = "facility_parts"
TYPES = {
    "cdu": ("cdu", "cdu_to_air"),
    "busway": ("busway",),
    "rectifier": ("power_rack", "mv_rectifier"),
    "rack_converter": ("rack_converter",),
}
"""Types of unit that a field may name."""
LOW_VOLTAGE = "power_rack"
HALL = {"distribution": "ac_480"}
"""The chain in front of a power rack: transformers to 480 V, and busway at 480 V."""
TRANSFORMER = tuple(f"lv_transformer_loss_{term}" for term in ("constant", "linear", "quadratic"))


def rectifier_input(inputs: Inputs, document: FacilityDocument) -> str:
    """Where 800 V comes from: "low_voltage" where a power rack in the row makes it, else "medium_voltage"."""
    part = _part(inputs, document, "rectifier")
    return "low_voltage" if part is not None and _type(part) == LOW_VOLTAGE else "medium_voltage"


def with_parts(inputs: Inputs, document: FacilityDocument, rooms: dict[str, Any]) -> dict[str, Any]:
    """The assumptions of the rooms, replaced by values of the named units.

    Values that a unit lacks stay as assumed, and values under `assumptions` of the scenario take precedence.

    Raises
    ------
    ScenarioError : no unit of that key, one of another type, or one that does not fit the plant or the
        distribution
    """
    changes: dict[str, dict[str, Array]] = {}
    for field, change in (
        ("cdu", _cdu),
        ("busway", _busway),
        ("rectifier", _rectifier),
        ("rack_converter", _converter),
    ):
        part = _part(inputs, document, field)
        if part is not None:
            for name, value in change(_Taken(inputs, part, document)).items():
                room, _, own = name.partition(".")
                changes.setdefault(room, {})[own] = value
    return rooms | {room: dataclasses.replace(rooms[room], **found) for room, found in changes.items()}


@dataclasses.dataclass(frozen=True, slots=True)
class _Taken:
    """A unit, and the values taken from it."""

    inputs: Inputs
    part: Part
    document: FacilityDocument

    def fact(self, fact: str, *names: str) -> dict[str, Array]:
        """A fact in place of assumptions, where it is known and the scenario does not state another."""
        if fact not in self.part.facts:
            return {}
        return {name: self.inputs.fact(f"assumptions.{name}", self.part, fact) for name in self._open(*names)}

    def derived(self, value: float, label: str, source: str, *names: str) -> dict[str, Array]:
        return {
            name: self.inputs.derived(f"assumptions.{name}", value, f"{self.part.name}, {label}", source)
            for name in self._open(*names)
        }

    def of_the_hall(self, *names: str) -> dict[str, Array]:
        """Assumptions as they are of a hall at 480 V."""
        return {
            name: self.inputs.assumption(f"assumptions.{name}", name, also=HALL)
            for name in self._open(*names)
        }

    def value(self, fact: str) -> float | None:
        known = self.part.facts.get(fact)
        return None if known is None else known.value

    def _open(self, *names: str) -> list[str]:
        return [name for name in names if name not in self.inputs.overrides]


def _cdu(unit: _Taken) -> dict[str, Array]:
    to_air = _type(unit.part) == "cdu_to_air"
    plant = unit.document.cooling
    if to_air != (plant == LIQUID_TO_AIR):
        raise refuse(
            f"{unit.part.name} gives its heat to {'air' if to_air else 'facility water'}, and facility.cooling is {plant}.",
            rule="cdu_of_plant",
            path="facility.cdu",
            value=unit.part.key,
            hint=f"State facility.cooling: {LIQUID_TO_AIR}, or name a unit that gives it to water."
            if to_air
            else "Name a unit that gives it to air, or state another plant.",
        )
    found = unit.fact(
        "capacity_w", "facility.cdu_unit_w", *(["facility.cdu_to_air_unit_w"] if to_air else [])
    )
    found |= unit.fact(
        "approach_k", "facility.cdu_to_air_approach_k" if to_air else "facility.cdu_approach_k"
    )
    moved = pump_efficiency(
        unit.value("coolant_flow_l_per_min"), unit.value("coolant_pressure_pa"), unit.value("max_power_w")
    )
    if moved is None:
        return found
    return found | unit.derived(
        moved,
        "pumps: flow times head over what they draw",
        "definition; the data sheet of the unit",
        "facility.coolant_pump_efficiency",
    )


def _busway(unit: _Taken) -> dict[str, Array]:
    direct = unit.document.distribution == DIRECT_CURRENT
    hall_is_direct = direct and rectifier_input(unit.inputs, unit.document) == "medium_voltage"
    carries = str(unit.part.attributes.get("output", ""))
    if ("800 V DC" in carries) != hall_is_direct:
        raise refuse(
            f"{unit.part.name} is for {carries}, and the busway of the hall carries "
            f"{'800 V direct current' if hall_is_direct else 'alternating current'}.",
            rule="busway_voltage",
            path="facility.busway",
            value=unit.part.key,
            hint="Name a busway of that voltage, or state another facility.distribution.",
        )
    return unit.fact("current_a", "electrical.busway_current_a")


def _rectifier(unit: _Taken) -> dict[str, Array]:
    _need_direct_current(unit, "rectifier")
    found = unit.fact("capacity_w", "facility.ups_unit_w")
    efficiency = unit.value("efficiency")
    if efficiency is not None:
        battery = _kept_by_batteries(unit)
        found |= unit.derived(
            1 / (efficiency * battery) - 1,
            "loss over what it gives on",
            f"efficiency of {efficiency:g} by its data sheet"
            + (f", batteries {battery:g}" if battery < 1 else ""),
            "facility.ups_loss_linear",
        )
    if _type(unit.part) == LOW_VOLTAGE:
        found |= unit.of_the_hall(
            *(f"facility.{name}" for name in TRANSFORMER),
            "facility.distribution_loss_quadratic",
            "electrical.busway_voltage_v",
        )
    return found


def _kept_by_batteries(unit: _Taken) -> float:
    """What batteries in the racks leave of the power, as the assumptions have it."""
    name = "facility.ups_loss_linear"
    if unit.document.ups != "rack_batteries" or name in unit.inputs.overrides:
        return 1.0
    without = unit.inputs.copy()
    linear = [
        float(without.assumption(f"assumptions.{name}", name, also={"ups": ups})[0])
        for ups in ("double_conversion", "rack_batteries")
    ]
    return (1 + linear[0]) / (1 + linear[1])


def _converter(unit: _Taken) -> dict[str, Array]:
    _need_direct_current(unit, "rack_converter")
    return unit.fact("efficiency", "facility.rack_converter_efficiency") | unit.fact(
        "capacity_w", "electrical.shelf_unit_w"
    )


def _need_direct_current(unit: _Taken, field: str) -> None:
    if unit.document.distribution != DIRECT_CURRENT:
        raise refuse(
            f"{unit.part.name} is of 800 V direct current, and facility.distribution is {unit.document.distribution}.",
            rule="direct_current",
            path=f"facility.{field}",
            value=unit.part.key,
            hint=f"State facility.distribution: {DIRECT_CURRENT}, or leave it out.",
        )


def _part(inputs: Inputs, document: FacilityDocument, field: str) -> Part | None:
    key = getattr(document, field)
    if key is None:
        return None
    part = part_or_error(inputs.catalog, KIND, key, f"facility.{field}")
    if _type(part) not in TYPES[field]:
        keys = [
            one for one in inputs.catalog.keys(KIND) if _type(inputs.catalog.part(KIND, one)) in TYPES[field]
        ]
        raise refuse(
            f"{part.name} is of type {_type(part)}.",
            rule="unit_type",
            path=f"facility.{field}",
            value=key,
            hint=f"One of {', '.join(keys)}.",
        )
    return part


def _type(part: Part) -> str:
    return str(part.attributes.get("type", ""))

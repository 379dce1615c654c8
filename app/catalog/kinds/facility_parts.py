"""Units of power and cooling in a hall: coolant distribution units, busway, rectifiers and converters of
racks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from app.catalog.columns import number, text
from app.catalog.kinds.base import Count, HardwareKind, Number, RowFault

PartType = Literal["cdu", "cdu_to_air", "busway", "power_rack", "mv_rectifier", "rack_converter"]


class FacilityPart(HardwareKind):
    """One unit. Its capacity is heat for a CDU, and output power for all others."""

    kind: ClassVar[str] = "facility_parts"
    file: ClassVar[str] = "facility_parts.csv"
    title: ClassVar[str] = "Power and cooling units"

    type: PartType = text()
    vendor: str = text()
    name: str = text(min_length=1)
    year: Count = None
    status: str = text()
    capacity_w: Number = number("capacity_kw", "kW")
    approach_k: Number = number("approach_k", "K", "coolant supply above facility water or air supply")
    coolant_flow_l_per_min: Number = number("coolant_flow_l_per_min", "L/min")
    coolant_pressure_pa: Number = number("coolant_pressure_kpa", "kPa", "head at that flow")
    max_power_w: Number = number("max_power_kw", "kW", "drawn by pumps, fans and controls")
    efficiency: Number = number("efficiency", "1", "output over input at full load")
    peak_efficiency: Number = number("peak_efficiency", "1", "output over input at the best load")
    current_a: Number = number("current_a", "A", "largest rating of the family")
    battery_w: Number = number("battery_kw", "kW", "of batteries inside")
    input: str = text()
    output: str = text()
    price_usd: Number = number("", "USD", "purchase", low="price_usd_low", high="price_usd_high")
    price_note: str = text()

    @classmethod
    def faults_of(cls, values: Mapping[str, Any]) -> list[RowFault]:
        """Efficiencies are between 0 and 1, and pumps give no more than they draw."""
        faults = [
            RowFault(name, "range", f"{name} is {value:g}, and lies between 0 and 1")
            for name in ("efficiency", "peak_efficiency")
            if (value := values.get(name)) is not None and not 0 < value < 1
        ]
        moved = pump_efficiency(
            values.get("coolant_flow_l_per_min"),
            values.get("coolant_pressure_pa"),
            values.get("max_power_w"),
        )
        if moved is not None and not 0 < moved < 1:
            faults.append(
                RowFault("max_power_kw", "range", f"pumps would give {moved:g} times what they draw")
            )
        return faults


def pump_efficiency(
    flow_l_per_min: float | None, pressure_pa: float | None, power_w: float | None
) -> float | None:
    """Hydraulic power over what pumps draw; None where one of the three is not known.

    >>> round(pump_efficiency(2125, 241_300, 12_240), 3)
    0.698
    """
    if not flow_l_per_min or not pressure_pa or not power_w:
        return None
    return flow_l_per_min / 1e3 / 60 * pressure_pa / power_w

"""Kinds of block from the utility feed to the shelf of a rack, and which of them a chain has."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.facility.electrical.redundancy import of_paths

KINDS = (
    "utility_feed", "mv_transformer", "generator", "cooling_transformer", "lv_transformer", "ups", "pump_ups",
    "switchboard", "busway", "rack_feed", "shelf",
)  # fmt: skip
IN_A_RACK = ("rack_feed", "shelf")
TITLES = {
    "utility_feed": "Utility feed",
    "mv_transformer": "MV transformer",
    "generator": "Generator",
    "cooling_transformer": "Cooling transformer",
    "lv_transformer": "LV transformer",
    "ups": "UPS",
    "pump_ups": "UPS of pumps and CDUs",
    "switchboard": "Switchboard",
    "busway": "Busway",
    "rack_feed": "Rack feed",
    "shelf": "Power shelf",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """What the words of a scenario make of the chain. `standard` is nec or iec."""

    redundancy: str
    distribution: str
    ups: str
    standard: str
    rectifier_input: str = "medium_voltage"

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of block in the chain.

        There is no transformer in front of a rectifier from medium voltage, and no UPS where racks have
        batteries.
        """
        direct = self.distribution == "dc_800"
        left_out = {"lv_transformer"} if direct and not self.has_power_racks else set()
        if self.ups == "rack_batteries" and not direct:
            left_out.add("ups")
        return tuple(kind for kind in KINDS if kind not in left_out)

    def title(self, kind: str) -> str:
        """Name of a kind of block."""
        if kind == "ups" and self.distribution == "dc_800":
            return "Power rack" if self.has_power_racks else "Rectifier"
        return TITLES[kind]

    @property
    def has_power_racks(self) -> bool:
        """Return whether power racks in the row make 800 V from alternating current at low voltage."""
        return self.distribution == "dc_800" and self.rectifier_input == "low_voltage"

    def redundancy_of(self, kind: str) -> str:
        """In a rack there are feeds of one path, of one path and a spare, or of two.

        Switchboards and busway have one path with N+1, whatever is spare above them.
        """
        if kind in ("switchboard", "busway"):
            return of_paths(self.redundancy)
        if kind not in IN_A_RACK or self.redundancy in ("N", "N+1"):
            return self.redundancy
        return "2N"

"""The studio's inputs for racks, rows and cable routes."""

from __future__ import annotations

from app.surfaces.pages.studio.field import Field, number, segments

POSITIONS = {
    "auto": "Auto", "in_rack": "In racks", "end_of_row": "End of row", "middle_of_row": "Middle of row",
    "network_rows": "Own rows",
}  # fmt: skip


def floor_fields() -> tuple[Field, ...]:
    """What decides how many racks there are, and where switches stand."""
    return (
        segments("pod.floor.switch_position", "Switches of a unit", names=POSITIONS),
        number(
            "pod.floor.nodes_per_rack",
            "Servers in a rack",
            used="pod.floor.nodes_per_rack",
            words=(("", "as many as fit"),),
        ),
        _number("rack_power_w", "Rack power"),
        _number("row_racks", "Racks in a row"),
    )


def rack_fields() -> tuple[Field, ...]:
    """The other limits and measures."""
    return (
        _number("rack_air_heat_w", "Rack heat to air"),
        _number("rack_liquid_heat_w", "Rack heat to liquid"),
        _number("rack_weight_kg", "Rack weight"),
        _number("rack_own_weight_kg", "Empty rack weight"),
        _number("rack_units", "Rack height", unit="U"),
        _number("service_units", "Service units", unit="U"),
        _number("rack_width_m", "Rack width"),
        _number("rack_depth_m", "Rack depth"),
        _number("cold_aisle_m", "Cold aisle"),
        _number("hot_aisle_m", "Hot aisle"),
        _number("tray_height_m", "Tray height"),
        number("pod.floor.slack_share", "Cable slack", used="pod.floor.slack_share", percent=True),
        _number("end_slack_m", "Slack at each end"),
    )  # fmt: skip


def _number(name: str, label: str, unit: str = "") -> Field:
    path = f"pod.floor.{name}"
    return number(path, label, unit=unit, used=path)

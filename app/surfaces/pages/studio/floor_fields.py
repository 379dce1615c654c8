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
        segments("pod.floor.switch_position", names=POSITIONS),
        number(
            "pod.floor.nodes_per_rack",
            used="pod.floor.nodes_per_rack",
            words=(("", "as many as fit"),),
        ),
        _number("rack_power_w"),
        _number("row_racks"),
    )


def rack_fields() -> tuple[Field, ...]:
    """The other limits and measures."""
    return (
        _number("rack_air_heat_w"),
        _number("rack_liquid_heat_w"),
        _number("rack_weight_kg"),
        _number("rack_own_weight_kg"),
        _number("rack_units"),
        _number("service_units"),
        _number("rack_width_m"),
        _number("rack_depth_m"),
        _number("cold_aisle_m"),
        _number("hot_aisle_m"),
        _number("tray_height_m"),
        number("pod.floor.slack_share", used="pod.floor.slack_share"),
        _number("end_slack_m"),
    )  # fmt: skip


def _number(name: str) -> Field:
    path = f"pod.floor.{name}"
    return number(path, used=path)

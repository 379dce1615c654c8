"""The changes that lead from one scenario to another: groups of fields, and scenarios with some of them made."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any, NamedTuple

Values = dict[str, Any]

PRICES = (
    "supernode_price_usd", "electricity_price_usd_per_kwh", "water_price_usd_per_m3",
    "rental_on_demand_usd_per_accelerator_hour", "rental_reserved_usd_per_accelerator_hour",
    "colocation_usd_per_kw_month", "price_discount", "renting",
)  # fmt: skip
ROOM_GROUPS = {
    "fabric": "fabric",
    "performance": "layout",
    "operations": "operations",
    "facility": "site",
    "electrical": "site",
    "cooling": "site",
}
"""Where assumptions that a scenario states belong; those of other rooms are terms."""


class Group(NamedTuple):
    """A change: its fields, with a dot between their names; `said` is what they are about."""

    key: str
    title: str
    said: str


GROUPS = (
    Group("workload", "Workload", "the model, its tokens, batch and precision"),
    Group("hardware", "Hardware", "SuperNodes: which, and how many"),
    Group("fabric", "Fabric", "the networks between them"),
    Group("layout", "Layout", "the parallel layout, a power cap, assumptions on speed"),
    Group("site", "Site", "where it stands: grid, power train, cooling"),
    Group("operations", "Operations", "checkpoints, spares and storage"),
    Group("prices", "Prices", "what the scenarios state of hardware, electricity, rent"),
    Group("terms", "Terms", "life, utilisation, cost of capital, finance, ownership of the building"),
)
SPEED = frozenset({"workload", "hardware", "fabric", "layout"})
"""What a design's speed depends on; the others leave it alone."""
_WHOLE = {
    "workload": ("workload", "sharing"),
    "fabric": ("pod.fabric", "pod.networks"),
    "layout": ("parallelism", "facility.power_cap"),
    "operations": ("operations",),
    "prices": tuple(f"economics.{name}" for name in PRICES),
}
_REST = {"hardware": ("supernode", "pod"), "site": ("facility",), "terms": ("economics",)}
"""Parts of which a group has what no other group takes."""


def group_values(scenario: Values) -> dict[str, dict[str, Any]]:
    """Values of each group, by place; a field that is not stated is missing."""
    left = copy.deepcopy(scenario)
    found: dict[str, dict[str, Any]] = {group.key: {} for group in GROUPS}
    for key, paths in _WHOLE.items():
        found[key] = {path: value for path in paths if (value := _taken(left, path)) is not None}
    for key, parts in _REST.items():
        for part in parts:
            stated = left.get(part)
            if isinstance(stated, dict):
                found[key] |= {f"{part}.{name}": value for name, value in stated.items()}
    for name, value in scenario.get("assumptions", {}).items():
        group = ROOM_GROUPS.get(name.partition(".")[0], "terms")
        found[group][f"assumptions.{name}"] = value
    return found


def differing(first: Values, second: Values) -> tuple[str, ...]:
    """The groups in which two scenarios differ."""
    one, other = group_values(first), group_values(second)
    return tuple(group.key for group in GROUPS if one[group.key] != other[group.key])


def mixed(first: Values, second: Values, changed: Iterable[str]) -> Values:
    """The first scenario with the groups that are named as they are in the second."""
    one, other = group_values(first), group_values(second)
    wanted = set(changed)
    made: Values = {name: first[name] for name in ("schema_version", "name") if name in first}
    for group in GROUPS:
        for path, value in (other if group.key in wanted else one)[group.key].items():
            part, _, name = path.partition(".")
            if name:
                made.setdefault(part, {})[name] = value
            else:
                made[part] = value
    return made


def _taken(values: Values, path: str) -> Any:
    part, _, name = path.partition(".")
    inside = values.get(part) if name else values
    return inside.pop(name or part, None) if isinstance(inside, dict) else None

"""Figures whose difference can be explained: where they stand, what they are made of and multiplied from."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from app.engine.economics.carbon.boundaries import power_parts_w
from app.engine.economics.difference.shapley import of_the_figure
from app.engine.evaluation import Sections
from app.engine.specs import Design, ServingWorkload, TrainingWorkload
from app.engine.trace import Array, first_of, quotient
from app.scenarios.evaluation.training_only import of_a_run
from app.views.economics.carbon.report import EMBODIED, PART_WORDS

Parts = dict[str, Array]
Factors = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """`value` is NaN where it is unknown, `parts` add up to it, `factors` are by title and multiply to it."""

    title: str
    unit: str
    value: Callable[[Sections], float]
    parts: Callable[[Design, Sections], Parts]
    factors: Callable[[Design, Sections], Factors]
    part_titles: Mapping[str, str] = field(
        default_factory=dict
    )  # of parts that are not called by their names


RUN, CARBON = "The difference of two runs", "The difference in carbon of two runs"


def _cost(name: str) -> Callable[[Sections], float]:
    return lambda sections: first_of(getattr(sections.cost, name))


def _cost_parts(name: str) -> Callable[[Design, Sections], Parts]:
    return lambda _, sections: of_the_figure(sections.cost.tco_breakdown_usd, getattr(sections.cost, name))


def _carbon_parts(design: Design, sections: Sections) -> Parts:
    operational = of_the_figure(
        power_parts_w(sections.power, sections.cooling), of_a_run(sections.carbon.operational_kg, CARBON)
    )
    parts = sections.carbon.embodied_breakdown_kg or {}
    embodied = {f"embodied_{name}": part for name, part in parts.items()}
    return operational | embodied


def _hours_each(design: Design, sections: Sections) -> float:
    return first_of(of_a_run(sections.cost.run_accelerator_hours, RUN) / design.pod.accelerators_used)


def _run_factors(design: Design, sections: Sections) -> Factors:
    return {
        "Accelerators": first_of(design.pod.accelerators_used),
        "Hours of the run": _hours_each(design, sections),
        "USD for an accelerator-hour": first_of(sections.cost.usd_per_accelerator_hour),
    }


def _token_factors(design: Design, sections: Sections) -> Factors:
    if isinstance(design.workload, ServingWorkload):
        hour, accelerators = (
            first_of(sections.cost.usd_per_accelerator_hour),
            first_of(design.pod.accelerators_used),
        )
        return {
            "Accelerators": accelerators,
            "USD for an accelerator-hour": hour,
            "Hours per 1 M tokens": quotient(
                first_of(sections.cost.usd_per_million_tokens), hour * accelerators
            ),
        }
    tokens = design.workload.tokens if isinstance(design.workload, TrainingWorkload) else np.array([np.nan])
    return _run_factors(design, sections) | {"Runs per 1 M tokens": quotient(1e6, first_of(tokens))}


def _tco_factors(design: Design, sections: Sections) -> Factors:
    accelerators = first_of(design.pod.supernodes * design.supernode.accelerators)
    years = first_of(design.economics.life_years)
    return {
        "Accelerators": accelerators,
        "Years of life": years,
        "USD for an accelerator-year": first_of(sections.cost.tco_usd) / accelerators / years,
    }


def _hour_factors(design: Design, sections: Sections) -> Factors:
    cost = sections.cost
    available = first_of(cost.usd_per_available_accelerator_hour)
    return {
        "USD for an installed hour": first_of(cost.usd_per_installed_accelerator_hour),
        "Installed / available hours": quotient(available, first_of(cost.usd_per_installed_accelerator_hour)),
        "Available / utilised hours": quotient(first_of(cost.usd_per_accelerator_hour), available),
    }


def _useful_hour_factors(design: Design, sections: Sections) -> Factors:
    return _hour_factors(design, sections) | {
        "Utilised / useful hours": quotient(1.0, first_of(sections.reliability.ettr))
    }


def _carbon_factors(design: Design, sections: Sections) -> Factors:
    carbon = sections.carbon
    accelerators, hours = first_of(design.pod.accelerators_used), _hours_each(design, sections)
    operational = first_of(carbon.operational_kg)
    return {
        "Accelerators": accelerators,
        "Hours of the run": hours,
        "kW per accelerator, at the meter": first_of(carbon.run_energy_kwh) / accelerators / hours,
        "kg for a kWh": first_of(design.facility.site.carbon_intensity_kg_per_kwh),
        "Total carbon / carbon of electricity": first_of(carbon.total_kg) / operational
        if operational
        else 0.0,
    }


EXPLAINED: dict[str, Explained] = {
    "usd_per_run": Explained(
        title="Cost per run",
        unit="USD",
        value=_cost("usd_per_run"),
        parts=_cost_parts("usd_per_run"),
        factors=_run_factors,
    ),
    "usd_per_million_tokens": Explained(
        title="Cost per 1 M tokens",
        unit="USD",
        value=_cost("usd_per_million_tokens"),
        parts=_cost_parts("usd_per_million_tokens"),
        factors=_token_factors,
    ),
    "tco": Explained(
        title="Total cost of ownership",
        unit="USD",
        value=_cost("tco_usd"),
        parts=_cost_parts("tco_usd"),
        factors=_tco_factors,
    ),
    "usd_per_accelerator_hour": Explained(
        title="Cost per utilised accelerator-hour",
        unit="USD",
        value=_cost("usd_per_accelerator_hour"),
        parts=_cost_parts("usd_per_accelerator_hour"),
        factors=_hour_factors,
    ),
    "usd_per_useful_accelerator_hour": Explained(
        title="Cost per useful accelerator-hour",
        unit="USD",
        value=_cost("usd_per_useful_accelerator_hour"),
        parts=_cost_parts("usd_per_useful_accelerator_hour"),
        factors=_useful_hour_factors,
    ),
    "carbon": Explained(
        title="Carbon per run",
        unit="kg",
        value=lambda sections: first_of(sections.carbon.total_kg),
        parts=_carbon_parts,
        factors=_carbon_factors,
        part_titles=PART_WORDS | {f"embodied_{name}": title for name, title in EMBODIED.items()},
    ),
}


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
ESTIMATE_GROUPS = {
    "pod.fabric": "fabric",
    "pod.networks": "fabric",
    "facility": "site",
    "economics.electricity": "site",
}
"""Where accepted estimates belong, by the beginning of their place; others are of the hardware, its rent too."""


class Group(NamedTuple):
    """A change: its fields, with a dot between their names; `said` is what they are about."""

    key: str
    title: str
    said: str


GROUPS = (
    Group("workload", "Workload", "the model, its tokens, batch and precision"),
    Group("hardware", "Hardware", "SuperNodes: type and count"),
    Group("fabric", "Fabric", "the networks between them"),
    Group("layout", "Layout", "the parallel layout, a power cap, assumptions on speed"),
    Group("site", "Site", "where it stands: grid, power train, cooling"),
    Group("operations", "Operations", "checkpoints, spares and storage"),
    Group("prices", "Prices", "what the scenarios state of hardware, electricity, rent"),
    Group(
        "terms", "Financial terms", "life, utilisation, cost of capital, finance, ownership of the building"
    ),
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
    for place, value in scenario.get("estimates", {}).items():
        groups = (group for start, group in ESTIMATE_GROUPS.items() if place.startswith(start))
        found[next(groups, "hardware")][f"estimates.{place}"] = value
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

"""Which fields of a sweep can be columns of numbers, evaluated for many designs in one pass.

The others are structure: each of their values is resolved and evaluated by itself. That is slower, and
always right; so a field is a column only where three things hold. Its value stands unchanged at one place of
the design and nowhere else, whatever it is. That place is one that the engine reads as an array and never
decides by: for each such place it was tested that blocks and single designs agree bit for bit. And where a
layout is searched for, the search does not look at it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.specs import GenericWorkload
from app.scenarios.resolve import Resolved, resolve
from app.scenarios.sweeping.axes import Axis, scenario_with

AFTER_PERFORMANCE = re.compile(
    r"""
    economics\.\w+
  | economics\.renting\.contract_usd_per_accelerator_hour
  | operations\.storage\.\w+
  | facility\.site\.\w+
  | workload\.tokens
  | supernode\.(price_usd|pool\.price_usd|channel_price_ratio|typical_power_w|max_power_w|racks)
  | supernode\.accelerator\.(price_usd|idle_w)
  | assumptions\.(operations|economics)\.\w+
    """,
    re.VERBOSE,
)
"""Places that no search of a layout looks at."""
OF_PERFORMANCE = re.compile(
    r"""
    workload\.(measured_over_predicted|compute_efficiency|load_imbalance|checkpoint_held_share|dataset_bytes|steps)
  | workload\.(flop_per_step|memory_traffic_per_step_bytes|memory_held_bytes)
  | supernode\.(host_memory_bytes|scale_up_latency_s)
  | supernode\.accelerator\.\w+
  | assumptions\.(fabric|performance)\.\w+
    """,
    re.VERBOSE,
)
"""Places that step time and memory depend on. Sizes, layouts and what the fabric is built by are structure: rules
of the scenario or the number of tiers follow from them. So are assumptions on plants, whose year is summed in an
order that the number of designs changes."""


def column_place(
    axis: Axis, scenario: dict[str, Any], catalog: CatalogView, *, also: re.Pattern[str] | None = None
) -> str | None:
    """Where an axis stands in the design as a column of numbers; None where it is structure.

    Parameters
    ----------
    also : further places that may be columns, where sums need not agree to the last bit

    Raises
    ------
    ScenarioError : the scenario cannot be resolved at one end of the axis
    """
    if not axis.numeric:
        return None
    ends = [(end, resolve(scenario_with(scenario, {axis.field: end}), catalog)) for end in axis.ends]
    _, first = ends[0]
    places = {place for _, found in ends for place in _differing(first.values, found.values)}
    if len(places) != 1:
        return None
    place = places.pop()
    alike = all(_words(first.design) == _words(found.design) for _, found in ends)
    return place if alike and all(is_column(place, end, found, also) for end, found in ends) else None


def is_column(place: str, stated: float, resolved: Resolved, also: re.Pattern[str] | None = None) -> bool:
    """Return whether a number that the scenario states stands in this design, at a place that is read as an array."""
    origin, value = resolved.origins.get(place), resolved.values.get(place)
    if origin is None or value is None or origin.kind != "scenario" or value.item() != stated:
        return False
    design = resolved.design
    searched = design.layout is None and not isinstance(design.workload, GenericWorkload)
    if AFTER_PERFORMANCE.fullmatch(place) or (also is not None and also.fullmatch(place)):
        return True
    return not searched and not design.kinds and OF_PERFORMANCE.fullmatch(place) is not None


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    return {
        place
        for place in {*one, *other}
        if place not in one
        or place not in other
        or not np.array_equal(one[place], other[place], equal_nan=True)
    }


def _words(record: Any) -> Any:
    """What a design is made of beside arrays: part keys, names, kinds, hours of a demand."""
    if isinstance(record, str | int | float | None):
        return record
    if isinstance(record, np.ndarray):
        return record.shape
    if isinstance(record, tuple):
        return tuple(_words(part) for part in record)
    if isinstance(record, Mapping):
        return {name: _words(part) for name, part in record.items()}
    return {name: _words(getattr(record, name)) for name in record.__dataclass_fields__}

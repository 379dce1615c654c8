"""Another kind of workload in the same scenario: what it starts from."""

from __future__ import annotations

from typing import Any, get_args

from app.scenarios.document.generic import GenericPrecision
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.fields import Precision
from app.surfaces.pages.designs import NEW_DESIGN
from app.surfaces.pages.studio.fields import GENERIC, KINDS
from app.surfaces.pages.studio.serving_fields import SERVING
from app.surfaces.pages.studio.state import MISSING, value_at, with_value

Values = dict[str, Any]

FORMATS = {
    "training": get_args(Precision),
    "serving": get_args(ServingPrecision),
    "generic": get_args(GenericPrecision),
}
SMALL_JOB: Values = {
    "flop_per_step": 1e18,
    "memory_traffic_per_step_bytes": 1e15,
    "memory_held_bytes": 1e11,
    "steps": 1e6,
}
"""A generic job to begin with, as NEW_DESIGN is a training run to begin with."""
KEPT_IN_16_BIT = "bf16"


def kind_of(values: Values) -> str:
    """training, serving or generic; what a scenario says wrongly counts as training, and is refused elsewhere."""
    found = value_at(values, "workload.kind")
    return found if found in ("serving", "generic") else "training"


def of_kind(path: str, kind: str) -> bool:
    """Return whether a workload of a kind has a field of `workload`."""
    if path in ("workload.precision", "workload.kind"):
        return True
    if path == "workload.model":
        return kind != "generic"
    return kind == ("generic" if path in GENERIC else "serving" if path in SERVING else "training")


def with_kind(values: Values, base: Values, kind: str) -> Values:
    """The scenario with a workload of another kind: the one it started with where that is of the kind.

    Only a training run has a layout under `parallelism`.
    """
    back = kind_of(base) == kind
    workload = value_at(base, "workload") if back else starting_workload(values, kind)
    changed = {**values, "workload": workload}
    layout = value_at(base, "parallelism") if back else MISSING
    return with_value(changed, "parallelism", layout)


def starting_workload(values: Values, kind: str) -> Values:
    """A workload to begin with: the model and the number format stay where the kind has them."""
    precision = value_at(values, "workload.precision")
    known = precision if precision in FORMATS[kind] else KEPT_IN_16_BIT
    if kind == "generic":
        return {"kind": kind, **SMALL_JOB, "precision": known}
    begun = NEW_DESIGN["workload"]
    model = value_at(values, "workload.model")
    found: Values = {"kind": kind, "model": begun["model"] if model is MISSING else model, "precision": known}
    return found if kind == "serving" else {**begun, **found}


def other_scenarios(values: Values, base: Values) -> dict[str, Values]:
    """The parts of the scenario that a choice of kind replaces, by kind."""
    return {
        kind: {
            name: part
            for name, part in with_kind(values, base, kind).items()
            if name in ("workload", "parallelism")
        }
        for kind in KINDS
        if kind != kind_of(values)
    }

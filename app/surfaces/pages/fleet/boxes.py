"""Inputs of the form of a fleet: which fields of its document have one, with labels and units.

Help is the schema's own.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from app.engine.fleet.policy import POLICIES
from app.scenarios.fields import Part
from app.scenarios.fleet.document import (
    MOST_CLASSES,
    MOST_PODS,
    Finding,
    FleetDocument,
    FleetLevelDocument,
    FleetMaintenanceDocument,
    FleetPodDocument,
    FleetRentDocument,
    FleetServingDocument,
    FleetShapeDocument,
    JobClassDocument,
)

Kind = Literal["number", "numbers", "text", "choice", "check", "design"]


class Box(NamedTuple):
    """An input: `name` is the field within its part, with a dot inside a part of it."""

    name: str
    label: str
    unit: str = ""
    kind: Kind = "number"
    choices: tuple[tuple[str, str], ...] = ()
    further: bool = False
    """Behind "Further": what most fleets leave as it is."""


class Rows(NamedTuple):
    """A list of parts, a row of inputs for each."""

    name: str
    title: str
    one: str
    part: type[Part]
    boxes: tuple[Box, ...]
    most: int


class Group(NamedTuple):
    """Inputs of the whole fleet, below one heading.

    `prefix` is the part that they are in, "" for the document.
    """

    title: str
    prefix: str
    part: type[Part]
    boxes: tuple[Box, ...]


def _shape(*, further: bool) -> tuple[Box, ...]:
    return (
        Box("shape.day", "Rate by hour of the day", "24 values", "numbers", further=further),
        Box("shape.weekend", "Weekend over weekday", further=further),
        Box("shape.peak_to_mean", "Peak over mean", further=further),
    )


LAWS = (("lognormal", "Lognormal"), ("exponential", "Exponential"), ("fixed", "Fixed"))
PLACEMENTS = (
    ("inside", "Inside a SuperNode"),
    ("across", "Across SuperNodes"),
    ("pooled", "Accelerators alone"),
)
PERCENTILES = tuple((str(one), f"{one} %") for one in (95, 50, 90, 99))

CLASSES = Rows(
    "classes", "Job classes", "class", JobClassDocument,
    (
        Box("name", "Name", kind="text"),
        Box("jobs_per_hour", "Arrivals", "jobs/h"),
        Box("sizes", "Accelerators of a job", "one or more", "numbers"),
        Box("weights", "How often each size", "one per size", "numbers"),
        Box("duration_hours", "Mean run time", "h"),
        Box("priority", "Priority", "0 to 100"),
        Box("duration_law", "Run times", kind="choice", choices=LAWS, further=True),
        Box("duration_sigma", "Spread of their logarithm", further=True),
        *_shape(further=True),
        Box("deadline_factor", "Deadline", "run times", further=True),
        Box("deadline_slack_hours", "Added to deadlines", "h", further=True),
        Box("share", "Fair share", further=True),
        Box("quota", "Quota", "accelerators", further=True),
        Box("estimate_factor", "Announced over real run time", further=True),
        Box("least_share", "Least share of an elastic job", "0 to 1", further=True),
        Box("preemptible", "Others may take its place", kind="check", further=True),
        Box("may_rent", "May go to rented accelerators", kind="check", further=True),
    ),
    MOST_CLASSES,
)  # fmt: skip
SERVED = Rows(
    "served", "Served models", "served model", FleetServingDocument,
    (
        Box("name", "Name", kind="text"),
        Box("accelerators", "Accelerators of a replica"),
        Box("peak_replicas", "Replicas of the busiest hour"),
        Box("priority", "Priority", "0 to 100"),
        *_shape(further=True),
    ),
    MOST_CLASSES,
)  # fmt: skip
PODS = Rows(
    "pods", "Pods", "pod", FleetPodDocument,
    (
        Box("name", "Name", kind="text"),
        Box("design", "Design", kind="design"),
        Box("supernodes", "SuperNodes"),
        Box("accelerators", "Accelerators of a SuperNode"),
        Box("speed", "Speed over the first pod", further=True),
        Box("failures_per_supernode_day", "Failures of a SuperNode", "per day", further=True),
        Box("repair_hours", "Time away after a failure", "h", further=True),
        Box("failure_takes", "Accelerators that a failure takes", further=True),
        Box("busy_w", "Power per accelerator at work", "W", further=True),
        Box("idle_w", "Power per idle accelerator", "W", further=True),
        Box("usd_per_accelerator_hour", "Cost per accelerator-hour", "USD/h", further=True),
    ),
    MOST_PODS,
)  # fmt: skip
MAINTENANCE = Rows(
    "maintenance", "Maintenance windows", "window", FleetMaintenanceDocument,
    (
        Box("pod", "Pod", "from 0"),
        Box("from_day", "Begins", "days"),
        Box("hours", "Takes", "h"),
        Box("supernodes", "SuperNodes that are out"),
    ),
    20,
)  # fmt: skip
ROWS = (CLASSES, SERVED, PODS, MAINTENANCE)

GENERAL = Group(
    "Fleet", "", FleetDocument,
    (
        Box("name", "Name", kind="text"),
        Box("days", "Length", "days"),
        Box("warmup_days", "Not counted at the start", "days"),
        Box("replications", "Replications"),
        Box("seed", "Seed"),
    ),
)  # fmt: skip
RENTED = Group(
    "Rented accelerators", "rented", FleetRentDocument,
    (
        Box("accelerators", "At most", "accelerators"),
        Box("after_hours", "After a wait of", "h"),
        Box("usd_per_accelerator_hour", "Price", "USD/h"),
        Box("speed", "Speed over the first pod"),
        Box("busy_w", "Power at work", "W"),
    ),
)  # fmt: skip
LEVEL = Group(
    "Service level", "level", FleetLevelDocument,
    (
        Box("percentile", "Of the jobs", kind="choice", choices=PERCENTILES),
        Box("wait_hours", "Start within", "h"),
        Box("job_class", "Of class", "all when empty", "text"),
    ),
)  # fmt: skip
OPERATION = Group(
    "Placement, checkpoints and site", "", FleetDocument,
    (
        Box("placement", "Placement", kind="choice", choices=PLACEMENTS),
        Box("across_slowdown", "Run time across over inside"),
        Box("checkpoint_interval_hours", "Between checkpoints", "h"),
        Box("checkpoint_s", "A checkpoint takes", "s"),
        Box("restart_s", "A restart takes", "s"),
        Box("resize_s", "A resize takes", "s"),
        Box("power_share", "Power limit by hour of the day", "24 shares", "numbers"),
        Box("pue", "PUE"),
        Box("electricity_usd_per_kwh", "Electricity", "USD/kWh"),
        Box("grid_g_per_kwh", "Carbon intensity", "g/kWh"),
    ),
)  # fmt: skip
GROUPS = (GENERAL, RENTED, LEVEL, OPERATION)

FIND_WORDS: dict[Finding, str] = {
    "smallest_fleet": "Smallest fleet for the service level",
    "mix": "Cheapest mix of owned and rented",
    "pooling": "Pooled against separate fleets",
}
CHECKED = (
    ("policies", "Policies", tuple((key, one.name) for key, one in POLICIES.items())),
    ("find", "Look for", tuple((key, FIND_WORDS[key]) for key in get_args(Finding))),
)
"""Lists of words that are chosen from, a check box for each."""


def help_of(part: type[Part], name: str) -> tuple[str, str]:
    """The description of a field, and its default as text; "" where it is left out."""
    if name.startswith("shape."):
        return help_of(FleetShapeDocument, name.removeprefix("shape."))
    field = part.model_fields[name]
    default = field.default
    if field.is_required() or default is None or isinstance(default, bool | tuple):
        text = ", ".join(f"{one:g}" for one in default) if isinstance(default, tuple) else ""
    else:
        text = f"{default:g}" if isinstance(default, int | float) else str(default)
    return field.description or "", text

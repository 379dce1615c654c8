"""The fleet document, schema version 1: a stream of jobs, pods that run it, policies, and figures to look
for."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import BeforeValidator, Field, model_validator
from typing_extensions import TypeAliasType

from app.engine.fleet.policy import POLICIES
from app.scenarios.document.scenario import known_version
from app.scenarios.fields import Line, Paragraph, Part, Whole, fault

MOST_CLASSES = 16
MOST_PODS = 8
MOST_ACCELERATORS = 10_000_000
MOST_JOBS = 2_000_000
MOST_TRACE = 200_000_000
HOURS = 24
WEEK_DAYS = 7
PolicyKey = Literal[
    "fifo", "easy", "conservative", "priority", "preemption", "fair_share", "elastic", "deadline"
]
Finding = Literal["smallest_fleet", "mix", "pooling"]
assert set(get_args(PolicyKey)) == set(POLICIES)

Positive = Annotated[float, Field(gt=0)]
AtLeast0 = Annotated[float, Field(ge=0)]
Share = Annotated[float, Field(gt=0, le=1)]
Count = Annotated[Whole, Field(ge=1, le=MOST_ACCELERATORS)]
JobSize = TypeAliasType("JobSize", Count)
"""Accelerators of a job, by a name that clients made of the schema have."""
Day = Annotated[tuple[AtLeast0, ...], Field(strict=False, min_length=HOURS, max_length=HOURS)]


class FleetShapeDocument(Part):
    """Rate by hour of the day, weekends, and the peak over the mean."""

    day: Day | None = Field(
        default=None, description="Rate in each hour of a day, 24 values; level when left out."
    )
    weekend: Share = Field(default=1.0, description="Rate of Saturday and Sunday over that of other days.")
    peak_to_mean: Annotated[float, Field(ge=1, le=50)] | None = Field(
        default=None, description="Rate of the busiest hour over the mean of a week; that of the hours when left out."
    )  # fmt: skip


class JobClassDocument(Part):
    """Jobs that are alike: one team or purpose."""

    name: Line = Field(description="Name of the class.")
    jobs_per_hour: Positive = Field(description="Mean arrivals over a week.")
    sizes: Annotated[tuple[JobSize, ...], Field(strict=False, min_length=1, max_length=32)] = Field(
        default=(1,), description="Accelerators of a job."
    )
    weights: Annotated[tuple[Positive, ...], Field(strict=False, max_length=32)] = Field(
        default=(), description="How often each size comes; all alike when left out."
    )
    duration_hours: Positive = Field(default=1.0, description="Mean run time at full size, without failures.")
    duration_law: Literal["fixed", "exponential", "lognormal"] = Field(
        default="lognormal", description="Distribution of run times."
    )
    duration_sigma: Annotated[float, Field(ge=0, le=4)] = Field(
        default=1.0, description="Standard deviation of the logarithm of run times, of a lognormal one."
    )
    shape: FleetShapeDocument = Field(
        default=FleetShapeDocument(), description="Arrivals by hour of the week."
    )
    priority: Annotated[Whole, Field(ge=0, le=100)] = Field(default=0, description="Higher goes first.")
    share: Positive = Field(
        default=1.0, description="Share of the fleet by right, over those of other classes."
    )
    quota: Count | None = Field(default=None, description="Most accelerators in use at a time.")
    deadline_factor: Positive | None = Field(
        default=None, description="Due so many run times after arrival; never when left out."
    )
    deadline_slack_hours: AtLeast0 = Field(default=0.0, description="Added to every deadline.")
    estimate_factor: Annotated[float, Field(ge=1, le=100)] = Field(
        default=1.0, description="Run time that is announced over the real one."
    )
    least_share: Share = Field(
        default=1.0, description="Share of its accelerators that an elastic job can work with; 1 is rigid."
    )
    preemptible: bool = Field(default=True, description="Whether others may take its place.")
    may_rent: bool = Field(default=False, description="Whether it may go to rented accelerators.")

    @model_validator(mode="after")
    def _weights_are_of_sizes(self) -> Self:
        if self.weights and len(self.weights) != len(self.sizes):
            message = f"has {len(self.weights)} values for {len(self.sizes)} sizes"
            raise fault("length", message, hint="give one a size, or leave them out", field="weights")
        return self


class FleetServingDocument(Part):
    """A served model: replicas by the hour."""

    name: Line = Field(description="Name of the model.")
    accelerators: Count = Field(description="Accelerators of a replica.")
    peak_replicas: Annotated[Whole, Field(ge=1, le=10_000)] = Field(
        description="Replicas of the busiest hour."
    )
    shape: FleetShapeDocument = Field(default=FleetShapeDocument(), description="Demand by hour of the week.")
    priority: Annotated[Whole, Field(ge=0, le=100)] = Field(default=10, description="Higher goes first.")


class FleetTraceDocument(Part):
    """Jobs that were recorded, as CSV."""

    csv: Annotated[str, Field(max_length=MOST_TRACE)] = Field(
        description="The file as text: columns of Philly, Helios, PAI, Acme or OpenB, or arrival_s, accelerators, duration_s."
    )
    skip_bad_rows: bool = Field(default=False, description="Leave out rows with errors and run the rest.")


class FleetPodDocument(Part):
    """A pod: SuperNodes that are alike, by a design or by numbers."""

    name: Line = Field(default="Pod", description="Name of the pod.")
    design: Line | None = Field(
        default=None,
        description="Key of an example or id of a saved scenario: numbers that are left out are its own.",
    )
    supernodes: Annotated[Whole, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="SuperNodes of the pod."
    )
    accelerators: Annotated[Whole, Field(ge=1, le=10_000)] | None = Field(
        default=None, description="Accelerators of a SuperNode."
    )
    speed: Positive = Field(default=1.0, description="Speed of a job over that on the first pod.")
    failures_per_supernode_day: AtLeast0 | None = Field(default=None, description="Failures that stop jobs.")
    repair_hours: Positive | None = Field(default=None, description="Mean time that a failed unit is away.")
    failure_takes: Annotated[Whole, Field(ge=1)] | None = Field(
        default=None, description="Accelerators that a failure takes away; the SuperNode when left out."
    )
    busy_w: AtLeast0 | None = Field(default=None, description="IT power of the pod per accelerator at work.")
    idle_w: AtLeast0 | None = Field(
        default=None, description="IT power of the pod per accelerator without work."
    )
    usd_per_accelerator_hour: AtLeast0 | None = Field(
        default=None, description="Cost of an accelerator, used or not, without electricity."
    )


class FleetMaintenanceDocument(Part):
    """SuperNodes that are taken out for a while."""

    pod: Annotated[Whole, Field(ge=0)] = Field(
        default=0, description="Number of the pod in the list, from 0."
    )
    from_day: AtLeast0 = Field(description="Begin, in days from the start.")
    hours: Positive = Field(description="How long it takes.")
    supernodes: Count = Field(description="SuperNodes that are out.")


class FleetRentDocument(Part):
    """Accelerators that jobs may rent once they have waited."""

    accelerators: Count = Field(description="The most that can be had at a time.")
    after_hours: AtLeast0 = Field(default=1.0, description="Waiting after which a job may rent.")
    usd_per_accelerator_hour: AtLeast0 = Field(description="Price.")
    speed: Positive = Field(default=1.0, description="Speed of a job over that on the first pod.")
    busy_w: AtLeast0 | None = Field(
        default=None,
        description="IT power per rented accelerator at work; the mean of the owned when left out.",
    )


class FleetLevelDocument(Part):
    """A service level: so many percent of the jobs start within a time."""

    job_class: Line | None = Field(default=None, description="Name of a class; all jobs when left out.")
    percentile: Literal[50, 90, 95, 99] = Field(default=95, description="Percent of the jobs.")
    wait_hours: AtLeast0 = Field(default=1.0, description="Longest wait.")


class FleetDocument(Part):
    """A stream of jobs on one or several pods."""

    schema_version: Annotated[Literal[1], BeforeValidator(known_version)] = Field(
        default=1, description="Version of this document."
    )
    name: Line = Field(default="Untitled fleet", description="Name of the fleet.")
    description: Paragraph = Field(default="", description="Purpose.")
    days: Annotated[float, Field(gt=0, le=3660)] = Field(default=28.0, description="Length of the demand.")
    warmup_days: AtLeast0 = Field(default=2.0, description="From the start, that is not counted.")
    seed: Annotated[Whole, Field(ge=0, le=2**31)] = Field(
        default=0, description="The same seed draws the same jobs."
    )
    replications: Annotated[Whole, Field(ge=1, le=100)] = Field(
        default=5, description="Independent runs of each policy; of a trace they differ in failures."
    )
    classes: Annotated[tuple[JobClassDocument, ...], Field(strict=False, max_length=MOST_CLASSES)] = Field(
        default=(), description="Classes of jobs."
    )
    served: Annotated[tuple[FleetServingDocument, ...], Field(strict=False, max_length=MOST_CLASSES)] = Field(
        default=(), description="Served models."
    )
    trace: FleetTraceDocument | None = Field(default=None, description="Recorded jobs, in place of classes.")
    pods: Annotated[tuple[FleetPodDocument, ...], Field(strict=False, min_length=1, max_length=MOST_PODS)] = (
        Field(description="Pods of the fleet.")
    )
    placement: Literal["pooled", "inside", "across"] = Field(
        default="inside",
        description="pooled counts accelerators; inside keeps a job in one SuperNode where it fits; across may spread it.",
    )
    across_slowdown: Annotated[float, Field(ge=1, le=10)] = Field(
        default=1.0, description="Run time of a job over more SuperNodes than it needs, over that inside."
    )
    maintenance: Annotated[tuple[FleetMaintenanceDocument, ...], Field(strict=False, max_length=1000)] = (
        Field(default=(), description="Planned outages.")
    )
    power_share: Annotated[tuple[Share, ...], Field(strict=False, min_length=HOURS, max_length=HOURS)] | None = Field(
        default=None, description="Share of the accelerators that may be in use, by hour of the day."
    )  # fmt: skip
    rented: FleetRentDocument | None = Field(default=None, description="Rented accelerators.")
    checkpoint_interval_hours: Positive = Field(default=1.0, description="Between checkpoints of a job.")
    checkpoint_s: AtLeast0 = Field(default=0.0, description="Time that a checkpoint stops a job.")
    restart_s: AtLeast0 = Field(
        default=0.0, description="From a start after an interruption until the job works."
    )
    resize_s: AtLeast0 = Field(
        default=0.0, description="Time that an elastic job stands still as it grows or shrinks."
    )
    pue: Annotated[float, Field(ge=1, le=5)] | None = Field(default=None, description="PUE of the site.")
    electricity_usd_per_kwh: AtLeast0 | None = Field(default=None, description="Price of electricity.")
    grid_g_per_kwh: AtLeast0 | None = Field(default=None, description="Carbon intensity of the grid.")
    policies: Annotated[tuple[PolicyKey, ...], Field(strict=False, min_length=1, max_length=8)] = Field(
        default=("fifo", "easy", "preemption"), description="Policies to compare; findings are of the last."
    )
    level: FleetLevelDocument = Field(default=FleetLevelDocument(), description="Service level.")
    find: Annotated[tuple[Finding, ...], Field(strict=False, max_length=3)] = Field(
        default=(), description="smallest_fleet, mix of owned and rented, pooling against separate fleets."
    )

    @model_validator(mode="after")
    def _goes_together(self) -> Self:
        if self.trace is None and not (self.classes or self.served):
            raise fault("required", "needs classes, served models or a trace", field="classes")
        if self.trace is not None and (self.classes or self.served):
            raise fault("one_of", "has a trace and classes", hint="keep one", field="trace")
        if self.trace is not None and self.find:
            raise fault("one_of", "sizes a demand by classes, not a trace", hint="leave it out", field="find")
        if self.trace is None and self.warmup_days >= self.days:
            raise fault("below", f"must be below days, which is {self.days:g}", field="warmup_days")
        names = [one.name for one in self.classes] + [one.name for one in self.served]
        for name in names:
            if names.count(name) > 1:
                raise fault("unique", f"has {name} twice", hint="name each class once", field="classes")
        if self.level.job_class is not None and self.trace is None and self.level.job_class not in names:
            message = f"{self.level.job_class} is no class; there are {', '.join(names)}"
            raise fault("unknown_name", message, field="level.job_class")
        if len(set(self.policies)) < len(self.policies):
            raise fault("unique", "has a policy twice", hint="keep one", field="policies")
        jobs = sum(one.jobs_per_hour for one in self.classes) * HOURS * self.days
        if jobs > MOST_JOBS:
            message = f"{jobs:,.0f} jobs are more than {MOST_JOBS:,}"
            raise fault("too_many", message, hint="take fewer days", field="days")
        for one in self.maintenance:
            if one.pod >= len(self.pods):
                raise fault(
                    "range", f"names pod {one.pod}, and the last is {len(self.pods) - 1}", field="maintenance"
                )
        if "mix" in self.find and self.rented is None:
            raise fault("required", "needs rented accelerators", hint="state rented", field="find")
        return self

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON values; what is not stated is left out."""
        return self.model_dump(mode="json", exclude_none=True)

"""A scenario over sizes of its SuperNode: what the same work costs, how fast it is done, and why the curve turns.

SuperNodes of every size are bought with their parts: as many accelerators in all, the best layout at each size. A
served model works at its full rate within the SLO. The cost of the work is

    cost = price of an accelerator-hour x accelerator-hours of the work / ETTR

so that what one size costs over another is the product of three ratios.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from app.catalog.view import CatalogView
from app.charts.format import number, percent, show
from app.engine.evaluation import Evaluation
from app.engine.explore.alike import evaluated_at_once
from app.engine.explore.layout_search import search_layouts
from app.engine.explore.size_layouts import best_layouts
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.space import USUAL
from app.engine.specs import Design, TrainingWorkload
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.supernode import SuperNodeOverride
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind
from app.scenarios.fields import Part, Whole, fault
from app.scenarios.resolve import unchosen_designs
from app.scenarios.resolve.layout import refuse_domain_part
from app.views.table import Column, text_table

USUAL_SIZES = (2, 4, 8, 12, 16, 18, 24, 32, 36, 48, 64, 72, 96, 128, 144, 192, 256, 288, 384, 576, 768, 1152)
SERVING_SIZES = (4, 8, 16, 32, 48, 64, 72, 128, 144, 256, 384, 576)
"""Of a served model, each of which takes some tenths of a second."""
MOST_SIZES, LARGEST = 40, 10_000
FLAT = 0.05
"""Share above the least cost within which sizes count as equally good."""
OF_ONE_SIZE = (
    "nodes", "host_memory_bytes", "scale_out_nics", "max_power_w", "typical_power_w", "racks", "rack_units", "weight_kg", "price_usd",
)  # fmt: skip
"""Fields that hold for a SuperNode of one size alone."""


class SuperNodeSizesOptions(Part):
    """Sizes that are compared."""

    sizes: Annotated[
        tuple[Annotated[Whole, Field(ge=1, le=LARGEST)], ...], Field(strict=False, max_length=MOST_SIZES)
    ] = Field(
        default=(),
        description="Accelerators of one SuperNode, rising; usual sizes from 2 to 1,152, of a served model from 4 to 576, when left out. Its own size is "
        "always among them.",
    )

    @model_validator(mode="after")
    def _rises(self) -> SuperNodeSizesOptions:
        if any(after <= before for before, after in pairwise(self.sizes)):
            raise fault(
                "rising",
                "the list of sizes does not rise",
                hint="state every size once, the smallest first",
                field="sizes",
            )
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeCostRatios:
    """What the work costs at a size over the least cost of all sizes, as a product of three ratios."""

    hardware: float  # price of an accelerator-hour
    speed: float  # accelerator-hours of the work, without failures
    failures: float  # time that failures, checkpoints and repairs add


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeSize:
    """One size; nan where a figure is unknown, and all of them where it cannot be built or run."""

    accelerators: int
    refusal: str  # why it cannot be built, or run; "" where it can
    step_time_s: float
    tokens_per_s_per_accelerator: float
    elapsed_time_s: float
    usd_per_unit: float
    usd_per_accelerator_hour: float
    capex_usd_per_accelerator: float
    rated_power_w_per_accelerator: float
    racks: float
    rack_power_w: float
    switch_tiers: int
    ettr: float
    carbon_kg_per_unit: float
    against_best: SuperNodeCostRatios | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeSizes:
    """Every size, the one at which the work costs least, and those that cost at most 5 % more."""

    name: str
    kind: str
    unit: str  # of work: what usd_per_unit pays for
    accelerators: int
    own: int
    best: int | None
    flat: tuple[int, ...]
    findings: tuple[str, ...]
    sizes: tuple[SuperNodeSize, ...]


UNITS = {"training": "run", "serving": "million output tokens", "generic": "run"}


def is_sized_by_parts(document: ScenarioDocument) -> bool:
    """Whether SuperNodes of other sizes can be bought: of a catalog system or of parts, without what holds for one size."""
    choice = document.supernode
    override = choice.override or SuperNodeOverride()
    stated = any(getattr(override, name) is not None for name in OF_ONE_SIZE)
    custom = choice.custom
    if custom is not None:
        stated = (
            stated
            or custom.parts is None
            or any(getattr(custom, name) is not None for name in OF_ONE_SIZE if name != "nodes")
        )
    return not stated and document.economics.supernode_price_usd is None


def document_of_size(document: ScenarioDocument, size: int, *, bought: int, used: int) -> ScenarioDocument:
    """The scenario with SuperNodes of a size: as many accelerators, found layouts, a fabric that joins them."""
    override = (document.supernode.override or SuperNodeOverride()).model_copy(
        update={"accelerators": size, "scale_up_domain_accelerators": size}
    )
    supernodes = math.ceil(bought / size)
    fabric: dict[str, Any] = {"scalable_unit_supernodes": None}
    if supernodes > 1 and document.pod.fabric.topology == "none":
        fabric["topology"] = type(document.pod.fabric).model_fields["topology"].default
    pod = document.pod.model_copy(
        update={
            "supernodes": supernodes,
            "accelerators_used": "all" if used >= supernodes * size else used,
            "fabric": document.pod.fabric.model_copy(update=fabric),
        }
    )
    update: dict[str, Any] = {  # spares as stated are of one size
        "operations": document.operations.model_copy(update={"spares": "auto"}),
        "supernode": document.supernode.model_copy(update={"override": override}),
        "pod": pod,
    }
    if document.workload.kind == "training":
        update["parallelism"] = "auto"
    if document.workload.kind == "serving":
        update["workload"] = document.workload.model_copy(update={"layout": "auto", "demand": None})
    return document.model_copy(update=update)


def supernode_sizes(
    scenario: EvaluatedScenario, catalog: CatalogView, options: SuperNodeSizesOptions
) -> SuperNodeSizes:
    """The answer of the view.

    Raises
    ------
    ScenarioError : SuperNodes of other sizes cannot be bought, or several kinds or workloads share the pod
    """
    document, design = scenario.document, scenario.resolved.design
    one_kind(design, "A study of SuperNode sizes")
    refuse_domain_part(document.pod, "use whole SuperNodes in a study of their sizes.")
    if not is_sized_by_parts(document):
        raise refuse(
            "This SuperNode is described at one size, so that nothing is known of another.",
            rule="one_size",
            path="supernode",
            value=document.supernode.system or "custom",
            hint="Choose a catalog system without overridden facts, or state supernode.custom.parts.",
        )
    own = int(np.median(design.supernode.accelerators))
    bought = int(np.median(design.pod.supernodes * design.supernode.accelerators))
    used = int(np.median(design.pod.accelerators_used))
    serves = document.workload.kind == "serving"
    sizes = sorted({*(options.sizes or (SERVING_SIZES if serves else USUAL_SIZES)), own})
    if serves:
        bought = used = max(bought, *sizes)  # replicas are alike: a pod that every size fills
    points = _points(document, catalog, [size for size in sizes if size <= max(bought, own)], bought, used)
    return _compared(document, points, own, used)


def _points(
    document: ScenarioDocument, catalog: CatalogView, sizes: Sequence[int], bought: int, used: int
) -> list[SuperNodeSize]:
    """Every size; those that differ in numbers alone are computed at once."""
    points: dict[int, SuperNodeSize] = {}
    resolved: dict[int, tuple[Design, ...]] = {}
    for size in sizes:
        try:
            sized = document_of_size(document, size, bought=bought, used=used)
            resolved[size] = unchosen_designs(sized, catalog)
        except ScenarioError as error:
            points[size] = _refused(size, error.errors[0].message)
    designs = dict(zip(resolved, _with_layouts(list(resolved.values())), strict=True))
    for (size, design), evaluation in zip(
        designs.items(), evaluated_at_once(list(designs.values())), strict=True
    ):
        if evaluation.feasible:
            points[size] = _measured(size, design, evaluation)
            continue
        stops = next(problem.message for problem in evaluation.problems if problem.kind == "infeasible")
        points[size] = _refused(size, stops)
    return [points[size] for size in sizes]


def _with_layouts(sizes: Sequence[Sequence[Design]]) -> list[Design]:
    """The design of each size with its best layout, of those of several frameworks; of a served model as it is found."""
    if not sizes or not isinstance(sizes[0][0].workload, TrainingWorkload):
        return [designs[0] for designs in sizes]
    found = best_layouts(sizes, USUAL)
    return [one or best_of(designs) for one, designs in zip(found, sizes, strict=True)]


def best_of(designs: Sequence[Design]) -> Design:
    """The design of a job that trains with the best of all layouts, of those of several frameworks."""
    search = search_layouts(designs[0], USUAL, designs[1:])
    return next(iter(search.designs_at(search.best(1))), designs[0])


def _refused(size: int, why: str) -> SuperNodeSize:
    unknown: dict[str, Any] = dict.fromkeys(
        (
            "step_time_s", "tokens_per_s_per_accelerator", "elapsed_time_s", "usd_per_unit", "usd_per_accelerator_hour",
            "capex_usd_per_accelerator", "rated_power_w_per_accelerator", "racks", "rack_power_w", "ettr",
            "carbon_kg_per_unit",
        ),
        math.nan,
    )  # fmt: skip
    return SuperNodeSize(accelerators=size, refusal=why, switch_tiers=0, against_best=None, **unknown)


def _measured(size: int, design: Design, evaluation: Evaluation) -> SuperNodeSize:
    sections, supernode = evaluation.sections, design.supernode
    performance, cost, carbon = sections.performance, sections.cost, sections.carbon
    served = isinstance(performance, ServingPerformance)
    racks = _middle(supernode.racks)
    plan = supernode.scale_up
    tiers = 0 if plan is None or plan.structure != "switch_planes" else 1 + (plan.taper is not None)
    bought = _middle(design.pod.supernodes) * size
    rate = performance.tokens_per_s_per_accelerator
    return SuperNodeSize(
        accelerators=size,
        refusal="",
        step_time_s=_middle(performance.step_time_s),
        tokens_per_s_per_accelerator=_middle(rate) if rate is not None else math.nan,
        elapsed_time_s=_middle(performance.elapsed_time_s),
        usd_per_unit=_middle(cost.usd_per_million_output_tokens if served else cost.usd_per_run),
        usd_per_accelerator_hour=_middle(cost.usd_per_accelerator_hour),
        capex_usd_per_accelerator=_middle(cost.capex_usd) / bought,
        rated_power_w_per_accelerator=_middle(supernode.max_power_w) / size,
        racks=racks,
        rack_power_w=_middle(supernode.max_power_w) / racks if racks >= 1 else math.nan,
        switch_tiers=tiers,
        ettr=_middle(sections.reliability.ettr),
        carbon_kg_per_unit=_middle(carbon.kg_per_million_tokens if served else carbon.total_kg),
        against_best=None,
    )


def _middle(value: Any) -> float:
    return math.nan if value is None else float(np.median(value))


def _compared(document: ScenarioDocument, points: list[SuperNodeSize], own: int, used: int) -> SuperNodeSizes:
    """All sizes beside the one of least cost."""
    priced = [point for point in points if not math.isnan(point.usd_per_unit)]
    best = min(priced, key=lambda point: point.usd_per_unit, default=None)
    rows = tuple(points if best is None else (_beside(point, best) for point in points))
    flat = (
        ()
        if best is None
        else tuple(
            point.accelerators for point in priced if point.usd_per_unit <= best.usd_per_unit * (1 + FLAT)
        )
    )
    kind = document.workload.kind
    return SuperNodeSizes(
        name=document.name,
        kind=kind,
        unit=UNITS[kind],
        accelerators=used,
        own=own,
        best=None if best is None else best.accelerators,
        flat=flat,
        findings=_findings(rows, best, own, UNITS[kind]),
        sizes=rows,
    )


def _beside(point: SuperNodeSize, best: SuperNodeSize) -> SuperNodeSize:
    if math.isnan(point.usd_per_unit):
        return point
    hardware = point.usd_per_accelerator_hour / best.usd_per_accelerator_hour
    failures = best.ettr / point.ettr
    if math.isnan(failures):
        failures = 1.0
    speed = point.usd_per_unit / best.usd_per_unit / hardware / failures
    ratios = SuperNodeCostRatios(hardware=hardware, speed=speed, failures=failures)
    return replace(point, against_best=ratios)


CAUSES: tuple[tuple[Callable[[SuperNodeCostRatios], float], str], ...] = (
    (lambda one: one.hardware, "an accelerator-hour costs {}"),
    (lambda one: one.speed, "the work takes {} accelerator-hours"),
    (lambda one: one.failures, "failures and repairs take {} time"),
)


def _findings(
    rows: Sequence[SuperNodeSize], best: SuperNodeSize | None, own: int, unit: str
) -> tuple[str, ...]:
    """What the curve says: the optimum, how flat it is, and what makes smaller and larger SuperNodes dearer."""
    priced = [row for row in rows if row.against_best is not None]
    if best is None or len(priced) < 2:
        return ()
    smaller = [row for row in priced if row.accelerators < best.accelerators]
    larger = [row for row in priced if row.accelerators > best.accelerators]
    found = [_why(row, best, unit) for row in (*smaller[:1], *larger[-1:])]
    steps = [(one, two) for one, two in pairwise(priced) if two.switch_tiers > one.switch_tiers >= 1]
    if steps:
        one, two = steps[0]
        dearer = two.capex_usd_per_accelerator / one.capex_usd_per_accelerator - 1
        found.append(
            f"Beyond {one.accelerators:,} accelerators a second tier of switches joins them: capital cost per accelerator "
            f"changes by {100 * dearer:+.0f} %."
        )
    stopped = next((row for row in rows if row.refusal and row.accelerators > best.accelerators), None)
    if stopped is not None:
        found.append(f"{stopped.accelerators:,}: {stopped.refusal}")
    return tuple(found)


def _why(row: SuperNodeSize, best: SuperNodeSize, unit: str) -> str:
    ratios = row.against_best
    assert ratios is not None
    total = row.usd_per_unit / best.usd_per_unit - 1
    causes = [
        words.format(f"{100 * abs(of(ratios) - 1):.0f} % {'more' if of(ratios) > 1 else 'less'}")
        for of, words in CAUSES
        if abs(of(ratios) - 1) >= 0.005
    ]
    because = f": {', '.join(causes)}" if causes else ""
    return f"At {row.accelerators:,} accelerators a {unit} costs {100 * total:.0f} % more than at {best.accelerators:,}{because}."


def _shown(unit: str) -> Callable[[float], str]:
    return lambda value: "unknown" if math.isnan(value) else show(value, unit).text


COLUMNS = (
    Column("accelerators", "accelerators", number, 14),
    Column("step", "step_time_s", _shown("s"), 10),
    Column("cost", "usd_per_unit", _shown("USD"), 16),
    Column("capital each", "capex_usd_per_accelerator", _shown("USD"), 16),
    Column("rated each", "rated_power_w_per_accelerator", _shown("W"), 12),
    Column("tiers", "switch_tiers", number, 7),
    Column("racks", "racks", _shown("1"), 8),
    Column("ETTR", "ettr", lambda value: "unknown" if math.isnan(value) else percent(value).text, 10),
    Column("  ", "refusal", width=-1),
)


def sizes_text(answer: SuperNodeSizes) -> str:
    """A row a size, and what the curve says."""
    flat = (
        f"; at most {FLAT:.0%} more at {', '.join(f'{size:,}' for size in answer.flat)}"
        if len(answer.flat) > 1
        else ""
    )
    least = (
        "" if answer.best is None else f"A {answer.unit} costs least at {answer.best:,} accelerators{flat}."
    )
    lines = [f"{answer.name}: {answer.accelerators:,} accelerators in SuperNodes of each size", ""]
    return "\n".join([*lines, *text_table(COLUMNS, answer.sizes), "", least, *answer.findings]).rstrip()

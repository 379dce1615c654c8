"""A scenario over sizes of its SuperNode: what the same work costs, how fast it is done, and why the curve turns.

SuperNodes of every size are bought with their parts: as many accelerators in all, the best layout at each size. A
served model works at its full rate within the SLO. The cost of the work is

    cost = price of an accelerator-hour x accelerator-hours of the work / ETTR

so that what one size costs over another is the product of three ratios.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from app.catalog.view import CatalogView
from app.charts.format import number, percent, show
from app.engine.evaluation import Evaluation
from app.engine.explore.alike import evaluated_at_once
from app.engine.explore.domain_sizes import exposed_exchange_s
from app.engine.explore.size_layouts import best_layouts
from app.engine.fabric.scale_up.network import is_upper
from app.engine.fabric.scale_up.section import STRUCTURES
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.space import USUAL
from app.engine.specs import Design, SuperNode, TrainingWorkload
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.bounds import TokenCostBounds
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind
from app.scenarios.fields import Part, Whole, fault
from app.scenarios.resolve import MadeOnce, unchosen_designs
from app.scenarios.resolve.layout import refuse_domain_part
from app.views.fabric.sized_document import document_of_size, documents_of_systems, is_sized_by_parts
from app.views.fabric.supernode import MEDIA
from app.views.table import Column, text_table

USUAL_SIZES = (2, 4, 8, 12, 16, 18, 24, 32, 36, 48, 64, 72, 96, 128, 144, 192, 256, 288, 384, 576, 768, 1152)
SERVING_SIZES = (4, 8, 16, 32, 48, 64, 72, 128, 144, 256, 384, 576)
"""Of a served model, each of which takes some tenths of a second."""
MOST_SIZES, LARGEST = 40, 10_000
FLAT = 0.05
"""Share above the least cost within which sizes count as equally good."""


class SuperNodeSizesOptions(Part):
    """Sizes that are compared."""

    sizes: Annotated[
        tuple[Annotated[Whole, Field(ge=1, le=LARGEST)], ...], Field(strict=False, max_length=MOST_SIZES)
    ] = Field(
        default=(),
        description="Accelerators of one SuperNode, rising; usual sizes from 2 to 1,152, of a served model from 4 to 576, when left out. Its own size is "
        "always among them.",
    )
    systems: bool = Field(
        default=False,
        description="Whether catalog systems of the same generation of accelerators are shown next to the sizes, as they are sold.",
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
    """One size; nan where a figure is unknown, and all where it cannot be built or run."""

    accelerators: int
    refusal: str  # why it cannot be built, or run; "" where it can
    step_time_s: float
    tokens_per_s_per_accelerator: float
    exposed_exchange_s: float  # of a step, that nothing hides
    elapsed_time_s: float
    speed_at_equal_accelerators: float  # work in a time over that of the design; of a served model, tokens
    speed_at_equal_capex: float  # the same, of what the capital of the design buys, in proportion
    usd_per_unit: float
    usd_per_unit_low: float  # 80 % of comparable runs between these; they move all sizes alike
    usd_per_unit_high: float
    usd_per_accelerator_hour: float
    capex_usd_per_accelerator: float
    rated_power_w_per_accelerator: float
    racks: float
    rack_power_w: float
    switch_tiers: int
    medium: str  # of scale-up links that leave a rack; "" where none does
    ettr: float
    carbon_kg_per_unit: float
    against_best: SuperNodeCostRatios | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeSystem:
    """A catalog system of the same generation, as it is sold, with the same work."""

    key: str
    name: str
    has_price: bool  # of its own in the catalog; else it costs what its accelerators say
    size: SuperNodeSize


@dataclass(frozen=True, slots=True, kw_only=True)
class SuperNodeSizes:
    """Every size, the one at which the work costs least, and those that cost at most 5 % more."""

    name: str
    kind: str
    unit: str  # of work: what usd_per_unit pays for
    accelerators: int
    own: int
    usd_per_unit_as_designed: float  # with its own layout and all of its SuperNodes; nan of a served model
    best: int | None
    flat: tuple[int, ...]
    findings: tuple[str, ...]
    sizes: tuple[SuperNodeSize, ...]
    systems: tuple[SuperNodeSystem, ...] = ()


UNITS = {"training": "run", "serving": "million output tokens", "generic": "run"}


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
        bought = used = max(bought, *sizes)
    working = None if serves else used  # replicas are alike: all of the whole SuperNodes of each size
    points = _points(document, catalog, [size for size in sizes if size <= max(bought, own)], bought, working)
    points = _beside_the_design(scenario, points, own)
    cost = scenario.evaluation.sections.cost
    as_designed = math.nan if serves else _middle(getattr(cost, "usd_per_run", None))
    answer = _compared(document, points, own, used, as_designed)
    return (
        replace(answer, systems=_systems(scenario, catalog, bought, working)) if options.systems else answer
    )


def _beside_the_design(
    scenario: EvaluatedScenario, points: Sequence[SuperNodeSize], own: int
) -> list[SuperNodeSize]:
    """Sizes with the interval of the design's cost, and with the time that its capital buys at each."""
    design = next((one for one in points if one.accelerators == own), None)
    cost, bounds = scenario.evaluation.sections.cost, scenario.intervals.cost
    name = "usd_per_million_tokens" if isinstance(bounds, TokenCostBounds) else "usd_per_run"
    interval, value = getattr(bounds, name), _middle(getattr(cost, name))
    low, high = (math.nan if one is None else one / value for one in (interval.low, interval.high))
    capex = math.nan if design is None else design.capex_usd_per_accelerator
    speed = math.nan if design is None else _speed(design)
    return [
        replace(
            one,
            usd_per_unit_low=one.usd_per_unit * low,
            usd_per_unit_high=one.usd_per_unit * high,
            speed_at_equal_accelerators=_speed(one) / speed,
            speed_at_equal_capex=_speed(one) / speed * capex / one.capex_usd_per_accelerator,
        )
        for one in points
    ]


def _speed(one: SuperNodeSize) -> float:
    """Work in a time: of a job with its failures, of a served model its tokens."""
    return one.tokens_per_s_per_accelerator if math.isnan(one.elapsed_time_s) else 1 / one.elapsed_time_s


def _systems(
    scenario: EvaluatedScenario, catalog: CatalogView, bought: int, used: int | None
) -> tuple[SuperNodeSystem, ...]:
    found = []
    own = scenario.resolved.design.supernode.accelerator.key
    for system, sized in documents_of_systems(scenario.document, catalog, own, bought=bought, used=used):
        size = round(system.facts["accelerators"].value)
        (point,) = _of_documents({size: sized}, catalog)
        priced = catalog.price(system.key) is not None
        found.append(SuperNodeSystem(key=system.key, name=system.name, has_price=priced, size=point))
    return tuple(found)


def _points(
    document: ScenarioDocument, catalog: CatalogView, sizes: Sequence[int], bought: int, used: int | None
) -> list[SuperNodeSize]:
    """Every size; those that differ in numbers alone are computed at once."""
    sized = {size: document_of_size(document, size, bought=bought, used=used) for size in sizes}
    return _of_documents(sized, catalog)


def _of_documents(documents: Mapping[int, ScenarioDocument], catalog: CatalogView) -> list[SuperNodeSize]:
    points: dict[int, SuperNodeSize] = {}
    resolved: dict[int, tuple[Design, ...]] = {}
    made: MadeOnce = {}
    for size, document in documents.items():
        try:
            resolved[size] = unchosen_designs(document, catalog, made)
        except ScenarioError as error:
            points[size] = _refused(size, error.errors[0].message)
    known: dict[int, Hashable] = {}  # by identity, of records that `resolved` and `designs` keep
    designs = dict(zip(resolved, _with_layouts(list(resolved.values()), known), strict=True))
    evaluations = evaluated_at_once(list(designs.values()), known)
    for (size, design), evaluation in zip(designs.items(), evaluations, strict=True):
        if evaluation.feasible:
            points[size] = _measured(size, design, evaluation)
            continue
        stops = next(problem.message for problem in evaluation.problems if problem.kind == "infeasible")
        points[size] = _refused(size, stops)
    return [points[size] for size in documents]


def _with_layouts(sizes: Sequence[Sequence[Design]], known: dict[int, Hashable]) -> list[Design]:
    """The design of each size with its best layout, of those of several frameworks; of a served model as it is found."""
    if not sizes or not isinstance(sizes[0][0].workload, TrainingWorkload):
        return [designs[0] for designs in sizes]
    return best_layouts(sizes, USUAL, known)


def _refused(size: int, why: str) -> SuperNodeSize:
    unknown: dict[str, Any] = dict.fromkeys(
        (
            "step_time_s", "tokens_per_s_per_accelerator", "exposed_exchange_s", "elapsed_time_s",
            "speed_at_equal_accelerators", "speed_at_equal_capex", "usd_per_unit", "usd_per_unit_low", "usd_per_unit_high", "usd_per_accelerator_hour",
            "capex_usd_per_accelerator", "rated_power_w_per_accelerator", "racks", "rack_power_w", "ettr",
            "carbon_kg_per_unit",
        ),
        math.nan,
    )  # fmt: skip
    return SuperNodeSize(
        accelerators=size, refusal=why, switch_tiers=0, medium="", against_best=None, **unknown
    )


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
        exposed_exchange_s=exposed_exchange_s(performance),
        elapsed_time_s=_middle(performance.elapsed_time_s),
        speed_at_equal_accelerators=math.nan,
        speed_at_equal_capex=math.nan,
        usd_per_unit=_middle(cost.usd_per_million_tokens if served else cost.usd_per_run),
        usd_per_unit_low=math.nan,
        usd_per_unit_high=math.nan,
        usd_per_accelerator_hour=_middle(cost.usd_per_accelerator_hour),
        capex_usd_per_accelerator=_middle(cost.capex_usd) / bought,
        rated_power_w_per_accelerator=_middle(supernode.max_power_w) / size,
        racks=racks,
        rack_power_w=_middle(supernode.max_power_w) / racks if racks >= 1 else math.nan,
        switch_tiers=tiers,
        medium=_medium_of(supernode),
        ettr=_middle(sections.reliability.ettr),
        carbon_kg_per_unit=_middle(carbon.kg_per_million_tokens if served else carbon.total_kg),
        against_best=None,
    )


def _medium_of(supernode: SuperNode) -> str:
    """What links between racks run over; "" where all stay in one."""
    plan = supernode.scale_up
    if plan is None or not plan.media:
        return ""
    near, far = plan.media
    shape = STRUCTURES[plan.structure](plan, supernode.scale_up_domain_accelerators)
    if any(is_upper(layer) for layer in shape.layers):
        return far.name
    return "" if near.name == "copper" else near.name


def _middle(value: Any) -> float:
    return math.nan if value is None else float(np.median(value))


def _compared(
    document: ScenarioDocument, points: list[SuperNodeSize], own: int, used: int, as_designed: float
) -> SuperNodeSizes:
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
        usd_per_unit_as_designed=as_designed,
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
    """Conclusion from the curve: the optimum, how flat it is, and what makes smaller and larger SuperNodes
    dearer."""
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
    found += _turns(priced, best)
    stopped = next((row for row in rows if row.refusal and row.accelerators > best.accelerators), None)
    if stopped is not None:
        found.append(f"{stopped.accelerators:,}: {stopped.refusal}")
    return tuple(found)


def _turns(priced: Sequence[SuperNodeSize], best: SuperNodeSize) -> list[str]:
    """What sizes gain and lose: exchange that nothing hides, the reach of copper, failures, the power of a rack."""
    found = []
    first, last = priced[0], priced[-1]
    if first.exposed_exchange_s - last.exposed_exchange_s > 0.005 * first.step_time_s:
        found.append(
            f"Exchange that nothing hides takes {percent(first.exposed_exchange_s / first.step_time_s).text} of a step at "
            f"{first.accelerators:,} accelerators, {percent(best.exposed_exchange_s / best.step_time_s).text} at "
            f"{best.accelerators:,} and {percent(last.exposed_exchange_s / last.step_time_s).text} at {last.accelerators:,}."
        )
    for one, two in pairwise(priced):
        if one.medium != two.medium and two.medium:
            dearer = two.capex_usd_per_accelerator / one.capex_usd_per_accelerator - 1
            began = f"go over {MEDIA[two.medium]}" + (
                f" in place of {MEDIA[one.medium]}" if one.medium else ""
            )
            found.append(
                f"At {two.accelerators:,} accelerators links between racks {began}: capital cost per accelerator changes by "
                f"{100 * dearer:+.0f} % over {one.accelerators:,}."
            )
    if abs(last.ettr - first.ettr) > 0.002:
        found.append(
            f"ETTR goes from {percent(first.ettr).text} at {first.accelerators:,} accelerators to {percent(last.ettr).text} at "
            f"{last.accelerators:,}."
        )
    fullest = max(priced, key=lambda one: -1.0 if math.isnan(one.rack_power_w) else one.rack_power_w)
    if not math.isnan(fullest.rack_power_w):
        found.append(
            f"The mean of its racks is highest at {fullest.accelerators:,} accelerators: {show(fullest.rack_power_w, 'W').text}."
        )
    return found


def _why(row: SuperNodeSize, best: SuperNodeSize, unit: str) -> str:
    ratios = row.against_best
    assert ratios is not None
    total = row.usd_per_unit / best.usd_per_unit - 1
    causes = [
        words.format(f"{100 * abs(of(ratios) - 1):.0f} % {'more' if of(ratios) > 1 else 'less'}")
        for of, words in CAUSES
        if abs(of(ratios) - 1) >= 0.005
    ]
    because = (
        f": {', '.join(causes)}".replace("less accelerator-hours", "fewer accelerator-hours")
        if causes
        else ""
    )
    return f"At {row.accelerators:,} accelerators a {unit} costs {100 * total:.0f} % more than at {best.accelerators:,}{because}."


def _shown(unit: str) -> Callable[[float], str]:
    return lambda value: "unknown" if math.isnan(value) else show(value, unit).text


def _ratio(value: float) -> str:
    return "unknown" if math.isnan(value) else f"{value:.2f}"


COLUMNS = (
    Column("accelerators", "accelerators", number, 14),
    Column("step", "step_time_s", _shown("s"), 10),
    Column("cost", "usd_per_unit", _shown("USD"), 16),
    Column("capital each", "capex_usd_per_accelerator", _shown("USD"), 16),
    Column("rated each", "rated_power_w_per_accelerator", _shown("W"), 12),
    Column("tiers", "switch_tiers", number, 7),
    Column("medium", "medium", lambda name: MEDIA.get(name, "none"), 24),
    Column("speed", "speed_at_equal_accelerators", _ratio, 8),
    Column("at equal capital", "speed_at_equal_capex", _ratio, 18),
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
    usd = _shown("USD")
    beside = [
        f"{one.name}: {one.size.refusal or usd(one.size.usd_per_unit) + ' a ' + answer.unit}{'' if one.has_price or math.isnan(one.size.usd_per_unit) else ', by the price of its accelerators'}"
        for one in answer.systems
    ]
    return "\n".join(
        [*lines, *text_table(COLUMNS, answer.sizes), "", least, *answer.findings, *beside]
    ).rstrip()

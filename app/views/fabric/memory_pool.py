"""A memory pool of a SuperNode: who reaches it and how fast, what it costs, and what the work gains by it.

The same design is evaluated three times: with nothing beyond the accelerators' own memory, with the memory of each one's
own host, and with the pool. The first two are bought without it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from pydantic import Field

from app.catalog.view import CatalogView
from app.charts.format import percent, show
from app.engine.performance.memory_tiers import POOL, TIERS
from app.engine.performance.serving.kv_cache import cache_tier
from app.engine.performance.serving.section import ServingPerformance
from app.engine.specs import HOST_MEMORY, Design, SuperNode
from app.scenarios.document.pod import ParallelismDocument
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.serving_requests import RequestsDocument
from app.scenarios.document.supernode import MemoryPoolDocument
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind
from app.scenarios.fields import Part, Positive
from app.views.fabric.supernode_sizes import UNITS
from app.views.table import Column, text_table
from app.views.view import Resources

OWN, HOST = "accelerator", "host"
TITLES = {OWN: "Own memory alone", HOST: "Memory of its host", TIERS[POOL]: "Memory pool"}
TECHNOLOGIES = {
    HOST_MEMORY: "memory of all hosts over the scale-up links",
    "cxl": "modules of its own behind CXL",
}
ACCESS = {
    "load_store": "instructions of an accelerator load and store there",
    "dma": "engines copy from and to it",
    "": "not published",
}


class MemoryPoolOptions(Part):
    """The pool that is compared where the scenario has none."""

    technology: Literal["host_memory", "cxl"] | None = Field(
        default=None, description="What the pool is made of, where the scenario states none."
    )
    bytes_per_accelerator: Positive | None = Field(
        default=None, description="Size of the pool for each accelerator, where the scenario states none."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPoolChoice:
    """The work with one choice of where keys and values, or the states of a job, lie; nan where it has no such figure."""

    name: str  # accelerator | host | pool
    title: str
    refusal: str  # why it cannot run; "" where it can
    context_hit_share: float  # of sessions: turns after the first that find their context
    prefix_hit_share: float  # tokens of prompts that are found in the prefix cache
    ttft_s: float
    step_time_s: float
    tokens_per_s_per_accelerator: float
    usd_per_unit: float
    capex_usd_per_accelerator: float
    rated_power_w_per_accelerator: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPoolAnswer:
    """A pool, and the work without and with it; nan where a figure is not published."""

    name: str
    unit: str  # of work: what usd_per_unit pays for
    technology: str
    scale_up: str
    memory_access: str  # of the scale-up links: load_store | dma | "" where it is not published
    memory_access_source: str
    bytes_per_accelerator: float
    bytes: float  # of the whole SuperNode
    bandwidth_bytes_per_s: float  # of one accelerator to it, one way, as the slowest part of the way allows
    latency_s: float
    in_flight_bytes: float  # that have to be on their way for that bandwidth
    choices: tuple[MemoryPoolChoice, ...]
    findings: tuple[str, ...]


def memory_pool(
    scenario: EvaluatedScenario, given: Resources, options: MemoryPoolOptions
) -> MemoryPoolAnswer:
    """The answer of the view.

    Raises
    ------
    ScenarioError : no pool is stated, or nothing of the work can lie in one
    """
    document = scenario.document
    one_kind(scenario.resolved.design, "A comparison with a memory pool")
    pool = document.supernode.memory_pool or _asked(options)
    pooled = given.evaluated(_with(document, TIERS[POOL], pool))
    design = pooled.resolved.design
    choices = tuple(
        _choice(name, pooled if name == TIERS[POOL] else None, document, given) for name in TITLES
    )
    spec, supernode = design.supernode.pool, design.supernode
    assert spec is not None
    tier = cache_tier(TIERS[POOL], supernode, design.assumptions.rooms["performance"])
    assert tier is not None
    bandwidth = min(float(tier.link_bytes_per_s[0]), float(tier.medium_bytes_per_s[0]))
    facts = _facts(supernode, given.catalog)
    latency, size = float(spec.latency_s[0]), float(spec.capacity_bytes[0])
    return MemoryPoolAnswer(
        name=document.name,
        unit=UNITS[document.workload.kind],
        technology=spec.technology,
        scale_up="" if supernode.scale_up is None else supernode.scale_up.name,
        memory_access=facts.get("memory_access", ""),
        memory_access_source=facts.get("memory_access_source", ""),
        bytes_per_accelerator=size,
        bytes=size * float(supernode.accelerators[0]),
        bandwidth_bytes_per_s=bandwidth,
        latency_s=latency,
        in_flight_bytes=latency * bandwidth,
        choices=choices,
        findings=_findings(choices, UNITS[document.workload.kind]),
    )


def _asked(options: MemoryPoolOptions) -> MemoryPoolDocument:
    if options.technology is None or options.bytes_per_accelerator is None:
        raise refuse(
            "This SuperNode has no memory pool, and none is asked about.",
            rule="missing",
            path="supernode.memory_pool",
            value=None,
            hint="State supernode.memory_pool, or technology and bytes_per_accelerator of the pool to compare with.",
        )
    return MemoryPoolDocument(
        technology=options.technology, bytes_per_accelerator=options.bytes_per_accelerator
    )


def _with(document: ScenarioDocument, place: str, pool: MemoryPoolDocument | None) -> ScenarioDocument:
    """The scenario with what may lie elsewhere in one place, and with or without a pool.

    Raises
    ------
    ScenarioError : nothing of the work can lie elsewhere
    """
    workload: Any = document.workload
    changed: dict[str, Any] = {
        "supernode": document.supernode.model_copy(update={"memory_pool": pool}),
    }
    if workload.kind == "serving" and _has_cache(workload.requests):
        requests = workload.requests.model_copy(update={"cache_tier": place})
        changed["workload"] = workload.model_copy(update={"requests": requests})
        return document.model_copy(update=changed)
    layout = document.parallelism
    if workload.kind == "training" and isinstance(layout, ParallelismDocument) and layout.offload != "none":
        stated = {"offload": "none"} if place == OWN else {"offload_to": place}
        changed["parallelism"] = layout.model_copy(update=stated)
        return document.model_copy(update=changed)
    raise refuse(
        "Nothing of this work lies beyond the memory of the accelerators, so that a pool would stay empty.",
        rule="nothing_pooled",
        path="workload.requests" if workload.kind == "serving" else "parallelism.offload",
        value=None,
        hint="State sessions or a cached_share of a served model, or parallelism.offload of a training job.",
    )


def _has_cache(requests: Any) -> bool:
    return not isinstance(requests, RequestsDocument) or requests.cached_share > 0


def _choice(
    name: str, pooled: EvaluatedScenario | None, document: ScenarioDocument, given: Resources
) -> MemoryPoolChoice:
    try:
        found = pooled or given.evaluated(_with(document, name, None))
    except ScenarioError as error:
        return _measured(name, None, error.errors[0].message)
    stops = [one.message for one in found.evaluation.problems if one.kind == "infeasible"]
    return _measured(name, None if stops else found, stops[0] if stops else "")


def _measured(name: str, found: EvaluatedScenario | None, refusal: str) -> MemoryPoolChoice:
    figures = dict.fromkeys(
        (
            "context_hit_share", "prefix_hit_share", "ttft_s", "step_time_s", "tokens_per_s_per_accelerator",
            "usd_per_unit", "capex_usd_per_accelerator", "rated_power_w_per_accelerator",
        ),
        math.nan,
    )  # fmt: skip
    if found is not None:
        design: Design = found.resolved.design
        sections = found.evaluation.sections
        performance, cost = sections.performance, sections.cost
        size = float(np.median(design.supernode.accelerators))
        bought = float(np.median(design.pod.supernodes)) * size
        figures |= {
            "step_time_s": _middle(performance.step_time_s),
            "tokens_per_s_per_accelerator": _middle(performance.tokens_per_s_per_accelerator),
            "usd_per_unit": _middle(
                cost.usd_per_million_tokens
                if isinstance(performance, ServingPerformance)
                else cost.usd_per_run
            ),
            "capex_usd_per_accelerator": _middle(cost.capex_usd) / bought,
            "rated_power_w_per_accelerator": _middle(design.supernode.max_power_w) / size,
        }
        if isinstance(performance, ServingPerformance):
            figures |= {
                "context_hit_share": _middle(performance.context_hit_share),
                "prefix_hit_share": _middle(performance.prefix_hit_share),
                "ttft_s": _middle(performance.ttft_s),
            }
    return MemoryPoolChoice(name=name, title=TITLES[name], refusal=refusal, **figures)


def _middle(value: Any) -> float:
    return math.nan if value is None else float(np.median(value))


def _facts(supernode: SuperNode, catalog: CatalogView) -> dict[str, str]:
    plan = supernode.scale_up
    if plan is None or plan.key not in catalog.keys("scale_up_fabrics"):
        return {}
    return {name: str(value) for name, value in catalog.part("scale_up_fabrics", plan.key).attributes.items()}


def _findings(choices: tuple[MemoryPoolChoice, ...], unit: str) -> tuple[str, ...]:
    """What the pool changes over each other choice."""
    *others, pool = choices
    if pool.refusal:
        return (f"With the pool: {pool.refusal}",)
    found = []
    for other in others:
        if other.refusal or math.isnan(other.usd_per_unit + pool.usd_per_unit):
            continue
        dearer = pool.usd_per_unit / other.usd_per_unit - 1
        parts = [f"a {unit} costs {100 * abs(dearer):.3g} % {'more' if dearer > 0 else 'less'}"]
        money = pool.capex_usd_per_accelerator - other.capex_usd_per_accelerator
        watts = pool.rated_power_w_per_accelerator - other.rated_power_w_per_accelerator
        if money > 0.5 or watts > 0.5:
            parts.append(f"an accelerator takes {show(money, 'USD').text} and {show(watts, 'W').text} more")
        if not math.isnan(pool.context_hit_share + other.context_hit_share):
            parts.append(
                f"{percent(pool.context_hit_share).text} of later turns find their context in place of "
                f"{percent(other.context_hit_share).text}"
            )
        found.append(f"Over {other.title[0].lower()}{other.title[1:]}: {'; '.join(parts)}.")
    return tuple(found)


def _shown(unit: str):  # type: ignore[no-untyped-def]
    return lambda value: "unknown" if math.isnan(value) else show(value, unit).text


def _share(value: float) -> str:
    return "" if math.isnan(value) else percent(value).text


COLUMNS = (
    Column("where", "title", width=-20),
    Column("context found", "context_hit_share", _share, 15),
    Column("prompts found", "prefix_hit_share", _share, 15),
    Column("first token", "ttft_s", lambda value: "" if math.isnan(value) else show(value, "s").text, 13),
    Column("step", "step_time_s", _shown("s"), 10),
    Column("cost", "usd_per_unit", _shown("USD"), 16),
    Column("capital each", "capex_usd_per_accelerator", _shown("USD"), 16),
    Column("rated each", "rated_power_w_per_accelerator", _shown("W"), 12),
    Column("  ", "refusal", width=-1),
)


def memory_pool_text(answer: MemoryPoolAnswer) -> str:
    """A row a choice, and what the pool is and changes."""
    return "\n".join(
        [
            f"{answer.name}: {show(answer.bytes, 'B').text} of memory in a pool, {TECHNOLOGIES[answer.technology]}",
            (
                f"An accelerator reaches it at {show(answer.bandwidth_bytes_per_s, 'B/s').text} after "
                f"{show(answer.latency_s, 's').text}, with {show(answer.in_flight_bytes, 'B').text} on the way"
            ),
            f"Memory of others over {answer.scale_up or 'no scale-up network'}: {ACCESS[answer.memory_access]}",
            "",
            *text_table(COLUMNS, answer.choices),
            "",
            *answer.findings,
        ]
    ).rstrip()

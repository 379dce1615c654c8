"""A scenario that serves a model, as its detailed views compute with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.explain import missing_inputs
from app.engine.mixed import all_kinds
from app.engine.performance.search import central
from app.engine.performance.serving.replica_load import Replica, request_limit_of
from app.engine.performance.serving.replica_memory import (
    places_of,
    replica_of,
    setting_found,
)
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import Setting
from app.engine.specs import Design, ServingLayout, ServingWorkload, SuperNode
from app.engine.trace import Array, first_of, plain
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_kind, one_workload

ONE_KIND = ("", "")


def layout_words(layout: ServingLayout, on: str = "") -> str:
    """Degrees that are not 1: `TP 8`, `DP 48, EP 48`; and the kind of SuperNode in a mixed pod: `TP 8 on DGX H100`."""
    degrees = {
        "TP": layout.tensor_parallel,
        "DP": layout.data_parallel,
        "PP": layout.pipeline_parallel,
        "CP": layout.context_parallel,
        "EP": layout.expert_parallel,
    }
    shown = [f"{name} {first_of(value):,.0f}" for name, value in degrees.items() if first_of(value) != 1]
    return (", ".join(shown) or "one accelerator") + (f" on {on}" if on else "")


def replica_words(replica: Replica, on: tuple[str, str] = ONE_KIND) -> str:
    """Of one replica: its layout, or the instances of its group with theirs.

    `on` are the kinds of SuperNode that decode and that prefill, of a mixed pod.
    """
    if replica.prefill is None or replica.prefill_instances is None:
        return layout_words(replica.decode, on[0])
    return (
        f"{first_of(replica.prefill_instances):,.0f} prefill ({layout_words(replica.prefill, on[1])}) and "
        f"{first_of(replica.decode_instances):,.0f} decode ({layout_words(replica.decode, on[0])})"
    )


def counted_words(replicas: float, replica: Replica, on: tuple[str, str] = ONE_KIND) -> str:
    """How the accelerators of some replicas come about: `40 GPUs = 5 replicas of TP 8`, in our words.

    The accelerators are those of whole replicas.
    """
    accelerators = replicas * first_of(replica.accelerators)
    plural = "replica" if replicas == 1 else "replicas"
    many = "accelerator" if accelerators == 1 else "accelerators"
    return f"{accelerators:,.0f} {many} = {replicas:,.0f} {plural} of {replica_words(replica, on)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A design that serves, and what its evaluation found; bare numbers, the median of samples."""

    name: str
    setting: Setting
    supernode: SuperNode
    design: Design
    performance: ServingPerformance
    replica: Replica  # the layout that was stated or found
    limit: Array  # sequences that one decode instance holds; 0 where a replica cannot serve even one
    replicas: float
    size: float  # accelerators of a replica
    on: tuple[str, str] = ONE_KIND  # kinds of SuperNode that decode and prefill, of a mixed pod


LATENCIES = ("ttft_s", "tpot_s", "requests_per_s", "batch_limit")
"""Figures without which there is nothing to show of a load."""


def served(
    scenario: EvaluatedScenario, purpose: str, needs: tuple[str, ...] = LATENCIES, *, mixed: bool = False
) -> Served:
    """The served model of a scenario; `needs` are figures of its performance that must be known.

    `mixed` says that the view is of pods with several kinds of SuperNode too.

    Raises
    ------
    ScenarioError : it serves none, on several kinds of SuperNode, or an input that it needs is unknown; `purpose`
        ("Latency vs load") begins the message
    """
    design, sections = scenario.resolved.design, scenario.evaluation.sections
    workload, performance = design.workload, sections.performance
    if not isinstance(workload, ServingWorkload) or not isinstance(performance, ServingPerformance):
        raise refuse(
            f"{purpose} is of models that answer requests, and this workload is a job that runs and ends.",
            rule="workload_kind",
            path="workload.kind",
            value=scenario.document.workload.kind,
            hint="Use a scenario of kind serving, such as the example deepseek_r1_on_8_h200.",
        )
    if workload.requests.pooled:
        raise refuse(
            f"{purpose} is of answers, and prompts of this workload are not answered.",
            rule="workload_kind",
            path="workload.requests.output_tokens",
            value=0,
            hint="The evaluation has its time, rate, memory and cost; state answers of a token or more to see this.",
        )
    (one_workload if mixed else one_kind)(design, purpose)
    refuse_unknown(scenario, purpose, needs)
    replica, kinds = replica_of(performance), all_kinds(design)
    setting: Setting = central(setting_found(design, kinds, sections.fabric, performance))
    return Served(
        name=scenario.document.name,
        setting=setting,
        supernode=central(kinds[setting.on or 0].supernode if kinds else design.supernode),
        design=design,
        performance=performance,
        replica=replica,
        limit=request_limit_of(setting, replica),
        replicas=middle(performance.replicas),
        size=middle(performance.accelerators_per_replica),
        on=on_words(design, performance),
    )


def on_words(design: Design, performance: ServingPerformance) -> tuple[str, str]:
    """Kinds of SuperNode that decode and that prefill in a mixed pod, by name."""
    kinds, places = all_kinds(design), places_of(performance)
    if performance.accelerators_per_replica_by_kind is None:
        return ONE_KIND
    return kinds[places[0]].supernode.name, kinds[places[-1]].supernode.name


def refuse_unknown(
    scenario: EvaluatedScenario, purpose: str, needs: tuple[str, ...] = LATENCIES, path: str = ""
) -> None:
    """Nothing where all of these figures are known.

    Raises
    ------
    ScenarioError : one is not; unpublished inputs are named. `path` is the option it is about, the
        field of the first where it is left out
    """
    performance = scenario.evaluation.sections.performance
    hidden = [f"performance.{name}" for name in needs if np.isnan(middle(getattr(performance, name)))]
    if not hidden:
        return
    missing = [
        (origin.label, origin.field or "")
        for origin, affects in missing_inputs(scenario.figures).values()
        if set(hidden) & set(affects)
    ]
    names = "; ".join(f"{label} ({field})" if field else label for label, field in missing)
    raise refuse(
        f"{purpose} is unknown, not published: {names or 'an input of it'}.",
        rule="unknown_input",
        path=path or next((field for _, field in missing if field), "supernode"),
        value=None,
        hint="State it in the scenario, or choose other hardware.",
    )


def middle(value: Array) -> float:
    """The median of the samples of a figure."""
    return float(np.median(plain(value)))


def promised(value: Array) -> float | None:
    """An SLO; None where there is none."""
    found = first_of(value)
    return None if np.isnan(found) else found

"""Rows of a search of a served model as an answer lists them, and the scenario itself as such a row."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.engine.explore.serving_search import ServingChoice
from app.engine.performance.serving.search.tried import Rows
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import AGGREGATED, DISAGGREGATED
from app.engine.performance.serving.slo import pod_ttft_s
from app.engine.specs import ServingWorkload
from app.engine.trace import Array, count_of, first_of, plain
from app.scenarios.document.serving_layout import KINDS
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.searching.serving_answer import ServingOption

SHORT = {
    "tensor_parallel": "tp",
    "data_parallel": "dp",
    "pipeline_parallel": "pp",
    "expert_parallel": "ep",
    "redundant_experts": "redundant_experts",
}
FIGURES = (
    "concurrency",
    "batch",
    "batch_limit",
    "ttft_s",
    "tpot_s",
    "ttft_within_s",
    "tpot_within_s",
    "requests_per_s",
    "tokens_per_s",
    "tokens_per_s_per_user",
    "tokens_per_s_per_accelerator",
    "memory_per_accelerator_bytes",
)
"""What rows and evaluations have by the same name."""


def options_at(choice: ServingChoice, rows: Rows) -> tuple[ServingOption, ...]:
    """Some rows of a search, in their order."""
    on_front = set(choice.front.tolist())
    return tuple(_option(choice, int(row), int(row) in on_front) for row in rows)


def stated_option(scenario: EvaluatedScenario) -> ServingOption:
    """The scenario with the layout and load that its evaluation has."""
    sections, workload = scenario.evaluation.sections, scenario.resolved.design.workload
    performance = sections.performance
    assert isinstance(performance, ServingPerformance)
    assert isinstance(workload, ServingWorkload)
    level = workload.level
    promised_ttft = first_of(pod_ttft_s(workload))
    over = np.fmax(
        _value(performance.ttft_within_s) / promised_ttft,
        _value(performance.tpot_within_s) / first_of(level.tpot_s),
    )
    over = 0.0 if np.isnan(promised_ttft) and np.isnan(first_of(level.tpot_s)) else float(over)
    strategy = {name: _value(value) for name, value in performance.strategy.items()}
    fits = _value(performance.batch_limit) >= 1 and _value(performance.requests_per_s_limit) != 0
    return ServingOption(
        pod=0,
        mode=performance.mode,
        layout=_stated_layout(strategy),
        replicas=count_of(performance.replicas),
        accelerators_per_replica=count_of(performance.accelerators_per_replica),
        usd_per_million_tokens=_value(sections.cost.usd_per_million_tokens),
        energy_j_per_token=_value(sections.power.energy_j_per_token),
        keeps_level=bool(fits and over <= 1),
        over_promise=over,
        on_front=False,
        **{name: _value(getattr(performance, name)) for name in FIGURES},
    )


def _option(choice: ServingChoice, row: int, on_front: bool) -> ServingOption:
    tried = choice.tried
    grouped = tried.layout["prefill_instances"][row] > 0
    return ServingOption(
        pod=int(choice.pod[row]),
        mode=DISAGGREGATED if grouped else AGGREGATED,
        layout=_layout(tried.layout, row, bool(grouped)),
        replicas=int(tried.replicas[row]),
        accelerators_per_replica=int(tried.accelerators_per_replica[row]),
        usd_per_million_tokens=float(choice.usd_per_million_tokens[row]),
        energy_j_per_token=float(choice.energy_j_per_token[row]),
        keeps_level=bool(choice.keeps[row]),
        over_promise=float(tried.over_promise[row]),
        on_front=on_front,
        **{name: float(getattr(tried, name)[row]) for name in FIGURES},
    )


def _layout(columns: dict[str, Array], row: int, grouped: bool) -> dict[str, Any]:
    def instance(before: str = "") -> dict[str, Any]:
        degrees = {short: int(columns[f"{before}{name}"][row]) for name, short in SHORT.items()}
        cut = int(columns[f"{before}context_parallel"][row])
        place = int(columns[f"{before or 'decode_'}on"][row])
        return degrees | ({"cp": cut} if cut > 1 else {}) | ({"on": KINDS[place]} if place >= 0 else {})

    if not grouped:
        return instance()
    return {
        "prefill": instance("prefill_") | {"instances": int(columns["prefill_instances"][row])},
        "decode": instance() | {"instances": int(columns["decode_instances"][row])},
    }


def _stated_layout(strategy: dict[str, float]) -> dict[str, Any]:
    own: dict[str, Any] = {
        short: int(strategy[short]) for short in (*SHORT.values(), "cp") if short in strategy
    }
    own |= {"on": KINDS[int(strategy["decode_on"])]} if "decode_on" in strategy else {}
    if "prefill_instances" not in strategy:
        return own
    prefill: dict[str, Any] = {
        short: int(strategy[f"prefill_{short}"])
        for short in (*SHORT.values(), "cp")
        if f"prefill_{short}" in strategy
    }
    prefill |= {"on": KINDS[int(strategy["prefill_on"])]} if "prefill_on" in strategy else {}
    return {
        "prefill": prefill | {"instances": int(strategy["prefill_instances"])},
        "decode": own | {"instances": int(strategy["decode_instances"])},
    }


def _value(figure: Array | None) -> float:
    return np.nan if figure is None else float(np.median(plain(figure)))

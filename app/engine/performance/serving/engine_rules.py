"""Layouts of one instance that an engine runs, as data: each rule with its source and a way out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.engine.specs import ServingLayout, ServingWorkload
from app.engine.trace import Array, plain

Flags = NDArray[np.bool_]
VLLM, SGLANG, TENSORRT_LLM, MINDIE = "vllm", "sglang", "tensorrt_llm", "mindie"


class LayoutRule(NamedTuple):
    """What an engine refuses.

    `words` and `relief` may name the degrees tp, dp, pp, ep and cp, the ranks of a stage, the accelerators of a scale-up
    domain, and the multiples of it below and above the ranks (`domain`, `below`, `above`).
    """

    field: str  # of the layout, that is to change
    words: str
    relief: str
    source: str
    broken: Callable[[ServingWorkload, Array, ServingLayout], Flags]
    """Of a workload on scale-up domains of so many accelerators."""


def _ranks(layout: ServingLayout) -> NDArray[np.float64]:
    each = plain(layout.tensor_parallel) * plain(layout.data_parallel) * plain(layout.context_parallel)
    return np.asarray(each, dtype=float)


def _fractional_domain(workload: ServingWorkload, domain_accelerators: Array, layout: ServingLayout) -> Flags:
    ranks, tensor = _ranks(layout), plain(layout.tensor_parallel)
    domain = np.maximum(plain(domain_accelerators), 1.0)
    uneven = (domain % tensor != 0) & (tensor % domain != 0)
    found: Flags = (ranks > domain) & ((ranks % domain != 0) | uneven)
    return found


def _some_experts_sliced(
    workload: ServingWorkload, domain_accelerators: Array, layout: ServingLayout
) -> Flags:
    ranks, over = _ranks(layout), plain(layout.expert_parallel)
    found: Flags = (plain(workload.architecture.experts) > 0) & (over != 1) & (over != ranks)
    return found


def _tensor_and_data(workload: ServingWorkload, domain_accelerators: Array, layout: ServingLayout) -> Flags:
    found: Flags = (plain(layout.tensor_parallel) > 1) & (plain(layout.data_parallel) > 1)
    return found


def _stages_with_guesses(
    workload: ServingWorkload, domain_accelerators: Array, layout: ServingLayout
) -> Flags:
    found: Flags = (plain(layout.pipeline_parallel) > 1) & (plain(workload.speculation.tokens) > 0)
    return found


def _cut_with_replicas(workload: ServingWorkload, domain_accelerators: Array, layout: ServingLayout) -> Flags:
    found: Flags = (plain(layout.context_parallel) > 1) & (plain(layout.data_parallel) > 1)
    return found


def _cut_in_more_than_two(
    workload: ServingWorkload, domain_accelerators: Array, layout: ServingLayout
) -> Flags:
    found: Flags = plain(layout.context_parallel) > 2
    return found


WHOLE_DOMAINS = LayoutRule(
    field="dp",
    words="A stage of {ranks} ranks is wider than a scale-up domain of {domain} accelerators and does not fill whole ones "
    "with whole tensor-parallel groups, so ranks have unequal shares of the links.",
    relief="Choose degrees with tp x dp of {below} or {above} and a tp that divides {domain}, or at most {domain} ranks.",
    source="SGLang, ServerArgs.check_server_args: tp_size x pp_size is a multiple of the nodes; vLLM and DeepEP start as "
    "many ranks on each node (--data-parallel-size-local; Buffer with one number of NVLink peers)",
    broken=_fractional_domain,
)

RULES: Mapping[str, tuple[LayoutRule, ...]] = {
    VLLM: (
        LayoutRule(
            field="ep",
            words="vLLM spreads whole experts over all {ranks} ranks of tp x dp (--enable-expert-parallel) or cuts each "
            "over all ranks, and the layout states ep {ep}.",
            relief="State ep: {ranks} or ep: 1.",
            source="vLLM documentation, expert parallel deployment: EP_SIZE = TP_SIZE x DP_SIZE "
            "(https://docs.vllm.ai/en/latest/serving/expert_parallel_deployment/)",
            broken=_some_experts_sliced,
        ),
        LayoutRule(
            field="cp",
            words="vLLM cuts prompts over {cp} ranks in instances with one replica of attention, and the layout states dp {dp}.",
            relief="State dp: 1, or cp: 1.",
            source="vLLM, pull request 57075 of 2026-09-15: prefill context parallelism with data parallelism is not merged",
            broken=_cut_with_replicas,
        ),
    ),
    MINDIE: (
        LayoutRule(
            field="cp",
            words="MindIE cuts a prompt over two ranks at most, and the layout states cp {cp}.",
            relief="State cp: 2 or cp: 1.",
            source="MindIE documentation, Context Parallelism (hiascend.com, mindie_llm0508): cp is 1 or 2",
            broken=_cut_in_more_than_two,
        ),
        LayoutRule(
            field="cp",
            words="MindIE cuts prompts over {cp} ranks in instances with one replica of attention, and the layout states "
            "dp {dp}.",
            relief="State dp: 1, or cp: 1.",
            source="MindIE documentation, Context Parallelism (hiascend.com, mindie_llm0508): dp is 1 with cp",
            broken=_cut_with_replicas,
        ),
    ),
    SGLANG: (
        LayoutRule(
            field="pp",
            words="SGLang runs no speculative decoding with {pp} pipeline stages.",
            relief="State pp: 1, or speculation: {{tokens: 0}}.",
            source="SGLang, ServerArgs.check_server_args: pipeline parallelism is not compatible with speculative decoding",
            broken=_stages_with_guesses,
        ),
    ),
    TENSORRT_LLM: (
        LayoutRule(
            field="dp",
            words="TensorRT-LLM runs attention either tensor-parallel or data-parallel (enable_attention_dp) over all ranks, "
            "and the layout states tp {tp} and dp {dp}.",
            relief="State tp: 1 and dp: {ranks}, or tp: {ranks} and dp: 1.",
            source="TensorRT-LLM documentation, parallelism (https://nvidia.github.io/TensorRT-LLM/features/parallel-strategy.html): "
            "with attention DP all weights of attention are replicated on every GPU",
            broken=_tensor_and_data,
        ),
    ),
}
"""Beyond what the degrees of all engines keep: ep divides tp x dp (SGLang: ep_size divides tp_size, as
moe_tp_size = tp_size / ep_size; TensorRT-LLM: moe_tp_size x moe_ep_size = tp_size)."""


def rules_of(engine: str) -> tuple[LayoutRule, ...]:
    """Rules of an engine; one without rules of its own keeps those of all."""
    return (WHOLE_DOMAINS, *RULES.get(engine, ()))


def runs(workload: ServingWorkload, domain_accelerators: Array, layouts: ServingLayout) -> Flags:
    """Which of several layouts the engine of a workload runs on scale-up domains of so many accelerators."""
    broken = [rule.broken(workload, domain_accelerators, layouts) for rule in rules_of(workload.engine)]
    found: Flags = ~np.any(
        np.broadcast_arrays(*broken, np.zeros(np.shape(plain(layouts.accelerators)), bool)), axis=0
    )
    return found

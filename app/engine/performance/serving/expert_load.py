"""Which experts a batch uses, and how unevenly ranks that hold whole experts are loaded.

Redundant experts stand beside the originals: each takes its part of the tokens, and its weights are read too.
"""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.footprint import redundant_share
from app.engine.performance.serving.served_model import ServedModel
from app.engine.quantities import quantity
from app.engine.specs import ServingLayout
from app.engine.trace import Array

_COVERAGE = "[1] Shazeer et al. 2017, arXiv 1701.06538; each token draws its experts without regard to others"
_BUSIEST = "[1] Raab and Steger 1998, Balls into Bins, RANDOM 1998, LNCS 1518 (largest of many bins)"
_POPULAR = "[2] DeepSeek-AI 2024, arXiv 2412.19437, section 3.4 (expert loads of a deployment)"
_COPIES = (
    "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.4 (redundant experts); "
    "[2] EPLB, https://github.com/deepseek-ai/EPLB"
)


@quantity(unit="1", source=_COVERAGE)
def active_experts(*, tokens: Array, experts: Array, expert_share: Array) -> Array:
    """Experts of a layer that at least one token of a step uses: E (1 - (1 - k/E)^n)."""
    return experts * (1 - (1 - expert_share) ** tokens)


@quantity(unit="1", source=_BUSIEST)
def busiest_active_experts(
    *, active_experts: Array, experts: Array, expert_parallel: Array, spread: Array
) -> Array:
    """Experts in use on the rank that has most in use.

    mean + s sqrt(2 mean ln e (1 - share in use)) over e ranks, at most all that the rank holds.
    """
    mean = active_experts / expert_parallel
    free = 1 - active_experts / np.maximum(experts, 1)
    most = mean + spread * np.sqrt(2 * mean * np.log(expert_parallel) * np.maximum(free, 0.0))
    return np.minimum(most, np.maximum(experts, 1) / expert_parallel)


@quantity(unit="1", source=f"{_BUSIEST}; {_POPULAR}")
def busiest_rank_ratio(
    *, routed_tokens: Array, expert_parallel: Array, spread: Array, experts: Array, popularity: Array
) -> Array:
    """Tokens of the busiest rank over those of the mean: 1 + sqrt(2 ln e (s^2 / n + v^2 e / E)).

    n are the tokens of the mean rank, whose chance evens out in long passes; v is how much experts differ in what
    they are asked for as long as a text of one kind lasts, and a rank has E / e of them.
    """
    each = np.maximum(routed_tokens / expert_parallel, 1e-9)
    variance = spread**2 / each + popularity**2 * expert_parallel / np.maximum(experts, 1)
    most: Array = np.minimum(1 + np.sqrt(2 * np.log(expert_parallel) * variance), expert_parallel)
    return most


@quantity(unit="1", source=_COPIES)
def placed_experts(*, experts: Array, redundant_share: Array) -> Array:
    """Experts of a layer that ranks hold, copies included."""
    return experts * (1 + redundant_share)


@quantity(unit="1", source=_COPIES)
def placed_share(*, expert_share: Array, redundant_share: Array) -> Array:
    """Share of the placed experts that one token uses: of an expert and its copies one."""
    return expert_share / (1 + redundant_share)


@quantity(
    unit="1",
    source=f"{_COPIES}; loads of experts are taken as exponentially distributed; "
    "[3] Cochran 1977, Sampling Techniques, 3rd ed., section 2.6 (draws without replacement)",
)
def spread_with_copies(*, spread: Array, redundant_share: Array, expert_parallel: Array) -> Array:
    """Spread of the ranks' tokens that copies of the busiest experts leave.

    An expert and its copy have half of its tokens each, on two ranks: together half of its variance. The busiest
    share c of the experts has c (1 + ln^2 c) of the variance of all, so sqrt(1 - c (1 + ln^2 c) / 2) of the spread
    is left; 1 / sqrt(m) where each expert stands m > 2 times; and none where every rank holds all.
    """
    share = redundant_share
    busiest = np.where(share > 0, share * (1 + np.log(np.clip(share, 1e-12, 1.0)) ** 2), 0.0)
    placed = 1 + share
    left = np.where(share < 1, 1 - busiest / 2, 1 / placed)
    apart = np.clip((expert_parallel - placed) / np.maximum(expert_parallel - 1, 1.0), 0.0, 1.0)
    return spread * np.sqrt(left * apart)


def placed_of(model: ServedModel, layout: ServingLayout) -> Array:
    """Experts of a layer that the ranks of a layout hold."""
    return placed_experts(experts=model.architecture.experts, redundant_share=_copied(model, layout))


def experts_in_use(model: ServedModel, layout: ServingLayout, tokens: Array) -> Array:
    """Those of them that a step of so many tokens uses."""
    return active_experts(
        tokens=tokens,
        experts=placed_of(model, layout),
        expert_share=placed_share(expert_share=model.expert_share, redundant_share=_copied(model, layout)),
    )


def spread_of(model: ServedModel, layout: ServingLayout, spread: Array) -> Array:
    """Spread of the tokens of a layout's expert-parallel ranks; `spread` is that without copies."""
    return spread_with_copies(
        spread=spread, redundant_share=_copied(model, layout), expert_parallel=layout.expert_parallel
    )


def busiest_of(
    model: ServedModel, layout: ServingLayout, tokens: Array, *, spread: Array, popularity: Array
) -> Array:
    """Tokens of the busiest rank of a layout over those of the mean, in a pass of so many tokens of all ranks."""
    return busiest_rank_ratio(
        routed_tokens=tokens * model.architecture.experts_per_token,
        expert_parallel=layout.expert_parallel,
        spread=spread_of(model, layout, spread),
        experts=model.architecture.experts,
        popularity=spread_of(model, layout, popularity),
    )


def _copied(model: ServedModel, layout: ServingLayout) -> Array:
    return redundant_share(redundant_experts=layout.redundant_experts, experts=model.architecture.experts)


@quantity(unit="1", source="definition")
def stage_ranks(*, tensor_parallel: Array, data_parallel: Array, context_parallel: Array) -> Array:
    """Accelerators of a pipeline stage: tensor-parallel ranks of all copies of attention."""
    return tensor_parallel * data_parallel * context_parallel


@quantity(unit="1", source="definition")
def attention_copies(*, data_parallel: Array, context_parallel: Array) -> Array:
    """Copies of what is outside the experts: replicas of attention, each for all ranks that a prompt is cut over."""
    return data_parallel * context_parallel


@quantity(unit="1", source="definition")
def instance_accelerators(
    *, tensor_parallel: Array, data_parallel: Array, pipeline_parallel: Array, context_parallel: Array
) -> Array:
    """Accelerators of one instance."""
    return tensor_parallel * data_parallel * pipeline_parallel * context_parallel


def ranks_of(layout: ServingLayout) -> Array:
    """Accelerators that share the experts of a layer."""
    return stage_ranks(
        tensor_parallel=layout.tensor_parallel,
        data_parallel=layout.data_parallel,
        context_parallel=layout.context_parallel,
    )


def copies_of_attention(layout: ServingLayout) -> Array:
    """Copies of what is outside the experts that an instance has."""
    return attention_copies(data_parallel=layout.data_parallel, context_parallel=layout.context_parallel)


def accelerators_of(layout: ServingLayout) -> Array:
    """Accelerators of an instance with a layout."""
    return instance_accelerators(
        tensor_parallel=layout.tensor_parallel,
        data_parallel=layout.data_parallel,
        pipeline_parallel=layout.pipeline_parallel,
        context_parallel=layout.context_parallel,
    )

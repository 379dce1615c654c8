"""The constants of serving that are fitted to measured runs: which they are, and what was believed of them before.

The prior is what one would say without the runs, from counts, data sheets and other models; the spread is how far from
it the fit may go at the cost of one standard deviation, in logarithms. Engines, generations and formats that have a
constant of their own have it as a common value times a deviation: the common value has the prior, each deviation a
small spread about one, so that what one of them was measured with little is drawn towards what all have.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.validation.training.constants import Constant

ENGINES = ("engine=tensorrt_llm", "engine=sglang", "engine=vllm")
GENERATIONS = ("generation=hopper", "generation=blackwell")


class Shared(NamedTuple):
    """A constant that several have each for themselves; the row without conditions has the common value."""

    assumption: str
    prior: float
    spread: float
    deviation: float
    members: tuple[str, ...]


SHARED = (
    Shared("weight_read_efficiency", 0.85, 0.07, 0.07, GENERATIONS),
    Shared(
        "decode_matmul_efficiency", 0.5, 0.25, 0.2,
        (
            "dense_format=fp8;generation=hopper", "dense_format=fp8;generation=blackwell", "dense_format=bf16",
            "dense_format=nvfp4",
        ),
    ),
    Shared(
        "decode_expert_efficiency", 0.38, 0.25, 0.2,
        (
            "expert_format=fp8;generation=hopper", "expert_format=fp8;generation=blackwell", "expert_format=bf16",
            "expert_format=fp4", "expert_format=fp4;generation=hopper",
        ),
    ),
    Shared("prefill_matmul_efficiency", 0.55, 0.2, 0.15, GENERATIONS),
    Shared("prefill_expert_efficiency", 0.45, 0.25, 0.2, GENERATIONS),
    Shared("kernel_time_s", 4.5e-06, 0.25, 0.1, ENGINES),
    Shared("expert_kernel_ratio", 1.35, 0.2, 0.2, ENGINES),
    Shared("all_reduce_latency_s", 6e-06, 0.3, 0.2, ENGINES),
    Shared("sequence_overhead_s", 1.2e-05, 0.5, 0.3, ENGINES),
    Shared("prefill_kernel_time_s", 6e-05, 0.4, 0.3, ("engine=tensorrt_llm", "engine=sglang")),
)  # fmt: skip

ALONE = (
    Constant("expert_read_efficiency", "", 0.8, 0.1),
    Constant("decode_step_overhead_s", "", 0.0006, 0.5),
    Constant("first_token_overhead_s", "", 0.03, 0.5),
    Constant("disaggregated_overhead_s", "", 0.06, 0.5),
    Constant("prefill_kernel_time_s", "engine=vllm", 4e-5, 0.4),
    Constant("kv_read_efficiency", "", 0.65, 0.2),
    Constant("latent_read_ratio", "", 0.9, 0.2),
    Constant("expert_read_overhead_bytes", "", 400000.0, 0.5),
    Constant("expert_spread", "", 1.0, 0.4),
    Constant("expert_popularity", "", 0.45, 0.4),
    Constant("permute_passes", "", 6.0, 0.5),
    Constant("decode_16_bit_efficiency", "", 0.65, 0.25),
    Constant("expert_half_width", "", 256.0, 0.5),
    Constant("prefill_attention_efficiency", "", 0.5, 0.25),
    Constant("prefill_dense_format_ratio", "dense_format=nvfp4;generation=blackwell", 0.9, 0.2),
    Constant("prefill_expert_format_ratio", "expert_format=fp4;generation=blackwell", 1.1, 0.2),
    Constant("kernel_time_ratio", "generation=blackwell", 0.8, 0.08),
    Constant("kernel_gain_per_year", "", 0.5, 0.4),
    Constant("wide_norm_kernels", "", 5.0, 0.2),
    Constant("latent_attention_kernels", "", 13.0, 0.2),
    Constant("linear_attention_kernels", "", 16.0, 0.25),
    Constant("quantise_kernels", "dense_format=fp8", 2.0, 0.4),
    Constant("quantise_kernels", "dense_format=nvfp4;generation=blackwell", 4.0, 0.4),
    Constant("all_reduce_growth", "", 0.25, 0.4),
    Constant("all_reduce_bandwidth_share", "", 0.6, 0.3),
    Constant("across_domain_latency_s", "", 2.5e-05, 0.5),
    Constant("dispatch_latency_s", "", 2e-05, 0.4),
    Constant("dispatch_bandwidth_share", "", 0.4, 0.3),
    Constant("prefill_interference", "", 1.0, 0.1),
    Constant("prefill_interference_attention_parallel", "", 1.1, 0.15),
    Constant("first_token_steps", "", 1.5, 0.3),
    Constant("first_token_prefills", "", 1.0, 0.4),
    Constant("burst_share", "", 0.06, 0.4),
    Constant("burst_attention_parallel", "", 1.5, 0.4),
    Constant("disaggregated_burst", "", 0.1, 0.5),
    Constant("disaggregated_prefill_ratio", "", 0.85, 0.25),
    Constant("kv_transfer_bandwidth_share", "", 0.5, 0.4),
)

COMMON = tuple(Constant(one.assumption, "", one.prior, one.spread) for one in SHARED)
OWN = tuple(
    Constant(one.assumption, member, one.prior, float(np.hypot(one.spread, one.deviation)))
    for one in SHARED
    for member in one.members
)
FITTED = (*ALONE, *COMMON, *OWN)
"""Every row of the assumptions that is fitted, each with one number of the fit: of OWN it is the deviation."""

SPREADS = np.array(
    [
        *(one.spread for one in (*ALONE, *COMMON)),
        *(one.deviation for one in SHARED for _ in one.members),
    ]
)
"""How far each number of the fit may be from nothing, in logarithms."""


def values_of(numbers: NDArray[np.float64]) -> dict[str, float]:
    """The constants by name; `numbers` are logarithms over the prior, of OWN over the common value."""
    common = dict(zip((one.assumption for one in COMMON), numbers[len(ALONE) :], strict=False))
    return {
        constant.name: float(
            constant.prior
            * np.exp(number + (common[constant.assumption] if at >= len(ALONE) + len(COMMON) else 0.0))
        )
        for at, (constant, number) in enumerate(zip(FITTED, numbers, strict=True))
    }

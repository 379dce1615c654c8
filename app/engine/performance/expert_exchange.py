"""Expert dispatch and combine of the mean layer."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.collectives import transfer_time_s
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.groups import domains_spanned, ranks_in_domain
from app.engine.performance.hardware import Hardware, group_bandwidth_bytes_per_s
from app.engine.performance.layer_widths import expert_tensor_parallel
from app.engine.performance.strategy import LayerShapes
from app.engine.quantities import quantity
from app.engine.specs import Architecture
from app.engine.trace import Array

_EXPERT = "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2 (dispatch across nodes once per token)"


@quantity(unit="1", source=_EXPERT)
def remote_domains_per_token(*, domains: Array, experts_per_token: Array) -> Array:
    """Other scale-up domains that a token is sent to.

    (G - 1)(1 - (1 - 1/G)^k) for k experts spread evenly over G domains; each is sent one copy.
    """
    return (domains - 1) * (1 - (1 - 1 / domains) ** experts_per_token)


@quantity(unit="B", source=_EXPERT)
def dispatch_bytes(
    *, tokens: Array, hidden: Array, tensor_parallel: Array, dispatch_element_bytes: Array
) -> Array:
    """Bytes of one copy of a rank's tokens, out to the experts and back.

    T / tp tokens of width h: dispatched at the dispatch precision, combined in 16 bit.
    """
    return tokens / tensor_parallel * hidden * (dispatch_element_bytes + 2)


@quantity(unit="s", source=_EXPERT)
def expert_exchange_time_s(
    *, layers: Array, expert_layers: Array, scale_up_s: Array, scale_out_s: Array, exposed: Array
) -> Array:
    """Expert dispatch and combine of the mean layer, exposed.

    Forward and backward; the NIC and the scale-up fabric work at the same time.
    """
    return expert_layers / layers * 2 * np.maximum(scale_up_s, scale_out_s) * exposed


def expert_exchange(
    m: Architecture, hardware: Hardware, shapes: LayerShapes, tokens: Array, a: PerformanceAssumptions
) -> Array:
    """Exposed expert exchange of the mean layer for every shape."""
    etp = expert_tensor_parallel(
        tensor_parallel=shapes.tensor_parallel, expert_parallel=shapes.expert_parallel
    )
    inside = ranks_in_domain(
        ranks=shapes.expert_parallel, inner_ranks=etp, domain_accelerators=hardware.domain_accelerators
    )
    domains = domains_spanned(ranks=shapes.expert_parallel, domain_ranks=inside)
    copy = dispatch_bytes(
        tokens=tokens,
        hidden=m.hidden,
        tensor_parallel=shapes.tensor_parallel,
        dispatch_element_bytes=a.dispatch_element_bytes,
    )
    routed = copy * m.experts_per_token
    remote = copy * remote_domains_per_token(domains=domains, experts_per_token=m.experts_per_token)
    return expert_exchange_time_s(
        layers=m.layers,
        expert_layers=m.expert_layers,
        scale_up_s=transfer_time_s(
            message_bytes=routed,
            link_bytes=routed * (inside - 1) / inside,
            bandwidth_bytes_per_s=group_bandwidth_bytes_per_s(ranks=inside, hardware=hardware),
            latency_s=2 * a.scale_up_exchange_latency_s,
            sqrt_coefficient_s=a.scale_up_exchange_sqrt_s,
        ),
        scale_out_s=transfer_time_s(
            message_bytes=remote,
            link_bytes=remote,
            bandwidth_bytes_per_s=hardware.across_units_bandwidth_bytes_per_s,
            latency_s=2 * a.scale_out_latency_s,
            sqrt_coefficient_s=a.scale_out_sqrt_s,
        ),
        exposed=a.expert_parallel_exposed,
    )

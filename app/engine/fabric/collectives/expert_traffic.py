"""Mixture-of-experts dispatch and combine: who gets a copy of a token, and how long that takes.

A token goes to k experts. Kernels for many tokens send one copy to each domain (or rank) that holds some of
them and spread it there; kernels for low latency send one copy to each expert. Routing may be limited to
a number of domains.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.engine.fabric.collectives.network import Group, Network, exchange_wire_time_s_per_byte
from app.engine.fabric.collectives.times import direct_fill_s
from app.engine.quantities import quantity
from app.engine.trace import Array

_EXPERT = "[1] DeepSeek-AI 2024, arXiv 2412.19437, section 3.2 (dispatch across nodes once per token)"
_KERNEL = "[1] DeepSeek-AI, DeepEP (dispatch and combine kernels; tables of both kinds)"


@quantity(unit="1", source=_EXPERT)
def places_reached(*, places: Array, experts_per_token: Array, most: Array) -> Array:
    """Different places (domains, or ranks) that hold the experts of a token, its own place counted.

    G (1 - (1 - 1/G)^k) for k experts drawn evenly over G places, at most what routing allows.
    """
    return np.minimum(places * (1 - (1 - 1 / places) ** experts_per_token), most)


@quantity(unit="1", source=_EXPERT)
def copies_sent(*, places: Array, copies: Array) -> Array:
    """Copies of a token that leave its own place.

    (G - 1) / G of all copies, where each of G places is as likely.
    """
    return copies * (places - 1) / places


@quantity(unit="B", source=_EXPERT)
def token_bytes(*, hidden: Array, element_bytes: Array) -> Array:
    """Bytes per copy of a token."""
    return hidden * element_bytes


@quantity(unit="s", source=_KERNEL)
def expert_kernel_time_s(
    *,
    tokens: Array,
    copies: Array,
    copy_bytes: Array,
    wire_time_s_per_byte: Array,
    memory_time_s_per_byte: Array,
    launch_s: Array,
    fill_s: Array,
    token_s: Array,
) -> Array:
    """Time of one dispatch or combine.

    launch + L + tokens (handling + bytes x (time on the wire + time in memory)). Each token is written straight into the memory
    of its receivers: no protocol changes with the size, so there is no ramp. 0 when nothing is sent.

    Parameters
    ----------
    tokens : of one rank [1]
    copies : of one token that cross any link [1]
    copy_bytes : of one copy [B]
    wire_time_s_per_byte : of all copies of a token, for each byte of one [s/B]
    memory_time_s_per_byte : of all copies of a token in memory, for each byte of one [s/B]
    fill_s : L, latency to the farthest peer [s]
    token_s : time to route and pack one token [s]
    """
    each = token_s + copy_bytes * (wire_time_s_per_byte + memory_time_s_per_byte)
    time = launch_s + fill_s + tokens * each
    return np.where(tokens * copies <= 0, 0.0, time)


@quantity(unit="s", source=_KERNEL)
def token_handling_time_s(*, hidden: Array, handling_bytes_per_s: Array) -> Array:
    """Time to route and pack one token: its 16-bit width over the rate of the kernels."""
    return 2 * hidden / handling_bytes_per_s


@quantity(unit="s/B", source="definition")
def combine_memory_time_s_per_byte(*, experts_per_token: Array, memory_bandwidth_bytes_per_s: Array) -> Array:
    """Time in memory that a combine needs for each byte of one copy.

    2 k / bandwidth: the results of all k experts are written there as they come, and read to be summed.
    """
    return 2 * experts_per_token / memory_bandwidth_bytes_per_s


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpertPaths:
    """The way of a rank's tokens to their experts and back, whatever the size of a copy."""

    tokens: Array
    copies: Array
    wire_time_s_per_byte: Array
    fill_s: Array


def expert_paths(
    *, tokens: Array, scale_up_copies: Array, scale_out_copies: Array, group: Group, network: Network
) -> ExpertPaths:
    """Copies of a token that cross the scale-up link and the NIC: both work at the same time."""
    return ExpertPaths(
        tokens=tokens,
        copies=scale_up_copies + scale_out_copies,
        wire_time_s_per_byte=exchange_wire_time_s_per_byte(
            group, network, scale_up_share=scale_up_copies, scale_out_share=scale_out_copies
        ),
        fill_s=direct_fill_s(group, network),
    )


def expert_time_s(
    paths: ExpertPaths, *, copy_bytes: Array, memory_time_s_per_byte: Array, launch_s: Array, token_s: Array
) -> Array:
    """Dispatch, or combine with its time in memory; `launch_s` and `token_s` are of the kernel."""
    return expert_kernel_time_s(
        tokens=paths.tokens,
        copies=paths.copies,
        copy_bytes=copy_bytes,
        wire_time_s_per_byte=paths.wire_time_s_per_byte,
        memory_time_s_per_byte=memory_time_s_per_byte,
        launch_s=launch_s,
        fill_s=paths.fill_s,
        token_s=token_s,
    )

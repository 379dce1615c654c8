"""One accelerator and its place among the others, as serving sees them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.fabric.collectives.shared_links import Pattern, SharedLinks, nothing_shared, slowdown
from app.engine.performance.groups import domains_spanned
from app.engine.performance.sustained_rates import shared_scale_out_bandwidth_bytes_per_s
from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class HostSide:
    """The host behind one accelerator, its share of it, and what of a served model lies in its memory.

    Rates are those that are reached.
    """

    capacity_bytes: Array
    link_bytes_per_s: Array  # between accelerator and host, one way
    memory_bytes_per_s: Array
    flop_per_s: Array
    crossing_s: Array  # of handing work over and taking its result back
    pass_tokens: Array  # most tokens that weights cross the link for once
    dense_share: Array  # of the layers' weights outside routed experts that lie in the host
    expert_share: Array  # of the routed experts
    computed: bool  # the host multiplies what it has; else it crosses the link
    prefill_crosses: bool  # in passes over prompts it crosses where that is quicker

    @property
    def cache_share(self) -> Array:
        """Keys and values that lie in the host: those of layers that it computes."""
        return self.dense_share if self.computed else 0 * self.dense_share


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingMachine:
    """Peak rates of one accelerator: what is sustained of them is in the assumptions."""

    memory_bytes: Array
    memory_bandwidth_bytes_per_s: Array
    peak_16_bit_flop_per_s: Array
    scale_up_bandwidth_bytes_per_s: Array  # one way
    scale_out_bandwidth_bytes_per_s: Array  # one way, of one accelerator
    domain_accelerators: Array  # of the scale-up domain
    shared_links: SharedLinks = field(default_factory=nothing_shared)  # of the fabric
    host: HostSide | None = None  # None: all weights lie in the accelerators' memory

    def scale_out_to_other_half(self, accelerators: Array) -> Array:
        """Scale-out bandwidth of each of so many accelerators side by side, one half sending to the other [B/s]."""
        return shared_scale_out_bandwidth_bytes_per_s(
            scale_out_bandwidth_bytes_per_s=self.scale_out_bandwidth_bytes_per_s,
            exchange_slowdown=slowdown(
                "ring",
                self.shared_links,
                members=np.minimum(
                    domains_spanned(ranks=accelerators, domain_ranks=self.domain_accelerators), 2.0
                ),
                inner_ranks=accelerators / 2,
                domain_accelerators=self.domain_accelerators,
                accelerators_used=accelerators,
            ),
        )

    def scale_out_of(self, accelerators: Array, pattern: Pattern) -> Array:
        """Scale-out bandwidth of each of so many accelerators side by side, all of which send at once [B/s]."""
        return shared_scale_out_bandwidth_bytes_per_s(
            scale_out_bandwidth_bytes_per_s=self.scale_out_bandwidth_bytes_per_s,
            exchange_slowdown=slowdown(
                pattern,
                self.shared_links,
                members=domains_spanned(ranks=accelerators, domain_ranks=self.domain_accelerators),
                inner_ranks=np.ones(1),
                domain_accelerators=self.domain_accelerators,
                accelerators_used=accelerators,
            ),
        )

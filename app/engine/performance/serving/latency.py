"""What a user waits for, and what an instance answers meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from app.engine.performance.serving.footprint import mean_sequence_tokens
from app.engine.performance.serving.sessions import Reuse
from app.engine.specs.serving import RequestClass
from app.engine.trace import Array

RETURN = "kv_return"
"""The part of the time to first token in which cached keys and values come back from another tier."""


def _steady() -> Array:
    return np.zeros(1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Requests in flight, and what each is. Closed loop: a new request starts when another ends."""

    input_tokens: Array
    output_tokens: Array
    cached_share: Array  # of the input, found in the prefix cache
    concurrency: Array  # requests in flight on the instance, or on the group of instances where disaggregated
    burst: Array = field(default_factory=_steady)
    """How much a start of all requests at once weighs in the mean: 0 where requests replace each other, 1 in a
    benchmark of ten waves, more in a shorter one."""
    shared_tokens: Array = field(default_factory=_steady)  # of the input, that every instance has
    return_s: Array | None = None  # in which the cached rest comes back; None: it never left
    classes: tuple[RequestClass, ...] = ()  # of which the above is the mean; none: all are of one kind
    running_tokens: Array | None = None  # of a running sequence; None: its input and half of its output

    @property
    def context_tokens(self) -> Array:
        """Tokens of a running sequence, mean."""
        if self.running_tokens is not None:
            return self.running_tokens
        return mean_sequence_tokens(input_tokens=self.input_tokens, output_tokens=self.output_tokens)

    @property
    def returned_s(self) -> dict[str, Array]:
        """The part of the time to first token in which cached keys and values come back, where they were away."""
        return {} if self.return_s is None else {RETURN: self.return_s}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreads:
    """How latencies differ between requests that come at random times to an instance that prefills and decodes."""

    ttft_s: Array  # standard deviation of the time to the first token
    interference_s: (
        Array  # prefill of others for each token, mean over requests: short answers have more of it
    )
    tpot_s: Array  # standard deviation of the time per output token between requests
    mean_answer_s: Array  # the same between answers of mean length


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """Means over requests of one instance, or of one group of prefill and decode instances.

    `tpot_parts_s` sum to `tpot_s`, `ttft_parts_s` to `ttft_s`.
    """

    ttft_s: Array
    tpot_s: Array
    ttft_parts_s: dict[str, Array]
    tpot_parts_s: dict[str, Array]
    decode_step_s: Array
    prefill_s: Array  # of one prompt by itself
    prefill_cost_s: Array  # that a prompt keeps a prefill instance from other work
    running: Array  # requests being decoded at once, in all decode instances
    requests_per_s: Array
    output_tokens_per_s: Array
    queue_spread_s: Array = field(
        default_factory=_steady
    )  # of waits in a queue of random arrivals, between requests
    busy: dict[str, Array] = field(
        default_factory=dict
    )  # utilisation of what random arrivals queue for, by name
    spreads: Spreads | None = None  # None: follow from the parts
    reuse: Reuse | None = None  # of sessions; None: what is found in the cache is stated

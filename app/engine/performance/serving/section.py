"""The performance section of a pod that serves a model."""

from __future__ import annotations

from dataclasses import dataclass

from app.engine.trace import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPerformance:
    """How fast a pod answers, and how much. What it does not have is None, which is not unknown.

    Parts of a time sum to that time. Percentiles are keyed p50, p90, p95, p99.
    """

    mode: str  # aggregated | disaggregated
    ttft_s: Array
    tpot_s: Array | None  # None where prompts are not answered, as all of a token
    end_to_end_s: Array
    ttft_percentiles_s: dict[str, Array]
    tpot_percentiles_s: dict[str, Array]
    end_to_end_percentiles_s: dict[str, Array]
    ttft_within_s: Array  # at the SLO percentile, as the next
    tpot_within_s: Array | None
    within_promise_share: Array | None  # of the requests; None without an SLO
    time_breakdown_s: dict[str, Array]  # of one output token: sums to tpot_s
    ttft_breakdown_s: dict[str, Array]
    tokens_per_s: Array  # output tokens of the whole pod; input tokens where none come out
    tokens_per_s_per_accelerator: Array
    output_tokens_per_s_per_accelerator: Array | None
    input_tokens_per_s: Array
    tokens_per_s_per_user: Array | None
    requests_per_s: Array
    batch: Array  # sequences decoded at once by one instance
    batch_limit: Array  # that memory allows
    concurrency: Array  # requests in flight on the pod
    replicas: Array  # instances, or groups of prefill and decode instances
    accelerators_per_replica: Array
    requests_per_s_limit: Array  # within the SLO
    supernodes_needed: Array | None  # None: no demand is stated, as the next
    supernodes_needed_with_headroom: Array | None  # unknown until reliability is known
    accelerators_per_replica_by_kind: tuple[Array, ...] | None = None  # None: one kind of SuperNode
    supernodes_needed_by_kind: tuple[Array, ...] | None = None  # None: one kind, or no demand, as the next
    supernodes_needed_with_headroom_by_kind: tuple[Array, ...] | None = None
    step_time_s: Array  # of one decode step; of one prompt where only prompts are read
    prefill_s: Array
    model_flop_per_token: Array
    mfu: Array  # of the decode step
    memory_bandwidth_share: Array | None  # of the decode step
    memory_per_accelerator_bytes: Array
    memory_breakdown_bytes: dict[str, Array]
    memory_capacity_bytes: Array
    kv_bytes_per_request: Array
    kv_transfer_s: Array | None  # None where aggregated
    offloaded_sequences: Array | None  # of one decode instance; None: cached ones never leave, as the next
    saved_by_return_s: Array | None  # of the time to first token, against computing again
    prefix_hit_share: Array | None = (
        None  # of the tokens of prompts; None: requests are no sessions, as the next three
    )
    context_hit_share: Array | None = None  # of turns after the first
    cache_time_s: Array | None = None
    sessions_alive: Array | None = None  # on the pod
    strategy: dict[str, Array]
    parameters: Array
    active_parameters: Array
    weights_bytes: Array  # of one copy of the model
    prefill_share: Array  # of the accelerators' time; the rest is decode
    elapsed_time_s: None = None
    training_time_s: None = None
    hfu: None = None
    roofline_step_time_s: None = None
    model_flop_per_s_per_accelerator: None = None
    hardware_flop_per_s_per_accelerator: None = None
    tokens_per_step: None = None
    steps: None = None
    prediction_parameters: None = None
    host_memory_per_accelerator_bytes: None = None
    adapter_hit_share: Array | None = None  # of requests for an adapter that find it there; None: no adapters
    offloaded_per_accelerator_bytes: Array | None = (
        None  # weights in the host; None: all in the accelerators' memory
    )
    offload_capacity_bytes: Array | None = None  # of the host for each accelerator, as the above

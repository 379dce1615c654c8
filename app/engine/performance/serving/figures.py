"""The key figures of a pod that serves: what follows from the latencies of one replica."""

from __future__ import annotations

import numpy as np

from app.engine.performance.serving.percentiles import percentile_s
from app.engine.quantities import alias, quantity
from app.engine.trace import Array

_MFU = "[1] Chowdhery et al. 2022, arXiv 2204.02311, appendix B; [2] Pope et al. 2022, arXiv 2211.05102 (inference)"
_ROOFLINE = "[1] Williams, Waterman, Patterson 2009, Commun. ACM 52(4) 65-76 (roofline)"
_LITTLE = "[1] Little 1961, Operations Research 9 383-387 (L = lambda W)"
_OWN = "own measurements that the scenario states"


@quantity(unit="s", source=_OWN, at="performance.ttft_breakdown_s.calibration")
def ttft_calibration_s(*, predicted_s: Array, measured_over_predicted: Array) -> Array:
    """Calibration."""
    return predicted_s * (measured_over_predicted - 1)


@quantity(unit="s", source=_OWN, also_at="performance.time_breakdown_s.calibration")
def tpot_calibration_s(*, predicted_s: Array, measured_over_predicted: Array) -> Array:
    """Calibration of the time per output token."""
    return predicted_s * (measured_over_predicted - 1)


@quantity(unit="s", source="definition", at="performance.ttft_s", key=True, better="less")
def time_to_first_token_s(*, predicted_s: Array, calibration_s: Array) -> Array:
    """Time to first token: mean over requests."""
    return predicted_s + calibration_s


@quantity(unit="s", source="definition", at="performance.tpot_s", key=True, better="less")
def time_per_output_token_s(*, predicted_s: Array, calibration_s: Array) -> Array:
    """Time per output token: mean over requests and their tokens after the first."""
    return predicted_s + calibration_s


@quantity(unit="1/s", source=_LITTLE)
def replica_requests_per_s(
    *, predicted_requests_per_s: Array, predicted_end_to_end_s: Array, end_to_end_s: Array
) -> Array:
    """Requests that one replica answers.

    As many in flight as predicted, each for as long as own measurements have it.
    """
    return predicted_requests_per_s * predicted_end_to_end_s / end_to_end_s


@quantity(unit="1/s", source="definition", at="performance.requests_per_s", key=True, better="more")
def pod_requests_per_s(*, replica_requests_per_s: Array, replicas: Array) -> Array:
    """Request rate."""
    return replica_requests_per_s * replicas


@quantity(unit="tokens/s", source="definition", also_at="performance.tokens_per_s")
def pod_output_tokens_per_s(*, requests_per_s: Array, output_tokens: Array) -> Array:
    """Output tokens of the pod."""
    return requests_per_s * output_tokens


@quantity(unit="tokens/s", source="definition", at="performance.input_tokens_per_s")
def input_tokens_per_s(*, requests_per_s: Array, input_tokens: Array) -> Array:
    """Input tokens per second: those found in the prefix cache included."""
    return requests_per_s * input_tokens


@quantity(unit="tokens/s", source="definition", also_at="performance.tokens_per_s_per_accelerator")
def pod_tokens_per_s_per_accelerator(*, tokens_per_s: Array, accelerators_used: Array) -> Array:
    """Output tokens for each accelerator of the pod: those that the workload has, idle ones included."""
    return tokens_per_s / accelerators_used


@quantity(
    unit="tokens/s",
    source="definition",
    at="performance.output_tokens_per_s_per_accelerator",
    short="Output per accelerator",
    key=True,
    better="more",
)
def output_tokens_per_s_per_accelerator(
    *, tokens_per_s: Array, replicas: Array, accelerators_per_replica: Array
) -> Array:
    """Output tokens per second per accelerator."""
    return tokens_per_s / (replicas * accelerators_per_replica)


@quantity(
    unit="tokens/s", source="definition", at="performance.tokens_per_s_per_user", key=True, better="more"
)
def tokens_per_s_per_user(*, tpot_s: Array) -> Array:
    """Output tokens per second per user."""
    return 1 / tpot_s


@quantity(unit="1", source="definition", at="performance.batch", key=True)
def decode_batch(*, running: Array, decode_instances: Array) -> Array:
    """Sequences decoded per instance."""
    return running / decode_instances


@quantity(unit="1", source="definition", at="performance.concurrency", key=True)
def pod_concurrency(*, replica_concurrency: Array, replicas: Array) -> Array:
    """Requests in flight."""
    return replica_concurrency * replicas


@quantity(unit="1", source="definition")
def replica_concurrency(*, concurrency: Array, replicas: Array) -> Array:
    """Requests in flight on one replica."""
    return concurrency / replicas


@quantity(unit="1", source="definition", at="performance.accelerators_per_replica", key=True)
def accelerators_per_replica(
    *,
    prefill_accelerators: Array,
    prefill_instances: Array,
    decode_accelerators: Array,
    decode_instances: Array,
) -> Array:
    """Accelerators per replica: an instance, or a group of prefill and decode instances."""
    return prefill_accelerators * prefill_instances + decode_accelerators * decode_instances


@quantity(unit="1", source="definition", at="performance.replicas", key=True)
def replicas_that_fit(*, replicas_held: Array) -> Array:
    """Replicas: as many whole ones as its SuperNodes hold, and one at least."""
    return np.maximum(replicas_held, 1.0)


stated_replicas = alias(
    "stated_replicas",
    "Replicas of the pod, as the scenario states them",
    of="instances",
    at="performance.stated_replicas",
    also_at="performance.replicas",
)
decode_step_time_s = alias(
    "decode_step_time_s",
    "Time of one decode step",
    of="decode_step_s",
    at="performance.decode_step_time_s",
    unit="s",
    also_at="performance.step_time_s",
)
prompt_prefill_s = alias(
    "prompt_prefill_s",
    "Prefill time of one prompt",
    of="prefill_s",
    at="performance.prefill_s",
    unit="s",
)


@quantity(unit="1", percent=True, source=_LITTLE, at="performance.prefill_share")
def prefill_share(*, replica_requests_per_s: Array, prefill_cost_s: Array) -> Array:
    """Prefill share of accelerator time.

    Requests in a second times what the prefill of one takes from decode; where it would be more than all, all of it.
    """
    return np.minimum(replica_requests_per_s * prefill_cost_s, 1.0)


@quantity(unit="1", source="definition", also_at="performance.prefill_share")
def prefill_accelerator_share(
    *, prefill_accelerators: Array, prefill_instances: Array, accelerators_per_replica: Array
) -> Array:
    """Share of the accelerators that do nothing but prefill."""
    return prefill_accelerators * prefill_instances / accelerators_per_replica


@quantity(unit="1", source=_MFU, also_at="performance.mfu")
def decode_mfu(
    *,
    batch: Array,
    step_tokens: Array,
    model_flop_per_token: Array,
    step_time_s: Array,
    accelerators: Array,
    peak_flop_per_s: Array,
) -> Array:
    """Model FLOPs utilisation of a decode step.

    Over the dense peak at the precision of the workload; guessed tokens are computed like others.
    """
    flop = batch * step_tokens * model_flop_per_token
    return flop / (step_time_s * accelerators * peak_flop_per_s)


@quantity(unit="1", percent=True, source=_ROOFLINE, at="performance.memory_bandwidth_share", key=True)
def memory_bandwidth_share(
    *, traffic_bytes: Array, step_time_s: Array, memory_bandwidth_bytes_per_s: Array
) -> Array:
    """Memory bandwidth utilisation: what a decode step uses of that of the data sheet."""
    return traffic_bytes / step_time_s / memory_bandwidth_bytes_per_s


@quantity(unit="s", source="[1] Kleinrock 1975, Queueing Systems volume 1, section 5.6; exponential waits")
def random_wait_spread_s(*, waits_s: tuple[Array, ...]) -> Array:
    """Standard deviation of the wait of requests that come at random times: as long as the wait itself."""
    return sum(waits_s[1:], start=waits_s[0])


@quantity(unit="s", source="definition of a line: places in it are all alike likely")
def line_span_s(*, waits_s: tuple[Array, ...]) -> Array:
    """Wait of the last in a line: twice the mean."""
    return 2 * sum(waits_s[1:], start=waits_s[0])


@quantity(unit="1/s", source="definition", at="performance.requests_per_s_limit", key=True, better="more")
def requests_per_s_limit(
    *, replica_requests_per_s: Array, replicas: Array, over_promise_alone: Array, request_limit: Array
) -> Array:
    """Maximum request rate within the SLO: of the whole pod.

    None where a request by itself misses the SLO, or finds no place in memory.
    """
    none = (over_promise_alone > 1) | (request_limit < 1)
    return np.where(none, 0.0, replica_requests_per_s * replicas)


kv_transfer_s = alias(
    "kv_transfer_s",
    "KV-cache transfer time",
    of="of_ttft_s",
    at="performance.kv_transfer_s",
    unit="s",
    key=True,
)


@quantity(unit="s", source="definition", at="performance.ttft_within_s", key=True, better="less")
def ttft_within_s(*, mean_s: Array, spread_s: Array, fixed_s: Array, share: Array) -> Array:
    """Time to first token at the SLO percentile: what that share of the requests stays within."""
    return percentile_s(mean_s=mean_s, spread_s=spread_s, fixed_s=fixed_s, share=share)


@quantity(unit="s", source="definition", at="performance.tpot_within_s", key=True, better="less")
def tpot_within_s(*, mean_s: Array, spread_s: Array, fixed_s: Array, share: Array) -> Array:
    """Time per output token at the SLO percentile: what that share of the requests stays within."""
    return percentile_s(mean_s=mean_s, spread_s=spread_s, fixed_s=fixed_s, share=share)

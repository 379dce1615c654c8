"""The parts of a time as an evaluation shows them, each at its place."""

from __future__ import annotations

from collections.abc import Callable

from app.engine.quantities import quantity
from app.engine.trace import Array


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.dense_matmul")
def dense_matmul_of_a_token_s(*, part_s: Array) -> Array:
    """Matrix products outside the routed experts."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.output_head")
def output_head_of_a_token_s(*, part_s: Array) -> Array:
    """Output head."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.experts")
def experts_of_a_token_s(*, part_s: Array) -> Array:
    """Routed experts, reading them and bringing tokens to them."""
    return 1 * part_s


@quantity(unit="s", source="definition", also_at="performance.time_breakdown_s.attention")
def attention_of_a_token_s(*, part_s: Array) -> Array:
    """Attention, reading keys and values."""
    return 1 * part_s


@quantity(unit="s", source="definition", also_at="performance.time_breakdown_s.launch")
def launch_of_a_token_s(*, part_s: Array) -> Array:
    """Starting kernels."""
    return 1 * part_s


@quantity(unit="s", source="definition", also_at="performance.time_breakdown_s.all_reduce")
def all_reduce_of_a_token_s(*, part_s: Array) -> Array:
    """Exchange between tensor-parallel ranks."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.expert_exchange")
def expert_exchange_of_a_token_s(*, part_s: Array) -> Array:
    """Exchange between experts."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.step_overhead")
def step_overhead_of_a_token_s(*, part_s: Array) -> Array:
    """Scheduling of a step."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.sequence_overhead")
def sequence_overhead_of_a_token_s(*, part_s: Array) -> Array:
    """Sampling and answering, for every sequence."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.guessing")
def guessing_of_a_token_s(*, part_s: Array) -> Array:
    """Guessing tokens ahead."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.stage_exchange")
def stage_exchange_of_a_token_s(*, part_s: Array) -> Array:
    """Exchange between pipeline stages."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.stage_wait")
def stage_wait_of_a_token_s(*, part_s: Array) -> Array:
    """Wait for the longest pipeline stage."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.host_weights")
def host_weights_of_a_token_s(*, part_s: Array) -> Array:
    """Weights in the memory of the host: bringing them over, or multiplying by them there."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.adapters")
def adapters_of_a_token_s(*, part_s: Array) -> Array:
    """LoRA adapters."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.time_breakdown_s.prefill_interference")
def prefill_interference_of_a_token_s(*, part_s: Array) -> Array:
    """Prefill of other requests between two tokens."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.overhead")
def overhead_to_the_first_token_s(*, part_s: Array) -> Array:
    """Taking a request in and answering."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.kv_return")
def kv_return_to_the_first_token_s(*, part_s: Array) -> Array:
    """Bringing cached keys and values back."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.adapter_load")
def adapter_load_to_the_first_token_s(*, part_s: Array) -> Array:
    """Loading an adapter that is not on the accelerators."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.encoder")
def encoder_to_the_first_token_s(*, part_s: Array) -> Array:
    """Encoding images, video or sound of the prompt."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.prefill")
def prefill_to_the_first_token_s(*, part_s: Array) -> Array:
    """Prefill of the prompt itself."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.decode_wait")
def decode_wait_to_the_first_token_s(*, part_s: Array) -> Array:
    """Decode steps before and after the prefill."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.prefill_wait")
def prefill_wait_to_the_first_token_s(*, part_s: Array) -> Array:
    """Wait for the prefill of others."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.burst_wait")
def burst_wait_to_the_first_token_s(*, part_s: Array) -> Array:
    """Wait for all that came at once."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.place_wait")
def place_wait_to_the_first_token_s(*, part_s: Array) -> Array:
    """Wait for a place in memory."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.queue_wait")
def queue_wait_to_the_first_token_s(*, part_s: Array) -> Array:
    """Queue of requests that come at random times."""
    return 1 * part_s


@quantity(unit="s", source="definition", at="performance.ttft_breakdown_s.kv_transfer")
def kv_transfer_to_the_first_token_s(*, part_s: Array) -> Array:
    """Sending keys and values to the decode instance."""
    return 1 * part_s


Shown = Callable[..., Array]
OF_A_TOKEN: dict[str, Shown] = {
    "dense_matmul": dense_matmul_of_a_token_s,
    "output_head": output_head_of_a_token_s,
    "experts": experts_of_a_token_s,
    "attention": attention_of_a_token_s,
    "launch": launch_of_a_token_s,
    "all_reduce": all_reduce_of_a_token_s,
    "expert_exchange": expert_exchange_of_a_token_s,
    "step_overhead": step_overhead_of_a_token_s,
    "sequence_overhead": sequence_overhead_of_a_token_s,
    "guessing": guessing_of_a_token_s,
    "stage_exchange": stage_exchange_of_a_token_s,
    "stage_wait": stage_wait_of_a_token_s,
    "host_weights": host_weights_of_a_token_s,
    "adapters": adapters_of_a_token_s,
    "prefill_interference": prefill_interference_of_a_token_s,
}
TO_THE_FIRST_TOKEN: dict[str, Shown] = {
    "overhead": overhead_to_the_first_token_s,
    "kv_return": kv_return_to_the_first_token_s,
    "adapter_load": adapter_load_to_the_first_token_s,
    "encoder": encoder_to_the_first_token_s,
    "prefill": prefill_to_the_first_token_s,
    "decode_wait": decode_wait_to_the_first_token_s,
    "prefill_wait": prefill_wait_to_the_first_token_s,
    "burst_wait": burst_wait_to_the_first_token_s,
    "place_wait": place_wait_to_the_first_token_s,
    "queue_wait": queue_wait_to_the_first_token_s,
    "kv_transfer": kv_transfer_to_the_first_token_s,
}


def shown_parts(parts_s: dict[str, Array], places: dict[str, Shown]) -> dict[str, Array]:
    """Every part at its place.

    Raises
    ------
    KeyError : a part has no place
    """
    return {name: places[name](part_s=part) for name, part in parts_s.items()}

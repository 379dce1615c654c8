"""Parts of the time per output token and of the time to first token, each at its place in an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from app.engine.quantities import alias
from app.engine.trace import Array

OF_A_TOKEN_LABELS = {
    "dense_matmul": "Matrix products outside the routed experts",
    "output_head": "Output head",
    "experts": "Routed experts",
    "attention": "Attention, KV-cache reads",
    "launch": "Kernel launch",
    "all_reduce": "All-reduce",
    "expert_exchange": "Expert dispatch and combine",
    "step_overhead": "Scheduling per step",
    "sequence_overhead": "Sampling and detokenisation per sequence",
    "guessing": "Speculative drafting",
    "stage_exchange": "Transfer between pipeline stages",
    "stage_wait": "Wait for the slowest pipeline stage",
    "host_weights": "Weights in host memory",
    "adapters": "LoRA adapters",
    "prefill_interference": "Prefill interference",
}
TO_THE_FIRST_TOKEN_LABELS = {
    "overhead": "Request handling",
    "kv_return": "KV-cache reload",
    "adapter_load": "Adapter loading",
    "encoder": "Encoding of images, video or audio",
    "prefill": "Prefill",
    "decode_wait": "Decode steps before and after prefill",
    "prefill_wait": "Wait for other prefills",
    "burst_wait": "Burst queue",
    "place_wait": "Wait for KV-cache space",
    "queue_wait": "Queue",
    "kv_transfer": "KV-cache transfer to decode",
}
OF_TRAINING = ("attention", "launch", "all_reduce")
"""Parts whose places in `time_breakdown_s` are those of a training or generic job."""


def _of_a_token(name: str, label: str) -> Callable[..., Any]:
    place, own = f"performance.time_breakdown_s.{name}", f"{name}_of_a_token_s"
    if name in OF_TRAINING:
        return alias(own, label, of="part_s", at=f"performance.{own}", unit="s", also_at=place)
    return alias(own, label, of="part_s", at=place, unit="s")


def _to_the_first_token(name: str, label: str) -> Callable[..., Any]:
    own = f"{name}_to_the_first_token_s"
    return alias(own, label, of="part_s", at=f"performance.ttft_breakdown_s.{name}", unit="s")


OF_A_TOKEN = {name: _of_a_token(name, label) for name, label in OF_A_TOKEN_LABELS.items()}
TO_THE_FIRST_TOKEN = {
    name: _to_the_first_token(name, label) for name, label in TO_THE_FIRST_TOKEN_LABELS.items()
}


def shown_parts(parts_s: Mapping[str, Array], places: Mapping[str, Callable[..., Any]]) -> dict[str, Array]:
    """Every part at its place.

    Raises
    ------
    KeyError : a part has no place
    """
    return {name: places[name](part_s=part) for name, part in parts_s.items()}

"""What people call the parts of a latency."""

from __future__ import annotations

PART_WORDS = {
    "dense_matmul": "matrix products",
    "output_head": "output head",
    "experts": "routed experts",
    "attention": "attention",
    "launch": "kernel launches",
    "all_reduce": "exchange between tensor-parallel ranks",
    "expert_exchange": "exchange between experts",
    "step_overhead": "scheduling",
    "sequence_overhead": "sampling and answering",
    "guessing": "guessing tokens ahead",
    "stage_exchange": "exchange between pipeline stages",
    "stage_wait": "wait for the longest pipeline stage",
    "host_weights": "weights in host memory",
    "adapters": "LoRA adapters",
    "adapter_load": "loading adapters",
    "encoder": "encoding images or sound",
    "prefill_interference": "prefill of others",
    "overhead": "taking requests in and answering",
    "kv_return": "bringing cached keys and values back",
    "prefill": "prefill of the prompt",
    "decode_wait": "decode steps before and after the prefill",
    "prefill_wait": "wait for prefill",
    "burst_wait": "wait for all that came at once",
    "place_wait": "wait for a place in memory",
    "queue_wait": "queue of random arrivals",
    "kv_transfer": "sending keys and values",
    "calibration": "correction by own measurements",
}


def part_words(name: str) -> str:
    """A part in words.

    >>> part_words("launch"), part_words("something_new")
    ('kernel launches', 'something new')
    """
    return PART_WORDS.get(name, name.replace("_", " "))

"""Terms of the latency and memory of a served model in words, and what makes each smaller."""

from __future__ import annotations

from app.engine.performance.serving.answers import OF_A_TOKEN_LABELS, TO_THE_FIRST_TOKEN_LABELS
from app.engine.units import inside

MEMORY_WORDS = {
    "weights": "weights",
    "kv_cache": "KV cache of the request",
    "activations": "activations of a chunk of input",
    "buffers": "expert-exchange buffers",
    "logits": "logits",
    "reserved": "memory reserved by runtime and libraries",
    "adapters": "LoRA adapters",
    "encoder": "encoder of images or audio",
}
MEMORY_RELIEF = {
    "weights": "More tensor-parallel ranks or pipeline stages in an instance, more SuperNodes to have them, a smaller "
    "number format of the weights, or an accelerator with more memory would hold them.",
    "kv_cache": "Shorter requests, keys and values of 8 bit, more tensor-parallel ranks or more pipeline stages would make "
    "them smaller.",
    "activations": "A smaller chunk of input or more tensor-parallel ranks would make them smaller.",
    "buffers": "Fewer replicas of attention, or experts cut over all ranks, would make them smaller.",
    "logits": "Fewer guessed tokens would make them smaller.",
    "reserved": "An accelerator with more memory would leave room.",
    "encoder": "More tensor-parallel ranks would make it smaller.",
    "adapters": "Fewer slots for adapters (workload.adapters.max_loras), a lower rank or adapters of attention alone would make "
    "them smaller.",
}
FLOOR_WORDS = {
    name: inside(label)
    for name, label in (
        OF_A_TOKEN_LABELS | TO_THE_FIRST_TOKEN_LABELS | {"calibration": "Calibration"}
    ).items()
}
"""Terms of a latency, in a sentence."""
_WEIGHTS = "More ranks, a smaller number format or more memory bandwidth would shorten it"
_HOST = "A newer engine or guessed tokens would shorten it: no accelerator does"
_LINKS = "Fewer ranks, or ranks within one scale-up domain, would shorten it"
RELIEF = {
    "dense_matmul": f"{_WEIGHTS}.",
    "output_head": f"{_WEIGHTS}.",
    "experts": f"{_WEIGHTS}.",
    "attention": "Shorter requests, keys and values of 8 bit or more ranks would shorten it.",
    "launch": f"{_HOST}.",
    "step_overhead": f"{_HOST}.",
    "sequence_overhead": f"{_HOST}.",
    "stage_exchange": f"{_LINKS}.",
    "stage_wait": "Stages that divide the layers, or fewer, would shorten it.",
    "guessing": "Fewer guessed tokens or a smaller draft model would shorten it.",
    "host_weights": "A smaller share in the host, a faster link or host memory, or a smaller number format would shorten it.",
    "adapters": "A lower rank, or adapters of attention alone, would shorten it.",
    "adapter_load": "More slots for adapters (workload.adapters.max_loras) or a lower rank would shorten it.",
    "encoder": "Smaller or fewer images, shorter sound or more tensor-parallel ranks would shorten it.",
    "overhead": "Another engine would shorten it: no accelerator does.",
    "all_reduce": f"{_LINKS}.",
    "expert_exchange": f"{_LINKS}.",
    "kv_return": "A tier with a faster link, keys and values of 8 bit or more ranks would shorten it.",
    "prefill": "More ranks, shorter prompts, a prefix cache or a smaller number format would shorten it.",
    "decode_wait": "Prefill on instances of its own would take it away.",
    "kv_transfer": "Shorter prompts, keys and values of 8 bit or a faster network would shorten it.",
    "calibration": "It is what own measurements found.",
}
"""What makes a term of a latency smaller."""


def part_words(name: str) -> str:
    """A part of a latency inside a sentence.

    >>> part_words("launch"), part_words("something_new")
    ('kernel launch', 'something new')
    """
    return FLOOR_WORDS.get(name, name.replace("_", " "))


def figures(value: float) -> str:
    """Three significant figures, whole from a thousand on.

    >>> figures(0.0231), figures(88.13), figures(2885.8)
    ('0.0231', '88.1', '2,886')
    """
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:,.3g}"


def seconds(time_s: float) -> str:
    """A time in seconds, milliseconds below one.

    >>> seconds(0.0231), seconds(88.13), seconds(2885.8)
    ('23.1 ms', '88.1 s', '2,886 s')
    """
    return f"{figures(1e3 * time_s)} ms" if time_s < 1 else f"{figures(time_s)} s"

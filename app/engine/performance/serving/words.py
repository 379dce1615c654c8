"""What people call the terms of a served model's latency and memory, and what makes each of them smaller."""

from __future__ import annotations

MEMORY_WORDS = {
    "weights": "weights",
    "kv_cache": "keys and values of the request",
    "activations": "activations of a chunk of input",
    "buffers": "buffers of the exchange between experts",
    "logits": "logits",
    "reserved": "what runtime and libraries reserve",
    "adapters": "LoRA adapters",
    "encoder": "encoder of images or sound",
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
    "dense_matmul": "matrix products outside the routed experts",
    "output_head": "output head",
    "experts": "reading the experts",
    "attention": "reading keys and values",
    "launch": "starting kernels",
    "all_reduce": "exchange between tensor-parallel ranks",
    "expert_exchange": "exchange between experts",
    "step_overhead": "scheduling of a step",
    "sequence_overhead": "sampling and answering",
    "guessing": "guessing tokens ahead",
    "stage_exchange": "exchange between pipeline stages",
    "stage_wait": "wait for the longest pipeline stage",
    "host_weights": "weights in the memory of the host",
    "adapters": "LoRA adapters",
    "adapter_load": "loading adapters",
    "encoder": "encoding images or sound",
    "prefill_interference": "prefill of others",
    "overhead": "taking requests in and answering",
    "kv_return": "bringing cached keys and values back",
    "prefill": "prefill of the prompt",
    "decode_wait": "decode steps before and after it",
    "prefill_wait": "prefill of others",
    "burst_wait": "all that came at once",
    "place_wait": "wait for a place in memory",
    "queue_wait": "queue of requests that come at random times",
    "kv_transfer": "sending keys and values",
    "calibration": "correction by own measurements",
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
    "stage_wait": "Stages that divide the layers, or fewer of them, would shorten it.",
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

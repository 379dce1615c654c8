"""What all requests in flight ask of a deployment at once, roughly: only to tell cold starts from waits."""

from __future__ import annotations

from typing import NamedTuple

from app.catalog.lookup import Catalog, Part
from app.validation.serving.case import Case

WEIGHT_BYTES = {"bf16": 2.0, "nvfp4": 0.6, "mxfp4": 0.6}
EIGHT_BIT = 1.0
USABLE = 0.9  # of the memory, as engines take it by default


class Burst(NamedTuple):
    """Not a number where the catalog does not say."""

    prompts_flop: float
    peak_flop_per_s: float
    cache_bytes: float
    cache_room_bytes: float


def measured_facts(case: Case, catalog: Catalog) -> Burst:
    """The prefill of all prompts in flight, and the cache of all their sequences, against what there is."""
    model = catalog.part("models", case.model_key)
    accelerator = catalog.part("accelerators", case.accelerator_key)
    ranks = case.decode.accelerators * case.decode_instances
    replicas = case.decode_instances
    active = _first(
        model, "published_active_parameters", "computed_active_parameters", "published_parameters"
    )
    parameters = _first(model, "published_parameters", "computed_parameters")
    # each tensor-parallel rank holds a latent cache whole, and a head of keys and values at least
    heads = 1.0 if model.attributes.get("attention", "").lower() == "mla" else _first(model, "kv_heads")
    copies = max(case.decode.tensor_parallel / heads, 1.0)
    tokens = case.concurrency * (case.input_tokens + case.output_tokens / 2)
    return Burst(
        prompts_flop=2.0 * active * case.input_tokens * case.concurrency,
        peak_flop_per_s=_first(accelerator, "bf16_flop_per_s", "fp16_flop_per_s") * case.prefill_accelerators,
        cache_bytes=tokens * copies * _first(model, "kv_cache_bytes"),
        cache_room_bytes=USABLE * _first(accelerator, "memory_bytes") * ranks
        - replicas * parameters * WEIGHT_BYTES.get(case.precision, EIGHT_BIT),
    )


def _first(part: Part, *names: str) -> float:
    """The first fact that there is; not a number without any."""
    return next((part.facts[name].value for name in names if name in part.facts), float("nan"))

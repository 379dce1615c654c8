"""Number formats of the parts of a served model; each is declared in `seed_data/serving/number_formats.csv`."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import Field

from app.catalog.number_formats import is_native, number_formats
from app.catalog.values import Part as CatalogPart
from app.scenarios.fields import Part

ServingPrecision = Literal[
    "bf16",
    "fp16",
    "fp8",
    "fp8_block",
    "mxfp8",
    "nvfp4",
    "mxfp4",
    "int8",
    "w8a16",
    "w4a16",
    "w4a16_g32",
    "q8_0",
    "q4_k",
]
KvFormat = Literal["bf16", "fp16", "fp8", "nvfp4", "int8"]

SIXTEEN_BIT = "bf16"
FITTED_DEQUANTISED = {("fp4", "hopper"): "fp4"}
"""Kernels of 4-bit experts on Hopper were fitted as they are: they dequantise, and multiply in 16 bit."""


class PartsDocument(Part):
    """Formats that differ from `precision`. What is left out is what published checkpoints and engines do."""

    outside_experts: ServingPrecision | None = Field(
        title="Other weights",
        default=None,
        description="Attention, dense layers, shared experts and router; as precision, or as 4-bit checkpoints of a "
        "mixture of experts keep them, when left out.",
    )
    experts: ServingPrecision | None = Field(
        title="Routed experts", default=None, description="Routed experts; as precision when left out."
    )
    head: ServingPrecision | None = Field(
        title="Embedding and head",
        default=None,
        description="Input embedding and output head; 16 bit when left out.",
    )
    kv_cache: KvFormat | None = Field(
        title="KV cache",
        default=None,
        description="Keys and values that are kept; as the engine does unasked when left out.",
    )
    exchange: KvFormat | None = Field(
        title="Expert dispatch",
        default=None,
        description="Activations sent to the experts; 8 bit where precision has no more, when left out.",
    )


class Formats(NamedTuple):
    """Formats by which a part is stored, and the ones its products are computed in."""

    outside_experts: str
    outside_experts_arithmetic: str
    experts: str


def formats_of(*, precision: str, parts: PartsDocument, has_experts: bool) -> Formats:
    """The formats of a model's matrices.

    Published 4-bit checkpoints of a mixture of experts keep attention in 8 or 16 bit; its products count in 16 bit, as
    where the constants were fitted.

    >>> formats_of(precision="nvfp4", parts=PartsDocument(), has_experts=True)
    Formats(outside_experts='nvfp4', outside_experts_arithmetic='bf16', experts='nvfp4')
    >>> formats_of(precision="fp8", parts=PartsDocument(experts="nvfp4"), has_experts=True)
    Formats(outside_experts='fp8', outside_experts_arithmetic='fp8', experts='nvfp4')
    """
    outside = parts.outside_experts or precision
    kept = number_formats()[precision].mixture_keeps
    kept_higher = parts.outside_experts is None and has_experts and kept
    return Formats(outside, kept if kept_higher else outside, parts.experts or precision)


def fitted_precision(*, precision: str, parts: PartsDocument, has_experts: bool) -> str:
    """The word by which fitted constants are chosen: the format that holds most of the model.

    >>> fitted_precision(precision="bf16", parts=PartsDocument(experts="mxfp4"), has_experts=True)
    'nvfp4'
    """
    formats = formats_of(precision=precision, parts=parts, has_experts=has_experts)
    return number_formats()[formats.experts if has_experts else formats.outside_experts].fitted_as


def format_words(formats: Formats, accelerator: CatalogPart, generation: str) -> dict[str, str]:
    """The words of formats that constants of matrix products and of kernels are chosen by, on an accelerator.

    `generation` is its line of hardware. What it does not multiply as it is runs as 16-bit products do, slower by what dequantising takes.
    """
    words: dict[str, str] = {}
    for part, word in (("dense", formats.outside_experts_arithmetic), ("expert", formats.experts)):
        form = number_formats()[word]
        kernels = "fp4" if part == "expert" and form.kernels_of == "nvfp4" else form.kernels_of
        weights = "as_multiplied"
        if not is_native(form, accelerator):
            fitted = FITTED_DEQUANTISED.get((kernels, generation))
            kernels, weights = fitted or SIXTEEN_BIT, "as_multiplied" if fitted else "dequantised"
        words |= {f"{part}_format": kernels, f"{part}_weights": weights}
    return words

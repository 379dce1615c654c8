"""Number formats of the parts of a served model."""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import Field

from app.scenarios.fields import Part

ServingPrecision = Literal["bf16", "fp16", "fp8", "mxfp8", "nvfp4", "mxfp4", "int8"]
KvFormat = Literal["bf16", "fp16", "fp8", "nvfp4", "int8"]

KEPT_IN = {"nvfp4": "bf16", "mxfp4": "bf16"}
"""What 4-bit checkpoints of a mixture of experts multiply in outside the experts."""
EIGHT_BIT_AS = {"int8": "fp8"}
"""No runs in INT8 were fitted: its kernels are taken as those of the other 8-bit format."""

FITTED_AS = {"fp16": "bf16", "mxfp8": "fp8", "mxfp4": "nvfp4"}
"""Formats whose kernels are taken to be those of another: constants were fitted to few formats."""


class PartsDocument(Part):
    """Formats that differ from `precision`. What is left out is what published checkpoints and engines do."""

    outside_experts: ServingPrecision | None = Field(
        default=None,
        description="Attention, dense layers, shared experts and router; as precision, or as 4-bit checkpoints of a "
        "mixture of experts keep them, when left out.",
    )
    experts: ServingPrecision | None = Field(
        default=None, description="Routed experts; as precision when left out."
    )
    head: ServingPrecision | None = Field(
        default=None, description="Input embedding and output head; 16 bit when left out."
    )
    kv_cache: KvFormat | None = Field(
        default=None, description="Keys and values that are kept; as the engine does unasked when left out."
    )
    exchange: KvFormat | None = Field(
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
    kept_higher = parts.outside_experts is None and has_experts
    arithmetic = KEPT_IN.get(precision, outside) if kept_higher else outside
    return Formats(outside, arithmetic, parts.experts or precision)


def fitted_precision(*, precision: str, parts: PartsDocument, has_experts: bool) -> str:
    """The word by which fitted constants are chosen: the format that holds most of the model.

    >>> fitted_precision(precision="bf16", parts=PartsDocument(experts="mxfp4"), has_experts=True)
    'nvfp4'
    """
    formats = formats_of(precision=precision, parts=parts, has_experts=has_experts)
    most = formats.experts if has_experts else formats.outside_experts
    return FITTED_AS.get(most, most)


def format_words(formats: Formats) -> dict[str, str]:
    """The words of formats that constants of matrix products and of kernels are chosen by.

    >>> format_words(Formats("nvfp4", "bf16", "nvfp4"))
    {'dense_format': 'bf16', 'expert_format': 'fp4'}
    """
    dense = EIGHT_BIT_AS.get(formats.outside_experts_arithmetic, formats.outside_experts_arithmetic)
    expert = EIGHT_BIT_AS.get(formats.experts, formats.experts)
    return {
        "dense_format": FITTED_AS.get(dense, dense),
        "expert_format": "fp4" if expert in ("nvfp4", "mxfp4") else FITTED_AS.get(expert, expert),
    }

"""Parallel layout of a served model."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Discriminator, Field, Tag

from app.scenarios.document.pod import Degree
from app.scenarios.fields import PREFIX, Count, CountOrZero, Part, Word

KINDS = ("main", "also_1", "also_2", "also_3")
"""Kinds of SuperNode of a pod: the first, and those of pod.also."""


class InstanceDocument(Part):
    """One instance: tp x dp x pp x cp accelerators. Attention is cut over tp and held dp x cp times."""

    tp: Degree = Field(
        title="Tensor parallelism",
        default=1,
        description="Tensor parallel degree of attention and dense layers.",
    )
    dp: Degree = Field(
        title="Attention DP degree",
        default=1,
        description="Attention replicas that share their experts; 1 for none.",
    )
    pp: Degree = Field(title="Pipeline stages", default=1, description="Pipeline stages.")
    cp: Degree = Field(
        title="Context parallelism",
        default=1,
        description="Ranks that each prompt is cut over (context parallelism); 1 where an instance only decodes.",
    )
    ep: Degree | None = Field(
        title="Expert parallelism",
        default=None,
        description="Ranks that whole experts are spread over; tp x dp x cp where dp or cp is above 1, else 1, when left out; 1 of a model without experts.",
    )
    redundant_experts: CountOrZero = Field(
        title="Redundant experts",
        default=0,
        description="Redundant experts, so that ep divides experts and copies together.",
    )
    on: Annotated[Literal["auto", "main", "also_1", "also_2", "also_3"], Word] = Field(
        title="SuperNode type",
        default="auto",
        description="Kind of SuperNode of a mixed pod that it runs on: main, or also_1 to also_3 of pod.also; auto tries "
        "every kind.",
    )
    instances: Count | None = Field(
        title="Instances",
        default=None,
        description="Instances; as many as the pod holds when left out, 1 of each in a prefill and decode group.",
    )


class SplitDocument(Part):
    """Disaggregated: a group of instances that read prompts and others that answer."""

    prefill: Annotated[InstanceDocument, PREFIX] = Field(
        title="Prefill", description="An instance that reads prompts, and how many a group has."
    )
    decode: Annotated[InstanceDocument, PREFIX] = Field(
        title="Decode", description="An instance that answers, and how many a group has."
    )


def _layout_kind(value: Any) -> str:
    if isinstance(value, str):
        return "<word>"
    split = isinstance(value, SplitDocument) or (
        isinstance(value, dict) and bool({"prefill", "decode"} & set(value))
    )
    return "<split>" if split else "<instance>"


ServingLayoutDocument = Annotated[
    Annotated[Literal["auto"], Word]
    | Annotated[InstanceDocument, Tag("<instance>")]
    | Annotated[SplitDocument, Tag("<split>")],
    Discriminator(_layout_kind),
]

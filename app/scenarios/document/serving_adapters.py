"""LoRA adapters that a served model answers with, as a scenario states them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.engine.performance.serving.adapters import MOST_ADAPTERS
from app.scenarios.fields import PERCENT, Part, Whole, fault

Matrices = Literal["all", "attention"]


class AdaptersDocument(Part):
    """LoRA adapters of one model, of which each request uses one or none."""

    count: Annotated[Whole, Field(ge=0, le=MOST_ADAPTERS)] = Field(
        title="LoRA adapters", default=0, description="Adapters that requests choose from; 0 for none."
    )
    rank: Annotated[Whole, Field(ge=1, le=1024)] = Field(
        title="Adapter rank", default=16, description="Rank of an adapter; of different ones the highest."
    )
    max_loras: Annotated[Whole, Field(ge=1, le=MOST_ADAPTERS)] | None = Field(
        title="Adapters in memory",
        default=None,
        description="Adapters that a replica of attention has in memory, and in a batch, at once (max_loras, "
        "max_loras_per_batch); all of them when left out.",
    )
    matrices: Matrices = Field(
        title="Adapted matrices",
        default="all",
        description="Matrices that an adapter changes: all of the layers, routed experts included, or those of attention alone.",
    )
    share: Annotated[Annotated[float, Field(gt=0, le=1)], PERCENT] = Field(
        title="Requests with an adapter",
        default=1,
        description="Share of the requests that use an adapter; the others use the model alone.",
    )
    popularity: Annotated[float, Field(ge=0, le=3)] | None = Field(
        title="Adapter popularity (Zipf exponent)",
        default=None,
        description="Exponent of the Zipf law by which requests choose adapters: 0 all alike; the assumption "
        "scenario.adapter_popularity when left out.",
    )

    @model_validator(mode="after")
    def _some_are_stated(self) -> Self:
        usual = {name: field.default for name, field in type(self).model_fields.items()}
        stated = next((name for name, value in usual.items() if getattr(self, name) != value), None)
        if self.count == 0 and stated is not None:
            raise fault(
                "adapters",
                f"{stated} is of adapters, and count is 0",
                hint="state count, or leave adapters out",
                field=stated,
            )
        return self

"""Weights of a served model in the memory of the host, as a scenario states them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.scenarios.fields import PERCENT, Either, Part, Value, Word, fault

HostPart = Literal["none", "auto", "layers", "experts"]
HostWay = Literal["auto", "stream", "compute"]


class HostWeightsDocument(Part):
    """Weights that lie in the memory of the host in place of the accelerators' own."""

    part: HostPart = Field(
        title="Weights in host memory",
        default="none",
        description="none: all weights lie in the accelerators' memory; layers: whole layers lie in the host (-ngl, "
        "--cpu-offload-gb); experts: routed experts do (--n-cpu-moe, KTransformers); auto: experts of a mixture of experts, else "
        "layers, where the engine can.",
    )
    share: Annotated[
        Annotated[
            Annotated[Literal["auto"], Word] | Annotated[Annotated[float, Field(gt=0, le=1)], Value], Either
        ],
        PERCENT,
    ] = Field(
        title="Share of weights in host memory",
        default="auto",
        description="Share of the layers or routed experts that lies in the host; auto is the least with which the requests in "
        "flight fit, and nothing where they fit without.",
    )
    way: HostWay = Field(
        title="Use of host weights",
        default="auto",
        description="stream: weights cross the link to the accelerator whenever they are used; compute: the processors of "
        "the host multiply them; auto is what the engine does.",
    )

    @model_validator(mode="after")
    def _a_part_is_stated(self) -> Self:
        stated = next((name for name in ("share", "way") if getattr(self, name) != "auto"), None)
        if self.part == "none" and stated is not None:
            raise fault(
                "host_weights",
                f"{stated} says how weights lie in the host, and part is none",
                hint="state part: auto, layers or experts, or leave it out",
                field=stated,
            )
        return self

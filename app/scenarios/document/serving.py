"""A served model, as a scenario states it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from app.scenarios.document.architecture import Model
from app.scenarios.document.serving_adapters import AdaptersDocument
from app.scenarios.document.serving_calibration import ServingCalibrationDocument
from app.scenarios.document.serving_demand import DemandDocument, ServiceLevelDocument
from app.scenarios.document.serving_engine import EngineDocument
from app.scenarios.document.serving_host_weights import HostWeightsDocument
from app.scenarios.document.serving_layout import ServingLayoutDocument, SplitDocument
from app.scenarios.document.serving_parts import PartsDocument, ServingPrecision
from app.scenarios.document.serving_requests import AnyRequestsDocument, RequestsDocument, SpeculationDocument
from app.scenarios.fields import Display, Either, Part, Value, Word, fault

Mode = Literal["auto", "aggregated", "disaggregated"]
Arrival = Literal["auto", "random", "steady", "burst"]


class ServingDocument(Part):
    """A model that answers requests."""

    kind: Literal["serving"] = Field(
        title="Workload type", description="serving: a model that answers requests."
    )
    model: Model = Field(title="Model", description="Catalog key of a model, or an inline architecture.")
    precision: ServingPrecision = Field(
        title="Precision",
        default="fp8",
        description="Number format of weights and matrix products, but for parts.",
    )
    parts: PartsDocument = Field(default=PartsDocument(), description="Formats of single parts of the model.")
    engine: EngineDocument = Field(default=EngineDocument(), description="Serving engine.")
    host_weights: HostWeightsDocument = Field(
        default=HostWeightsDocument(), description="Weights in the memory of the host."
    )
    adapters: AdaptersDocument = Field(
        default=AdaptersDocument(), description="LoRA adapters that requests are answered with."
    )
    mode: Mode = Field(
        title="Prefill and decode",
        default="auto",
        description="aggregated: an instance reads prompts and answers; disaggregated: some read, others answer; "
        "auto follows the layout, and without one is aggregated or whichever is better.",
    )
    requests: AnyRequestsDocument = Field(
        title="Requests",
        default=RequestsDocument(),
        description="What a request is: of one kind, of several classes, or a turn of a session.",
    )
    speculation: SpeculationDocument = Field(
        default=SpeculationDocument(), description="Tokens guessed ahead."
    )
    concurrency: Annotated[
        Annotated[
            Annotated[Literal["auto"], Word] | Annotated[Annotated[float, Field(ge=1, le=1e9)], Value], Either
        ],
        Display(unit="requests"),
    ] = Field(
        title="Requests in flight",
        default="auto",
        description="Requests in flight on the pod; auto follows from the demand, else as many as meet the service "
        "level.",
    )
    arrivals: Arrival = Field(
        title="Arrival process",
        default="auto",
        description="random: requests come at any time, and queue; steady: a request comes as another ends; burst: as "
        "steady, but all in flight start at once, as in a benchmark; auto is random where a demand is stated, else "
        "steady.",
    )
    burst_waves: Annotated[float, Field(ge=1, le=1_000)] = Field(
        title="Burst waves",
        default=10,
        description="Requests for each of those that start at once: 1 the first wave alone, 10 as benchmarks have it. Of a "
        "burst.",
    )
    layout: ServingLayoutDocument = Field(
        title="Layout",
        default="auto",
        description="auto, or degrees of an instance, or of prefill and decode instances.",
    )
    demand: DemandDocument | None = Field(
        default=None, description="Demand; without it the pod serves its maximum."
    )
    service_level: ServiceLevelDocument = Field(
        default=ServiceLevelDocument(), description="Service-level objectives."
    )
    calibration: ServingCalibrationDocument | None = Field(
        default=None, description="Calibration by one measured point."
    )

    @model_validator(mode="after")
    def _mode_and_layout_agree(self) -> Self:
        stated = "disaggregated" if isinstance(self.layout, SplitDocument) else "aggregated"
        if self.layout != "auto" and self.mode not in ("auto", stated):
            raise fault(
                "mode",
                f"mode {self.mode} does not go with workload.layout, which is {stated}",
                hint=f"state mode: {stated} or auto, or change workload.layout",
                field="mode",
            )
        return self

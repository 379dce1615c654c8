"""A served model, as a scenario states it."""

from __future__ import annotations

from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from app.catalog.serving_engines import serving_engines
from app.engine.performance.serving.adapters import MOST_ADAPTERS
from app.scenarios.document.architecture import Model
from app.scenarios.document.serving_demand import DemandDocument, ServiceLevelDocument
from app.scenarios.document.serving_layout import ServingLayoutDocument, SplitDocument
from app.scenarios.document.serving_parts import PartsDocument, ServingPrecision
from app.scenarios.document.serving_requests import AnyRequestsDocument, RequestsDocument, SpeculationDocument
from app.scenarios.fields import PERCENT, Display, Either, Line, Part, Positive, Value, Whole, Word, fault

Mode = Literal["auto", "aggregated", "disaggregated"]
Arrival = Literal["auto", "random", "steady", "burst"]


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
        "max_loras_per_batch); all when left out.",
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


class ServingCalibrationDocument(Part):
    """Factors on the predicted times, from one measured point of the deployment."""

    measured_tpot_over_predicted: Positive | None = Field(
        title="TPOT (measured / predicted)",
        default=None,
        description="Measured time of a token over the predicted one; 1.1 makes each 1.1 as long.",
    )
    measured_ttft_over_predicted: Positive | None = Field(
        title="TTFT (measured / predicted)",
        default=None,
        description="Measured time to the first token over the predicted one.",
    )
    source: Line | None = Field(
        title="Measurement source", default=None, description="Source of the measurement."
    )

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.measured_tpot_over_predicted is None and self.measured_ttft_over_predicted is None:
            raise fault(
                "required",
                "states neither ratio",
                hint="give measured_tpot_over_predicted, measured_ttft_over_predicted or both, or leave it out",
            )
        return self


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


SETTINGS = {"chunk_tokens": "chunk_tokens", "memory_share": "memory_fraction"}
"""Fields of the engine that stand for an assumption of serving, by its name."""

ENGINE_OF_VENDOR = {"nvidia": "tensorrt_llm", "apple": "llama_cpp"}
ENGINE_ELSEWHERE = "vllm"

EngineName = Literal["auto", "tensorrt_llm", "sglang", "vllm", "llama_cpp", "ollama", "mindie", "lmdeploy"]
ENGINES: tuple[str, ...] = get_args(EngineName)


class EngineDocument(Part):
    """Engine and version: both change launch, scheduling and kernels."""

    name: EngineName = Field(
        title="Engine",
        default="auto",
        description="An engine of seed_data/serving/engines.csv; auto is tensorrt_llm on NVIDIA accelerators, llama_cpp on "
        "those of Apple, else vllm.",
    )
    version: Line | None = Field(
        title="Engine version",
        default=None,
        description="Version of the engine as it prints it; the newest known when left out.",
    )
    chunk_tokens: Annotated[
        Annotated[Whole, Field(ge=16, le=1_000_000)] | None, Display(unit="tokens_each")
    ] = Field(
        title="Prefill chunk size",
        default=None,
        description="Tokens of prompts that one pass takes (max_num_batched_tokens, chunked_prefill_size, max_num_tokens); "
        "8,192 when left out.",
    )
    max_num_seqs: Annotated[Whole, Field(ge=1, le=1_000_000)] | None = Field(
        title="Maximum batch size",
        default=None,
        description="Sequences that one replica of attention runs at once at most (max_num_seqs, max_running_requests, "
        "max_batch_size); as many as memory holds when left out.",
    )
    memory_share: Annotated[Annotated[float, Field(gt=0, le=1)] | None, PERCENT] = Field(
        title="Engine memory fraction",
        default=None,
        description="Share of an accelerator's memory that the engine takes (gpu_memory_utilization, mem_fraction_static); "
        "0.9 when left out.",
    )


def runs_on(engine: str, vendor: str) -> bool:
    """Return whether an engine runs on the accelerators of a maker.

    >>> runs_on("tensorrt_llm", "NVIDIA"), runs_on("tensorrt_llm", "AMD"), runs_on("auto", "AMD")
    (True, False, True)
    """
    return engine == "auto" or serving_engines()[engine].runs_on(vendor)


def usual_engine(vendor: str) -> str:
    """Default engine for the accelerators of a vendor.

    >>> usual_engine("NVIDIA"), usual_engine("AMD")
    ('tensorrt_llm', 'vllm')
    """
    return ENGINE_OF_VENDOR.get(vendor.lower(), ENGINE_ELSEWHERE)


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
        description="Requests: of one kind, of several classes, or a turn of a session.",
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

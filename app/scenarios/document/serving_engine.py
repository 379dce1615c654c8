"""The engine that serves."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field

from app.catalog.serving_engines import serving_engines
from app.scenarios.fields import PERCENT, Display, Line, Part, Whole

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
    """What auto is on the accelerators of a maker.

    >>> usual_engine("NVIDIA"), usual_engine("AMD")
    ('tensorrt_llm', 'vllm')
    """
    return ENGINE_OF_VENDOR.get(vendor.lower(), ENGINE_ELSEWHERE)

"""The engine that serves."""

from __future__ import annotations

from typing import Literal, get_args

from pydantic import Field

from app.scenarios.fields import Line, Part

ENGINE_OF_VENDOR = {"nvidia": "tensorrt_llm"}
ENGINE_ELSEWHERE = "vllm"
MAKER_OF = {"tensorrt_llm": "NVIDIA"}
"""Engines that run on the accelerators of one maker alone: TensorRT is NVIDIA's compiler, and compiles for its GPUs."""


EngineName = Literal["auto", "tensorrt_llm", "sglang", "vllm"]
ENGINES: tuple[str, ...] = get_args(EngineName)


class EngineDocument(Part):
    """Engine and version: both change launch, scheduling and kernels."""

    name: EngineName = Field(
        default="auto",
        description="tensorrt_llm, sglang or vllm; auto is tensorrt_llm on NVIDIA accelerators, else vllm.",
    )
    version: Line | None = Field(
        default=None, description="Version of the engine as it prints it; the newest known when left out."
    )


def runs_on(engine: str, vendor: str) -> bool:
    """Whether an engine runs on the accelerators of a maker.

    >>> runs_on("tensorrt_llm", "NVIDIA"), runs_on("tensorrt_llm", "AMD"), runs_on("auto", "AMD")
    (True, False, True)
    """
    return MAKER_OF.get(engine, vendor).lower() == vendor.lower()


def usual_engine(vendor: str) -> str:
    """What auto is on the accelerators of a maker.

    >>> usual_engine("NVIDIA"), usual_engine("AMD")
    ('tensorrt_llm', 'vllm')
    """
    return ENGINE_OF_VENDOR.get(vendor.lower(), ENGINE_ELSEWHERE)

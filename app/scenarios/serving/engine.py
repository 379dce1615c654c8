"""The engine that serves."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.scenarios.fields import Line, Part


class EngineDocument(Part):
    """Engine and version: both change launch, scheduling and kernels."""

    name: Literal["auto", "tensorrt_llm", "sglang", "vllm"] = Field(
        default="auto",
        description="tensorrt_llm, sglang or vllm; auto is tensorrt_llm on NVIDIA accelerators, else vllm.",
    )
    version: Line | None = Field(
        default=None, description="Version of the engine as it prints it; the newest known when left out."
    )

"""The software a job runs with. What is left out is what is usual today on that hardware."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from app.scenarios.fields import Part

Framework = Literal[
    "auto", "megatron", "megatron_fsdp", "megatron_lm", "deepspeed", "fsdp", "xla", "internevo", "own"
]
AttentionKernel = Literal["auto", "unfused", "flash_1", "flash_2", "vendor_2024", "vendor"]


class SoftwareDocument(Part):
    """Training framework and what of it changes the speed of a step."""

    framework: Framework = Field(
        title="Framework",
        default="auto",
        description="megatron (Megatron-Core, NeMo, Megatron-Bridge), megatron_fsdp (Megatron-FSDP), megatron_lm "
        "(before 2023), deepspeed (Megatron-DeepSpeed), fsdp (PyTorch, torchtitan), xla (JAX, MaxText), internevo, or own: one that is not published, which runs any possible layout. "
        "Only layouts that it runs are taken. auto is xla on TPU and Trainium; elsewhere what runs the job in least "
        "time of megatron and fsdp, and for a stated layout that neither runs megatron_fsdp or deepspeed.",
    )
    attention_kernel: AttentionKernel = Field(
        title="Attention kernel",
        default="auto",
        description="unfused, flash_1, flash_2, vendor_2024 (cuDNN before 9.6) or vendor; auto is what the "
        "framework uses on the accelerator.",
    )
    recipe: Literal["auto", "delayed", "tensor_wise", "row_wise", "block_wise"] = Field(
        title="FP8 scaling",
        default="auto",
        description="How FP8 numbers are scaled: delayed, tensor_wise (current scaling), row_wise or block_wise "
        "(DeepSeek-V3); auto is tensor_wise.",
    )
    captured_graphs: Literal["auto", "yes", "no"] = Field(
        title="Graph capture",
        default="auto",
        description="Whole iterations captured as graphs, without host launches; auto is yes for megatron "
        "on Blackwell.",
    )

"""What software a job runs with, as the words that modelling assumptions are chosen by."""

from __future__ import annotations

from app.scenarios.software import SoftwareDocument

COMPILED = ("tpu", "trainium")
# FlashAttention came in 2022; frameworks that carry their own kernels are named with them.
KERNELS = {"megatron_lm": "unfused", "deepspeed": "unfused", "fsdp": "flash_2", "internevo": "flash_2"}
CAPTURED = ("blackwell", "rubin")


def software_context(document: SoftwareDocument, generation: str) -> dict[str, str]:
    """Framework, attention kernel and whether graphs are captured, `auto` resolved for a generation.

    >>> software_context(SoftwareDocument(), "hopper")
    {'framework': 'megatron', 'attention_kernel': 'vendor', 'captured_graphs': 'no', 'recipe': 'tensor_wise'}
    """
    framework: str = document.framework
    if framework == "auto":
        framework = "xla" if generation in COMPILED else "megatron"
    kernel: str = document.attention_kernel
    if kernel == "auto":
        kernel = KERNELS.get(framework, "vendor")
        if generation == "ampere" and kernel == "vendor":
            kernel = "flash_2"
    captured: str = document.captured_graphs
    if captured == "auto":
        captured = "yes" if framework == "megatron" and generation in CAPTURED else "no"
    return {
        "framework": framework,
        "attention_kernel": kernel,
        "captured_graphs": captured,
        "recipe": "tensor_wise" if document.recipe == "auto" else document.recipe,
    }

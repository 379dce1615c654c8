"""What software a job runs with: its framework, and the words that modelling assumptions are chosen by."""

from __future__ import annotations

from app.catalog.frameworks import SEARCHED, STATED, automatic_frameworks
from app.scenarios.document.software import SoftwareDocument

COMPILED = ("tpu", "trainium")
# FlashAttention came in 2022; frameworks that carry their own kernels are named with them.
KERNELS = {"megatron_lm": "unfused", "deepspeed": "unfused", "fsdp": "flash_2", "internevo": "flash_2"}
CAPTURED = ("blackwell", "rubin")


def hardware_of(generation: str) -> str:
    """Kind of hardware that frameworks are distinguished by: gpu or compiled."""
    return "compiled" if generation in COMPILED else "gpu"


def framework_choices(
    document: SoftwareDocument, generation: str, *, stated: bool
) -> tuple[tuple[str, ...], ...]:
    """Frameworks that may run the job: the named one, or what `auto` stands for on a generation.

    The first tuple is compared; the next is asked, one after another, where none of it runs a stated layout.

    >>> framework_choices(SoftwareDocument(), "hopper", stated=True)
    (('megatron', 'fsdp'), ('megatron_fsdp', 'deepspeed'))
    """
    if document.framework != "auto":
        return ((document.framework,),)
    hardware = hardware_of(generation)
    compared = automatic_frameworks(hardware, SEARCHED)
    return (compared, automatic_frameworks(hardware, STATED)) if stated else (compared,)


def software_context(document: SoftwareDocument, framework: str, generation: str) -> dict[str, str]:
    """Framework, attention kernel and whether graphs are captured, `auto` resolved for a generation.

    >>> software_context(SoftwareDocument(), "megatron", "hopper")
    {'framework': 'megatron', 'attention_kernel': 'vendor', 'captured_graphs': 'no', 'recipe': 'tensor_wise'}
    """
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

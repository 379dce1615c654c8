"""The software of a row: the framework it names, as it was on its date."""

from __future__ import annotations

from typing import Any

from app.validation.rows import Row

FRAMEWORKS = {
    "megatron": "megatron",
    "nemo": "megatron",
    "deepspeed": "deepspeed",
    "fsdp_composer": "fsdp",
    "torchtitan": "fsdp",
    "maxtext": "xla",
    "internevo": "internevo",
}
# Megatron-Core shards weights with Megatron-FSDP alone.
SHARDED_WEIGHTS = 3
# Megatron-Core with distributed optimizer, sequence parallelism and fused attention came with 2023.
BEFORE_CORE = "2023"
# cuDNN 9.6 made attention on Hopper half as fast again. A run without a date may be older.
BEFORE_FAST_CUDNN = "2024-12"
# Composer brought the first FlashAttention, later PyTorch its second.
FIRST_FLASH = ("fsdp_composer",)
# Megatron-Bridge captures whole iterations since its release of June 2026.
CAPTURED_FROM = "2026-06"


RECIPES = {
    "rowwise": "row_wise",
    "row-wise": "row_wise",
    "block": "block_wise",
    "-cs": "tensor_wise",
    "tensor": "tensor_wise",
}
"""Words of a printed precision that say how FP8 is scaled; Transformer Engine scales with delay where none does."""


def software(row: Row) -> dict[str, Any]:
    """The software section of a row's scenario."""
    named, date = row.text("framework"), row.text("software_date")
    framework = FRAMEWORKS.get(named, "auto")
    if framework == "megatron" and date and date < BEFORE_CORE:
        framework = "megatron_lm"
    if framework == "megatron" and row.number("zero_stage") == SHARDED_WEIGHTS:
        framework = "megatron_fsdp"
    stated: dict[str, Any] = {"framework": framework, "captured_graphs": "auto"}
    if not date or date < CAPTURED_FROM:
        stated["captured_graphs"] = "no"
    if named in FIRST_FLASH:
        stated["attention_kernel"] = "flash_1"
    elif (
        framework == "megatron"
        and "h100" in row.text("accelerator_key")
        and (not date or date < BEFORE_FAST_CUDNN)
    ):
        stated["attention_kernel"] = "vendor_2024"
    scaling = next(
        (recipe for word, recipe in RECIPES.items() if word in row.text("precision").lower()), None
    )
    if scaling:
        stated["recipe"] = scaling
    elif framework == "megatron":
        stated["recipe"] = "delayed"
    return stated

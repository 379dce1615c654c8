"""The constants that were fitted to measured runs: which they are, and what was believed of them before.

Everything else in the performance assumptions is stated from data sheets, counts or published measurements.
The prior is what one would say without the runs; the spread is how far from it the fit may go at the cost
of one standard deviation, in logarithms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.catalog.lookup import Catalog


class Constant(NamedTuple):
    """One row of the performance assumptions."""

    assumption: str
    applies_to: str
    prior: float
    spread: float

    @property
    def name(self) -> str:
        return f"{self.assumption}[{self.applies_to}]"

    @property
    def conditions(self) -> dict[str, str]:
        return dict(part.split("=", 1) for part in self.applies_to.split(";") if part)


FITTED = (
    Constant("software_efficiency", "framework=megatron", 0.97, 0.06),
    Constant("software_efficiency", "framework=deepspeed", 0.93, 0.06),
    Constant("software_efficiency", "framework=fsdp", 0.93, 0.06),
    Constant("software_efficiency", "framework=internevo", 0.93, 0.06),
    Constant("matmul_ratio", "precision=fp8", 0.86, 0.08),
    Constant("matmul_ratio", "precision=mxfp8", 0.77, 0.08),
    Constant("matmul_ratio", "precision=nvfp4", 0.65, 0.08),
    Constant("matmul_fraction", "generation=blackwell;chip=blackwell_ultra", 0.84, 0.06),
    Constant("attention_fraction", "generation=ampere;attention_kernel=flash_1", 0.37, 0.12),
    Constant("attention_fraction", "generation=hopper;attention_kernel=flash_1", 0.20, 0.12),
    Constant("attention_fraction", "generation=ampere;attention_kernel=flash_2", 0.50, 0.12),
    Constant("attention_fraction", "generation=hopper;attention_kernel=flash_2", 0.315, 0.12),
    Constant("attention_fraction", "generation=hopper;attention_kernel=vendor_2024", 0.36, 0.12),
    Constant("attention_fraction", "generation=hopper", 0.50, 0.12),
    Constant("attention_fraction", "generation=blackwell", 0.47, 0.12),
    Constant("attention_fraction", "generation=blackwell;chip=blackwell_ultra", 0.54, 0.12),
    Constant("attention_fraction", "generation=tpu", 0.43, 0.12),
    Constant("elementwise_ratio", "framework=xla", 1.50, 0.15),
    Constant("permute_passes", "framework=xla", 60.0, 0.30),
    Constant("permute_passes", "", 12.0, 0.30),
    Constant("local_expert_kernels", "", 20.0, 0.25),
    Constant("tensor_parallel_exposed", "", 0.50, 0.25),
    Constant("scale_out_efficiency", "framework=megatron_lm", 0.60, 0.20),
)


def shipped_values(catalog: Catalog) -> dict[str, float]:
    """The values in the catalog of the constants that were fitted, by name."""
    values = {}
    for constant in FITTED:
        context = {"precision": "", **constant.conditions}
        values[constant.name] = catalog.assumption("performance", constant.assumption, context).value
    return values


def chosen_condition(catalog: Catalog, assumption: str, context: Mapping[str, str]) -> dict[str, str]:
    """The conditions of the row of an assumption that holds in a context."""
    return dict(catalog.assumption("performance", assumption, context).applies_to)

"""Carbon of the tokens that a pod answers with."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_LCA = "[1] Luccioni et al., Estimating the Carbon Footprint of BLOOM, arXiv 2211.02001"
_PROTOCOL = "[1] GHG Protocol Scope 2 Guidance (2015), location-based method"


@quantity(unit="kg", source=_PROTOCOL, at="carbon.operational_kg_per_million_tokens", key=True)
def operational_kg_per_million_tokens(
    *, run_power_w: Array, tokens_per_s: Array, carbon_intensity_kg_per_kwh: Array
) -> Array:
    """Operational carbon per million output tokens.

    All energy at the meter times the grid's mean intensity, location based; supernodes that wait, including spares,
    are not charged to the tokens. Where a demand is stated, of its mean tokens, at the power of the load of the peak.
    """
    energy_kwh = run_power_w * (1e6 / tokens_per_s) / (1e3 * 3600)
    return energy_kwh * carbon_intensity_kg_per_kwh


@quantity(unit="kg", source=_LCA, at="carbon.embodied_kg_per_million_tokens", key=True)
def embodied_kg_per_million_tokens(
    *,
    embodied_pod_kg: Array,
    accelerators_used: Array,
    tokens_per_s: Array,
    paid_accelerator_hours_per_year: Array,
    life_years: Array,
) -> Array:
    """Embodied carbon per million output tokens.

    The making of the hardware, shared out over all hours of its life where a demand says how many tokens they have,
    else over those that it is used in.
    """
    accelerator_hours = accelerators_used * (1e6 / tokens_per_s) / 3600
    return embodied_pod_kg * accelerator_hours / (paid_accelerator_hours_per_year * life_years)


@quantity(unit="kg", source="definition", at="carbon.kg_per_million_tokens", key=True, better="less")
def kg_per_million_tokens(*, operational_kg: Array, embodied_kg: Array) -> Array:
    """Carbon per million output tokens."""
    return operational_kg + embodied_kg

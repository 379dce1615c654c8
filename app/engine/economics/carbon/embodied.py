"""Carbon of making the hardware, and the run's share of it."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_LCA = "[1] Luccioni et al., Estimating the Carbon Footprint of BLOOM, arXiv 2211.02001"
_MAKER = "[1] NVIDIA HGX H100 product carbon footprint summary (cradle to gate)"


@quantity(unit="kg", source=_MAKER)
def embodied_accelerators_kg(
    *,
    supernodes: Array,
    spare_supernodes: Array,
    accelerators_per_supernode: Array,
    accelerator_embodied_kg: Array,
) -> Array:
    """Embodied carbon of all accelerators, including spares."""
    return (supernodes + spare_supernodes) * accelerators_per_supernode * accelerator_embodied_kg


@quantity(unit="kg", source=_LCA)
def embodied_hosts_kg(*, embodied_accelerators_kg: Array, host_embodied_ratio: Array) -> Array:
    """Embodied carbon of hosts and chassis.

    What a whole server takes beyond its accelerators.
    """
    return embodied_accelerators_kg * (host_embodied_ratio - 1)


@quantity(unit="kg", source=_LCA, at="carbon.embodied_pod_kg")
def embodied_pod_kg(*, embodied_accelerators_kg: Array, embodied_hosts_kg: Array) -> Array:
    """Embodied carbon of the SuperNodes.

    Accelerators with their hosts, including spares; network, storage and building are left out, as no
    figure for them is published.
    """
    return embodied_accelerators_kg + embodied_hosts_kg


@quantity(unit="1", source=_LCA)
def run_share_of_life(
    *, run_accelerator_hours: Array, used_accelerator_hours_per_year: Array, life_years: Array
) -> Array:
    """Share of the lifetime hours of the pod used by the run."""
    return run_accelerator_hours / (used_accelerator_hours_per_year * life_years)


@quantity(unit="kg", source=_LCA, at="carbon.embodied_breakdown_kg.accelerators")
def embodied_run_accelerators_kg(*, embodied_accelerators_kg: Array, run_share_of_life: Array) -> Array:
    """Embodied carbon of the accelerators, allocated to the run."""
    return embodied_accelerators_kg * run_share_of_life


@quantity(unit="kg", source=_LCA, at="carbon.embodied_breakdown_kg.hosts")
def embodied_run_hosts_kg(*, embodied_hosts_kg: Array, run_share_of_life: Array) -> Array:
    """Embodied carbon of hosts and chassis, allocated to the run."""
    return embodied_hosts_kg * run_share_of_life


@quantity(unit="kg", source=_LCA, at="carbon.embodied_kg", key=True)
def embodied_kg(*, embodied_pod_kg: Array, run_share_of_life: Array) -> Array:
    """Embodied carbon of the run.

    The making of the hardware, shared out over all hours it is used in its life.
    """
    return embodied_pod_kg * run_share_of_life

"""Carbon of what waits: SuperNodes beside the run, and the pod between its runs."""

from __future__ import annotations

from app.engine.quantities import quantity
from app.engine.trace import Array

_LCA = "[1] Luccioni et al., Estimating the Carbon Footprint of BLOOM, arXiv 2211.02001 (idle consumption)"


@quantity(unit="kWh", source="definition")
def waiting_beside_kwh(
    *, idle_supernodes_w: Array, utility_mean_w: Array, it_power_mean_w: Array, elapsed_time_s: Array
) -> Array:
    """Energy of idle SuperNodes during the run, including spares."""
    return idle_supernodes_w * utility_mean_w / it_power_mean_w * elapsed_time_s / (1e3 * 3600)


@quantity(unit="h", source="definition")
def hours_between_runs(
    *, run_accelerator_hours: Array, used_accelerator_hours_per_year: Array, utilisation: Array
) -> Array:
    """Idle hours allocated to the run.

    The pod's idle hours of a year (1 - u) by the run's share of the hours with work.
    """
    return 24 * 365 * (1 - utilisation) * run_accelerator_hours / used_accelerator_hours_per_year


@quantity(unit="kWh", source="definition")
def waiting_between_kwh(
    *, it_power_idle_w: Array, utility_mean_w: Array, it_power_mean_w: Array, hours_between_runs: Array
) -> Array:
    """Energy of the idle pod between runs, allocated to the run."""
    return it_power_idle_w / 1e3 * utility_mean_w / it_power_mean_w * hours_between_runs


@quantity(unit="kg", source=_LCA, at="carbon.idle_kg")
def idle_kg(
    *, waiting_beside_kwh: Array, waiting_between_kwh: Array, carbon_intensity_kg_per_kwh: Array
) -> Array:
    """Carbon of idle time allocated to the run.

    SuperNodes that wait while it runs, and its share of the hours in which the pod has no work, at idle
    power; cooling and losses follow the load. Beside the carbon of the run, not in it.
    """
    return (waiting_beside_kwh + waiting_between_kwh) * carbon_intensity_kg_per_kwh


@quantity(unit="1", source=_LCA)
def idle_floor_share(*, it_power_idle_w: Array, idle_supernodes_w: Array, it_power_mean_w: Array) -> Array:
    """Idle share of the electricity of the run."""
    return (it_power_idle_w - idle_supernodes_w) / (it_power_mean_w - idle_supernodes_w)

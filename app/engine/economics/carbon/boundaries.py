"""From the accelerators' design power to the meter: factors whose product is the ratio of both boundaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.quantities import quantity
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.facility.results import Cooling, Power

_SERVER = "[1] Epoch AI, arXiv 2405.21015: server over accelerator power 1.82 (H100), 2.03 (A100)"


@quantity(unit="1", source="definition")
def accelerator_load_factor(*, accelerators_w: Array, accelerator_tdp_power_w: Array) -> Array:
    """Power of accelerators at work over their design power."""
    return accelerators_w / accelerator_tdp_power_w


@quantity(unit="1", source=_SERVER)
def server_factor(*, servers_w: Array, accelerators_w: Array) -> Array:
    """Power of whole servers over that of their accelerators: hosts, NICs, fans and power supplies."""
    return servers_w / accelerators_w


@quantity(unit="1", source="definition")
def network_and_storage_factor(*, servers_w: Array, network_w: Array, storage_w: Array) -> Array:
    """Power of all IT of the run over that of its servers."""
    return (servers_w + network_w + storage_w) / servers_w


@quantity(unit="1", source="definition")
def facility_factor(*, utility_mean_w: Array, it_power_mean_w: Array) -> Array:
    """Power at the meter over that of IT: cooling, electrical losses and house load."""
    return utility_mean_w / it_power_mean_w


@quantity(unit="1", source="definition")
def restarts_factor(*, ettr: Array) -> Array:
    """Elapsed time over the time in which training advances: failures, restarts and checkpoints."""
    return 1 / ettr


def boundary_factors(power: Power) -> dict[str, Array]:
    """The factors in their order; their product is carbon at the meter over that of accelerator design power."""
    parts = power.it_breakdown_w
    servers_w = _servers_w(parts)
    return {
        "load": accelerator_load_factor(
            accelerators_w=parts["accelerators"], accelerator_tdp_power_w=power.accelerator_tdp_power_w
        ),
        "server": server_factor(servers_w=servers_w, accelerators_w=parts["accelerators"]),
        "network_and_storage": network_and_storage_factor(
            servers_w=servers_w, network_w=parts["network"], storage_w=parts["storage"]
        ),
        "facility": facility_factor(
            utility_mean_w=power.utility_mean_w, it_power_mean_w=power.it_power_mean_w
        ),
    }


def power_parts_w(power: Power, cooling: Cooling) -> dict[str, Array]:
    """Where the run's power at the meter goes.

    Cooling and losses are shared with SuperNodes that wait alongside it.
    """
    parts = power.it_breakdown_w
    of_the_run = 1 - parts["idle_supernodes"] / power.it_power_mean_w
    return {
        "accelerators": parts["accelerators"],
        "hosts": _servers_w(parts) - parts["accelerators"],
        "network": parts["network"],
        "storage": parts["storage"],
        "cooling": cooling.power_mean_w * of_the_run,
        "losses": (power.electrical_losses_w + power.house_load_w) * of_the_run,
    }


def _servers_w(parts: dict[str, Array]) -> Array:
    inside = ("accelerators", "hosts", "nics", "fans", "power_supplies")
    servers_w: Array = sum((parts[name] for name in inside[1:]), parts[inside[0]])
    return servers_w

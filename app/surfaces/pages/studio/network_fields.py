"""The studio's inputs for the kind of fabric and for the networks beside it."""

from __future__ import annotations

from app.surfaces.pages.studio.field import Field, choice, number, segments

CARRIED_BY = {"auto": "Auto", "none": "None", "own": "Own", "in_band": "In-band"}
KINDS = {
    "auto": "Auto", "infiniband": "IB", "roce": "RoCE", "scheduled_ethernet": "Sched.", "ultra_ethernet": "UEC",
}  # fmt: skip


def kind_of_fabric() -> Field:
    """InfiniBand, RoCE, and what else there is."""
    return segments("pod.fabric.kind", names=KINDS)


def network_fields() -> tuple[Field, ...]:
    """Return whether each network is built, and the main things about it; the rest is left to the YAML."""
    return (
        segments("pod.networks.storage.carried_by", names=CARRIED_BY),
        *_of("storage"),
        number("pod.networks.storage.servers", words=(("", "sized to the hosts"),)),
        segments("pod.networks.in_band.carried_by", names=CARRIED_BY),
        *_of("in_band"),
        segments("pod.networks.out_of_band.carried_by", names=CARRIED_BY),
        _switch("out_of_band"),
    )


def _of(name: str) -> tuple[Field, ...]:
    path = f"pod.networks.{name}"
    return (
        _switch(name),
        number(f"{path}.port_gbit_s",
               used=f"{path}.port_bandwidth_bytes_per_s", used_factor=8e-9),
        number(f"{path}.oversubscription",
               used=f"{path}.oversubscription"),
    )  # fmt: skip


def _switch(name: str) -> Field:
    path = f"pod.networks.{name}.switch"
    return choice(path, "switches", used=f"{path}.ports", words=(("auto", "Automatic"),))

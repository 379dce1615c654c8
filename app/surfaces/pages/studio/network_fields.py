"""The studio's inputs for the kind of fabric and for the networks beside it."""

from __future__ import annotations

from app.surfaces.pages.studio.field import Field, choice, number, segments

CARRIED_BY = {"auto": "Auto", "none": "None", "own": "Own", "in_band": "In-band"}
KINDS = {
    "auto": "Auto", "infiniband": "IB", "roce": "RoCE", "scheduled_ethernet": "Sched.", "ultra_ethernet": "UEC",
}  # fmt: skip


def kind_of_fabric() -> Field:
    """InfiniBand, RoCE, and what else there is."""
    return segments("pod.fabric.kind", "Kind of fabric", names=KINDS)


def network_fields() -> tuple[Field, ...]:
    """Whether each network is built, and the main things about it; the rest is left to the YAML."""
    return (
        segments("pod.networks.storage.carried_by", "Storage network", names=CARRIED_BY),
        *_of("storage", "Storage"),
        number("pod.networks.storage.servers", "Storage servers", words=(("", "as hosts ask"),)),
        segments("pod.networks.in_band.carried_by", "In-band network", names=CARRIED_BY),
        *_of("in_band", "In-band"),
        segments("pod.networks.out_of_band.carried_by", "Out-of-band network", names=CARRIED_BY),
        _switch("out_of_band", "Out-of-band"),
    )


def _of(name: str, title: str) -> tuple[Field, ...]:
    path = f"pod.networks.{name}"
    return (
        _switch(name, title),
        number(f"{path}.port_gbit_s", f"{title} port rate", unit="Gbit/s",
               used=f"{path}.port_bandwidth_bytes_per_s", used_factor=8e-9),
        number(f"{path}.oversubscription", f"{title} oversubscription", unit="to 1",
               used=f"{path}.oversubscription"),
    )  # fmt: skip


def _switch(name: str, title: str) -> Field:
    path = f"pod.networks.{name}.switch"
    return choice(path, f"{title} switch", "switches", used=f"{path}.ports", words=(("auto", "Automatic"),))

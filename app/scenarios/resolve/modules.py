"""Modules that fit: the cage of a switch, that of a NIC, and what of the catalog goes into both.

A cage has the lanes of its form, so how many ports it serves follows from the protocol and rate of the ports: a
port of 400 Gbit/s InfiniBand has four lanes of an OSFP cage of eight, one of 800 Gbit/s Ethernet all. Links
below the rate of a port are a breakout of it, in the same module.
"""

from __future__ import annotations

from typing import NamedTuple

from app.catalog.lookup import Part
from app.engine.specs import Transceiver
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.network_parts import GBIT_S, transceiver_at

FORMS = "OSFP MSA, QSFP-DD MSA and SFF-8665 (QSFP): lanes of a cage; IEEE 802.3bs, 802.3ck and 802.3df: rate of a lane"
WIDE_PORT = ("Spectrum-6",)
"""Switch chips whose ports of 800 Gbit/s have four lanes of 200 Gbit/s, two ports a cage."""


class Cage(NamedTuple):
    """A cage of a switch: its form, what its module carries, and how many unsplit ports it serves."""

    form: str
    gbit_s: float
    lane_gbit_s: float  # optical
    ports: int

    @property
    def nic_gbit_s(self) -> float:
        """What a cage of NICs carries on such lanes: eight of them in an OSFP cage, four in a QSFP."""
        return self.lane_gbit_s * (8 if self.lane_gbit_s >= 100 else 4)


NIC_CAGE = Cage("OSFP", 800, 100, 2)
"""Where no switch port decides: NICs of today, on lanes of 100 Gbit/s."""


def cage_of(switch: Part) -> Cage:
    """The cage of the ports of a switch; of a rate that is not known, the largest there is."""
    fact = switch.facts.get("port_bandwidth_bytes_per_s")
    rate = float("inf") if fact is None else fact.value / GBIT_S
    infiniband = "InfiniBand" in str(switch.attributes.get("protocol", ""))
    if rate <= 100:
        return Cage("QSFP28", 100, 25, 1)
    if rate <= 200:
        return Cage("QSFP56", 200, 50, 1)
    if rate <= 400:
        return Cage("OSFP", 800, 100, 2) if infiniband else Cage("QSFP-DD", 400, 100, 1)
    if rate <= 800:
        four_lanes = infiniband or str(switch.attributes.get("asic", "")).startswith(WIDE_PORT)
        return Cage("OSFP", 1600, 200, 2) if four_lanes else Cage("OSFP", 800, 100, 1)
    return Cage("OSFP", 1600, 200, 1)


def switch_module(cage: Cage, link_gbit_s: float, *, single_mode: bool = False) -> str:
    """The module in the cage of a switch; links of one lane, or of all, take one that is no twin."""
    if cage.form == "OSFP" and cage.gbit_s == 800:
        twin = 2 * cage.lane_gbit_s <= link_gbit_s <= cage.gbit_s / 2
        if not twin:
            return "dsp_800g_generic"
        return "dr4_2x400g_500m" if single_mode else "sr4_2x400g"
    return {
        "QSFP28": "sr4_100g_qsfp28",
        "QSFP56": "sr4_200g_hdr",
        "QSFP-DD": "dr4_400g_qsfpdd",
        "OSFP": "dr4_2x800g_xdr",
    }[cage.form]


def node_module(cage: Cage, nic_gbit_s: float, link_gbit_s: float, nics: float, switch_key: str) -> str:
    """The module at the NICs: as many lanes as they have together, of the fibre of the module in the switch."""
    rate = nics * nic_gbit_s
    if cage.lane_gbit_s < 100 and rate <= 200:
        return switch_key
    if cage.lane_gbit_s == 200:
        return "dr4_800g_xdr" if rate <= 800 else "dr4_2x800g_xdr"
    single_mode = "sr4" not in switch_key
    if nics == 1 and nic_gbit_s <= 400:
        return "dr4_400g" if single_mode else "sr4_400g"
    if nics > 1 and link_gbit_s < 2 * cage.lane_gbit_s and not single_mode:
        return "sr4_2x400g"
    if 200 <= link_gbit_s <= 400 or nics > 1:
        return "dr4_2x400g_500m" if single_mode else "sr4_2x400g"
    return "dsp_800g_generic"


def module_at(inputs: Inputs, path: str, key: str, ports: float, source: str) -> Transceiver:
    """A module of the catalog in a cage that serves so many ports or NICs."""
    return transceiver_at(
        inputs, path, key, inputs.derived(f"{path}.ports", ports, "ports of the cage", source)
    )

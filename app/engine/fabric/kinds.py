"""Kinds of fabric: what each implies for the traffic of many flows, for losses, and for its buyer.

What a kind does to speed is not modelled: no source measures the kinds side by side on one machine. The
step time of every kind rests on collectives that were measured on InfiniBand, RoCE and EFA fabrics, and shares
of line rate that others state stand here as their claims.
"""

from __future__ import annotations

from dataclasses import dataclass

AUTO = "auto"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A share of line rate that someone states, with who says so and how."""

    share: float
    words: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FabricKind:
    """`switches` and `nics` are the protocols of the catalog that belong to it; words are for people."""

    key: str
    title: str
    switches: tuple[str, ...]  # beginnings of protocols
    not_switches: tuple[str, ...] = ()
    nics: tuple[str, ...]  # parts of protocols
    load_balancing: str
    lossless: str
    in_network_reduction: str
    failover: str
    buying: str
    source: str  # of the words
    line_rate: tuple[Claim, ...] = ()


# The Ethernet of ConnectX-9 and Pollara is spelt otherwise; AWS EFA speaks another protocol over Ethernet.
_ROCE_NICS = ("GbE", "RoCE", "Ethernet /", "Ethernet,")
_COLOSSUS = (
    "NVIDIA on xAI's Colossus, 2024, a vendor's claim: vmblog.com/archive/2024/10/28/"
    "nvidia-ethernet-networking-accelerates-world-s-largest-ai-supercomputer-built-by-xai.aspx"
)

KINDS: dict[str, FabricKind] = {
    kind.key: kind
    for kind in (
        FabricKind(
            key="infiniband",
            title="InfiniBand",
            switches=("InfiniBand",),
            nics=("InfiniBand", "NDR"),
            load_balancing="Adaptive routing: each switch sends a packet by the port with the shortest queue.",
            lossless="Credits on every link: a sender waits until the next switch has room, and nothing is dropped.",
            in_network_reduction="SHARP in the switches, where their row in the catalog says so.",
            failover="A subnet manager computes new routes; switches repair a lost link by themselves meanwhile.",
            buying="One vendor makes switches and NICs, with a fabric manager of its own.",
            source="DGX SuperPOD reference architecture (DGX H100), Network Fabrics; NVIDIA Quantum-2 manuals",
        ),
        FabricKind(
            key="roce",
            title="RoCE",
            switches=("Ethernet",),
            not_switches=("Ethernet (scheduled", "Ethernet (VOQ"),
            nics=_ROCE_NICS,
            load_balancing="A hash of each flow picks its path, so that large flows can meet on one link; switches "
            "with adaptive routing or packet spraying (Spectrum-X with its NICs) spread packets instead.",
            lossless="Priority flow control stops the sender hop by hop, and congestion marks slow flows before "
            "that; both have to be tuned.",
            in_network_reduction="None in most switches; their row in the catalog says where there is.",
            failover="Routing protocols take a lost link out of the hash; with two planes or two top-of-rack "
            "switches half of a NIC goes on meanwhile.",
            buying="Many vendors of switches and NICs, and the tools of any data centre.",
            source="IEEE 802.1Qbb (priority flow control), RFC 3168 (congestion marks), RFC 2992 (hashing of flows)",
            line_rate=(
                Claim(share=0.95, words="Spectrum-X, three tiers", source=_COLOSSUS),
                Claim(share=0.60, words="standard Ethernet", source=_COLOSSUS),
            ),
        ),
        FabricKind(
            key="scheduled_ethernet",
            title="Scheduled Ethernet",
            switches=("Ethernet (scheduled", "Ethernet (VOQ"),
            nics=_ROCE_NICS,
            load_balancing="Leaves cut packets into cells and spray them over all links of the fabric; the leaf at "
            "the far end puts them in order.",
            lossless="Virtual output queues: a leaf sends when the far port has granted it credit, so that the fabric "
            "itself never fills up.",
            in_network_reduction="None.",
            failover="Hardware takes a lost link out of the spray without new routes.",
            buying="Leaves and fabric switches are of one family of chips and of one vendor; any NIC will do.",
            source="recalled from vendors' words on the Jericho and Ramon family; not confirmed",
        ),
        FabricKind(
            key="ultra_ethernet",
            title="Ultra Ethernet",
            switches=("Ethernet",),
            not_switches=("Ethernet (scheduled", "Ethernet (VOQ"),
            nics=("UEC", "Ultra Ethernet"),
            load_balancing="NICs spray packets over all paths and take them in any order.",
            lossless="Not needed: NICs resend what is lost and slow down by congestion marks; links may have credits.",
            in_network_reduction="No switch of the catalog states it.",
            failover="NICs move packets away from paths that are congested or lose them.",
            buying="An open specification of many vendors; needs NICs that speak it, on common Ethernet switches.",
            source="Hoefler et al. 2025, Ultra Ethernet's design principles, arXiv 2508.08906",
        ),
    )
}


def spoken_kinds(protocol: str) -> tuple[str, ...]:
    """Kinds of fabric that a switch can be part of, the one that it is by itself first.

    >>> spoken_kinds("InfiniBand NDR"), spoken_kinds("Ethernet (Spectrum-X)")
    (('infiniband',), ('roce', 'ultra_ethernet'))
    """
    return tuple(
        kind.key
        for kind in KINDS.values()
        if protocol.startswith(kind.switches) and not protocol.startswith(kind.not_switches)
    )


def kind_of(asked: str, protocol: str) -> str:
    """The kind of a fabric: as asked for, else what its switch is by itself, else none that has a name."""
    if asked != AUTO:
        return asked
    return (*spoken_kinds(protocol), "")[0]

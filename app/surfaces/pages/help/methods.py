"""Where each section of a design is explained: one table, for its link and for the list of methods."""

from __future__ import annotations

from typing import NamedTuple

from app.surfaces.pages.help.documents import documents, section_at

METHODS: dict[str, str] = {
    "performance": "training",
    "supernode": "supernode#size",
    "fabric": "fabric",
    "power": "facility",
    "cost": "economics",
    "reliability": "operations",
    "published": "validation",
    "fabric/topology": "fabric#topologies",
    "fabric/supernode": "supernode#parts",
    "fabric/sizes": "fabric#sizes",
    "fabric/growth": "fabric#growth",
    "fabric/bandwidth": "fabric#bandwidth-ladders",
    "fabric/networks": "fabric#networks",
    "fabric/bill": "fabric#bill-of-materials",
    "fabric/floor": "fabric#floor-plan",
    "fabric/cables": "fabric#cable-schedule",
    "fabric/faults": "fabric#faults",
    "fabric/sharing": "fabric#sharing",
    "facility/it": "facility#it-power",
    "facility/electrical": "facility#electrical-chain",
    "facility/cooling": "facility#cooling-plants",
    "facility/hours": "facility#hours-and-metrics",
    "facility/power_supply": "facility#power-supply",
    "facility/racks": "facility#racks",
    "facility/sites": "facility#sites",
    "facility/savings": "facility#savings",
    "economics/cost": "economics#build-up",
    "economics/cash": "economics#cash-flow",
    "economics/build_out": "economics#build-out-and-financing",
    "economics/rent": "economics#own-or-rent",
    "economics/decision": "economics#decision",
    "economics/runs": "economics#cost-of-a-run",
    "economics/time": "economics#cost-against-time",
    "economics/carbon": "economics#carbon",
    "economics/difference": "economics#difference-between-designs",
    "economics/uncertainty": "uncertainty#the-page",
    "operations/goodput": "operations#how-often",
    "operations/size": "operations#how-often",
    "operations/checkpoints": "operations#checkpoints",
    "operations/run": "operations#simulated-runs",
    "operations/spares": "operations#what-is-replaced-and-what-stands-ready",
    "operations/shared_parts": "operations#shared-parts",
    "operations/storage": "operations#storage",
    "operations/calibrate": "operations#own-interruptions",
    "serving/latency": "serving_model#the-first-token",
    "serving/simulation": "serving_model#requests-at-random-times",
    "serving/roofline": "serving_model#one-decode-step",
    "serving/memory": "serving#in-detail",
    "serving/sizing": "serving#demand-and-slos",
    "serving/cost": "serving#demand-and-slos",
    "serving/edge": "serving#on-a-desk-and-at-the-edge",
}
"""Place of a section (app/surfaces/pages/workspace.py) -> document and anchor."""


OF_WORKLOADS: dict[tuple[str, str], str] = {
    ("performance", "serving"): "serving_model",
    ("performance", "generic"): "generic",
}
"""Sections that are explained elsewhere for a workload that is no training."""


class Method(NamedTuple):
    title: str
    address: str


def method_of(place: str, workload: str = "") -> Method | None:
    """Where a section is explained, for a kind of workload; None for one without an entry.

    An entry whose heading was renamed leads to the top of its document, so that the page stays; a test finds
    it.
    """
    key, _, anchor = OF_WORKLOADS.get((place, workload), METHODS.get(place, "")).partition("#")
    document = documents().get(key)
    if document is None:
        return None
    section = section_at(key, anchor)
    if section is None:
        return Method(document.title, document.address)
    return Method(f"{document.title}: {section.heading}", f"{document.address}#{anchor}")

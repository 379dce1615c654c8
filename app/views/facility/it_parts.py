"""IT power of a scenario by component: each line with what it rests on and who says so."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.catalog.processors import processor_of
from app.catalog.view import CatalogView
from app.engine.fabric.figures import BillLine
from app.engine.facility.it.breakdown import PartLine
from app.engine.facility.it.load import ItLoad, it_load
from app.engine.facility.it.parts import STATES, HostParts, NetworkParts, it_parts
from app.engine.facility.it.supplies import DIRECT_CURRENT
from app.engine.mixed import all_kinds, blended
from app.engine.performance.busy import busy_share_of
from app.engine.specs import Design
from app.engine.trace import Array, Origin, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_workload

NOT_PUBLISHED = "not distinguished"
UNLISTED = {
    "dpus": "DPUs: the catalog does not count those of a system",
    "scale_up_switches": "Scale-up switches: power not published",
    "drives": "Drives: the catalog does not count those of a system",
}
LABELS = {
    "accelerators": "Accelerators",
    "processors": "CPUs",
    "memory": "Host memory",
    "nics": "Scale-out NICs",
    "dpus": "DPUs",
    "scale_up_switches": "Scale-up switches",
    "drives": "Drives",
    "fans": "Fans",
    "supplies": "Power supplies",
    "other": "Other in the SuperNodes",
    "switches": "Scale-out switches",
    "optics": "Optics",
    "network_other": "Other in the network",
    "storage": "Storage and management",
}
ASSUMED = "assumptions.facility."


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """CPUs of a SuperNode with their source."""

    count: float
    tdp_w: float
    source: str


def load_of(scenario: EvaluatedScenario) -> tuple[Design, ItLoad, Array | None]:
    """The mean SuperNode of a design, its IT load, and the share of the step in which it computes."""
    one_workload(scenario.resolved.design, "Power by its parts")
    design = blended(scenario.resolved.design, all_kinds(scenario.resolved.design))
    sections = scenario.evaluation.sections
    with np.errstate(invalid="ignore", divide="ignore"):
        busy = busy_share_of(sections.performance)
        it = it_load(
            supernode=design.supernode,
            pod=design.pod,
            facility=design.facility,
            fabric=sections.fabric,
            reliability=sections.reliability,
            assumptions=design.assumptions.rooms["facility"],
            busy_share=busy,
        )
    return design, it, busy


def part_lines(
    scenario: EvaluatedScenario, catalog: CatalogView, design: Design, it: ItLoad
) -> tuple[PartLine, ...]:
    """Every component at idle, at work, at the peak and as rated; columns sum to the figures of the evaluation."""
    hosts = _hosts(scenario, catalog)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = it_parts(
            it=it,
            supernode=design.supernode,
            hosts=HostParts(
                processors=np.array([hosts.count]),
                processor_tdp_w=np.array([hosts.tdp_w]),
                memory_bytes=design.supernode.host_memory_bytes,
                nic_power_w=design.pod.fabric.nic_power_w,
            ),
            network=_network(scenario.evaluation.sections.fabric.bill, it.network_w),
            distribution=design.facility.distribution,
            assumptions=design.assumptions.rooms["facility"],
        )
    origins = scenario.resolved.origins
    direct = design.facility.distribution == DIRECT_CURRENT
    sources = {
        "processors": (_kind(hosts.count * hosts.tdp_w), hosts.source),
        "accelerators": _told(origins.get("supernode.accelerator.tdp_w"), "TDP, "),
        "memory": _told(origins.get(f"{ASSUMED}memory_power_w_per_byte")),
        "nics": _told(origins.get("pod.fabric.nic_power_w")),
        "fans": _told(origins.get(f"{ASSUMED}fan_power_share_air")),
        "supplies": _told(
            origins.get(
                f"{ASSUMED}{'rack_converter_efficiency' if direct else 'power_supply_efficiency_at_50_percent'}"
            )
        ),
        "other": ("remainder", "Measured or rated power of the node less the lines above"),
        "switches": ("bill of materials", "Typical power of each switch, in the fabric's bill"),
        "optics": ("bill of materials", "Typical power of each module, in the fabric's bill"),
        "network_other": ("remainder", "Power of the network less the lines above"),
        "storage": _told(origins.get(f"{ASSUMED}storage_power_share")),
    }
    lines = []
    for key, label in LABELS.items():
        if key in UNLISTED:
            lines.append(_line(key, label, dict.fromkeys(STATES, math.nan), NOT_PUBLISHED, UNLISTED[key]))
            continue
        watts = {state: first_of(found[state][key]) for state in STATES}
        if key == "network_other" and all(abs(value) < 1e-3 for value in watts.values()):
            continue
        title = "Rack converters" if key == "supplies" and direct else label
        lines.append(_line(key, title, watts, *sources[key]))
    return tuple(lines)


def _line(key: str, label: str, watts: dict[str, float], basis: str, source: str) -> PartLine:
    return PartLine(
        key=key,
        label=label,
        idle_w=watts["idle"],
        mean_w=watts["mean"],
        peak_w=watts["peak"],
        design_w=watts["design"],
        basis=basis,
        source=source,
    )


def _network(bill: Sequence[BillLine], network_w: Array) -> NetworkParts:
    def of(word: str) -> Array:
        """Switches have modules too, which are optics."""
        modules = word == "modules"
        return sum(
            (line.power_w for line in bill if ("modules" in line.item) == modules and word in line.item),
            start=0 * network_w,
        )

    return NetworkParts(switches_w=of("switches"), optics_w=of("modules"))


def _hosts(scenario: EvaluatedScenario, catalog: CatalogView) -> Hosts:
    """CPUs of the system by the catalog: how many it counts, and the TDP of the model that it names."""
    key = scenario.document.supernode.system
    if scenario.resolved.design.kinds or key is None:
        return Hosts(count=math.nan, tdp_w=math.nan, source="The catalog does not say which CPUs there are")
    part = catalog.part("systems", key)
    count, model = part.facts.get("cpus"), str(part.attributes.get("cpu_model", ""))
    cpu = processor_of(catalog, part)
    power = cpu.facts.get("max_power_w") if cpu is not None else None
    if count and cpu is not None and power:
        told = power.source if power.confidence != "recalled" else f"recalled; {power.source}"
        return Hosts(count=count.value, tdp_w=power.value, source=f"{count.value:,.0f} {cpu.name}: {told}")
    return Hosts(
        count=math.nan, tdp_w=math.nan, source=f"No CPU of the catalog with a power is {model or 'named'}"
    )


def _told(origin: Origin | None, before: str = "") -> tuple[str, str]:
    if origin is None:
        return NOT_PUBLISHED, "The mean of several kinds of SuperNode"
    if origin.kind == "unknown":
        return NOT_PUBLISHED, f"{origin.label}: not published"
    return f"{before}{origin.kind.replace('_', ' ')}", origin.source or origin.label


def _kind(watts: float) -> str:
    return NOT_PUBLISHED if math.isnan(watts) else "TDP of the catalog, assumed share"

"""Dated devices and clusters: those of the catalog, and the few that are older."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app.catalog.growth import GrowthData
from app.catalog.lookup import Catalog, Part
from app.engine.growth.gap import PRECISIONS

MIDDLE_OF_THE_YEAR = 0.5
"""Of devices and clusters only the year is known."""

PCIE_LINKS = ("PCIe", "NVLink bridge")
"""Scale-up links of cards: those describe a slot or a bridge, not a domain."""
PART_OF_ANOTHER = frozenset({"meta_llama3_16k"})
"""Deployments that are a share of another row."""
LEAST_OF_THE_LARGEST = 0.01
"""A cluster counts as a leading one from this share of the largest so far, as in Pilz et al. 2025."""


DESK = "workstation"
"""Category of systems that stand on a desk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """An accelerator and its year. `figures` are of one device, one way, in SI; what is unknown is absent."""

    key: str
    name: str
    year: int
    status: str
    figures: dict[str, float]
    link: str
    source: str
    in_catalog: bool

    def figure(self, name: str) -> float:
        """A figure, not a number where it is unknown."""
        return self.figures.get(name, math.nan)

    @property
    def flop_per_s(self) -> tuple[float, ...]:
        """Dense matrix arithmetic by precision, widest first."""
        return tuple(self.figure(f"{precision}_flop_per_s") for precision in PRECISIONS)

    @property
    def best_flop_per_s(self) -> float:
        """At the precision it is fastest in."""
        return max((value for value in self.flop_per_s if value == value), default=math.nan)

    @property
    def is_sold(self) -> bool:
        """Neither announced nor on a road map only, and a device rather than a wafer."""
        return not self.status.startswith(("announced", "roadmap")) and "wafer" not in self.link

    @property
    def has_domain(self) -> bool:
        """Return whether its scale-up link is that of a domain, and not a slot of a card."""
        return not self.link.startswith(PCIE_LINKS) and "over PCIe" not in self.link


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A leading cluster and its year."""

    key: str
    name: str
    year: int
    accelerators: float
    flop_per_s: float  # 16-bit, dense
    power_w: float


def devices(catalog: Catalog, data: GrowthData) -> dict[str, Device]:
    """Every dated accelerator that is sold or runs, by key, the oldest first.

    What is announced has no figures but its vendor's plans. Those that stand on desks alone are of another market, and
    those without memory beyond the chip (SRAM) of another kind.
    """
    ports, desks = _ports(catalog), _on_desks_alone(catalog)
    found = {
        one.key: _of_part(catalog, data, one, ports)
        for one in catalog.parts("accelerators")
        if one.year and one.key not in desks and not _is_planned(one) and not _is_sram_alone(one)
    }
    for old in data.earlier:
        found.setdefault(old.key, _earlier(data, old.key))
    return dict(sorted(found.items(), key=lambda item: item[1].year))


def _is_planned(part: Part) -> bool:
    return str(part.attributes.get("status", "")).startswith(("announced", "roadmap"))


def _is_sram_alone(part: Part) -> bool:
    return str(part.attributes.get("memory_type", "")).startswith("SRAM")


def _on_desks_alone(catalog: Catalog) -> set[str]:
    """Accelerators whose every system is a workstation."""
    elsewhere: dict[str, bool] = {}
    for system in catalog.parts("systems"):
        key = str(system.attributes.get("accelerator_key", ""))
        elsewhere[key] = elsewhere.get(key, False) or system.attributes.get("category") != DESK
    return {key for key, somewhere in elsewhere.items() if not somewhere}


def clusters(catalog: Catalog, accelerators: dict[str, Device]) -> list[Cluster]:
    """The leading clusters of the catalog, the oldest first."""
    rows = [one for one in catalog.parts("systems") if _is_cluster(one)]
    rows.sort(key=lambda one: (one.year, one.facts["accelerators"].value))
    largest, found = 0.0, []
    for row in rows:
        count = row.facts["accelerators"].value
        largest = max(largest, count)
        device = accelerators[str(row.attributes["accelerator_key"])]
        if count >= LEAST_OF_THE_LARGEST * largest and row.year:
            power = row.facts.get("max_power_w")
            found.append(
                Cluster(
                    key=row.key,
                    name=row.name,
                    year=row.year,
                    accelerators=count,
                    flop_per_s=count * device.flop_per_s[0],
                    power_w=power.value if power else math.nan,
                )
            )
    return found


def _is_cluster(part: Part) -> bool:
    return (
        part.attributes.get("category") == "deployment"
        and part.status != "illustrative"
        and part.key not in PART_OF_ANOTHER
        and bool(part.attributes.get("accelerator_key"))
        and bool(part.year)
    )


def _ports(catalog: Catalog) -> dict[str, float]:
    """The fastest network port that a system of the catalog gives each accelerator."""
    found: dict[str, float] = {}
    for system in catalog.parts("systems"):
        fact = system.facts.get("scale_out_nic_bandwidth_bytes_per_s")
        key = str(system.attributes.get("accelerator_key", ""))
        if fact and key:
            found[key] = max(found.get(key, 0.0), fact.value)
    return found


def _of_part(catalog: Catalog, data: GrowthData, part: Part, ports: dict[str, float]) -> Device:
    known = {name: fact.value for name, fact in part.facts.items()}
    figures: dict[str, float] = {
        name: known[name]
        for name in ("fp8_flop_per_s", "fp4_flop_per_s", "memory_bandwidth_bytes_per_s", "tdp_w",
                     "scale_up_bandwidth_bytes_per_s", "scale_out_bandwidth_bytes_per_s")
        if name in known
    }  # fmt: skip
    half = [known[name] for name in ("bf16_flop_per_s", "fp16_flop_per_s") if name in known]
    if half:
        figures["bf16_flop_per_s"] = max(half)
    if "memory_label_bytes" in known:
        figures["memory_bytes"] = known["memory_label_bytes"]
    if part.key in ports:
        figures["port_bandwidth_bytes_per_s"] = ports[part.key]
    if price := catalog.price(part.key):
        figures["price_usd"] = price.value
    if part.key in data.transistors:
        figures["transistors"] = data.transistors[part.key].transistors
    return Device(
        key=part.key,
        name=f"{part.vendor} {part.name}",
        year=part.year or 0,
        status=part.status,
        figures=figures,
        link=str(part.attributes.get("scale_up_link", "")),
        source=part.source,
        in_catalog=True,
    )


def _earlier(data: GrowthData, key: str) -> Device:
    old = next(one for one in data.earlier if one.key == key)
    figures = {
        ("bf16" + name[4:] if name.startswith("fp16") else name): value for name, value in old.figures.items()
    }
    if key in data.transistors:
        figures["transistors"] = data.transistors[key].transistors
    return Device(
        key=key,
        name=old.name,
        year=old.year,
        status="legacy",
        figures=figures,
        link="",
        source=old.source,
        in_catalog=False,
    )

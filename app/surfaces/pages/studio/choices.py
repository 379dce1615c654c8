"""What a select offers: the parts of the catalog by name, each with a line of what it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from app.catalog.lookup import Catalog, Part
from app.charts.format import TIMES, number, show
from app.engine.fabric.media.medium import FAMILIES, words_of_family
from app.engine.fabric.topologies import TOPOLOGIES

UNITS = {
    "cdus": ("cdu", "cdu_to_air"), "busways": ("busway",), "rectifiers": ("power_rack", "mv_rectifier"),
    "rack_converters": ("rack_converter",),
}  # fmt: skip
"""Units of power and cooling by the kind of choice: their types."""
KINDS = ("models", "systems", "switches", "sites", "storage", "topologies", "media", *UNITS)
DESIGN = "design:"  # before the id of a saved SuperNode, which is chosen where a system is


class Choice(NamedTuple):
    key: str
    name: str
    spec: str


def by_owner(choices: Sequence[Choice]) -> list[tuple[str, list[Choice]]]:
    """Groups of a select under their titles: saved designs first; one group needs no title."""
    own = [choice for choice in choices if choice.key.startswith(DESIGN)]
    rest = [choice for choice in choices if not choice.key.startswith(DESIGN)]
    return [("Your designs", own), ("Catalog", rest)] if own else [("", rest)]


def choices(catalog: Catalog) -> dict[str, tuple[Choice, ...]]:
    """Choices of every kind, names made unique."""
    return {kind: _of_kind(catalog, kind) for kind in KINDS}


def _of_kind(catalog: Catalog, kind: str) -> tuple[Choice, ...]:
    if kind == "topologies":
        return tuple(Choice(name, topology.title, "") for name, topology in TOPOLOGIES.items())
    if kind == "media":
        return tuple(Choice(family, words_of_family(family).capitalize(), "") for family in FAMILIES)
    parts = (
        [part for part in catalog.parts("facility_parts") if part.attributes["type"] in UNITS[kind]]
        if kind in UNITS
        else [
            part
            for part in catalog.parts(kind)
            if kind != "systems" or part.attributes.get("accelerator_key")
        ]
    )
    names = [part.name for part in parts]
    return tuple(
        Choice(
            part.key,
            part.name if names.count(part.name) == 1 else f"{part.name} ({part.key})",
            SPECS.get(kind, _unit)(part, catalog),
        )
        for part in parts
    )


def _model(part: Part, catalog: Catalog) -> str:
    facts = part.facts
    experts = facts.get("experts")
    words = [f"{number(experts.value)} experts" if experts and experts.value else "Dense"]
    if "layers" in facts:
        words.append(f"{number(facts['layers'].value)} layers")
    if "hidden" in facts:
        words.append(f"{number(facts['hidden'].value)} wide")
    attention = str(part.attributes.get("attention", ""))
    if "heads" in facts and "kv_heads" in facts:
        attention += f" {number(facts['heads'].value)}/{number(facts['kv_heads'].value)}"
    return ", ".join([*words, attention.strip()])


def _system(part: Part, catalog: Catalog) -> str:
    accelerator = catalog.part("accelerators", str(part.attributes["accelerator_key"]))
    count = part.facts.get("accelerators")
    words = [f"{number(count.value)} {TIMES} {accelerator.name}" if count else accelerator.name]
    peak = accelerator.facts.get("bf16_flop_per_s") or accelerator.facts.get("fp16_flop_per_s")
    if peak:
        words.append(f"{show(peak.value, 'FLOP/s').text} dense 16 bit")
    scale_up = accelerator.facts.get("scale_up_bandwidth_bytes_per_s")
    if scale_up:
        words.append(f"scale-up {show(scale_up.value, 'B/s').text} one way")
    return ", ".join(words)


def _switch(part: Part, catalog: Catalog) -> str:
    ports, rate = part.facts.get("max_logical_ports"), part.facts.get("logical_port_bandwidth_bytes_per_s")
    words = [str(part.attributes.get("protocol", part.vendor))]
    if ports and rate:
        words.append(f"{number(ports.value)} ports of {number(rate.value * 8 / 1e9)} Gbit/s")
    return ", ".join(words)


def _site(part: Part, catalog: Catalog) -> str:
    price = part.facts.get("electricity_price_usd_per_kwh")
    words = [str(part.attributes.get("country", ""))]
    if price:
        words.append(f"{number(price.value)} USD/kWh")
    return ", ".join(words)


def _storage(part: Part, catalog: Catalog) -> str:
    read = part.facts.get("read_bandwidth_bytes_per_s")
    return f"{part.vendor}, {show(read.value, 'B/s').text} read" if read else part.vendor


def _unit(part: Part, catalog: Catalog) -> str:
    capacity, efficiency = part.facts.get("capacity_w"), part.facts.get("efficiency")
    current = part.facts.get("current_a")
    words = [part.vendor]
    if capacity:
        words.append(show(capacity.value, "W").text)
    if current:
        words.append(f"{number(current.value)} A")
    if efficiency:
        words.append(f"{number(100 * efficiency.value)} %")
    return ", ".join(words)


SPECS = {
    "models": _model,
    "systems": _system,
    "switches": _switch,
    "sites": _site,
    "storage": _storage,
}

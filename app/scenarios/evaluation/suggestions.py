"""Suggested values for inputs that are not published: comparable catalog parts, scaled by a stated ratio.

A rule scales a fact by other facts of the same part ("watts per port and Gbit/s"): the median ratio of
comparable parts times the part's own base, the lowest and highest ratio as its range. Suggestions are read from
today's catalog and used only when accepted.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import median

from app.catalog.lookup import Catalog
from app.catalog.values import Part
from app.engine.trace import Origin, Suggestion
from app.engine.units import unit_of, words_of

NEAR_YEARS = 2
SINGLE_SPREAD = 0.3
"""Share by which a range extends on both sides where comparable parts do not differ."""
FEWEST = 3
"""Comparable parts that a range of one vendor needs; with fewer, other vendors count too."""
ALIKE_FACTOR = 10
"""Comparable parts have a base at most so many times larger or smaller, where enough of them have."""
RENTALS = {"rental_on_demand_usd_per_accelerator_hour": "on_demand",
           "rental_reserved_usd_per_accelerator_hour": "reserved",
           "contract_usd_per_accelerator_hour": "contract",
           "spot_usd_per_accelerator_hour": "spot",
           "capacity_block_usd_per_accelerator_hour": "capacity_block"}  # fmt: skip
CIRCUITS = "optical"
"""First word of the protocol of switches that turn light and read no packets."""
WHOLE = ("nodes", "scale_out_nics", "cables_per_link", "ports")

PEAK = "bf16_flop_per_s"
BASES: Mapping[tuple[str, str], tuple[tuple[str, ...], ...]] = {
    ("switches", "typical_power_w"): (("ports", "port_bandwidth_bytes_per_s"),),
    ("switches", "max_power_w"): (("ports", "port_bandwidth_bytes_per_s"),),
    ("switches", "price_usd"): (("ports", "port_bandwidth_bytes_per_s"),),
    ("nics", "price_usd"): (("port_bandwidth_bytes_per_s",),),
    ("optics", "price_usd"): (("module_bandwidth_bytes_per_s",),),
    ("optics", "power_w"): (("module_bandwidth_bytes_per_s",),),
    ("systems", "max_power_w"): (
        ("accelerators", "accelerator.tdp_w"),
        ("accelerators", "accelerator." + PEAK),
    ),
    ("systems", "typical_power_w"): (("max_power_w",), ("accelerators", "accelerator.tdp_w")),
    ("systems", "price_usd"): (("accelerators", "accelerator." + PEAK), ("accelerators",)),
    ("systems", "nodes"): (("accelerators",),),
    ("systems", "racks"): (("accelerators", "accelerator.tdp_w"), ("accelerators",)),
    ("systems", "weight_kg"): (("accelerators",),),
    ("systems", "rack_units"): (("accelerators",),),
    ("systems", "host_memory_bytes"): (("accelerators",),),
    ("systems", "scale_out_nics"): (("accelerators",),),
    ("accelerators", "price_usd"): ((PEAK,),),
    ("accelerators", "tdp_w"): ((PEAK,),),
    ("accelerators", "idle_w"): (("tdp_w",),),
    ("accelerators", "memory_bandwidth_bytes_per_s"): (("memory_bytes",),),
    ("accelerators", "scale_up_bandwidth_bytes_per_s"): ((PEAK,),),
    ("accelerators", "rental"): ((PEAK,),),
}
"""Facts by which a fact is scaled, the first whose facts are known; one without an entry is not scaled."""
FACT_OF = {
    "peak_16_bit_flop_per_s": PEAK,
    "peak_flop_per_s": PEAK,
    "power_w": "typical_power_w",
    "trunk_price_usd": "price_usd",
    "nic_price_usd": "price_usd",
}
"""Facts of the catalog by the last name of a place in the design, where they differ."""


@dataclass(frozen=True, slots=True)
class _Comparable:
    part: Part
    ratio: float


def suggestion_for(
    place: str, origin: Origin, design_parts: Mapping[str, str], catalog: Catalog
) -> Suggestion | None:
    """The suggested value of an unknown input of the design, with range and rule.

    Parameters
    ----------
    design_parts : keys of the design's parts by kind, for inputs that name no row of the catalog
    """
    if origin.suggestion is not None:  # what stands beside the unknown, such as an estimate of its price
        return _with_range(origin.suggestion)
    name = place.rsplit(".", 1)[-1]
    kind, _, key = origin.catalog.partition("/")
    if name in RENTALS:
        kind, key = "accelerators", design_parts.get("accelerators", "")
    elif place.startswith("facility.site."):
        kind, key = "sites", key or design_parts.get("sites", "")
    elif not key:
        kind, key = "systems", design_parts.get("systems", "")
    found = _found(catalog, kind, key)
    if found is None:
        return None
    fact = name if name in RENTALS else FACT_OF.get(name, name)
    if fact == "price_usd" and catalog.rent_only(found.key):
        return None  # a price that no one can pay is no estimate of one
    offer = _scaled(catalog, kind, found, fact)
    if offer is None:
        return None
    value, low, high, rule = offer
    if name in WHOLE:
        value, low = max(1.0, round(value)), max(1.0, math.floor(low))
        high = max(math.ceil(high), value + 1)
    return Suggestion(value=value, unit=unit_of(place), source=rule, field=origin.field, low=low, high=high)


def _with_range(offer: Suggestion) -> Suggestion:
    if offer.low is not None:
        return offer
    low, high = offer.value * (1 - SINGLE_SPREAD), offer.value * (1 + SINGLE_SPREAD)
    return replace(
        offer, low=low, high=high, source=f"{offer.source}; range {SINGLE_SPREAD:.0%} to both sides"
    )


def design_part_keys(origins: Mapping[str, Origin]) -> dict[str, str]:
    """Keys of the SuperNode, its accelerator and the site, as the origins of their numbers name them."""
    keys: dict[str, str] = {}
    for place, origin in origins.items():
        kind, _, key = origin.catalog.partition("/")
        if place.startswith(("supernode.", "facility.site.")) and kind in (
            "systems",
            "accelerators",
            "sites",
        ):
            keys.setdefault(kind, key)
    return keys


def _found(catalog: Catalog, kind: str, key: str) -> Part | None:
    return catalog.part(kind, key) if key and key in catalog.keys(kind) else None


def _scaled(catalog: Catalog, kind: str, part: Part, fact: str) -> tuple[float, float, float, str] | None:
    """Value, low, high and rule by the first base that the part has and comparable parts have too."""
    bases = BASES.get((kind, "rental" if fact in RENTALS else fact), ())
    for base in (*bases, ()):
        own = _base(catalog, part, base)
        if own is None:
            continue
        comparable = _narrowed(part, _comparable(catalog, kind, part, fact, base))
        if not comparable:
            continue
        ratios = [one.ratio for one in comparable]
        middle = median(ratios)
        low, high = min(ratios), max(ratios)
        if low == high:
            low, high = low * (1 - SINGLE_SPREAD), high * (1 + SINGLE_SPREAD)
        if fact == "liquid_share":
            low, high = max(0.0, min(low, middle)), min(1.0, max(high, middle))
        value = _rounded(middle * own)
        bounds = min(_rounded(low * own), value), max(_rounded(high * own), value)
        if bounds[0] == bounds[1]:
            bounds = (0.0, bounds[1]) if value else (0.0, 1.0)
        return value, *bounds, _rule(part, fact, base, own, middle, comparable)
    return None


def _comparable(
    catalog: Catalog, kind: str, part: Part, fact: str, base: tuple[str, ...]
) -> list[_Comparable]:
    mine, found, alike = _base(catalog, part, base) or 0.0, [], []
    for other in catalog.parts(kind):
        if other.key == part.key or not _alike(part, other, fact):
            continue
        value, own = _value(catalog, other, fact), _base(catalog, other, base)
        if value is not None and own:
            found.append(_Comparable(other, value / own))
            if mine / ALIKE_FACTOR <= own <= mine * ALIKE_FACTOR:
                alike.append(found[-1])
    # A management switch says nothing of the watts of a spine: parts of another size only where no others are.
    return alike if len(alike) >= FEWEST else found


def _alike(part: Part, other: Part, fact: str) -> bool:
    """Whether a part says anything of another: mirrors nothing of packets, and an Ethernet switch no InfiniBand latency."""
    if other.attributes.get("structure") != part.attributes.get("structure"):
        return False
    mine, its = (str(one.attributes.get("protocol", "")).partition(" ")[0] for one in (part, other))
    return mine == its if fact == "latency_s" else (mine == CIRCUITS) == (its == CIRCUITS)


def _narrowed(part: Part, parts: list[_Comparable]) -> list[_Comparable]:
    """The most alike that are enough: same vendor and years, same years, same vendor, nearest years."""
    if part.kind == "sites":
        country = part.attributes.get("country")
        # Grids differ by country more than by anything else: other countries suggest nothing.
        return [one for one in parts if one.part.attributes.get("country") == country]
    near = [
        one for one in parts if part.year and one.part.year and abs(one.part.year - part.year) <= NEAR_YEARS
    ]
    for group in (
        [one for one in near if one.part.vendor == part.vendor],
        near,
        [one for one in parts if one.part.vendor == part.vendor],
    ):
        if len(group) >= FEWEST:
            return group
    return sorted(parts, key=lambda one: abs((one.part.year or 0) - (part.year or 0)))[: 2 * FEWEST]


def _base(catalog: Catalog, part: Part, names: tuple[str, ...]) -> float | None:
    product = 1.0
    for name in names:
        value = _value(catalog, part, name)
        if value is None:
            return None
        product *= value
    return product


def _value(catalog: Catalog, part: Part, name: str) -> float | None:
    """A fact, price or rent of a part; "accelerator.tdp_w" is a fact of a system's accelerator."""
    if name.startswith("accelerator."):
        chip = _found(catalog, "accelerators", str(part.attributes.get("accelerator_key", "")))
        return _value(catalog, chip, name.removeprefix("accelerator.")) if chip else None
    if name in RENTALS:
        rental = catalog.rental(part.key, RENTALS[name])
        return rental.value if rental else None
    if name == "price_usd":
        price = catalog.price(part.key)
        return price.value if price else None
    known = part.facts.get(name)
    if known is None and name == PEAK:
        known = part.facts.get("fp16_flop_per_s")
    return known.value if known else None


def _rule(
    part: Part, fact: str, base: tuple[str, ...], own: float, ratio: float, parts: list[_Comparable]
) -> str:
    names = ", ".join(one.part.name for one in parts[:3])
    more = f" and {len(parts) - 3} more" if len(parts) > 3 else ""
    by = " x ".join(_base_words(name) for name in base)
    scaled = f"{by} of {part.name}, {own:.4g}, x {ratio:.4g}: " if base else ""
    return f"{scaled}median {words_of(fact)}{' per ' + by if base else ''} of {names}{more}"


def _base_words(name: str) -> str:
    chip = name.removeprefix("accelerator.")
    words = "peak at 16 bit" if chip == PEAK else words_of(chip)
    return f"accelerator {words}" if chip != name else words


def _rounded(value: float) -> float:
    return float(f"{value:.3g}")

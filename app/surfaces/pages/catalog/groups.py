"""Which facts of a row stand together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

OTHER = "Other figures"

_HARDWARE = (
    ("Arithmetic", r"flop_per_s|process_nm"),
    ("Power", r"_w$|liquid"),
    ("Money", r"usd"),
    ("Memory", r"memory"),
    ("Storage", r"read_|write_|capacity_bytes$"),
    ("Links", r"bandwidth|scale_|nic|port|latency|links|reach|capacity_bytes_per_s"),
    ("Size", r"accelerators|nodes|cpus|cores|racks|rack_units|weight|job"),
)
_GROUPS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "models": (
        ("Parameters", r"parameters"),
        ("Experts", r"expert"),
        ("Attention", r"attention|heads|head_dim|latent|window|kv_"),
        ("Shape", r"layers|hidden|vocabulary|embedding|matrices|context"),
        ("Training", r"training"),
    ),
    "reference_architectures": (
        ("Size", r"^(tiers|planes|scalable_units|nodes|accelerators|accelerators_per_node)$|scale_up"),
        ("Switches", r"switch|port"),
        ("Cables", r"cables"),
        ("Links", r"nic|oversubscription"),
    ),
    "sites": (
        ("Energy", r"electricity|carbon"),
        ("Water", r"water"),
        ("Place", r"latitude|longitude|elevation_m$|climate"),
    ),
    "climate": (
        ("Dry bulb", r"dry_bulb"),
        ("Wet bulb and dew point", r"wet_bulb|dew_point"),
        ("Place", r"latitude|longitude|elevation|utc"),
    ),
    "cloud_regions": (("Efficiency", r"pue|wue"), ("Carbon", r"carbon"), ("Place", r"latitude|longitude")),
    "prices": (("Value", r"value"),),
    "rentals": (("Value", r"value"), ("Offer", r"accelerators")),
    "assumptions": (("Value", r"value"),),
}
_ORDER = ("Arithmetic", "Memory", "Links", "Power", "Size")


def grouped(kind: str, fields: Iterable[str]) -> dict[str, list[str]]:
    """Fields by group, in reading order.

    >>> grouped("accelerators", ["tdp_w", "memory_bandwidth_bytes_per_s", "bf16_flop_per_s"])
    {'Arithmetic': ['bf16_flop_per_s'], 'Memory': ['memory_bandwidth_bytes_per_s'], 'Power': ['tdp_w']}
    """
    rules = _GROUPS.get(kind, _HARDWARE)
    titles = [title for title, _ in rules]
    found: dict[str, list[str]] = {title: [] for title in [*_reading_order(titles), OTHER]}
    for field in fields:
        title = next((title for title, pattern in rules if re.search(pattern, field)), OTHER)
        found[title].append(field)
    return {title: names for title, names in found.items() if names}


def _reading_order(titles: list[str]) -> list[str]:
    first = [title for title in _ORDER if title in titles and "Arithmetic" in titles]
    return first + [title for title in titles if title not in first]

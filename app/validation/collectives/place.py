"""Where the ranks of a row lie and what joins them, with the words by which constants are chosen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog, Part
from app.engine.fabric.collectives.network import torus_all_to_all_bandwidth_bytes_per_s, torus_dimensions
from app.engine.performance.sustained_bandwidth import (
    mesh_bandwidth_bytes_per_s,
    torus_bandwidth_bytes_per_s,
)
from app.scenarios.resolve.hardware_words import context_of, topology_kind
from app.validation.rows import Row, UnsupportedRowError

GBIT = 1e9 / 8  # bytes
AMAZON = re.compile(r"\b(efa|aws)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Place:
    """A group of ranks on its network; bandwidths are link rates, one way and of one rank."""

    domain_ranks: float
    domains: float
    scale_up_bandwidth_bytes_per_s: float
    all_to_all_bandwidth_bytes_per_s: float
    scale_out_bandwidth_bytes_per_s: float
    memory_bandwidth_bytes_per_s: float
    dimensions: float
    switched: float
    context: Mapping[str, str]

    @property
    def ranks(self) -> float:
        return self.domain_ranks * self.domains


def place_of(row: Row, part: Part, catalog: Catalog) -> Place:
    """The place of a row's ranks.

    Raises
    ------
    UnsupportedRowError : how many ranks there are, or what joins them, is not known
    """
    ranks = row.needed("num_accelerators")
    inside = _domain_ranks(row, part, ranks)
    domains = ranks / inside
    links = _links(part, inside)
    if inside > 1 and np.isnan(links.reached):
        raise UnsupportedRowError(f"the scale-up bandwidth of {part.name} is not published")
    return Place(
        domain_ranks=inside,
        domains=domains,
        scale_up_bandwidth_bytes_per_s=links.reached,
        all_to_all_bandwidth_bytes_per_s=links.crossing,
        scale_out_bandwidth_bytes_per_s=_nic_bytes_per_s(row, part) if domains > 1 else np.nan,
        memory_bandwidth_bytes_per_s=_fact(part, "memory_bandwidth_bytes_per_s"),
        dimensions=links.dimensions,
        switched=links.switched,
        context=_context(row, part, catalog),
    )


class _Links(NamedTuple):
    """What a rank reaches over its scale-up links: round rings, and straight to all others."""

    reached: float
    crossing: float
    dimensions: float
    switched: float


def _links(part: Part, ranks: float) -> _Links:
    kind = topology_kind(str(part.attributes.get("scale_up_topology", "")))
    group = np.array([ranks])
    full, pair = (
        np.array([_fact(part, name)])
        for name in ("scale_up_bandwidth_bytes_per_s", "scale_up_pair_bandwidth_bytes_per_s")
    )
    links = {"full_bandwidth_bytes_per_s": full, "pair_bandwidth_bytes_per_s": pair}
    if kind == "mesh":
        reached = float(mesh_bandwidth_bytes_per_s(ranks=group, **links)[0])
        return _Links(reached, reached, 1.0, 0.0)
    if kind == "torus":
        reached = float(torus_bandwidth_bytes_per_s(ranks=group, **links)[0])
        dimensions = torus_dimensions(**links)
        middle = torus_all_to_all_bandwidth_bytes_per_s(
            ranks=group, dimensions=dimensions, pair_bandwidth_bytes_per_s=pair
        )
        return _Links(reached, float(np.fmin(middle[0], reached)), float(dimensions[0]), 0.0)
    return _Links(float(full[0]), float(full[0]), 1.0, 1.0)


def _domain_ranks(row: Row, part: Part, ranks: int) -> float:
    """Ranks that share a scale-up domain.

    As the row says: all of them within scale-up, those of a node on scale-out alone. A row that says
    neither, or both, fills domains as large as the accelerator has.
    """
    words = row.text("domain").lower()
    nodes = row.count("num_nodes") or 1
    largest = _fact(part, "scale_up_domain_max_accelerators")
    of_node = ranks / nodes
    of_domain = min(float(ranks), of_node if np.isnan(largest) else max(of_node, largest))
    if "scale-out" in words and "scale-up" not in words:
        return of_node
    if words and "scale-out" not in words and np.isnan(largest):
        return float(ranks)
    return of_domain


def _nic_bytes_per_s(row: Row, part: Part) -> float:
    stated = row.number("nic_gbit_s_per_accelerator")
    rate = stated * GBIT if stated else _fact(part, "scale_out_bandwidth_bytes_per_s")
    if np.isnan(rate):
        raise UnsupportedRowError(
            "nic_gbit_s_per_accelerator is not given, and the catalog has none of the accelerator"
        )
    return rate


def _context(row: Row, part: Part, catalog: Catalog) -> dict[str, str]:
    """The words by which constants are chosen."""
    context = context_of(part)
    words = " ".join(row.text(column) for column in ("system", "algorithm_or_library", "notes"))
    if AMAZON.search(words):
        context["network"] = "efa"
    for nic in catalog.parts("nics"):
        if re.search(rf"\b{re.escape(nic.name)}\b", words, re.IGNORECASE):
            context.setdefault("nic", nic.key)
    return context


def _fact(part: Part, name: str) -> float:
    fact = part.facts.get(name)
    return float("nan") if fact is None else float(fact.value)

"""A row as a collective that the engine can time, with what was measured of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog, Part
from app.engine.fabric.collectives.expert_traffic import copies_sent, places_reached
from app.engine.fabric.collectives.network import torus_all_to_all_bandwidth_bytes_per_s, torus_dimensions
from app.engine.performance.sustained_rates import mesh_bandwidth_bytes_per_s, torus_bandwidth_bytes_per_s
from app.scenarios.resolve.hardware_words import context_of, topology_kind
from app.validation.study import Row, UnsupportedRowError

# The accelerator of a row, by whichever of its names the row uses.

NAMES_OFFERED = 3
# Words of the vendor, the form and the memory: they do not tell chips apart here.
BESIDE = re.compile(r"nvidia|amd|instinct|google|aws|intel|huawei|gpus?|\d*gb|hbm\d?e?|die|oam")


def accelerator_of(row: Row, catalog: Catalog) -> Part:
    """The accelerator that a row names: by its key, a known name, or all of the name's words.

    Raises
    ------
    UnsupportedRowError : no accelerator of that name, or several that are not joined alike
    """
    name = row.text("accelerator_key") or row.text("accelerator")
    if not name:
        raise UnsupportedRowError("accelerator is not given")
    asked = _words(name)
    for known in (name, " ".join(asked)):
        key = catalog.find("accelerators", known)
        if key is not None:
            return catalog.part("accelerators", key)
    found = [part for part in catalog.parts("accelerators") if asked and set(asked) <= _part_words(part)]
    on_pcie = "pcie" in asked or "pcie" in row.text("domain").lower()
    found = [part for part in found if _joined_by(part)[0].startswith("PCIe") == on_pcie] or found
    if len({_joined_by(part) for part in found}) == 1:
        return found[0]
    near = ", ".join(part.key for part in found) or ", ".join(
        catalog.nearest("accelerators", name, NAMES_OFFERED)
    )
    raise UnsupportedRowError(
        f"no single accelerator of the catalog is called {name!r}; the nearest are {near}"
    )


def _words(name: str) -> list[str]:
    """Words with the number that follows them: ["gaudi3"], ["rtx", "pro6000"], ["a100", "sxm"]."""
    joined = re.sub(r"\b([a-z]+)[ _-]+(\d+)\b", r"\1\2", name.lower())
    words = (re.sub(r"^(sxm)\d$", r"\1", word) for word in re.findall(r"[a-z0-9]+", joined))
    return [word for word in words if not BESIDE.fullmatch(word)]


def _part_words(part: Part) -> set[str]:
    return {*_words(part.name), *_words(part.key.replace("_", " "))}


def _joined_by(part: Part) -> tuple[str, ...]:
    """What joins an accelerator to others: parts that agree in it are one for a collective."""
    facts = ("scale_up_bandwidth_bytes_per_s", "scale_up_domain_max_accelerators")
    values = (str(part.facts[name].value) if name in part.facts else "" for name in facts)
    return (
        str(part.attributes.get("scale_up_link", "")).split(" ")[0],
        str(part.attributes.get("generation", "")),
        *values,
    )


# Where the ranks of a row lie and what joins them, with the words by which constants are chosen.

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

    As the row says: all within scale-up, those of a node on scale-out alone. A row that says
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


# What a row says of an expert dispatch or combine, and how many copies of a token that makes.

# Bytes of an element with its share of the block scales, the first word that is found.
ELEMENT_BYTES = {"nvfp4": 0.5625, "fp4": 0.5625, "fp8": 1.03125, "bfloat16": 2.0, "bf16": 2.0, "fp16": 2.0}
SIXTEEN_BIT = 2.0
HIDDEN = re.compile(r"hidden\D{0,3}(\d+)")
EXPERTS_PER_TOKEN = re.compile(r"top-?\s?k?\D{0,2}(\d+)")
DOMAINS_LIMIT = re.compile(r"(?:limited to|at most|top-?)\s?(\d+) (?:nodes|groups|domains)")


@dataclass(frozen=True)
class ExpertTraffic:
    """Of one rank's tokens: their number, the bytes of a copy, and the copies that cross each level."""

    tokens: float
    hidden: float
    copy_bytes: float
    experts_per_token: float
    scale_up_copies: float
    scale_out_copies: float
    assumed: tuple[str, ...]


def expert_traffic(row: Row, place: Place, *, combine: bool) -> ExpertTraffic:
    """The traffic of a row.

    Raises
    ------
    UnsupportedRowError : tokens, width or experts per token are not given
    """
    words = f"{row.text('algorithm_or_library')}; {row.text('notes')}".lower()
    hidden, used = HIDDEN.search(words), EXPERTS_PER_TOKEN.search(words)
    if hidden is None or used is None:
        raise UnsupportedRowError("notes give no hidden size or no experts per token (hidden 7168; top-8)")
    element, assumed = _element_bytes(words, combine)
    inside, outside = _copies(words, place, float(used[1]))
    return ExpertTraffic(
        tokens=row.needed("tokens_per_rank"),
        hidden=float(hidden[1]),
        copy_bytes=float(hidden[1]) * element,
        experts_per_token=float(used[1]),
        scale_up_copies=inside,
        scale_out_copies=outside,
        assumed=assumed,
    )


def _element_bytes(words: str, combine: bool) -> tuple[float, tuple[str, ...]]:
    """Results are combined in 16 bit; DeepEP dispatches in FP8 unless a row says otherwise."""
    if combine:
        return SIXTEEN_BIT, ()
    stated = [size for name, size in ELEMENT_BYTES.items() if name in words]
    if stated:
        return stated[0], ()
    if "deepep" in words:
        return ELEMENT_BYTES["fp8"], ("dispatch in FP8",)
    return SIXTEEN_BIT, ("dispatch in 16 bit",)


def _copies(words: str, place: Place, experts: float) -> tuple[float, float]:
    """Copies of one token over the scale-up link and over the NIC.

    Kernels for low latency send one to each expert. Others send one to each rank of the own domain and to
    each other domain that holds some, and spread it there.
    """
    ranks, domains = np.array([place.ranks]), np.array([place.domains])
    if "low latency" in words or "low-latency" in words:
        away = experts * (place.ranks - place.domain_ranks) / place.ranks
        return experts * (place.domain_ranks - 1) / place.ranks, away
    limit = DOMAINS_LIMIT.search(words)
    most = np.array([float(limit[1]) if limit else np.inf])
    drawn = np.array([experts])
    if "balanced" in words and "imbalanced" not in words:
        held = np.minimum(ranks, experts)
        reached = np.minimum(np.minimum(domains, experts), most)
    else:
        held = places_reached(places=ranks, experts_per_token=drawn, most=np.array([np.inf]))
        reached = places_reached(places=domains, experts_per_token=drawn, most=most)
    inside = held * (place.domain_ranks - 1) / place.domain_ranks
    return float(inside[0]), float(copies_sent(places=domains, copies=reached)[0])


# A row as a collective that the engine can time, with what was measured of it.

COLUMNS = ("accelerator", "num_accelerators", "collective", "message_size_bytes")

NAMES = {
    "allreduce": "all_reduce",
    "allgather": "all_gather",
    "reducescatter": "reduce_scatter",
    "alltoall": "all_to_all",
    "broadcast": "broadcast",
    "reduce": "broadcast",  # as long, the other way about
    "sendrecv": "send_receive",
    "sendreceive": "send_receive",
    "pointtopoint": "send_receive",
    "p2p": "send_receive",
    "moedispatch": "moe_dispatch",
    "moecombine": "moe_combine",
}
"""What a row may call a collective, without dashes and similar marks, and which one it is."""

ONE_PROCESS = re.compile(r"one process|single process", re.IGNORECASE)
# "NCCL Ring", "NVLS disabled"; but not "NVLS, or Ring/Tree".
RING_ONLY = re.compile(r"nvls disabled|(?<!/)\bring\b(?!/)", re.IGNORECASE)


@dataclass(frozen=True)
class Case:
    """One measured collective. `message_bytes` is the buffer as nccl-tests counts it."""

    row: Row
    collective: str
    message_bytes: float
    place: Place
    experts: ExpertTraffic | None
    separate_processes: bool
    ring_only: bool
    measured_s: float

    @property
    def system(self) -> str:
        return self.row.text("system") or self.row.text("accelerator")


def case_of(row: Row, catalog: Catalog) -> Case:
    """A row as a collective.

    Raises
    ------
    UnsupportedRowError : the row lacks what nothing else says, or measures what the model does not time
    """
    name = re.sub(r"[^a-z0-9]", "", row.text("collective").lower().removesuffix("_perf"))
    if name not in NAMES:
        raise UnsupportedRowError(f"the collective {row.text('collective')!r} is not modelled")
    collective = NAMES[name]
    place = place_of(row, accelerator_of(row, catalog), catalog)
    if place.ranks <= 1:
        raise UnsupportedRowError("one rank exchanges nothing")
    library = row.text("algorithm_or_library")
    expert = collective.startswith("moe")
    traffic = expert_traffic(row, place, combine=collective == "moe_combine") if expert else None
    size = row.number("message_size_bytes") or 0.0
    if not expert and size <= 0:
        raise UnsupportedRowError("message_size_bytes is not given")
    return Case(
        row=row,
        collective=collective,
        message_bytes=size,
        place=place,
        experts=traffic,
        separate_processes=not expert and not ONE_PROCESS.search(library),
        ring_only=bool(RING_ONLY.search(library)),
        measured_s=_measured_s(row, collective, size, place.ranks),
    )


def _measured_s(row: Row, collective: str, size: float, ranks: float) -> float:
    """The time as printed, else from a bandwidth as nccl-tests defines it.

    Raises
    ------
    UnsupportedRowError : neither was measured
    """
    time = row.number("time_us")
    if time:
        return time * 1e-6
    moved = {"all_reduce": 2 * (ranks - 1) / ranks, "broadcast": 1.0, "send_receive": 1.0}
    for column, share in (
        ("algbw_gb_s", 1.0),
        ("busbw_gb_s", moved.get(collective, (ranks - 1) / ranks)),
    ):
        rate = row.number(column)
        if rate and size:
            return share * size / (rate * 1e9)
    raise UnsupportedRowError("no time was measured, and no bandwidth with a message size")

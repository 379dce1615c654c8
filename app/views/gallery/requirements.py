"""What five articles ask of an AI SuperNode, as one table: pass, fail or does not apply, with what would make it pass."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.economics.rent import availability_at_site

Evaluation = dict[str, Any]
SUPERNODES = "How AI Super Nodes Are Redefining Scalable AI Infrastructure (article)"
PODS = "Why SuperNode and SuperPOD Are Critical for Scaling AI Models (article)"
CLUSTERS = "How to Build a Multi-Petabyte AI Super-Cluster (article)"
SIX_NINES = 0.999999


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A bound that an article states. `holds` of ours; `remedy` says what would make it hold."""

    key: str
    title: str
    asked: str
    unit: str
    figure: str  # place in the evaluation, empty where it is of several
    source: str
    ours: Callable[[Evaluation], float | None]
    holds: Callable[[float], bool]
    remedy: Callable[[Evaluation, float], str]
    applies: Callable[[Evaluation], str] = lambda _: ""  # why it does not, else nothing


def requirements(evaluation: Evaluation) -> list[dict[str, Any]]:
    """Every requirement with our figure, its verdict (pass, fail, does not apply, unknown) and the remedy of a failure."""
    return [_judged(one, evaluation) for one in REQUIREMENTS]


def _judged(one: Requirement, evaluation: Evaluation) -> dict[str, Any]:
    reason = one.applies(evaluation)
    ours = None if reason else one.ours(evaluation)
    known = ours is not None and not math.isnan(ours)
    if reason:
        verdict, remedy = "does not apply", reason
    elif ours is None or not known:
        verdict, remedy = "unknown", "an input of this figure is not published; the design's page names it"
    else:
        passed = one.holds(ours)
        verdict, remedy = ("pass", "") if passed else ("fail", one.remedy(evaluation, ours))
    return {
        "key": one.key,
        "title": one.title,
        "asked": one.asked,
        "ours": ours if known else None,
        "unit": one.unit,
        "figure": one.figure,
        "verdict": verdict,
        "remedy": remedy,
        "source": one.source,
    }


def _at(evaluation: Evaluation, *names: str) -> Any:
    value: Any = evaluation
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _per_supernode(evaluation: Evaluation) -> float | None:
    peak, count = (
        _at(evaluation, "headline", "peak_bf16_flop_per_s"),
        _at(evaluation, "inputs", "pod", "supernodes"),
    )
    return peak / count if peak is not None and count else None


def _more_accelerators(evaluation: Evaluation, ours: float) -> str:
    total, count = _at(evaluation, "headline", "accelerators"), _at(evaluation, "inputs", "pod", "supernodes")
    each = ours * count / total
    return f"{math.ceil(100e15 / each):,} of its accelerators in one SuperNode; this one has {total / count:,.0f}"


def _faster_storage(evaluation: Evaluation, ours: float) -> str:
    jobs = _at(evaluation, "reliability", "storage_read_bandwidth_bytes_per_s")
    return (
        f"{10e12 / ours:,.3g} times the storage: state operations.storage.read_bandwidth_bytes_per_s as "
        f"{jobs * 10e12 / ours:.3g} or more, which is what jobs get of 10 TB/s rated"
    )


def _availability(evaluation: Evaluation) -> float | None:
    nodes, site = (
        _at(evaluation, "reliability", "availability"),
        _at(evaluation, "power", "facility_availability"),
    )
    if nodes is None or site is None:
        return None
    return float(
        availability_at_site(availability=np.array([nodes]), facility_availability=np.array([site]))[0]
    )


def _more_sites(evaluation: Evaluation, ours: float) -> str:
    site = _at(evaluation, "power", "facility_availability")
    down = (1 - ours) * 8760
    if ours <= 0:
        return f"{down:,.0f} h a year are lost"
    sites = math.ceil(math.log(1 - SIX_NINES) / math.log(1 - ours))
    by_site = "" if site >= SIX_NINES else f", {(1 - site) * 8760:,.2g} h of them without power or cooling"
    return f"{down:,.2g} h a year are lost{by_site}; 32 s are allowed: the same service at {sites} sites that fail apart"


def _one_to_one(evaluation: Evaluation, ours: float) -> str:
    return f"pod.fabric.oversubscription 1 in place of {ours:.3g}: as many links up as down at each leaf"


def _no_fabric(evaluation: Evaluation) -> str:
    return "There is no scale-out fabric" if _at(evaluation, "fabric", "topology") == "none" else ""


def _no_scale_up(evaluation: Evaluation) -> str:
    domain = _at(evaluation, "inputs", "supernode", "scale_up_domain_accelerators")
    return "A scale-up domain of one accelerator" if domain is not None and domain <= 1 else ""


def _latency_s(evaluation: Evaluation) -> float | None:
    of_domain = _at(evaluation, "fabric", "scale_up", "latency_s")
    found = (
        of_domain if of_domain is not None else _at(evaluation, "inputs", "supernode", "scale_up_latency_s")
    )
    return None if found is None else float(found)


REQUIREMENTS = (
    Requirement(
        key="peak",
        title="Peak of one SuperNode, BF16 dense",
        asked="above 100 PFLOP/s",
        unit="FLOP/s",
        figure="headline.peak_bf16_flop_per_s",
        source=SUPERNODES,
        ours=_per_supernode,
        holds=lambda ours: ours > 100e15,
        remedy=_more_accelerators,
    ),
    Requirement(
        key="storage",
        title="Shared storage, rated read",
        asked="above 10 TB/s",
        unit="B/s",
        figure="reliability.storage_read_rated_bytes_per_s",
        source=CLUSTERS,
        ours=lambda evaluation: _at(evaluation, "reliability", "storage_read_rated_bytes_per_s"),
        holds=lambda ours: ours > 10e12,
        remedy=_faster_storage,
    ),
    Requirement(
        key="six_nines",
        title="Availability of accelerators at this site",
        asked="above 99.9999 %",
        unit="%",
        figure="",
        source=CLUSTERS,
        ours=_availability,
        holds=lambda ours: ours >= SIX_NINES,
        remedy=_more_sites,
    ),
    Requirement(
        key="convergence",
        title="Oversubscription of the scale-out fabric",
        asked="1:1",
        unit="1",
        figure="fabric.oversubscription",
        source=CLUSTERS,
        ours=lambda evaluation: _at(evaluation, "fabric", "oversubscription"),
        holds=lambda ours: ours <= 1 + 1e-9,
        remedy=_one_to_one,
        applies=_no_fabric,
    ),
    Requirement(
        key="scale_up_latency",
        title="Scale-up latency between the furthest accelerators",
        asked="below 1 µs",
        unit="s",
        figure="fabric.scale_up.latency_s",
        source=PODS,
        ours=_latency_s,
        holds=lambda ours: ours < 1e-6,
        remedy=lambda _, ours: (
            f"{ours / 1e-6:.3g} µs is not below 1 µs: links and switches of less latency, or fewer on the longest path"
        ),
        applies=_no_scale_up,
    ),
)

"""From a demand and a service level to replicas, accelerators and SuperNodes, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app.engine.performance.serving.binding import binding
from app.engine.performance.serving.capacity import needed, requests_per_s_of_a_replica, sides_needed
from app.engine.performance.serving.replica_load import Replica, limit_of, replicas_with_room
from app.engine.performance.serving.sizing import Sizing
from app.engine.performance.serving.slo import pod_ttft_s
from app.engine.performance.serving.split import prefill_per_decode, split_of, whole_split
from app.engine.trace import Array, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.serving.demand_hours import DemandHours, demand_hours
from app.views.serving.ending import worse_of
from app.views.serving.latency import latency_view
from app.views.serving.loads import PLENTY, fullest, many_loads, most_kept, under
from app.views.serving.relaxing import relaxed
from app.views.serving.served import (
    Served,
    counted_words,
    layout_words,
    middle,
    promised,
    replica_words,
    served,
)
from app.views.serving.sizing_row import Relaxed, SizingRow, SplitWords

SERVICE = ("workload.service_level", "workload.demand", "workload.layout", "workload.concurrency")
"""Fields that problems of serving are about."""
DOMAINS = {"instance": "instance", "node": "node", "supernode": "SuperNode"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SizingView:
    """`binds` is what ends the load, as of the latency view: ttft, tpot, prefill, memory or none."""

    name: str
    mode: str
    layout: str
    pod_words: str  # what the accelerators of the pod are
    needed_words: str  # what the demand needs, "" without one
    promised_ttft_s: float | None
    promised_tpot_s: float | None
    percentile: float
    availability: float | None
    n_plus: int  # failure domains that may be lost in the busiest hour
    failure_domain: str  # instance | node | supernode
    spares_by_availability: float | None  # replicas; None: no demand is stated, as the next
    spares_by_redundancy: float | None  # the more of the two are kept
    replica_availability: float | None
    requests_per_s_limit: float  # of the pod
    supernodes_there: float
    supernodes_needed: float | None
    supernodes_needed_with_headroom: float | None
    rows: tuple[SizingRow, ...]
    demand_hours: DemandHours | None  # None: the demand has no hours
    split: SplitWords | None
    binds: str
    binding_shares: dict[
        str, float
    ]  # of the time that breaks, just beyond the most that is kept; the largest first
    relaxed: tuple[Relaxed, ...]
    problems: tuple[str, ...]


def sizing_view(scenario: EvaluatedScenario) -> SizingView:
    """Capacity for the demand of a scenario.

    Raises
    ------
    ScenarioError : the scenario serves no model
    """
    found = served(scenario, "Sizing", mixed=True)
    performance = found.performance
    level, availability = (
        found.setting.workload.level,
        scenario.evaluation.sections.reliability.replica_availability,
    )
    limit = middle(performance.requests_per_s_limit)
    each = first_of(
        requests_per_s_of_a_replica(
            requests_per_s_limit=np.full(1, limit), replicas=np.full(1, found.replicas)
        )
    )
    size = _size(found, limit, availability, found.replica)
    binds = latency_view(scenario).breaks

    def supernodes(answered: float, replica: Replica) -> float | None:
        limit = answered * found.replicas
        asked = _size(found, limit, availability, replica) if answered > 0 else None
        return None if asked is None else first_of(asked.supernodes_with_headroom)

    return SizingView(
        name=found.name,
        mode=found.replica.mode,
        layout=replica_words(found.replica, found.on),
        pod_words=counted_words(found.replicas, found.replica, found.on),
        needed_words=_needed_words(found, size),
        promised_ttft_s=promised(pod_ttft_s(found.setting.workload)),
        promised_tpot_s=promised(level.tpot_s),
        percentile=first_of(level.percentile),
        availability=promised(level.availability) or None,
        n_plus=round(first_of(level.n_plus)),
        failure_domain=level.failure_domain,
        spares_by_availability=None if size is None else first_of(size.spares_by_availability),
        spares_by_redundancy=None if size is None else first_of(size.spares_by_redundancy),
        replica_availability=None if availability is None else middle(availability),
        requests_per_s_limit=limit,
        supernodes_there=middle(found.design.pod.supernodes),
        supernodes_needed=None if size is None else first_of(size.supernodes),
        supernodes_needed_with_headroom=None if size is None else first_of(size.supernodes_with_headroom),
        rows=tuple(_rows(found, each, size)),
        demand_hours=demand_hours(scenario, found, each, size),
        split=split_words(found),
        binds=binds,
        binding_shares=_binding_shares(found, binds),
        relaxed=relaxed(found, each, supernodes),
        problems=tuple(
            problem.message
            for problem in scenario.problems
            if problem.field and problem.field.startswith(SERVICE)
        ),
    )


def _size(
    found: Served, requests_per_s_limit: float, availability: Array | None, replica: Replica
) -> Sizing | None:
    up = None if availability is None else np.full(1, middle(availability))
    return needed(
        workload=found.setting.workload,
        sides=sides_needed(found.setting, replica),
        requests_per_s_limit=np.full(1, requests_per_s_limit),
        replicas=np.full(1, found.replicas),
        accelerators_per_replica=np.full(1, first_of(replica.accelerators)),
        replica_availability=up,
    )


def _needed_words(found: Served, size: Sizing | None) -> str:
    if size is None or not np.isfinite(first_of(size.replicas)):
        return ""
    return counted_words(first_of(size.replicas), found.replica, found.on)


def _binding_shares(found: Served, binds: str) -> dict[str, float]:
    """Of the time to the first token, or of a token, by part.

    Empty where memory or prefill ends the load, or memory holds nothing.

    Where not even one request meets the SLO, of the worse of the two with one request in flight.
    """
    grid = under(found, many_loads(found.setting, fullest(found)))
    most, workload = most_kept(grid), found.setting.workload
    row = 0 if most is None else min(most + 1, grid.concurrency.size - 1)
    if binds in ("memory", "prefill") or not float(np.max(found.limit)) >= 1:
        return {}
    first = (worse_of(found, grid, row) if binds == "none" else binds) == "ttft"
    parts = grid.answers.ttft_breakdown_s if first else grid.answers.tpot_breakdown_s
    at = {name: np.broadcast_to(part, grid.concurrency.shape)[row : row + 1] for name, part in parts.items()}
    shares = binding(parts_s=at, promised_s=pod_ttft_s(workload) if first else workload.level.tpot_s).shares
    ranked = sorted(((first_of(share), name) for name, share in shares.items()), reverse=True)
    return {name: share for share, name in ranked if share > 0}


def _rows(found: Served, each: float, size: Sizing | None) -> list[SizingRow]:
    used = first_of(found.setting.pod_accelerators)
    whole = first_of(replicas_with_room(found.setting, found.replica))
    rows = [
        _row("replica", "Accelerators per replica", found.size, "1", replica_words(found.replica, found.on)),
        _row("replica_rate", "A replica answers", each, "requests/s", "the most within the SLO"),
        _row("held", "Replicas per pod", whole, "1", f"whole ones on its {used:,.0f} accelerators"),
    ]
    demand = found.setting.workload.demand
    if size is None or demand is None:
        return rows
    per: dict[str, Any] = {
        name: first_of(value)
        for name in Sizing.__slots__
        if not isinstance(value := getattr(size, name), tuple)
    }
    growth, years = first_of(demand.growth_per_year), first_of(demand.years)
    peak, peak_to_mean = per["peak_requests_per_s"], first_of(demand.peak_to_mean)
    rows += [
        _row("demand", "Demand today", first_of(demand.requests_per_s), "requests/s", "mean over the year"),
        _row(
            "grown", "After its growth", peak / peak_to_mean, "requests/s",
            f"{100 * growth:.4g} % per year for {years:.3g} {'year' if years == 1 else 'years'}",
        ),
        _row("peak", "In its busiest hour", peak, "requests/s", f"{peak_to_mean:.3g} times the mean"),
        _row("replicas", "Replicas for the peak", per["replicas"], "1", "rounded up"),
        _row("load_share", "Load of these replicas at the peak", per["load_share"], "share", "rounding up leaves the rest"),
        _row("accelerators", "Accelerators", per["accelerators"], "1", "of those replicas"),
        _row(
            "per_supernode", "Replicas per SuperNode", per["replicas_per_supernode"], "1",
            "whole ones; below 1 where a replica takes several SuperNodes",
        ),
        _row("supernodes", "SuperNodes for the peak", per["supernodes"], "1", "without failures"),
        *_redundancy_rows(found, per),
        _row("spares", "Spare replicas", per["spare_replicas"], "1", _spares_said(found, per)),
        _row(
            "supernodes_with_headroom", "SuperNodes with headroom", per["supernodes_with_headroom"], "1",
            "for the peak, with spares for failures",
        ),
        *_rows_by_kind(found, size),
        _row(
            "autoscaled", "Replica hours with autoscaling", per["autoscaled_share"], "share",
            f"the mean needs {per['replicas_at_mean']:,.0f}; starting one takes time",
        ),
    ]  # fmt: skip
    return rows


def _rows_by_kind(found: Served, size: Sizing) -> list[SizingRow]:
    """Of a replica on two kinds of SuperNode, how many of each."""
    each = size.supernodes_with_headroom_of_sides
    if len(each) == 1:
        return []
    return [
        _row(
            f"supernodes_that_{does}",
            f"Of these that {does}",
            first_of(count),
            "1",
            f"{name}, with spares for failures",
        )
        for does, name, count in zip(("decode", "prefill"), found.on, each, strict=True)
    ]


def _redundancy_rows(found: Served, per: dict[str, float]) -> list[SizingRow]:
    """Spares by the availability target and by N + k, where both may ask for some."""
    level = found.setting.workload.level
    count = first_of(level.n_plus)
    if not count:
        return []
    domain = DOMAINS[level.failure_domain]
    lost = per["replicas_lost"]
    return [
        _row(
            "spares_by_availability", "Spare replicas by availability", per["spares_by_availability"], "1",
            _availability_said(found),
        ),
        _row(
            "spares_by_redundancy", f"Spare replicas by N+{count:,.0f}", per["spares_by_redundancy"], "1",
            f"so that the busiest hour is served with {count:,.0f} {domain if count == 1 else f'{domain}s'} lost, "
            f"each {lost:,.0f} {'replica' if lost == 1 else 'replicas'}",
        ),
    ]  # fmt: skip


def _spares_said(found: Served, per: dict[str, float]) -> str:
    count = first_of(found.setting.workload.level.n_plus)
    if not count:
        return _availability_said(found)
    if per["spares_by_redundancy"] >= per["spares_by_availability"]:
        return f"N+{count:,.0f} rules"
    return "the availability target rules"


def _availability_said(found: Served) -> str:
    share = promised(found.setting.workload.level.availability)
    if not share:
        return "no availability target is set"
    return f"so that enough are up for {100 * share:.6g} % of the time"


def _row(step: str, title: str, value: float, unit: str, said: str) -> SizingRow:
    return SizingRow(step=step, title=title, value=value, unit=unit, said=said)


TOLERANCE = 0.02
"""Share of the requests that may be lost for a smaller group."""


def split_words(found: Served) -> SplitWords | None:
    """Rates of a prefill and of a decode instance within the per-token SLO, and the ratio of the two.

    An aggregated replica is split as it is: its layout for both. None where nothing fits the memory.
    """
    replica, one = found.replica, np.ones(1)
    prefill = replica.decode if replica.prefill is None else replica.prefill
    group = Replica(
        decode=replica.decode, decode_instances=one, prefill=prefill, prefill_instances=np.full(1, PLENTY)
    )
    limit = np.maximum(limit_of(found.setting, group), 1.0)
    loads = under(found, many_loads(found.setting, float(np.max(limit))), group, limit=limit)
    promised = first_of(found.setting.workload.level.tpot_s)
    keeps = ~(loads.tpot_within_s > promised)
    if not keeps.any():
        return None
    rates: dict[str, Any] = {
        "prefill_requests_per_s": 1 / loads.prefill_cost_s[:1],
        "decode_requests_per_s": np.max(np.where(keeps, loads.requests_per_s, 0.0), keepdims=True),
    }
    sizes: dict[str, Any] = {
        "prefill_accelerators": prefill.accelerators,
        "decode_accelerators": replica.decode.accelerators,
    }
    best = whole_split(
        **rates,
        **sizes,
        accelerators_at_most=found.setting.accelerators_used,
        prefill_accelerators_at_most=None
        if found.setting.reading is None
        else found.setting.reading.accelerators_used,
        tolerance=TOLERANCE,
    )
    own = None
    if replica.prefill is not None and replica.prefill_instances is not None:
        own = split_of(
            prefill_instances=replica.prefill_instances,
            decode_instances=replica.decode_instances,
            **rates,
            **sizes,
        )
    return SplitWords(
        prefill_layout=layout_words(prefill, found.on[1]),
        decode_layout=layout_words(replica.decode, found.on[0]),
        prefill_requests_per_s=first_of(rates["prefill_requests_per_s"]),
        decode_requests_per_s=first_of(rates["decode_requests_per_s"]),
        prefill_per_decode=first_of(prefill_per_decode(**rates)),
        prefill_instances=first_of(best.prefill_instances),
        decode_instances=first_of(best.decode_instances),
        accelerators=first_of(best.accelerators),
        requests_per_s=first_of(best.requests_per_s),
        idle_share=first_of(best.idle_share),
        stated_prefill_instances=None if own is None else first_of(own.prefill_instances),
        stated_decode_instances=None if own is None else first_of(own.decode_instances),
        stated_idle_share=None if own is None else first_of(own.idle_share),
    )

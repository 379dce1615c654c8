"""Faults of an evaluated scenario's fabric: who is cut off, what bandwidth is left, and the step time with it."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.cabling.schedule import rack_names
from app.engine.fabric.faults.effect import Between, Effect, between, bisection, effect, worst_pair
from app.engine.fabric.faults.failed import (
    Failed,
    by_chance,
    failed,
    nothing_failed,
    of_feed,
    of_plane,
    of_rail,
    planes_of,
    rails_of,
    together,
)
from app.engine.fabric.faults.share import Share, state_of
from app.engine.fabric.faults.single import SingleFailure, single_failures
from app.engine.fabric.graph.graph import Whole, is_switch
from app.engine.running.job import Running, running, step_time_left_s
from app.likeness import nearest_names
from app.scenarios.errors import refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_workload
from app.views.fabric.compute import ComputeFabric, compute_fabric
from app.views.fabric.faults_answer import (
    Bandwidth,
    BundleLeft,
    FailedParts,
    FaultsAnswer,
    FaultsDocument,
    FeedDocument,
    JobLeft,
    PlaceLeft,
    Reached,
    SingleRow,
    TierLeft,
)
from app.views.fabric.floor import floor_of

MOST_NAMES = 20
MOST_PLACES = 64
MOST_BUNDLES = 5_000
HALVES = ("first half of the hosts", "second half")


def fabric_faults(evaluated: EvaluatedScenario, asked: FaultsDocument) -> FaultsAnswer:
    """Remaining fabric after the given failures, and the loss of each kind of part alone.

    Raises
    ------
    ScenarioError : there is no fabric, or no such part in it
    """
    one_workload(evaluated.resolved.design, "The effect of failures on a job")
    fabric = compute_fabric(evaluated)
    lost = failed_of(evaluated, fabric, asked)
    ends = ends_of(fabric, asked.between)
    whole, job = state_of(fabric.graph), running(evaluated.resolved.design)
    found, left = effect(whole, lost)
    worst = worst_pair(whole, left, found.reach)
    half = bisection(whole, left)
    rows = single_failures(whole) if asked.single else []
    return FaultsAnswer(
        name=evaluated.document.name,
        topology=evaluated.evaluation.sections.fabric.topology,
        failed=_parts(fabric, lost),
        reach=_reached(fabric, found),
        tiers=_tiers(fabric, lost),
        places=_places(fabric, lost, found),
        bundles=_bundles(fabric, lost),
        bisection=None if half is None else _bandwidth(fabric, half, HALVES),
        worst_pair=None if worst is None else _bandwidth(fabric, worst),
        between=_bandwidth(fabric, between(whole, left, *ends), asked.between) if ends else None,
        job=_job(job, fabric, found),
        single=tuple(_row(job, fabric, row) for row in rows),
    )


def ends_of(fabric: ComputeFabric, names: tuple[str, str] | None) -> tuple[Whole, Whole] | None:
    if names is None:
        return None
    one, other = (fabric.hosts_of(name, f"between[{at}]") for at, name in enumerate(names))
    if np.intersect1d(one, other).size:
        raise refuse(
            f"{names[0]} and {names[1]} have hosts in common.",
            rule="overlap",
            path="between",
            hint="Name two different hosts or units.",
        )
    return one, other


def _parts(fabric: ComputeFabric, lost: Failed) -> FailedParts:
    devices, links = np.flatnonzero(lost.devices), np.flatnonzero(lost.links)
    names = [fabric.names[int(device)] for device in devices[:MOST_NAMES]]
    names += [fabric.link_name(int(link)) for link in links[: MOST_NAMES - len(names)]]
    return FailedParts(
        switches=int(np.setdiff1d(devices, fabric.hosts).size),
        links=int(links.size),
        links_lost=int((~lost.alive_links(fabric.graph)).sum()),
        names=tuple(names),
    )


def _reached(fabric: ComputeFabric, found: Effect) -> Reached:
    cut_off = np.flatnonzero(found.reach.cut_off)
    return Reached(
        hosts=int(fabric.hosts.size),
        cut_off=int(cut_off.size),
        cut_off_names=tuple(fabric.names[int(fabric.hosts[host])] for host in cut_off[:MOST_NAMES]),
        parts=found.reach.parts,
        joined_share=found.reach.joined_share,
    )


def _tiers(fabric: ComputeFabric, lost: Failed) -> tuple[TierLeft, ...]:
    graph, alive = fabric.graph, lost.alive_links(fabric.graph)
    rows = []
    for tier in graph.tiers:
        links = graph.of_tier(tier)
        if links.size:
            left = int(alive[links].sum())
            rows.append(TierLeft(tier=tier, links=int(links.size), links_left=left, share=left / links.size))
    return tuple(rows)


def _place_of(fabric: ComputeFabric) -> tuple[Whole, list[Whole]]:
    """(devices,) place of each device in the picture, and the devices of each place.

    Kind by kind: a place for each device where there are few, else for each scalable unit, else for equal
    ranges of devices.
    """
    graph = fabric.graph
    place_of = np.full(graph.device_count, -1, np.int64)
    found: list[Whole] = []
    for kind in graph.kinds:
        devices = graph.of_kind(kind)
        group = graph.devices.group[devices]
        by_unit = devices.size > MOST_PLACES and group.min(initial=0) >= 0
        order = group if by_unit else np.arange(devices.size)
        count = int(order.max(initial=-1)) + 1
        place = order * min(count, MOST_PLACES) // max(count, 1)
        for at in np.unique(place).tolist():
            here = devices[place == at]
            place_of[here] = len(found)
            found.append(here)
    return place_of, found


def _places(fabric: ComputeFabric, lost: Failed, found: Effect) -> tuple[PlaceLeft, ...]:
    graph, links = fabric.graph, fabric.graph.links
    alive = lost.alive_links(graph)
    ends = np.concatenate([links.lower, links.upper])
    had = np.bincount(ends, minlength=graph.device_count)
    left = np.bincount(ends, weights=np.tile(alive, 2), minlength=graph.device_count)
    cut_off = np.zeros(graph.device_count, bool)
    cut_off[fabric.hosts[found.reach.cut_off]] = True
    a_link = np.full(graph.device_count, -1, np.int64)
    working = np.flatnonzero(alive)[::-1]  # in reverse, so that the first link of a device is kept
    a_link[links.upper[working]] = working
    a_link[links.lower[working]] = working
    rows = []
    for here in _place_of(fabric)[1]:
        group = np.unique(graph.devices.group[here])
        first = int(a_link[here[0]])
        of_unit = here.size > 1 and group.size == 1 and np.all(np.isin(here, fabric.hosts))
        rows.append(
            PlaceLeft(
                kind=graph.kinds[int(graph.devices.kind[here[0]])],
                first=fabric.names[int(here[0])],
                devices=int(here.size),
                failed=int(lost.devices[here].sum()),
                cut_off=int(cut_off[here].sum()),
                share=float(left[here].sum() / max(int(had[here].sum()), 1)),
                unit=int(group[0]) + 1 if of_unit and group[0] >= 0 else None,
                names=tuple(fabric.names[int(device)] for device in here[:MOST_NAMES]),
                link=fabric.link_name(first) if first >= 0 else "",
            )
        )
    return tuple(rows)


def _bundles(fabric: ComputeFabric, lost: Failed) -> tuple[BundleLeft, ...]:
    """Number of links between places; empty where there are too many pairs of places to draw."""
    links, place_of = fabric.graph.links, _place_of(fabric)[0]
    pairs = np.stack([place_of[links.lower], place_of[links.upper]], axis=1)
    kinds, pair = np.unique(pairs, axis=0, return_inverse=True)
    if len(kinds) > MOST_BUNDLES:
        return ()
    alive = lost.alive_links(fabric.graph)
    counts = np.bincount(pair.ravel(), minlength=len(kinds))
    left = np.bincount(pair.ravel(), weights=alive, minlength=len(kinds))
    a_link = np.full(len(kinds), -1, np.int64)
    working = np.flatnonzero(alive)[::-1]  # the first of a pair is written last
    a_link[pair.ravel()[working]] = working
    alone = np.bincount(place_of[place_of >= 0]) == 1
    first = np.unique(pair.ravel(), return_index=True)[1]
    return tuple(
        BundleLeft(
            one=int(one),
            other=int(other),
            links=int(count),
            links_left=int(works),
            link=fabric.link_name(int(link)) if link >= 0 else "",
            between=f"{fabric.names[int(links.lower[at])]}/{fabric.names[int(links.upper[at])]}"
            if alone[one] and alone[other]
            else "",
        )
        for (one, other), count, works, link, at in zip(
            kinds.tolist(), counts.tolist(), left.tolist(), a_link.tolist(), first.tolist(), strict=True
        )
    )


def _bandwidth(fabric: ComputeFabric, pair: Between, names: tuple[str, str] | None = None) -> Bandwidth:
    one, other = names or (fabric.hosts_text(pair.one), fabric.hosts_text(pair.other))
    return Bandwidth(
        one=one,
        other=other,
        whole_bytes_per_s=pair.whole_bytes_per_s,
        left_bytes_per_s=pair.left_bytes_per_s,
        share=pair.share,
    )


def _job(job: Running, fabric: ComputeFabric, found: Effect) -> JobLeft:
    """The job on the hosts that are left: it goes on where as many are left as it runs on."""
    whole = _seconds(job, Share(access=1.0, beyond=1.0))
    supernode = job.design.supernode
    each = float(supernode.accelerators[0]) / float(supernode.nodes[0])
    needed = int(np.ceil(float(job.design.pod.accelerators_used[0]) / each))
    left = int((~found.reach.cut_off).sum())
    share = found.share
    runs = left >= needed and share.access > 0 and share.beyond > 0
    reason = ""
    if left < needed:
        reason = f"{left:,} hosts reach each other, and the job runs on {needed:,}."
    elif not runs:
        reason = "Some of its hosts have no way to the others."
    after = _seconds(job, share) if runs else None
    return JobLeft(
        runs=bool(runs),
        reason=reason,
        access_share=float(share.access),
        beyond_share=float(share.beyond),
        places=share.places,
        places_looked_at=share.places_looked_at,
        step_time_whole_s=whole,
        step_time_s=after,
        slowdown=after / whole if after is not None and whole else None,
    )


def _seconds(job: Running, share: Share) -> float | None:
    value = float(np.ravel(step_time_left_s(job, share))[0])
    return value if np.isfinite(value) else None


def _row(job: Running, fabric: ComputeFabric, row: SingleFailure) -> SingleRow:
    example = f"{row.part} {row.index + 1}"
    if row.part == "link":
        example = fabric.link_name(row.index)
    elif row.part == "switch":
        example = fabric.names[row.index]
    return SingleRow(
        part=row.part,
        tier=row.name,
        example=example,
        count=row.count,
        kinds=row.kinds,
        looked_at=row.looked_at,
        cut_off=int(row.effect.reach.cut_off.sum()),
        tier_share=row.effect.tier_share.get(row.name) if row.part == "link" else None,
        job=_job(job, fabric, row.effect),
    )


def failed_of(evaluated: EvaluatedScenario, fabric: ComputeFabric, asked: FaultsDocument) -> Failed:
    """All that is asked to fail, at once.

    Raises
    ------
    ScenarioError : there is no such part in the fabric
    """
    graph = fabric.graph
    parts = [nothing_failed(graph)]
    for at, text in enumerate(asked.links):
        parts.append(failed(graph, links=fabric.links(text, f"links[{at}]")))
    for at, name in enumerate(asked.switches):
        parts.append(failed(graph, devices=np.array([fabric.switch(name, f"switches[{at}]")])))
    for at, name in enumerate(asked.hosts):
        parts.append(failed(graph, devices=fabric.hosts_of(name, f"hosts[{at}]")))
    for at, plane in enumerate(asked.planes):
        _known(plane, planes_of(graph), f"planes[{at}]", "plane")
        parts.append(of_plane(graph, plane - 1))
    for at, rail in enumerate(asked.rails):
        _known(rail, rails_of(graph), f"rails[{at}]", "rail")
        parts.append(of_rail(graph, rail - 1))
    if asked.power:
        parts.append(_feed(evaluated, fabric, asked.power))
    switches = int(is_switch(graph).sum())
    for name, count, most in (
        ("random_links", asked.random_links, graph.link_count),
        ("random_switches", asked.random_switches, switches),
    ):
        if count > most:
            raise refuse(
                f"{count:,} cannot fail: this fabric has {most:,} of them.",
                rule="too_many",
                path=name,
                value=count,
                hint=f"Give at most {most:,}.",
            )
    parts.append(by_chance(graph, links=asked.random_links, switches=asked.random_switches, seed=asked.seed))
    return together(parts)


def _known(number: int, known: Whole, field: str, part: str) -> None:
    if number - 1 not in known:
        hint = f"Name one of 1 to {known.size}." if known.size else "Let links or switches fail instead."
        raise refuse(
            f"There is no {part} {number} in this fabric: it has {known.size}.",
            rule=f"unknown_{part}",
            path=field,
            value=number,
            hint=hint,
        )


def _feed(evaluated: EvaluatedScenario, fabric: ComputeFabric, asked: FeedDocument) -> Failed:
    kinds = [kind for kind in fabric.graph.kinds if fabric.graph.of_kind(kind).size]
    for at, kind in enumerate(asked.one_supply):
        if kind not in kinds:
            raise refuse(
                f"This fabric has no devices of the kind {shorten(kind)}.",
                rule="unknown_kind",
                path=f"power.one_supply[{at}]",
                value=kind,
                hint=f"Its kinds are {', '.join(kinds)}.",
            )
    laid = floor_of(evaluated, with_ports=False)
    racks = laid.floor.racks
    names = [name.decode() for name in rack_names(racks.row, racks.position).tolist()]
    for at, name in enumerate(asked.racks or ()):
        if name not in names:
            raise refuse(
                f"There is no rack {shorten(name)} on the floor.",
                rule="unknown_rack",
                path=f"power.racks[{at}]",
                value=name,
                hint=f"Nearest: {nearest_names(name[:80], names)}.",
            )
    return of_feed(
        fabric.graph,
        asked.feed,
        device_rack=laid.floor.places["compute"].rack,
        racks=None if asked.racks is None else np.array([names.index(name) for name in asked.racks]),
        one_feed_kinds=asked.one_supply,
    )

"""The workloads of a shared pod, each as the design it would be alone on what it has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from app.engine.shared import shares
from app.engine.specs import Assumptions, Design, GenericWorkload, Pod, ServingWorkload, Sharing
from app.engine.trace import Array

OF_A_WORKLOAD = ("performance", "serving")
"""Rooms whose assumptions go by the workload; all others go by the pod."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One workload. `design` is of it alone, on its SuperNodes as a pod of their own: others' are no spares of it."""

    name: str
    share: Array  # of the accelerator-hours
    supernodes: Array
    accelerators: Array
    design: Design

    @property
    def kind(self) -> str:
        """As the scenario calls it."""
        if isinstance(self.design.workload, ServingWorkload):
            return "serving"
        return "generic" if isinstance(self.design.workload, GenericWorkload) else "training"

    @property
    def model(self) -> str:
        """Name of the model, or of the job."""
        workload = self.design.workload
        return workload.name if isinstance(workload, GenericWorkload) else workload.architecture.name


def parts_of(design: Design) -> tuple[Part, ...]:
    """Every workload of a shared pod, the first one first."""
    sharing, pod = design.sharing, design.pod
    assert sharing is not None, "the pod is shared"
    counts, parts_shares = _by_pod(sharing, pod) if sharing.by == "pod" else _by_day(sharing, pod)
    alone = replace(design, sharing=None)
    of_each: list[dict[str, Any]] = [{}]
    of_each += [
        {
            "workload": other.workload,
            "layout": other.layout,
            "framework": other.framework,
            "assumptions": _assumptions(design.assumptions.rooms, other.assumptions.rooms),
        }
        for other in sharing.others
    ]
    names = [sharing.first_name, *(other.name for other in sharing.others)]
    by_day = sharing.by == "day"
    return tuple(
        _part(
            _in_its_hours(replace(alone, **own), share) if by_day else replace(alone, **own),
            name,
            share,
            count,
        )
        for own, name, share, count in zip(of_each, names, parts_shares, counts, strict=True)
    )


def first_alone(design: Design) -> Design:
    """The first workload alone on what it has; the design itself where nothing is shared."""
    return design if design.sharing is None else parts_of(design)[0].design


def _in_its_hours(alone: Design, share: Array) -> Design:
    """The design with a demand that is stated for a day as what its workload must bear in its hours."""
    workload = alone.workload
    if not isinstance(workload, ServingWorkload) or workload.demand is None or not workload.demand.of_the_day:
        return alone
    faster = shares.requests_per_s_in_its_hours(requests_per_s=workload.demand.requests_per_s, share=share)
    return replace(alone, workload=replace(workload, demand=replace(workload.demand, requests_per_s=faster)))


def _part(alone: Design, name: str, share: Array, supernodes: Array) -> Part:
    accelerators = shares.accelerators_of_share(
        supernodes=supernodes, accelerators_per_supernode=alone.supernode.accelerators
    )
    return Part(
        name=name,
        share=share,
        supernodes=supernodes,
        accelerators=accelerators,
        design=replace(alone, pod=replace(alone.pod, supernodes=supernodes, accelerators_used=accelerators)),
    )


def _by_pod(sharing: Sharing, pod: Pod) -> tuple[list[Array], list[Array]]:
    others = [
        shares.supernodes_of_share(share=other.share, supernodes=pod.supernodes) for other in sharing.others
    ]
    first = shares.supernodes_left(supernodes=pod.supernodes, others_supernodes=tuple(others))
    counts = [first, *others]
    return counts, [
        shares.share_of_pod(supernodes_of_workload=count, supernodes=pod.supernodes) for count in counts
    ]


def _by_day(sharing: Sharing, pod: Pod) -> tuple[list[Array], list[Array]]:
    stated = tuple(other.share for other in sharing.others)
    of_each = [shares.rest_of_day(others_shares=stated), *(shares.share_of_day(share=one) for one in stated)]
    return [shares.all_supernodes(supernodes=pod.supernodes) for _ in of_each], of_each


def _assumptions(of_the_pod: Mapping[str, Any], of_the_workload: Mapping[str, Any]) -> Assumptions:
    own = {room: of_the_workload[room] for room in OF_A_WORKLOAD if room in of_the_workload}
    return Assumptions(rooms={**of_the_pod, **own})

"""A pod that several workloads share: each resolved as if it were alone on what it has, over the same hardware."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.engine.shared.parts import OF_A_WORKLOAD
from app.engine.shared.shares import supernodes_of_share
from app.engine.specs import Assumptions, OtherWorkload, Sharing
from app.scenarios.document.scenario import ScenarioDocument, SharedPodDocument
from app.scenarios.errors import InputError, ScenarioError, refuse
from app.scenarios.resolve import fabric
from app.scenarios.resolve.hardware_words import context_of
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.layout import refuse_domain_part
from app.scenarios.resolve.nic_rate import with_nic_rate
from app.scenarios.resolve.supernode import chosen_supernode

if TYPE_CHECKING:
    from app.scenarios.resolve import Resolved

Alone = Callable[[ScenarioDocument], "Resolved"]
OF_THE_WORKLOAD = ("workload.", "layout.", *(f"assumptions.{room}." for room in OF_A_WORKLOAD))
"""Numbers that each workload has of its own, by their places in its design."""


def resolve_shared(inputs: Inputs, document: ScenarioDocument, alone: Alone) -> Resolved:
    """The design of a shared pod: that of the first workload, with the others alongside it.

    Parameters
    ----------
    inputs : as yet empty; takes the hardware, to know what there is to share
    alone : resolves a scenario with one workload

    Raises
    ------
    ScenarioError : as for one workload, at the field of the workload that it is about; fewer SuperNodes than
        workloads, several kinds of SuperNode, or a stated number of accelerators beside shares
    """
    sharing = document.sharing
    assert sharing is not None, "the pod is shared"
    _refuse_beside_shares(document)
    supernode = chosen_supernode(
        inputs,
        document.supernode,
        document.workload.precision,
        document.economics.supernode_price_usd,
        served=document.workload.kind == "serving",
    )
    inputs.context |= context_of(inputs.catalog.part("accelerators", supernode.accelerator.key))
    supernode = with_nic_rate(inputs, document.pod.fabric.nic_gbit_s, supernode)
    pod = fabric.pod(inputs, document.pod, supernode)
    counts = _supernodes(sharing, document.pod.supernodes)
    each = [
        _alone(alone, one, place)
        for place, one in enumerate(
            _documents(document, sharing, counts, round(float(supernode.accelerators[0])))
        )
    ]
    first = each[0]
    origins, values = dict(first.origins), dict(first.values)
    for name in ("pod.accelerators_used",):  # of all workloads together
        origins[name], values[name] = inputs.origins[name], inputs.values[name]
    for place, (other, stated) in enumerate(zip(each[1:], sharing.others, strict=True)):
        path = f"sharing.others[{place}]"
        for name, origin in other.origins.items():
            if not name.startswith(OF_THE_WORKLOAD):
                continue
            own = origin.field.startswith(("workload.", "parallelism."))
            label = f"{stated.name}: {origin.label}" if origin.label else stated.name
            origins[f"{path}.{name}"] = dataclasses.replace(
                origin, label=label, field=f"{path}.{origin.field}" if own else origin.field
            )
            values[f"{path}.{name}"] = other.values[name]
        taken = Inputs(catalog=inputs.catalog)
        taken.scenario(f"{path}.share", stated.share)
        origins |= taken.origins
        values |= taken.values
    others = tuple(
        _other(found, stated.name, stated.share)
        for found, stated in zip(each[1:], sharing.others, strict=True)
    )
    return replace(
        first,
        design=replace(
            first.design,
            pod=replace(first.design.pod, accelerators_used=pod.accelerators_used),
            sharing=Sharing(by=sharing.by, first_name=sharing.first_name, others=others),
        ),
        origins=origins,
        values=values,
        others=(),
    )


def _other(found: Resolved, name: str, share: float) -> OtherWorkload:
    rooms = found.design.assumptions.rooms
    return OtherWorkload(
        name=name,
        share=np.array([share]),
        workload=found.design.workload,
        layout=found.design.layout,
        framework=found.design.framework,
        assumptions=Assumptions(rooms={room: rooms[room] for room in OF_A_WORKLOAD if room in rooms}),
    )


def _supernodes(sharing: SharedPodDocument, supernodes: int) -> list[int]:
    """Share of each workload in the pod; in turns by day each has the whole pod."""
    if sharing.by == "day":
        return [supernodes for _ in sharing.names]
    counts = [
        round(
            float(
                supernodes_of_share(share=np.array([other.share]), supernodes=np.array([float(supernodes)]))[
                    0
                ]
            )
        )
        for other in sharing.others
    ]
    left = supernodes - sum(counts)
    if left < 1:
        raise refuse(
            f"gives the other workloads {sum(counts):,} SuperNodes of {supernodes:,}, by whole ones and at least one "
            f"each, and leaves none to {sharing.first_name}.",
            rule="shares",
            path="sharing.others",
            value=len(sharing.others),
            hint=f"Share by day, or a pod of at least {sum(counts) + 1:,} SuperNodes.",
        )
    return [left, *counts]


def _documents(
    document: ScenarioDocument, sharing: SharedPodDocument, counts: list[int], accelerators: int
) -> Iterator[ScenarioDocument]:
    """Each workload as a scenario of its own, on the accelerators that it has."""
    own: list[dict[str, Any]] = [{}]
    own += [{"workload": other.workload, "parallelism": other.parallelism} for other in sharing.others]
    for changes, count in zip(own, counts, strict=True):
        pod = document.pod.model_copy(update={"accelerators_used": count * accelerators})
        yield document.model_copy(update={**changes, "pod": pod, "sharing": None})


def _alone(alone: Alone, document: ScenarioDocument, place: int) -> Resolved:
    try:
        return alone(document)
    except ScenarioError as error:
        if not place:
            raise
        raise ScenarioError(_at(fault, place) for fault in error.errors) from error


def _at(fault: InputError, place: int) -> InputError:
    own = fault.path.partition(".")[0] in ("workload", "parallelism")
    return dataclasses.replace(fault, path=f"sharing.others[{place - 1}].{fault.path}") if own else fault


def _refuse_beside_shares(document: ScenarioDocument) -> None:
    if document.pod.also:
        raise refuse(
            "has several kinds of SuperNode, and workloads share pods of one kind.",
            rule="one_kind",
            path="pod.also",
            value=f"{len(document.pod.also)} further",
            hint="Take pod.also out, or sharing.",
        )
    refuse_domain_part(document.pod, "one training job has to itself, and workloads share this one.")
    if document.pod.accelerators_used != "all":
        raise refuse(
            "is stated beside shares of the pod, which say how many accelerators each workload has.",
            rule="shares",
            path="pod.accelerators_used",
            value=document.pod.accelerators_used,
            hint="Leave it out, or state all.",
        )

"""The further kinds of SuperNode of a pod: each resolved as the first is."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.specs import Kind, SuperNode
from app.engine.trace import Array, Origin
from app.scenarios.document.pod import AlsoDocument
from app.scenarios.document.scenario import (
    GenericDocument,
    ScenarioDocument,
    ServingDocument,
    TrainingDocument,
)
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.resolve.economics import rentals
from app.scenarios.resolve.hardware_words import context_of
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.nic_rate import with_nic_rate
from app.scenarios.resolve.serving import served_on
from app.scenarios.resolve.software import software_context
from app.scenarios.resolve.supernode import chosen_supernode
from app.scenarios.resolve.supernode_facts import channel_price_ratio

SAME: tuple[tuple[str, str, Callable[[SuperNode], Array]], ...] = (
    ("accelerators", "accelerators of one SuperNode", lambda one: one.accelerators),
    (
        "scale_up_domain_accelerators",
        "accelerators of one scale-up domain",
        lambda one: one.scale_up_domain_accelerators,
    ),
    ("nodes", "hosts of one SuperNode", lambda one: one.nodes),
    ("scale_out_nics", "compute NICs of one SuperNode", lambda one: one.scale_out_nics),
    ("liquid_share", "share of its heat to liquid", lambda one: one.liquid_share),
)
"""What kinds must have alike: groups of a layout and rails of the fabric lie alike, and one hall cools all."""
OF_ONE_LAYOUT = ("scale_up_domain_accelerators", "scale_up_topology")
"""Of these what kinds may differ in that serve: each instance is on one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherKinds:
    """Kinds beside the first, and the words by which the assumptions of each were chosen."""

    kinds: tuple[Kind, ...] = ()
    contexts: tuple[Mapping[str, str], ...] = ()


def further_kinds(
    inputs: Inputs, document: ScenarioDocument, first: SuperNode, framework: str
) -> FurtherKinds:
    """The kinds of `pod.also`; their numbers go to `inputs` at "kinds[0]..." with their own fields.

    Raises
    ------
    ScenarioError : as for the first kind, or a kind that cannot be combined with it in one job
    """
    if not document.pod.also:
        return FurtherKinds()
    _refuse_terms(document)
    kinds, contexts, names = [], [], {first.name}
    for place, also in enumerate(document.pod.also):
        kind, context = _kind(inputs, document, first, also, place, framework)
        _check_alike(first, kind.supernode, place, one_layout=isinstance(document.workload, TrainingDocument))
        if kind.supernode.name in names:  # the same system with other facts
            named = f"{kind.supernode.name} of pod.also[{place}]"
            kind = replace(kind, supernode=replace(kind.supernode, name=named))
        names.add(kind.supernode.name)
        kinds.append(kind)
        contexts.append(context)
    return FurtherKinds(kinds=tuple(kinds), contexts=tuple(contexts))


def _refuse_terms(document: ScenarioDocument) -> None:
    if isinstance(document.workload, GenericDocument):
        raise refuse(
            "has further kinds of SuperNode, and a generic job runs on one kind.",
            rule="workload_kind",
            path="pod.also",
            value=f"{len(document.pod.also)} further",
            hint="Take them out, or use a scenario of kind training or serving.",
        )
    if document.economics.supernode_price_usd is not None:
        raise refuse(
            "is the price of one kind of SuperNode, and the pod has several.",
            rule="one_kind",
            path="economics.supernode_price_usd",
            value=document.economics.supernode_price_usd,
            hint="State supernode.override.price_usd, and pod.also[0].supernode.override.price_usd of the next.",
        )


def _kind(
    inputs: Inputs,
    document: ScenarioDocument,
    first: SuperNode,
    also: AlsoDocument,
    place: int,
    framework: str,
) -> tuple[Kind, dict[str, str]]:
    workload = document.workload
    at = f"kinds[{place}]."
    estimates = {path.removeprefix(at): one for path, one in inputs.estimates.items() if path.startswith(at)}
    own = Inputs(catalog=inputs.catalog, overrides=inputs.overrides, estimates=estimates)
    own.context["precision"] = workload.precision
    field = f"pod.also[{place}]"
    try:
        supernode = chosen_supernode(
            own, also.supernode, workload.precision, None, served=workload.kind == "serving"
        )
    except ScenarioError as error:
        raise ScenarioError(
            replace(fault, path=_own_field(fault.path, field), hint=_own_words(fault.hint, field))
            for fault in error.errors
        ) from None
    own.context |= context_of(own.catalog.part("accelerators", supernode.accelerator.key))
    supernode = with_nic_rate(own, document.pod.fabric.nic_gbit_s, supernode)
    own.context["channel"] = inputs.context["channel"]
    supernode = replace(
        supernode, channel_price_ratio=channel_price_ratio(own, supernode.key, own.context["channel"])
    )
    served: dict[str, Any] = {}
    if isinstance(workload, TrainingDocument):
        own.context |= software_context(workload.software, framework, own.context["generation"])
        own.context["routing"] = workload.routing
    else:
        assert isinstance(workload, ServingDocument), "a generic job is refused"
        served = served_on(own, workload, first, supernode, f"{field}.supernode")
    kind = Kind(
        supernode=supernode,
        supernodes=own.scenario("supernodes", also.supernodes, f"{field}.supernodes"),
        performance=PerformanceAssumptions(
            **{
                name.name: own.assumption(f"performance.{name.name}", f"performance.{name.name}")
                for name in dataclasses.fields(PerformanceAssumptions)
            }
        ),
        accelerator_embodied_kg=own.assumption(
            "accelerator_embodied_kg", "economics.accelerator_embodied_kg"
        ),
        coolant_supply_limit_c=own.assumption("coolant_supply_limit_c", "facility.coolant_supply_limit_c"),
        **_rentals(own, document, supernode),
        **served,
    )
    for path, origin in own.origins.items():
        inputs.taken(f"kinds[{place}].{path}", own.values[path], _own_origin(origin, field))
    return kind, own.context


def _rentals(own: Inputs, document: ScenarioDocument, supernode: SuperNode) -> dict[str, Any]:
    return rentals(own, document.economics, supernode.accelerator.key)


def _own_field(path: str, field: str) -> str:
    return f"{field}.{path}" if path.startswith("supernode.") else path


def _own_words(words: str, field: str) -> str:
    return words.replace("supernode.", f"{field}.supernode.")


def _own_origin(origin: Origin, field: str) -> Origin:
    """The origin with the field of this kind where it names one of the first."""
    suggestion = origin.suggestion
    if suggestion is not None:
        suggestion = replace(suggestion, field=_own_field(suggestion.field, field))
    label = _own_field(origin.label, field) if origin.kind == "scenario" else origin.label
    return replace(origin, field=_own_field(origin.field, field), label=label, suggestion=suggestion)


def _check_alike(first: SuperNode, other: SuperNode, place: int, *, one_layout: bool) -> None:
    at = f"pod.also[{place}].supernode"
    for name, words, fact in SAME:
        mine, own = float(fact(first)[0]), float(fact(other)[0])
        if name in OF_ONE_LAYOUT and not one_layout:
            continue
        if mine == own or (np.isnan(mine) and np.isnan(own)):
            continue
        raise refuse(
            f"{other.name} has {_shown(own)} {words} and {first.name} has {_shown(mine)}: the kinds of one pod "
            "have this alike.",
            rule="kinds_alike",
            path=f"{at}.override.{name}",
            value=None if np.isnan(own) else own,
            hint="Choose kinds that are alike in it, state it where it is so in truth, or plan a pod for each kind.",
        )
    for name, mine_word, own_word in (
        ("cooling", first.cooling, other.cooling),
        ("scale_up_topology", first.scale_up_topology, other.scale_up_topology),
    ):
        if mine_word != own_word and (one_layout or name not in OF_ONE_LAYOUT):
            raise refuse(
                f"{other.name} is {own_word or 'unknown'} and {first.name} is {mine_word or 'unknown'} in "
                f"{name.replace('_', ' ')}: the kinds of one job have this alike.",
                rule="kinds_alike",
                path=f"{at}.override.{name}",
                value=own_word,
                hint="Choose kinds that are alike in it, or plan a pod for each kind.",
            )
    whole, nics = float(first.price_includes_network[0]), first.price_includes_nics
    if whole != float(other.price_includes_network[0]) or nics != other.price_includes_nics:
        raise refuse(
            f"The known prices of {first.name} and {other.name} do not cover the same: one is with the network "
            "and the other without it.",
            rule="kinds_alike",
            path=f"{at}.override.price_usd",
            value=None,
            hint="State supernode.override.price_usd of each, without fabric and storage.",
        )


def _shown(value: float) -> str:
    return "an unknown number of" if np.isnan(value) else f"{value:,.6g}"

"""Scenario document + catalog -> the design that the engine evaluates, with the origin of each number."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar, cast

import orjson

from app.catalog.frameworks import frameworks
from app.catalog.lookup import Catalog
from app.catalog.pinned import RecordingCatalog
from app.catalog.ranges import physical_range
from app.catalog.view import CatalogView
from app.engine.design import Speed
from app.engine.explore.domain_sizes import domain_parts, fastest
from app.engine.mixed import all_kinds, blended
from app.engine.specs import (
    Assumptions,
    Design,
    GenericWorkload,
    Pod,
    ServingWorkload,
    SuperNode,
    TrainingWorkload,
)
from app.engine.trace import Array, Origin, first_of
from app.likeness import nearest_names
from app.scenarios.document.scenario import (
    FacilityDocument,
    GenericDocument,
    ParallelismDocument,
    ScenarioDocument,
    ServingDocument,
    TrainingDocument,
)
from app.scenarios.errors import ScenarioError, refuse
from app.scenarios.resolve import fabric, terms
from app.scenarios.resolve.economics import economics
from app.scenarios.resolve.facility_parts import with_parts
from app.scenarios.resolve.generic import generic_workload
from app.scenarios.resolve.hardware_words import context_of
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.jurisdictions import place_of
from app.scenarios.resolve.kinds import further_kinds
from app.scenarios.resolve.layout import (
    FRAMEWORK_RULE,
    check_layout,
    check_pooled,
    layout,
    refuse_domain_part,
    refuse_layout,
)
from app.scenarios.resolve.nic_rate import with_nic_rate
from app.scenarios.resolve.power_cap import capped
from app.scenarios.resolve.rooms import ROOMS, SERVING_ONLY, room_assumptions
from app.scenarios.resolve.serving import engine_settings, serving_workload
from app.scenarios.resolve.serving_layout import refuse_parallelism
from app.scenarios.resolve.serving_requests import check_cache_tier
from app.scenarios.resolve.sharing import resolve_shared
from app.scenarios.resolve.software import framework_choices, software_context
from app.scenarios.resolve.speeds import known_speed
from app.scenarios.resolve.supernode import chosen_supernode
from app.scenarios.resolve.supernode_facts import channel_price_ratio, purchase_channel
from app.scenarios.resolve.workload import training_workload

Made = TypeVar("Made")

ON_A_DESK = "workstation"
"""Category of systems of the catalog that need no rack, no scale-out network and no data centre."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A design; its numbers, and where each comes from, by place in the design.

    `context` are the words by which its assumptions were chosen, `further_contexts` those of the further
    kinds of SuperNode. `others` are the same design under other frameworks that `auto` compared it with, and `speed`
    what that comparison found out about the design.
    """

    design: Design
    context: Mapping[str, str]
    origins: Mapping[str, Origin]
    values: Mapping[str, Array]
    catalog_revision: str
    further_contexts: tuple[Mapping[str, str], ...] = ()
    others: tuple[Design, ...] = ()
    speed: Speed | None = field(default=None, repr=False, compare=False)

    @property
    def whole(self) -> Design:
        """The design with the mean SuperNode and the mean rents of all its kinds."""
        return blended(self.design, all_kinds(self.design))


def resolve(document: ScenarioDocument, catalog: CatalogView) -> Resolved:
    """Look every part up and fill in what the scenario leaves open.

    Raises
    ------
    ScenarioError : unknown parts or assumptions, a layout that cannot be; each with the nearest way out
    """
    _refuse_designs(document)
    _check_assumption_names(document, catalog)
    inputs = Inputs(catalog=catalog, overrides=document.assumptions, estimates=document.estimates)
    if document.sharing is not None:
        return resolve_shared(inputs, document, lambda one: resolve(one, catalog))
    if not isinstance(document.workload, TrainingDocument):
        return _alone(document, _hardware(document, catalog), "")
    return _under_framework(document, _hardware(document, catalog))


def unchosen_designs(
    document: ScenarioDocument, catalog: CatalogView, made: MadeOnce | None = None
) -> tuple[Design, ...]:
    """The design of one workload under every framework that `auto` compares, before any is chosen.

    Parameters
    ----------
    made : what scenarios that differ in their SuperNode and pod alone have in common, which grows

    Raises
    ------
    ScenarioError : as of `resolve`
    """
    return tuple(one.design for one in unchosen(document, catalog, made))


def unchosen(
    document: ScenarioDocument, catalog: CatalogView, made: MadeOnce | None = None
) -> tuple[Resolved, ...]:
    """The same with the origins of their numbers.

    Raises
    ------
    ScenarioError : as of `resolve`
    """
    if document.sharing is not None or not isinstance(document.workload, TrainingDocument):
        return (resolve(document, catalog),)
    _refuse_designs(document)
    _check_assumption_names(document, catalog)
    hardware = _hardware(document, catalog)
    found, _ = _of_frameworks(document, hardware if made is None else replace(hardware, made=made))
    return tuple(found.values())


def _under_framework(document: ScenarioDocument, hardware: _Hardware) -> Resolved:
    """A training job under the framework it names; with `auto` under the one that runs it in least time."""
    found, compared = _of_frameworks(document, hardware)
    if len(found) == 1:
        best, speed = next(iter(found)), None
    else:
        compared_with = fastest({key: one.design for key, one in found.items()}, known_speed, laid_out=True)
        best, speed = compared_with.key, compared_with.speed
    if not isinstance(document.parallelism, str):
        # A search covers every framework compared, also those that do not run the stated layout.
        searched = document.model_copy(update={"parallelism": "auto"})
        for name in compared:
            if name not in found:
                answer = _unless_refused(searched, hardware, name)
                if isinstance(
                    answer, Resolved
                ):  # else it runs no layout of this job, for example none in FP8
                    found[name] = answer
    others = tuple(one.design for key, one in found.items() if key != best)
    return replace(found[best], others=others, speed=speed)


def _of_frameworks(
    document: ScenarioDocument, hardware: _Hardware
) -> tuple[dict[str, Resolved], Sequence[str]]:
    """A training job under the frameworks that run it, by name; and the names that `auto` compares first."""
    workload = document.workload
    assert isinstance(workload, TrainingDocument)
    stated = not isinstance(document.parallelism, str)
    compared, *asked_next = framework_choices(
        workload.software, hardware.inputs.context["generation"], stated=stated
    )
    found: dict[str, Resolved] = {}
    refused: ScenarioError | None = None
    for name in (*compared, *(name for names in asked_next for name in names)):
        if found and name not in compared:
            break  # what is asked next is for layouts that none of the compared ones runs
        answer = _unless_refused(document, hardware, name)
        if isinstance(answer, Resolved):
            found[name] = answer
        else:
            refused = refused or answer
    if not found:
        assert refused is not None, "at least one framework was asked"
        raise refused
    return found, compared


def _unless_refused(
    document: ScenarioDocument, hardware: _Hardware, framework: str
) -> Resolved | ScenarioError:
    """One workload under one framework, or why this framework does not run it; other faults are raised."""
    try:
        return _alone(document, hardware, framework)
    except ScenarioError as error:
        if any(fault.rule != FRAMEWORK_RULE for fault in error.errors):
            raise
        return error


MadeOnce = dict[Hashable, tuple[Any, Inputs]]
"""What is made once for several designs of one scenario, by what it hangs on, with the numbers it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hardware:
    """What a design is of whatever runs on it, and the inputs that it took; the pod, where it has one kind."""

    inputs: Inputs
    building: FacilityDocument
    supernode: SuperNode
    pod: Pod | None
    made: MadeOnce = field(default_factory=dict)

    def once(self, inputs: Inputs, name: str, make: Callable[[Inputs], Made], *also: float) -> Made:
        """What no framework changes: made under the first, and its numbers taken over under the others.

        Parameters
        ----------
        also : numbers of the hardware that it hangs on
        """
        key = (name, *also, self.supernode.accelerator.key, *self._where)
        if key not in self.made:
            apart = replace(inputs, origins={}, values={})
            self.made[key] = make(apart), apart
        found, apart = self.made[key]
        inputs.origins.update(apart.origins)
        inputs.values.update(apart.values)
        return cast(Made, found)

    @property
    def _where(self) -> tuple[tuple[str, str], ...]:
        """Words of the hardware by which assumptions are chosen."""
        return tuple(sorted(self.inputs.context.items()))


def _hardware(document: ScenarioDocument, catalog: CatalogView) -> _Hardware:
    """Scenarios of the same hardware, which differ in their job or its costs, have it in common."""
    building = _with_load_profile(document)
    if not isinstance(catalog, Catalog | RecordingCatalog):
        return _looked_up(document, building, catalog)
    stated = {
        "supernode": document.supernode.model_dump(mode="json"),
        "pod": document.pod.model_dump(mode="json"),
        "price_usd": document.economics.supernode_price_usd,
        "channel": document.economics.purchase_channel,
        "workload": (document.workload.kind, document.workload.precision),
        "building": terms.facility_context(building),
        "assumptions": document.assumptions,
        "estimates": {place: one.model_dump(mode="json") for place, one in document.estimates.items()},
    }
    kept = catalog.made_once(
        ("hardware", orjson.dumps(stated)), lambda own: _looked_up(document, building, own)
    )
    return replace(kept, inputs=replace(kept.inputs, catalog=catalog), building=building, made={})


def _looked_up(document: ScenarioDocument, building: FacilityDocument, catalog: CatalogView) -> _Hardware:
    inputs = Inputs(catalog=catalog, overrides=document.assumptions, estimates=document.estimates)
    inputs.context["precision"] = document.workload.precision
    inputs.context |= terms.facility_context(building)
    supernode = chosen_supernode(
        inputs,
        document.supernode,
        document.workload.precision,
        document.economics.supernode_price_usd,
        served=document.workload.kind == "serving",
    )
    inputs.context |= context_of(catalog.part("accelerators", supernode.accelerator.key))
    inputs.context |= _where_it_stands(catalog, document)
    supernode = with_nic_rate(inputs, document.pod.fabric.nic_gbit_s, supernode)
    bought = document.pod.supernodes + sum(also.supernodes for also in document.pod.also)
    inputs.context["channel"] = purchase_channel(
        inputs, document.economics.purchase_channel, bought * float(supernode.accelerators[0])
    )
    supernode = replace(
        supernode, channel_price_ratio=channel_price_ratio(inputs, supernode.key, inputs.context["channel"])
    )
    # kinds beside the first have assumptions of the framework, and stand before the pod
    pod = None if document.pod.also else fabric.pod(inputs, document.pod, supernode)
    return _Hardware(inputs=inputs, building=building, supernode=supernode, pod=pod)


def _alone(document: ScenarioDocument, hardware: _Hardware, framework: str) -> Resolved:
    """One workload under one framework; a job that trains no model has none."""
    inputs, building, supernode = hardware.inputs.copy(), hardware.building, hardware.supernode
    catalog = inputs.catalog
    further = further_kinds(inputs, document, supernode, framework)
    pod = hardware.pod or fabric.pod(inputs, document.pod, supernode, further.kinds)
    workload: TrainingWorkload | GenericWorkload | ServingWorkload
    plan = None
    if isinstance(document.workload, GenericDocument):
        workload = generic_workload(inputs, document.workload, supernode, pod)
        refuse_layout(document.parallelism)
    elif isinstance(document.workload, ServingDocument):
        refuse_parallelism(document.parallelism)
        workload = serving_workload(inputs, document.workload, supernode, pod, len(further.kinds))
    else:
        inputs.context |= software_context(
            document.workload.software, framework, inputs.context["generation"]
        )
        inputs.context["routing"] = document.workload.routing
        stated = document.workload
        workload = hardware.once(inputs, "workload", lambda own: training_workload(own, stated))
        plan = layout(inputs, document.parallelism, frameworks()[framework])
        if document.pod.accelerators_per_domain_used != "auto":
            check_layout(
                workload, supernode, pod, plan, frameworks()[framework], inputs.context["generation"]
            )
    if not isinstance(workload, TrainingWorkload):
        refuse_domain_part(document.pod, "train a model: no other workload has a layout.")
    serves = isinstance(workload, ServingWorkload)
    rooms = tuple(room for room in ROOMS if serves or room not in SERVING_ONLY)
    design = Design(
        name=document.name,
        workload=workload,
        supernode=supernode,
        pod=pod,
        layout=plan,
        facility=hardware.once(
            inputs, "facility", lambda own: terms.facility(own, building, document.economics)
        ),
        operations=terms.operations(inputs, document.operations),
        economics=hardware.once(
            inputs,
            "economics",
            lambda own: economics(
                own,
                document.economics,
                supernode.accelerator.key,
                first_of(pod.accelerators_used),
                place=place_of(own, document),
                place_is_stated=document.economics.jurisdiction is not None,
                several_kinds=bool(further.kinds),
            ),
            first_of(pod.accelerators_used),
        ),
        assumptions=_with_engine_settings(
            inputs, document, Assumptions(rooms=_rooms(inputs, document, rooms))
        ),
        kinds=further.kinds,
        framework=frameworks().get(framework),
    )
    terms.check_spares(document.operations, supernode, pod)
    if isinstance(document.workload, ServingDocument):
        check_cache_tier(document.workload.requests, supernode, design.assumptions.rooms["performance"])
        for kind in further.kinds:
            check_cache_tier(document.workload.requests, kind.supernode, kind.performance)
    if isinstance(document.parallelism, ParallelismDocument):
        check_pooled(document.parallelism, supernode, *(kind.supernode for kind in further.kinds))
    if document.pod.accelerators_per_domain_used == "auto":
        design = _on_fastest_domains(inputs, document, design)
    return Resolved(
        design=capped(inputs, design, document.facility.power_cap),
        context=inputs.context,
        origins=inputs.origins,
        values=inputs.values,
        catalog_revision=catalog.revision,
        further_contexts=further.contexts,
    )


def _on_fastest_domains(inputs: Inputs, document: ScenarioDocument, design: Design) -> Design:
    """The design on as many accelerators of each domain as run its job in least time."""
    supernode = design.supernode

    def on(count: int) -> Design:
        part = "all" if count == supernode.scale_up_domain_accelerators[0] else count
        stated = document.pod.model_copy(update={"accelerators_per_domain_used": part})
        return replace(design, pod=fabric.pod(inputs, stated, supernode, design.kinds))

    cap = document.facility.power_cap
    parts = domain_parts(int(supernode.scale_up_domain_accelerators[0]))
    chosen = on(fastest({count: capped(inputs, on(count), cap) for count in parts}, known_speed).key)
    assert chosen.framework is not None, "it trains a model"
    check_layout(
        chosen.training,
        supernode,
        chosen.pod,
        chosen.layout,
        chosen.framework,
        inputs.context["generation"],
    )
    if (part := chosen.pod.domain_accelerators_used) is None:
        return chosen
    part = inputs.derived(
        "pod.domain_accelerators_used", float(part[0]), "accelerators of each domain that work",
        f"auto: fastest of {', '.join(map(str, parts))}",
    )  # fmt: skip
    return replace(chosen, pod=replace(chosen.pod, domain_accelerators_used=part))


def _with_load_profile(document: ScenarioDocument) -> FacilityDocument:
    """The facility as stated; nodes that serve load like nodes that were measured while they served."""
    auto = document.facility.load_profile == "auto"
    if auto and isinstance(document.workload, ServingDocument):
        return document.facility.model_copy(update={"load_profile": "serving"})
    return document.facility


def _refuse_designs(document: ScenarioDocument) -> None:
    """Saved designs are put in before a scenario comes here, by callers that have them."""
    for name, part in (("supernode", document.supernode), ("pod", document.pod)):
        if part.design is not None:
            raise refuse(
                "names a saved design, and saved work is not at hand here.",
                rule="saved_design",
                path=f"{name}.design",
                value=part.design,
                hint="Save the scenario where the design is, or put in the fields of the design in its place.",
            )


def _where_it_stands(catalog: CatalogView, document: ScenarioDocument) -> dict[str, str]:
    """The word by which what a data centre adds is left away from a system that stands on a desk."""
    key = document.supernode.system
    category = catalog.part("systems", key).attributes.get("category") if key else ""
    return {"preset": "desk"} if category == ON_A_DESK else {}


def _rooms(inputs: Inputs, document: ScenarioDocument, rooms: tuple[str, ...]) -> dict[str, Any]:
    """The assumptions of rooms, with what own interruptions say of the rate of failures."""
    found = room_assumptions(inputs, rooms)
    known = terms.own_failure_rate(inputs, document.operations, found["operations"])
    return with_parts(inputs, document.facility, found) | {"operations": known}


def _with_engine_settings(
    inputs: Inputs, document: ScenarioDocument, assumptions: Assumptions
) -> Assumptions:
    """The assumptions with what the scenario states of its serving engine in their place."""
    if not isinstance(document.workload, ServingDocument):
        return assumptions
    stated = engine_settings(inputs, document.workload.engine, "assumptions.serving")
    if not stated:
        return assumptions
    rooms = dict(assumptions.rooms)
    rooms["serving"] = dataclasses.replace(rooms["serving"], **stated)
    return Assumptions(rooms=rooms)


def _check_assumption_names(document: ScenarioDocument, catalog: CatalogView) -> None:
    if not document.assumptions:
        return
    known = {f"{room}.{field.name}" for room, kind in ROOMS.items() for field in dataclasses.fields(kind)}
    for room in ("scenario", "supernode", "build_out"):
        known |= {f"{room}.{name}" for name in catalog.assumption_names(room)}
    for name, value in document.assumptions.items():
        if name not in known:
            raise refuse(
                f"{name!r} is not an assumption of any room.",
                rule="unknown_key",
                path=f"assumptions.{name}",
                value=value,
                hint=f"Nearest: {nearest_names(name, known)}.",
            )
        if value not in (possible := physical_range(name)):
            raise refuse(
                f"must be {possible.words}; {value:g} is no possible value"
                + (f", as {possible.why}." if possible.why else "."),
                rule="physical_range",
                path=f"assumptions.{name}",
                value=value,
                hint=f"State {possible.words}, or leave it out for the value of the catalog.",
            )

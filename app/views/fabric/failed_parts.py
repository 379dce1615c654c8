"""From the names of what fails to the devices and links of a fabric."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.cabling.schedule import rack_names
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
from app.engine.fabric.graph.graph import Whole
from app.engine.fabric.graph.kinds import is_switch
from app.likeness import nearest_names
from app.scenarios.errors import refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.compute import ComputeFabric
from app.views.fabric.faults_document import FaultsDocument, FeedDocument
from app.views.fabric.floor import floor_of


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

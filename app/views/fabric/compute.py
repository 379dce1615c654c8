"""The compute fabric of an evaluated scenario as a graph, and its devices and links by the names people use."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.cabling.ports import device_names
from app.engine.fabric.graph.graph import HOST, FabricGraph, Whole, is_switch
from app.engine.fabric.topologies import topology_of
from app.engine.mixed import all_kinds, blended
from app.engine.specs import Pod, SuperNode
from app.engine.trace import Array
from app.likeness import nearest_names
from app.scenarios.errors import ScenarioError, refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.fabric.graphs import ask_of
from app.views.fabric.parts import price_spans

ORDINAL = re.compile(r"(.+?)-0*([1-9]\d*)")
UNIT = re.compile(r"unit-0*([1-9]\d*)")


@dataclass(frozen=True)
class ComputeFabric:
    """A graph whose devices are found by name: as the cable schedule has it, or kind and number, as in `leaf-3`."""

    graph: FabricGraph

    @cached_property
    def names(self) -> list[str]:
        return [name.decode() for name in device_names(self.graph)]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    @property
    def hosts(self) -> Whole:
        return self.graph.of_kind(HOST)

    def device(self, name: str, field: str) -> int:
        """The device of a name.

        Raises
        ------
        ScenarioError : there is none
        """
        if name in self._places:
            return self._places[name]
        if found := ORDINAL.fullmatch(name):
            kind = self.graph.of_kind(found[1].replace("-", "_").replace("node", HOST))
            if int(found[2]) <= kind.size:
                return int(kind[int(found[2]) - 1])
        raise refuse(
            f"There is no device {shorten(name)} in this fabric.",
            rule="unknown_device",
            path=field,
            value=name,
            hint=f"Nearest: {nearest_names(name[:80], self.names)}.",
        )

    def switch(self, name: str, field: str) -> int:
        """The switch of a name. Raises ScenarioError where there is none, or it is no switch."""
        device = self.device(name, field)
        if is_switch(self.graph)[device]:
            return device
        switches = (self.names[at] for at in np.flatnonzero(is_switch(self.graph)))
        raise refuse(
            f"{self.names[device]} is no switch.",
            rule="no_switch",
            path=field,
            value=name,
            hint=f"Nearest: {nearest_names(name[:80], switches)}.",
        )

    def links(self, text: str, field: str) -> Whole:
        """The links of `DEVICE:PORT`, ports counted from 1, or all between two devices, `DEVICE/DEVICE`.

        Raises
        ------
        ScenarioError : there is no such link
        """
        links = self.graph.links
        one, slash, other = text.partition("/")
        if slash:
            ends = {self.device(one, field), self.device(other, field)}
            found = np.flatnonzero(np.isin(links.lower, [*ends]) & np.isin(links.upper, [*ends]))
            if found.size:
                return found
            raise self._no_link(text, field, f"No link joins {one} and {other}.")
        name, colon, port = text.partition(":")
        if not colon or not port.isascii() or not port.isdigit() or int(port) < 1:
            raise self._no_link(text, field, f"{shorten(text)} names no link.")
        device, number = self.device(name, field), int(port) - 1
        lower, upper = links.lower == device, links.upper == device
        found = np.flatnonzero(
            (lower & (links.lower_port == number)) | (upper & (links.upper_port == number))
        )
        if found.size:
            return found
        raise self._no_link(text, field, f"No link is plugged in at port {port} of {name}.")

    def hosts_of(self, name: str, field: str) -> Whole:
        """A host by its name, or all of a scalable unit, as in `unit-2`.

        Raises
        ------
        ScenarioError : there is no such host or unit
        """
        if found := UNIT.fullmatch(name):
            inside: Whole = self.hosts[self.graph.devices.group[self.hosts] == int(found[1]) - 1]
            if inside.size:
                return inside
            units = int(self.graph.devices.group[self.hosts].max(initial=-1)) + 1
            raise refuse(
                f"There is no {name}: this fabric has {units:,} units.",
                rule="unknown_unit",
                path=field,
                value=name,
                hint=f"Name one of unit-1 to unit-{units}.",
            )
        device = self.device(name, field)
        if device in self.hosts:
            return np.array([device])
        raise refuse(
            f"{name} is no host.",
            rule="no_host",
            path=field,
            value=name,
            hint=f"Name a host such as {self.names[int(self.hosts[0])]}, or a unit such as unit-1.",
        )

    def link_name(self, link: int) -> str:
        """A link by its lower end."""
        links = self.graph.links
        return f"{self.names[int(links.lower[link])]}:{int(links.lower_port[link]) + 1}"

    def hosts_text(self, hosts: Sequence[int] | Whole) -> str:
        """Hosts in words: a few by name, many by their number."""
        names = [self.names[int(host)] for host in hosts[:3]]
        return ", ".join(names) if len(hosts) <= 3 else f"{len(hosts):,} hosts"

    def _no_link(self, text: str, field: str, message: str) -> ScenarioError:
        example = f"{self.link_name(0)} (device and port) or "
        example += "/".join(
            self.names[int(end[0])] for end in (self.graph.links.lower, self.graph.links.upper)
        )
        return refuse(message, rule="unknown_link", path=field, value=text, hint=f"Write {example}.")


def compute_fabric(evaluated: EvaluatedScenario) -> ComputeFabric:
    """The fabric of a scenario.

    Raises
    ------
    ScenarioError : it has none, or what it is built of is unknown
    """
    design = evaluated.resolved.design
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        graph = topology_of(design.pod.fabric.topology).graph(ask_of(design))
    if graph.link_count == 0 or not np.isfinite(graph.link_bandwidth_bytes_per_s).all():
        raise refuse(
            "This design has no scale-out fabric whose links are known.",
            rule="no_fabric",
            path="pod.fabric",
            hint="Give the pod several SuperNodes, and a topology and a switch that join them.",
        )
    return ComputeFabric(graph)


class FabricRoom(NamedTuple):
    pod: Pod
    supernode: SuperNode
    assumptions: FabricAssumptions
    prices: dict[str, tuple[float, float, float]]


def compute_fabric_of(evaluated: EvaluatedScenario) -> FabricRoom:
    """What the fabric room is given; further kinds of SuperNode are blended into the first.

    Raises
    ------
    ScenarioError : the scenario has no compute fabric
    """
    resolved = evaluated.resolved
    design = blended(resolved.design, all_kinds(resolved.design))
    if design.pod.fabric.switch is None:
        raise refuse(
            "The pod has no compute fabric.",
            rule="no_fabric",
            path="scenario.pod.fabric.topology",
            value=design.pod.fabric.topology,
            hint="Give the pod several SuperNodes, and leave its topology to auto.",
        )
    return FabricRoom(
        pod=design.pod,
        supernode=design.supernode,
        assumptions=design.assumptions.rooms["fabric"],
        prices=price_spans(resolved.origins, resolved.values),
    )


def finite_or_none(value: float | Array) -> float | None:
    """A figure for people and JSON: unknown is None."""
    number = float(value)
    return number if number == number else None

"""Power of nodes at work, of runs, and of racks and trays as they are sized."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from app.catalog.lookup import Catalog, Part
from app.engine.facility.it.power import accelerator_tdp_power_w
from app.engine.facility.results import Power
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.power.statement import OTHER_NETWORKS, SERVING, Asked, Predicted, Statement, profile_of
from app.validation.study import UnsupportedRowError

# The hardware that a row names, as a system of the catalog.

COUNTED = re.compile(r"\b(\d+)\s?x\s?([A-Z][A-Za-z]*\d+\w*(?: (?:SXM|PCIe|NVL)\b)?)")
"""8xH100, 4x A100, 8xMI300X: so many accelerators in a node."""
NAMED = re.compile(r"\b([A-Z][A-Za-z]*\d+\w*)(?:[ -]NVL\d+)?\b")
NODE, RACK = ("server", "supernode", "rack"), ("supernode", "rack", "server")
USUAL_NODE = 8


@dataclass(frozen=True, slots=True)
class Hardware:
    """A catalog system with the accelerators of the row; `override` is what the row says otherwise."""

    system: Part
    accelerator: str
    accelerators: int
    override: dict[str, Any] = field(default_factory=dict)
    assumed: tuple[str, ...] = ()

    @property
    def supernode(self) -> dict[str, Any]:
        """The SuperNode of a scenario."""
        named: dict[str, Any] = {"system": self.system.key}
        return {**named, "override": self.override} if self.override else named


def hardware_of(statement: Statement, neighbours: Iterable[Statement], catalog: Catalog) -> Hardware:
    """The hardware of a row; where it names none, that which all rows of its submission name.

    Raises
    ------
    UnsupportedRowError : none is named, or the catalog does not have it
    """
    named = named_in(statement, catalog)
    if named is not None:
        return named
    of_others = {
        (found.system.key, found.accelerators): found
        for other in neighbours
        if (found := named_in(other, catalog)) is not None
    }
    if len(of_others) == 1:
        (found,) = of_others.values()
        return found
    counted = COUNTED.findall(statement.said_as_printed)
    if counted:
        raise UnsupportedRowError(f"the catalog has no system of {counted[0][1]} with a rating")
    raise UnsupportedRowError("it names no accelerator, and the other rows of its submission not one alone")


def named_in(statement: Statement, catalog: Catalog) -> Hardware | None:
    """The hardware that a row itself names; None where it names none that the catalog has."""
    texts = (statement.row.text("quantity"), statement.said_as_printed, statement.row.text("source"))
    for text in texts:
        for count, name in COUNTED.findall(text):
            if key := accelerator_of(name, catalog):
                return _system(key, int(count), NODE, catalog)
    for text in texts:
        for name in NAMED.findall(text):
            if key := accelerator_of(name, catalog):
                kinds = RACK if re.search(r"\b(rack|NVL\d+|scalable unit)\b", text) else NODE
                return _system(key, None, kinds, catalog)
    return None


def accelerator_of(name: str, catalog: Catalog) -> str | None:
    """The catalog key of an accelerator by how a row calls it, None where it is not one."""
    if key := catalog.find("accelerators", name):
        return key
    word = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
    found = [part for part in catalog.parts("accelerators") if word.search(part.name)]
    boards = [part for part in found if "SXM" in part.name] or found
    return boards[-1].key if boards else None


def _system(accelerator: str, count: int | None, kinds: tuple[str, ...], catalog: Catalog) -> Hardware | None:
    """The first system of these kinds that is listed with the accelerator; a smaller node in proportion.

    Where racks are asked for, they come before servers.
    """
    found = [
        part
        for part in catalog.parts("systems")
        if part.attributes.get("category") in kinds
        and part.attributes.get("accelerator_key") == accelerator
        and part.attributes.get("status") != "illustrative"
        and "max_power_w" in part.facts
    ]
    if kinds == RACK:
        found.sort(key=lambda part: kinds.index(str(part.attributes["category"])))
    for part in found:
        if count is None or part.facts["accelerators"].value == count:
            return Hardware(part, accelerator, int(part.facts["accelerators"].value))
    if not found or count is None:
        return None
    part = found[0]
    sold = part.facts["accelerators"].value
    rating_w = part.facts["max_power_w"].value * count / sold
    return Hardware(
        part,
        accelerator,
        count,
        {"accelerators": count, "scale_up_domain_accelerators": count, "max_power_w": rating_w},
        (f"{count} of the {sold:g} accelerators of {part.name}, its rating in proportion",),
    )


# Nodes at work as a scenario, evaluated; once for all rows that ask for the same.

ANY_JOB = {
    "kind": "generic",
    "flop_per_step": 1e15,
    "memory_traffic_per_step_bytes": 1e12,
    "memory_held_bytes": 1e12,
    "steps": 1,
    "precision": "bf16",
}
"""A job that says nothing of power: how it loads its nodes is stated as a profile."""


@dataclass(frozen=True, slots=True)
class NodePower:
    """Power of one node, without network, storage and idle spares [W]."""

    mean_w: float
    peak_w: float  # its share of the coincident peak
    own_peak_w: float
    idle_w: float
    pause_w: float
    rating_w: float


def nodes_at_work(
    catalog: Catalog, *, supernode: dict[str, Any], supernodes: int, load_profile: str
) -> NodePower:
    """What the engine says of each of these SuperNodes while they work together.

    Raises
    ------
    UnsupportedRowError : the scenario is refused
    """
    found = evaluated(
        catalog,
        {
            "name": "Measured nodes",
            "workload": ANY_JOB,
            "supernode": supernode,
            "pod": {"supernodes": supernodes},
            "facility": {"load_profile": load_profile},
            "operations": {"spares": 0},
        },
    )
    power: Power = found.evaluation.sections.power
    beside_w = sum(float(power.it_breakdown_w[name][0]) for name in ("network", "storage", "idle_supernodes"))
    diversity = float(found.resolved.design.assumptions.rooms["facility"].peak_diversity[0])
    peak_w = (float(power.it_power_peak_w[0]) - beside_w) / supernodes
    return NodePower(
        mean_w=(float(power.it_power_mean_w[0]) - beside_w) / supernodes,
        peak_w=peak_w,
        own_peak_w=peak_w / diversity,
        idle_w=(float(power.it_power_idle_w[0]) - beside_w) / supernodes,
        pause_w=peak_w - float(power.it_power_swing_w[0]) / supernodes,
        rating_w=(float(power.it_power_design_w[0]) - beside_w) / supernodes,
    )


def evaluated(catalog: Catalog, document: dict[str, Any]) -> EvaluatedScenario:
    """A scenario evaluated with the catalog's own rows.

    Raises
    ------
    UnsupportedRowError : the scenario is refused
    """
    return _evaluated(catalog.builtin, json.dumps(document, sort_keys=True))


@functools.lru_cache(maxsize=512)
def _evaluated(catalog: Catalog, document: str) -> EvaluatedScenario:
    try:
        return evaluate_scenario(build_scenario(json.loads(document)), catalog)
    except ScenarioError as error:
        raise UnsupportedRowError(str(error)) from None


# Power of nodes: mean, peak, pauses and idle, energy of a run, and ratios of them.

WHOLE_CLUSTER = r"\b(cluster|all nodes|sum of (the )?nodes|total)\b"
EACH = r"\b(per node|divided by nodes|per gpu)\b"


class Measured(NamedTuple):
    """The nodes that a row speaks of, and what the engine says of each."""

    hardware: Hardware
    nodes: int
    power: NodePower
    assumed: tuple[str, ...]


def power_of(figure: Callable[[NodePower], float]) -> Callable[[Asked], Predicted]:
    """A power of nodes: of one, of one accelerator, or of all together, as the row says."""

    def predict(asked: Asked) -> Predicted:
        found = _measured(asked)
        return Predicted(
            value=figure(found.power) * _share(asked.statement, found),
            assumed=found.assumed,
            hardware=found.hardware.system.name,
        )

    return predict


def energy(asked: Asked) -> Predicted:
    """Energy of a run: mean power of its nodes for as long as it took."""
    duration_s = asked.statement.duration_s
    if duration_s is None:
        raise UnsupportedRowError("it does not say how long the run took")
    found = _measured(asked)
    return Predicted(value=found.power.mean_w * found.nodes * duration_s, assumed=found.assumed)


def diversity(asked: Asked) -> Predicted:
    """Coincident peak over the sum of the nodes' own peaks."""
    found = _measured(asked)
    return Predicted(value=found.power.peak_w / found.power.own_peak_w, assumed=found.assumed)


def share_of_rating(figure: Callable[[NodePower], float]) -> Callable[[Asked], Predicted]:
    """A power over the rating."""

    def predict(asked: Asked) -> Predicted:
        found = _measured(asked)
        return Predicted(value=figure(found.power) / found.power.rating_w, assumed=found.assumed)

    return predict


def _measured(asked: Asked) -> Measured:
    statement = asked.statement
    hardware = hardware_of(statement, asked.neighbours, asked.catalog)
    stated = statement.nodes or _of_racks(statement, hardware)
    nodes = stated or 1
    assumed = hardware.assumed if stated else (*hardware.assumed, "one node")
    profile = profile_of(statement, nodes * hardware.accelerators)
    if profile == SERVING and statement.says(OTHER_NETWORKS):
        raise UnsupportedRowError(
            "how a served network that is no language model loads its node is not known"
        )
    power = nodes_at_work(asked.catalog, supernode=hardware.supernode, supernodes=nodes, load_profile=profile)
    return Measured(
        hardware, nodes, power, (*assumed, f"{hardware.system.name}, {profile.replace('_', ' ')}")
    )


def _of_racks(statement: Statement, hardware: Hardware) -> int | None:
    """SuperNodes in so many racks, where each fills one or more."""
    racks = hardware.system.facts.get("racks")
    if statement.racks is None or racks is None or racks.value < 1:
        return None
    return max(1, int(statement.racks / racks.value))


def _share(statement: Statement, found: Measured) -> float:
    """Number of nodes that the printed power covers."""
    if statement.unit.endswith("/gpu") or statement.asks(r"\bper gpu\b"):
        return 1 / found.hardware.accelerators
    if statement.unit.endswith("/node") or statement.asks(EACH) or not statement.asks(WHOLE_CLUSTER):
        return 1.0
    return float(found.nodes)


# Power that racks and trays are designed for.

ACCELERATORS = re.compile(r"(\d[\d,]*) (?:gpu|accelerator)s?")
PROCESSORS = re.compile(r"(\d+) (?:cpu|processor)s?")


def scalable_unit(asked: Asked) -> Predicted:
    """Every SuperNode of a unit at its rating, with the network between them and storage."""
    hardware = hardware_of(asked.statement, asked.neighbours, asked.catalog)
    said = asked.statement.said
    if found := ACCELERATORS.search(said):
        supernodes = _whole(int(found[1].replace(",", "")) / hardware.accelerators)
    elif (racks := asked.statement.racks) and "racks" in hardware.system.facts:
        supernodes = _whole(racks / hardware.system.facts["racks"].value)
    else:
        raise UnsupportedRowError("it says neither how many accelerators nor how many racks the unit has")
    document = {
        "name": "Scalable unit",
        "workload": ANY_JOB,
        "supernode": hardware.supernode,
        "pod": {"supernodes": supernodes},
        "operations": {"spares": 0},
    }
    found_power = evaluated(asked.catalog, document)
    design_w = float(found_power.evaluation.sections.power.it_power_design_w[0])
    if np.isnan(design_w):
        raise UnsupportedRowError(f"the power of its network is not known: {_unknown_parts(found_power)}")
    return Predicted(
        value=design_w,
        assumed=(*hardware.assumed, f"{supernodes} x {hardware.system.name}, network and storage"),
    )


def compute_tray(asked: Asked) -> Predicted:
    """TDP of the accelerators and processors of a tray."""
    hardware = hardware_of(asked.statement, asked.neighbours, asked.catalog)
    said = asked.statement.said
    facts = hardware.system.facts
    trays = facts["nodes"].value if "nodes" in facts else 1
    accelerators = _stated(ACCELERATORS, said, facts["accelerators"].value / trays)
    processors = _stated(PROCESSORS, said, facts["cpus"].value / trays)
    accelerator = asked.catalog.part("accelerators", hardware.accelerator)
    if "tdp_w" not in accelerator.facts:
        raise UnsupportedRowError(f"the TDP of {accelerator.name} is not known")
    cpu = _processor(hardware.system, asked.catalog)
    total_w = accelerator_tdp_power_w(
        accelerators_used=np.array([accelerators, processors]),
        tdp_w=np.array([accelerator.facts["tdp_w"].value, cpu.facts["max_power_w"].value]),
    ).sum()
    return Predicted(
        value=float(total_w),
        assumed=(f"{accelerators:g} x {accelerator.name}, {processors:g} x {cpu.name}, at their TDP",),
    )


def _unknown_parts(found: EvaluatedScenario) -> str:
    """Parts of the catalog of which something is not known."""
    fields = {problem.field for problem in found.problems if problem.kind == "missing_input"}
    return ", ".join(sorted(field for field in fields if "/" in field)) or "no part is named"


def _stated(pattern: re.Pattern[str], said: str, usual: float) -> float:
    found = pattern.search(said)
    return float(found[1].replace(",", "")) if found else usual


def _processor(system: Part, catalog: Catalog) -> Part:
    """The processor of a system by the name that stands in its entry."""
    model = str(system.attributes.get("cpu_model", ""))
    for part in catalog.parts("cpus"):
        if part.name.partition(" (")[0].lower() in model.lower() and "max_power_w" in part.facts:
            return part
    raise UnsupportedRowError(f"the TDP of {model or 'its processors'} is not known")


def _whole(supernodes: float) -> int:
    if supernodes < 1 or supernodes != int(supernodes):
        raise UnsupportedRowError(f"the unit is {supernodes:g} of the catalog's systems, not a whole number")
    return int(supernodes)

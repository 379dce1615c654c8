"""Every kind of rack of a design against what its hall can power, cool and carry."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from app.engine.fabric.floor.contents import node_name
from app.engine.fabric.floor.elevation import FullRack
from app.engine.fabric.floor.floor import RACK_KINDS
from app.engine.facility.cooling.coolant import coolant_loop
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.racks.heat import CooledSuperNode
from app.engine.facility.racks.kind import Hall, RackKind, rack_kind
from app.engine.facility.racks.ways_out import way_out
from app.engine.trace import plain
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part
from app.views.fabric.floor_answer import FloorAnswer, FloorOptions, floor_answer


class RacksOptions(Part):
    """Rack to show in detail, and the electrical code."""

    rack: Annotated[str, Field(max_length=20)] = Field(
        default="", description="Name of a rack, such as R01-05, whose type is shown in detail."
    )
    standard: Literal["nec", "iec"] = Field(
        default="nec", description="Rules for continuous current: NEC (80 % of a breaker) or IEC (100 %)."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RacksAnswer:
    """Kinds of rack: those of SuperNodes first, in each kind the most frequent first."""

    kinds: tuple[RackKind, ...]
    chosen: RackKind | None  # None: there is no rack at all
    hall: Hall
    floor: FloorAnswer
    ways_out: dict[str, str]  # by check

    @property
    def fits(self) -> bool:
        """Return whether no rack is beyond a limit; what is unknown is not."""
        return not any(kind.over for kind in self.kinds)


def racks_answer(evaluated: EvaluatedScenario, options: RacksOptions) -> RacksAnswer:
    """The racks of a scenario, checked.

    Raises
    ------
    ScenarioError : there is no rack of that name; the nearest names are in the message
    """
    floor = floor_answer(evaluated, FloorOptions(rack=options.rack))
    hall = _hall(evaluated, floor, options)
    supernodes = _cooled(floor)
    kinds = []
    for rack, count in _grouped(floor):
        whose = next((supernodes[shelf.what] for shelf in rack.shelves if shelf.what in supernodes), None)
        kinds.append(rack_kind(rack, racks=count, supernode=whose, devices=floor.laid.devices, hall=hall))
    kinds.sort(key=lambda kind: (RACK_KINDS.index(kind.kind), -kind.racks, -kind.servers))
    asked = None if floor.rack is None else _make_up(floor.rack)
    chosen = next((kind for kind in kinds if _make_up(kind.example) == asked), kinds[0] if kinds else None)
    facility = evaluated.resolved.design.facility
    return RacksAnswer(
        kinds=tuple(kinds),
        chosen=chosen,
        hall=hall,
        floor=floor,
        ways_out={check.key: way_out(check.key, facility) for kind in kinds for check in kind.checks},
    )


def _hall(evaluated: EvaluatedScenario, floor: FloorAnswer, options: RacksOptions) -> Hall:
    design = evaluated.resolved.design
    facility, rooms = design.facility, design.assumptions.rooms
    flow_m3_per_j, _ = coolant_loop(
        coolant_supply_c=plain(facility.coolant_supply_c), assumptions=rooms["facility"]
    )
    return Hall(
        plant=evaluated.evaluation.sections.cooling.plant,
        chain=Chain(
            redundancy=facility.redundancy,
            distribution=facility.distribution,
            ups=facility.ups,
            standard=options.standard,
        ),
        rules=floor.laid.rules,
        coolant_flow_m3_per_j=plain(flow_m3_per_j),
        air_pressure_pa=np.full(1, np.mean(plain(facility.site.climate.pressure_pa))),
        assumptions=rooms["facility"],
        electrical=rooms["electrical"],
    )


def _cooled(floor: FloorAnswer) -> dict[str, CooledSuperNode]:
    """By the name of a node in its rack, the SuperNode as it is fed and as its plant cools it."""
    installed = [size.as_installed for size in floor.laid.supernodes]
    return {
        node_name(size): CooledSuperNode(size=size, power_w=size.power_w, liquid_share=size.liquid_share)
        for size in installed
    }


def _grouped(floor: FloorAnswer) -> list[tuple[FullRack, int]]:
    """An example of each kind of rack and how many there are: the same things, at whatever height."""
    examples: dict[tuple[str, ...], FullRack] = {}
    counts: Counter[tuple[str, ...]] = Counter()
    of_example = np.bincount(floor.make_up, minlength=len(floor.examples)).tolist()
    for rack, count in zip(floor.examples, of_example, strict=True):
        examples.setdefault(_make_up(rack), rack)
        counts[_make_up(rack)] += count
    return [(rack, counts[make_up]) for make_up, rack in examples.items()]


def _make_up(rack: FullRack) -> tuple[str, ...]:
    return (rack.kind, *sorted(shelf.what for shelf in rack.shelves if shelf.units))

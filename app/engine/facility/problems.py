"""Problems of powering and cooling a design.

Unknown power, liquid share or racks leave these limits unchecked; the missing input is said where
unknown inputs are gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from app.engine.fabric.floor.limits import servers_asked
from app.engine.fabric.floor.problems import too_many_asked
from app.engine.fabric.floor.sizes import supernode_size
from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.problems import cooling_problems
from app.engine.facility.electrical.problems import redundancy_problems
from app.engine.facility.racks.problems import rack_problems
from app.engine.facility.results import Cooling, Power
from app.engine.problems import Problem
from app.engine.specs import Facility, Kind, Pod, SuperNode
from app.engine.trace import Array, count_of, first_of


def facility_problems(
    *,
    supernode: SuperNode,
    pod: Pod,
    facility: Facility,
    power: Power,
    cooling: Cooling,
    assumptions: FacilityAssumptions,
    kinds: tuple[Kind, ...] = (),
) -> list[Problem]:
    """The power train against its units, the plant against what it cools, racks against the hall's cooling.

    Parameters
    ----------
    kinds : of SuperNode, where there are several
    """
    counted = [(kind.supernode, kind.supernodes) for kind in kinds] or [(supernode, pod.supernodes)]
    return [
        *redundancy_problems(
            it_power_design_w=power.it_power_design_w,
            redundancy=facility.redundancy,
            assumptions=assumptions,
        ),
        *cooling_problems(supernode=supernode, facility=facility, cooling=cooling, assumptions=assumptions),
        *rack_problems(
            supernode=supernode, facility=facility, power=power, cooling=cooling, assumptions=assumptions
        ),
        *_servers_asked(counted, pod),
    ]


def _servers_asked(counted: Sequence[tuple[SuperNode, Array]], pod: Pod) -> list[Problem]:
    """Warning that the stated servers per rack do not fit and are spread over more racks."""
    if pod.floor is None:
        return []
    rules = pod.floor
    sizes = [
        supernode_size(supernode, count_of(count), rules)
        for supernode, count in counted
        if count_of(servers_asked(supernode, rules)) and not first_of(supernode.racks) >= 1
    ]
    return [
        replace(problem, kind="warning", affects=("power.racks", "power.power_per_rack_w"))
        for problem in too_many_asked(sizes, rules)
    ]

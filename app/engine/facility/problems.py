"""What stands in the way of powering and cooling a design.

Unknown power, liquid share or racks leave these limits unchecked; the missing input is said where
unknown inputs are gathered.
"""

from __future__ import annotations

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.cooling.problems import cooling_problems
from app.engine.facility.electrical.problems import redundancy_problems
from app.engine.facility.racks.problems import rack_problems
from app.engine.facility.results import Cooling, Power
from app.engine.problems import Problem
from app.engine.specs import Facility, SuperNode


def facility_problems(
    *,
    supernode: SuperNode,
    facility: Facility,
    power: Power,
    cooling: Cooling,
    assumptions: FacilityAssumptions,
) -> list[Problem]:
    """The power train against its units, the plant against what it cools, racks against the hall's cooling."""
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
    ]

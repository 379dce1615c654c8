"""Everything an evaluation needs, in one record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.engine.specs.economics import Economics
from app.engine.specs.framework import Framework
from app.engine.specs.pod import Pod
from app.engine.specs.serving import PartPrecision, ServingWorkload
from app.engine.specs.supernode import SuperNode
from app.engine.specs.terms import Facility, Operations
from app.engine.specs.workload import GenericWorkload, Layout, TrainingWorkload
from app.engine.trace import Array

if TYPE_CHECKING:
    from app.engine.specs.sharing import Sharing


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """One record a room; each room declares its own in `<room>/assumptions.py`."""

    rooms: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of SuperNode of a pod that has several, with what goes by its accelerator.

    Accelerators, hosts and compute NICs of a SuperNode are the same number in every kind, and so is the scale-up domain
    of kinds that train together.
    """

    supernode: SuperNode
    supernodes: Array
    performance: Any  # assumptions of the performance room
    accelerator_embodied_kg: Array
    coolant_supply_limit_c: Array
    rental_on_demand_usd_per_accelerator_hour: Array
    rental_reserved_usd_per_accelerator_hour: Array
    contract_usd_per_accelerator_hour: Array
    spot_usd_per_accelerator_hour: Array
    capacity_block_usd_per_accelerator_hour: Array
    serving: Any = None  # assumptions of the serving room; None where no model is served, as the next
    parts: PartPrecision | None = None
    dequantised: str = ""  # parts of a served model whose weights are multiplied in 16 bit for want of units


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Everything an evaluation needs. Nothing else is looked at.

    `supernode` is the first kind and `kinds` are the further ones; `pod.supernodes` counts all. Where
    workloads share the pod, `workload` and `layout` are those of the first.
    """

    name: str
    workload: TrainingWorkload | GenericWorkload | ServingWorkload
    supernode: SuperNode
    pod: Pod
    layout: Layout | None
    facility: Facility
    operations: Operations
    economics: Economics
    assumptions: Assumptions
    kinds: tuple[Kind, ...] = ()
    sharing: Sharing | None = None  # None: one workload has the pod to itself
    framework: Framework | None = None  # of a training job: which layouts it runs; None: any

    @property
    def training(self) -> TrainingWorkload:
        """The workload of a design that trains a model.

        Raises
        ------
        TypeError : it does something else
        """
        if isinstance(self.workload, TrainingWorkload):
            return self.workload
        raise TypeError(f"{self.name} trains no model")

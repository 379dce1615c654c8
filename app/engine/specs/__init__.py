"""What the engine is given: frozen records of plain values, resolved from scenario and catalog.

Every number is an array of shape (1,), or (s, 1) when s samples are evaluated at once. Unknown
is NaN. Base SI and USD; the unit ends the name. FLOP/s are dense; bandwidths are one way and per
accelerator; bytes are counts. Counts are numbers too, so that they can be explained; use
`plain()` where one decides structure.
"""

from app.engine.specs.design import Assumptions, Design, Kind
from app.engine.specs.economics import RENTAL_TERMS, Economics, Finance, RentalTerms, Renting
from app.engine.specs.framework import Framework
from app.engine.specs.pod import (
    FabricPlan,
    FloorRules,
    LeafNetwork,
    ManagementNetwork,
    Networks,
    Pod,
    Switch,
    Transceiver,
)
from app.engine.specs.serving import (
    Adapters,
    Arrivals,
    Demand,
    Encoder,
    HostWay,
    HostWeights,
    PartPrecision,
    Region,
    RequestClass,
    Requests,
    ServiceLevel,
    ServingLayout,
    ServingPlan,
    ServingWorkload,
    Sessions,
    Speculation,
)
from app.engine.specs.sharing import OtherWorkload, Sharing
from app.engine.specs.supernode import (
    CXL,
    HOST_MEMORY,
    Accelerator,
    MeasuredPair,
    Medium,
    MemoryPool,
    ScaleUpPlan,
    SuperNode,
)
from app.engine.specs.terms import Climate, Facility, HeatReuse, Operations, Site, Storage
from app.engine.specs.workload import (
    Architecture,
    Faces,
    GenericWorkload,
    Grid,
    Layout,
    Pattern,
    TrainingWorkload,
)

__all__ = [
    "CXL",
    "HOST_MEMORY",
    "RENTAL_TERMS",
    "Accelerator",
    "Adapters",
    "Architecture",
    "Arrivals",
    "Assumptions",
    "Climate",
    "Demand",
    "Design",
    "Economics",
    "Encoder",
    "FabricPlan",
    "Faces",
    "Facility",
    "Finance",
    "FloorRules",
    "Framework",
    "GenericWorkload",
    "Grid",
    "HeatReuse",
    "HostWay",
    "HostWeights",
    "Kind",
    "Layout",
    "LeafNetwork",
    "ManagementNetwork",
    "MeasuredPair",
    "Medium",
    "MemoryPool",
    "Networks",
    "Operations",
    "OtherWorkload",
    "PartPrecision",
    "Pattern",
    "Pod",
    "Region",
    "RentalTerms",
    "Renting",
    "RequestClass",
    "Requests",
    "ScaleUpPlan",
    "ServiceLevel",
    "ServingLayout",
    "ServingPlan",
    "ServingWorkload",
    "Sessions",
    "Sharing",
    "Site",
    "Speculation",
    "Storage",
    "SuperNode",
    "Switch",
    "TrainingWorkload",
    "Transceiver",
]

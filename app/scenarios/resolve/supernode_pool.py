"""The memory pool of a SuperNode: its size and rates, and what it adds to power and price."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.engine.specs import CXL, HOST_MEMORY, MemoryPool, SuperNode
from app.engine.supernode import rated_power_w
from app.engine.trace import Array, Origin, first_of
from app.scenarios.document.supernode import MemoryPoolDocument
from app.scenarios.errors import refuse
from app.scenarios.resolve.hardware_words import generation_family
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.supernode_media import Assumed

PATH = "supernode.memory_pool"
RATES = {"bandwidth_bytes_per_s": "pool_bandwidth_bytes_per_s", "latency_s": "pool_latency_s"}
POWERS = ("max_power_w", "typical_power_w")


def added_per_accelerator(pool: MemoryPoolDocument | None, assumed: Assumed) -> tuple[Array, Array]:
    """Power [W], and price of shape (3,) [USD], that a pool adds for each accelerator; none where it has no modules."""
    if pool is None or pool.technology == HOST_MEMORY:
        return np.zeros(1), np.zeros(3)
    size = pool.bytes_per_accelerator
    return size * assumed("pool_power_w_per_byte"), size * assumed.spread("pool_price_usd_per_byte")


def with_pool(
    inputs: Inputs, supernode: SuperNode, document: MemoryPoolDocument | None, *, in_parts: bool
) -> SuperNode:
    """The SuperNode with its memory pool, and with the power and price of its modules.

    Power and price that the scenario states are those of the whole.

    Parameters
    ----------
    in_parts : whether power and price are stated, or follow from parts with the pool among them

    Raises
    ------
    ScenarioError : its hosts lend no memory over the scale-up links, or have less of it
    """
    if document is None:
        return supernode
    pool = _pool(inputs, supernode, document)
    supernode = replace(supernode, pool=pool)
    if in_parts or document.technology != CXL:
        return supernode
    assumed = Assumed(inputs, {"technology": document.technology, "cooling": supernode.cooling})
    count = float(supernode.accelerators[0])
    each_w, each_usd = added_per_accelerator(document, assumed)
    if inputs.origins["supernode.price_usd"].kind != "scenario":
        pool = replace(pool, price_usd=_price_usd(inputs, count, each_usd))
    powers = _powers_w(inputs, supernode, count * each_w, assumed)
    return replace(supernode, pool=pool, **powers)  # type: ignore[arg-type]


def _pool(inputs: Inputs, supernode: SuperNode, document: MemoryPoolDocument) -> MemoryPool:
    chip, technology = supernode.accelerator, document.technology
    context = {
        "technology": technology,
        "accelerator": chip.key,
        "generation": generation_family(chip.generation),
    }

    def rate(name: str) -> Array:
        try:
            return inputs.assumption(
                f"supernode.pool.{name}",
                f"supernode.{RATES[name]}",
                given=getattr(document, name),
                scenario_field=f"{PATH}.{name}",
                also=context,
            )
        except CatalogLookupError:
            raise refuse(
                f"Whether {chip.name} reach the memory of other hosts over their scale-up links is not published.",
                rule="pool",
                path=f"{PATH}.technology",
                value=technology,
                hint=f"Choose cxl, or state {PATH}.bandwidth_bytes_per_s and {PATH}.latency_s where you know of it.",
            ) from None

    if technology == HOST_MEMORY:
        _check_room(supernode, document)
    return MemoryPool(
        technology=technology,
        capacity_bytes=inputs.scenario(
            "supernode.pool.capacity_bytes", document.bytes_per_accelerator, f"{PATH}.bytes_per_accelerator"
        ),
        bandwidth_bytes_per_s=rate("bandwidth_bytes_per_s"),
        latency_s=rate("latency_s"),
    )


def _check_room(supernode: SuperNode, document: MemoryPoolDocument) -> None:
    there = first_of(supernode.host_memory_bytes) / first_of(supernode.accelerators)
    if first_of(supernode.scale_up_domain_accelerators) <= 1:
        raise refuse(
            "The accelerators of this SuperNode are not joined, so that none reaches the memory of another host.",
            rule="pool",
            path=f"{PATH}.technology",
            value=document.technology,
            hint="Choose cxl, or a larger scale-up domain.",
        )
    if document.bytes_per_accelerator > there * (1 + 1e-9):
        raise refuse(
            f"takes more than the {there / 1e9:,.1f} GB of host memory that there are for each accelerator.",
            rule="pool",
            path=f"{PATH}.bytes_per_accelerator",
            value=document.bytes_per_accelerator,
            hint=f"State at most {there:.12g}, hosts with more memory, or the technology cxl.",
        )


def _powers_w(inputs: Inputs, supernode: SuperNode, modules_w: Array, assumed: Assumed) -> dict[str, Array]:
    """Power that the catalog gives of the system without a pool, with it."""
    fed_w = rated_power_w(
        modules_w,
        supply_efficiency=assumed("rated_supply_efficiency"),
        fan_share=assumed("rated_fan_share"),
    )
    more, found = float(fed_w[0]), {}
    for name in POWERS:
        path, own = f"supernode.{name}", float(getattr(supernode, name)[0])
        origin = inputs.origins.get(path)
        if origin is None or origin.kind in ("scenario", "unknown"):
            continue
        found[name] = inputs.taken(
            path,
            own + more,
            Origin(
                kind="derived",
                label=f"{origin.label}, with its memory pool",
                source=f"{own:,.6g} of the system ({origin.source}), and {more:,.6g} of the memory pool",
                date=origin.date,
                low=None if origin.low is None else origin.low + more,
                high=None if origin.high is None else origin.high + more,
            ),
        )
    return found


def _price_usd(inputs: Inputs, accelerators: float, each_usd: Array) -> Array:
    """What the modules cost beside the system, whose price is quoted without them."""
    low, price, high = (float(usd) for usd in accelerators * each_usd)
    origin = Origin(
        kind="derived",
        label="modules of the memory pool",
        source=f"{accelerators:,.6g} accelerators at assumptions/supernode.pool_price_usd_per_byte",
        low=low,
        high=high,
    )
    return inputs.taken("supernode.pool.price_usd", price, origin)

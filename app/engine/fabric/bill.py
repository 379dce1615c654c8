"""The bill of materials of a fabric: what is bought, by role, with price and power."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.assumptions import FabricAssumptions
from app.engine.fabric.figures import BillLine, Tier
from app.engine.fabric.plugs import no_switch
from app.engine.fabric.tier_parts import TIERS, module_below, module_of, switch_of
from app.engine.quantities import alias, quantity
from app.engine.specs import FabricPlan, Pod, SuperNode
from app.engine.trace import Array


@quantity(unit="1", source="definition", at="fabric.bill[].count")
def bill_count(*, installed: Array, spare_share: Array) -> Array:
    """Quantity.

    Those installed and the spares, in whole pieces.
    """
    return np.ceil(np.round(installed * (1 + spare_share), 6))


bill_unit_price_usd = alias(
    "bill_unit_price_usd",
    "Unit price",
    of="listed_price_usd",
    at="fabric.bill[].unit_price_usd",
    unit="USD",
)


@quantity(unit="USD", source="definition", at="fabric.bill[].price_usd")
def bill_price_usd(*, count: Array, unit_price_usd: Array) -> Array:
    """Price of the line item.

    Nothing bought costs nothing, whatever its price.
    """
    return np.where(count <= 0, 0.0, count * unit_price_usd)


@quantity(unit="W", source="definition", at="fabric.bill[].power_w")
def bill_power_w(*, installed: Array, unit_power_w: Array) -> Array:
    """Typical power of the line item.

    Installed pieces only: spares lie in a drawer.
    """
    return np.where(installed <= 0, 0.0, installed * unit_power_w)


@quantity(unit="USD", source="definition")
def network_price_usd(*, line_prices_usd: tuple[Array, ...]) -> Array:
    """Price of the scale-out fabric.

    Switches, modules, fibres, and NICs where the SuperNode's price does not include them.
    """
    return sum(line_prices_usd[1:], start=line_prices_usd[0])


@quantity(unit="W", source="definition")
def network_power_w(*, line_powers_w: tuple[Array, ...]) -> Array:
    """Typical power of the scale-out fabric.

    Switches without optics, and every module. NICs draw from their node and are counted there.
    """
    return sum(line_powers_w[1:], start=line_powers_w[0])


@quantity(unit="1", source="definition")
def nics_bought(*, networked_supernodes: Array, scale_out_nics: Array, bought_apart: Array) -> Array:
    """Compute NICs bought apart from the SuperNodes.

    Parameters
    ----------
    networked_supernodes : SuperNodes on the scale-out fabric [1]
    scale_out_nics : compute NICs of a SuperNode [1]
    bought_apart : 0 when the SuperNode's price includes them, else 1 [1]
    """
    bought = networked_supernodes * bought_apart
    return np.where(bought <= 0, 0.0, bought * scale_out_nics)


def bill_of_materials(
    *,
    pod: Pod,
    supernode: SuperNode,
    tiers: tuple[Tier, ...],
    node_modules: Array,
    networked_supernodes: Array,
    assumptions: FabricAssumptions,
) -> tuple[BillLine, ...]:
    """One line a role, also for roles of which nothing is needed.

    NICs draw from their node and have no power of their own here; fibres draw none.
    """
    plan = pod.fabric
    nothing = np.zeros(1)
    spares = assumptions.spare_share
    nics = nics_bought(
        networked_supernodes=networked_supernodes,
        scale_out_nics=supernode.scale_out_nics,
        bought_apart=np.full(1, 0.0 if supernode.price_includes_nics else 1.0),
    )
    lines = []
    for tier in tiers:
        switch = switch_of(plan, tier.name) or no_switch()
        title = f"{tier_title(tier)} switches"
        lines.append(bill_line(title, tier.switches, nothing, switch.price_usd, switch.typical_power_w))
    for tier in tiers:
        lines += _module_lines(plan, tier, spares)
    node_module = plan.node_transceiver
    lines.append(bill_line("Node modules", node_modules, spares, node_module.price_usd, node_module.power_w))
    lines += [
        bill_line(f"{tier_title(tier)} links: fibres", tier.links, spares, plan.trunk_price_usd, nothing)
        for tier in tiers
    ]
    lines.append(bill_line("Compute NICs", nics, nothing, plan.nic_price_usd, nothing))
    return tuple(lines)


def _module_lines(plan: FabricPlan, tier: Tier, spares: Array) -> list[BillLine]:
    """Modules in switches on the links of a tier, apart where they are of two kinds."""
    upper = module_of(plan, tier.name)
    lower = module_below(plan, tier.name) if tier.name in TIERS[1:] else upper
    title = f"{tier_title(tier)} links: switch modules"
    if lower.key == upper.key:
        return [bill_line(title, tier.switch_modules, spares, upper.price_usd, upper.power_w)]
    above = tier.switch_modules - tier.lower_modules
    return [
        bill_line(f"{tier_title(tier)} links: lower switch modules", tier.lower_modules, spares, lower.price_usd, lower.power_w),
        bill_line(title, above, spares, upper.price_usd, upper.power_w),
    ]  # fmt: skip


def tier_title(tier: Tier) -> str:
    """The name of a tier as people read it."""
    return tier.name.replace("_", " ").capitalize()


def bill_line(item: str, installed: Array, spare_share: Array, price_usd: Array, power_w: Array) -> BillLine:
    """A line of pieces installed, and of the share of them bought as spares."""
    count = bill_count(installed=installed, spare_share=spare_share)
    unit_price = bill_unit_price_usd(listed_price_usd=price_usd)
    return BillLine(
        item=item,
        count=count,
        unit_price_usd=unit_price,
        price_usd=bill_price_usd(count=count, unit_price_usd=unit_price),
        power_w=bill_power_w(installed=installed, unit_power_w=power_w),
    )

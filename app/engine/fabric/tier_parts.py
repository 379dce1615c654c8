"""Switches and modules of the tiers of a folded Clos: each tier has those of the tier below where it names no
others."""

from __future__ import annotations

from collections.abc import Iterable

from app.engine.specs import FabricPlan, Switch, Transceiver

CLOS = ("rail_fat_tree", "fat_tree", "rail_only", "dual_tor")
"""Topologies whose tiers may have a switch each."""
TIERS = ("leaf", "spine", "core")


def switch_of(plan: FabricPlan, tier: str) -> Switch | None:
    """The switch of a tier, or of a kind of switch by its name; None where none is named."""
    spine, core = (
        (plan.spine_switch, plan.core_switch or plan.spine_switch) if plan.topology in CLOS else (None, None)
    )
    return {"spine": spine, "core": core}.get(tier) or plan.switch


def module_of(plan: FabricPlan, tier: str) -> Transceiver:
    """The module in switches of a tier; of leaves, the one on links down."""
    spine, core = (
        (plan.spine_transceiver, plan.core_transceiver or plan.spine_transceiver)
        if plan.topology in CLOS
        else (None, None)
    )
    return {"spine": spine, "core": core}.get(tier) or plan.switch_transceiver


def module_below(plan: FabricPlan, tier: str) -> Transceiver:
    """The module at the lower end of the links below a tier above the leaves."""
    if tier == "spine" and plan.topology in CLOS:
        return plan.uplink_transceiver or plan.switch_transceiver
    return module_of(plan, "spine")


def has_own_tiers(plan: FabricPlan) -> bool:
    """Return whether switches, rates or modules differ by tier."""
    above = (
        plan.spine_switch, plan.core_switch, plan.uplink_bandwidth_bytes_per_s, plan.uplink_transceiver,
        plan.spine_transceiver, plan.core_transceiver,
    )  # fmt: skip
    return plan.topology in CLOS and any(part is not None for part in above)


def names_of(plan: FabricPlan, tiers: Iterable[str] = TIERS) -> str:
    """The names of the switches of some tiers, each once."""
    named = [switch.name for tier in ("leaf", *tiers) if (switch := switch_of(plan, tier))]
    return ", ".join(dict.fromkeys(named))

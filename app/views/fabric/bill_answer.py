"""The detailed bill as plain values: unknown is null, money is low, typical and high."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

from app.engine.fabric.materials.counting import TierCount
from app.engine.fabric.materials.parts import ROLES, MaterialLine, Totals
from app.engine.fabric.media.medium import PriceRange
from app.views.fabric.materials import FabricBill

HOUR_S = 3600.0


def bill_answer(bill: FabricBill) -> dict[str, Any]:
    """All of the bill, network by network."""
    return {
        "name": bill.name,
        "options": bill.options.model_dump(mode="json"),
        "lines": [line_answer(line) for line in bill.lines],
        "totals": totals_answer(bill.totals),
        "networks": [
            {
                "network": name,
                "title": bill.parts[name].title,
                "totals": totals_answer(totals),
                "media": [_medium(count) for count in bill.made.counts[name]],
            }
            for name, totals in bill.network_totals.items()
        ],
        "racks": [
            {
                "kind": line.kind,
                "racks": line.racks,
                "used_units": line.used_units,
                "installation_hours": line.installation_s / HOUR_S,
            }
            for line in bill.racks
        ],
        "tier_lengths": [_known(dataclasses.asdict(tier)) for tier in bill.tier_lengths],
        "measured_assumptions": bill.measured_assumptions,
        "differences": [_known(dataclasses.asdict(difference)) for difference in bill.differences],
        "reasons": list(bill.reasons),
        "problems": [dataclasses.asdict(problem) for problem in bill.problems],
    }


def line_answer(line: MaterialLine) -> dict[str, Any]:
    """One line of the bill."""
    return {
        "network": line.network,
        "role": line.role,
        "tier": line.tier,
        "item": line.item,
        "part": line.piece.name,
        "part_key": line.piece.key,
        "installed": number(line.installed),
        "spare": number(line.spare),
        "bought": number(line.bought),
        "unit_price_usd": price_answer(line.piece.price),
        "price_usd": price_answer(line.price),
        "power_w": number(line.power_w),
        "rack_units": number(line.rack_units),
        "installation_hours": number(line.installation_s / HOUR_S),
        "note": line.piece.note,
    }


def totals_answer(totals: Totals) -> dict[str, Any]:
    """Sums; of a price in which something is unknown, the known part is given separately."""
    return {
        "price_usd": price_answer(totals.price),
        "priced_usd": totals.priced_usd,
        "unpriced_lines": totals.unpriced_lines,
        "power_w": number(totals.power_w),
        "rack_units": number(totals.rack_units),
        "installation_hours": number(totals.installation_s / HOUR_S),
    }


def price_answer(price: PriceRange) -> dict[str, float | None]:
    """Low, typical and high."""
    return {name: number(getattr(price, name)) for name in ("low", "typical", "high")}


def number(value: float) -> float | None:
    """A figure, None where it is unknown."""
    return None if math.isnan(value) else value


def role_title(role: str) -> str:
    """A role as people read it."""
    return ROLES[role]


def _medium(count: TierCount) -> dict[str, Any]:
    medium = count.medium
    return {
        "tier": count.tier,
        "medium": medium.key if medium else None,
        "name": medium.name if medium else None,
        "family": medium.family if medium else None,
        "links": count.links,
        "cables": count.cables if medium else None,
        "length_m": number(count.length_m),
        "reach_m": number(medium.reach_m) if medium else None,
    }


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: number(value) if isinstance(value, float) else value for name, value in values.items()}

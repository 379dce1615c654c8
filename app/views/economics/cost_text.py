"""A cost tree as lines of text."""

from __future__ import annotations

import math

from app.views.economics.cost_levers import BuildingCase, CostLever
from app.views.economics.cost_tree import CostTree, CostTreePart, CostTreeSum

HEAD = f"{'':<24}{'Price, USD':>18}{'A year, USD':>18}{'Used hour, USD':>16}{'Share':>9}"


def cost_text(tree: CostTree) -> str:
    """The tree with its sums, what decides, and both buildings."""
    lines = [
        f"{tree.name}: {_money(tree.together.tco_usd)} USD over {tree.life_years:g} years",
        "",
        HEAD,
    ]
    for branch in tree.branches:
        lines += [
            _line(branch.title, branch.together),
            *(_line(f"  {part.title}", part) for part in branch.parts),
        ]
    hours = tree.hours
    lines += [
        _line("Together", tree.together),
        "",
        (
            f"Accelerator-hour, USD: {_price(hours.installed_usd)} installed, {_price(hours.available_usd)} available, "
            f"{_price(hours.used_usd)} used, {_price(hours.useful_usd)} useful"
        ),
        "",
        f"{'What decides':<26}{'Low':>12}{'High':>12}{'Hour at low':>14}{'Hour at high':>14}",
        *(_lever(lever) for lever in tree.levers),
        *tree.notes,
        "",
        f"{'Building':<26}{'Capital, USD':>18}{'A year, USD':>18}{'Used hour, USD':>16}",
        *(_building(case) for case in tree.buildings),
        "",
        tree.basis,
    ]
    return "\n".join(lines)


def _line(title: str, part: CostTreePart | CostTreeSum) -> str:
    price = _money(part.price_usd) if part.price_usd else ""  # nothing of it is bought
    share = "unknown" if math.isnan(part.share) else f"{part.share:.1%}"
    return (
        f"{title:<24}{price:>18}{_money(part.usd_per_year):>18}"
        f"{_price(part.usd_per_accelerator_hour):>16}{share:>9}"
    )


def _lever(lever: CostLever) -> str:
    unit = "" if lever.unit == "1" else f", {lever.unit}"
    return (
        f"{lever.title + unit:<26}{lever.low:>12,.6g}{lever.high:>12,.6g}"
        f"{_price(lever.usd_per_accelerator_hour_low):>14}{_price(lever.usd_per_accelerator_hour_high):>14}"
    )


def _building(case: BuildingCase) -> str:
    title = f"{case.building.capitalize()}{' (this design)' if case.is_stated else ''}"
    return (
        f"{title:<26}{_money(case.capex_usd):>18}{_money(case.annual_cost_usd_per_year):>18}"
        f"{_price(case.usd_per_accelerator_hour):>16}"
    )


def _money(usd: float) -> str:
    return "unknown" if math.isnan(usd) else f"{usd:,.0f}"


def _price(usd: float) -> str:
    return "unknown" if math.isnan(usd) else f"{usd:,.3f}"

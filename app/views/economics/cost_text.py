"""A cost tree as lines of text."""

from __future__ import annotations

from app.views.economics.cost_levers import BuildingCase, CostLever
from app.views.economics.cost_tree import CostTree
from app.views.table import Column, fixed, number, percent, text_table, titled_line, usd

PARTS = (
    Column("", "title", width=-24),
    Column(
        "Price, USD", "price_usd", lambda price: number(price) if price else "", 18
    ),  # else none is bought
    Column("A year, USD", "usd_per_year", fixed(0), 18),
    Column("Used hour, USD", "usd_per_accelerator_hour", usd, 16),
    Column("Share", "share", percent, 9),
)


def _term(lever: CostLever) -> str:
    return lever.title if lever.unit == "1" else f"{lever.title}, {lever.unit}"


LEVERS = (
    Column("What decides", _term, width=-26),
    Column("Low", "low", "{:,.6g}".format, 12),
    Column("High", "high", "{:,.6g}".format, 12),
    Column("Hour at low", "usd_per_accelerator_hour_low", usd, 14),
    Column("Hour at high", "usd_per_accelerator_hour_high", usd, 14),
)


def _building(case: BuildingCase) -> str:
    return f"{case.building.capitalize()}{' (this design)' if case.is_stated else ''}"


BUILDINGS = (
    Column("Building", _building, width=-26),
    Column("Capital, USD", "capex_usd", fixed(0), 18),
    Column("A year, USD", "annual_cost_usd_per_year", fixed(0), 18),
    Column("Used hour, USD", "usd_per_accelerator_hour", usd, 16),
)


def cost_text(tree: CostTree) -> str:
    """The tree with its sums, what decides, and both buildings."""
    lines = [
        f"{tree.name}: {number(tree.together.tco_usd)} USD over {tree.life_years:g} years",
        "",
        *text_table(PARTS, ()),
    ]
    for branch in tree.branches:
        lines.append(titled_line(branch.title, branch.together, PARTS))
        lines += [titled_line(f"  {part.title}", part, PARTS) for part in branch.parts]
    hours = tree.hours
    lines += [
        titled_line("Total", tree.together, PARTS),
        "",
        (
            f"Accelerator-hour, USD: {usd(hours.installed_usd)} installed, {usd(hours.available_usd)} available, "
            f"{usd(hours.used_usd)} used, {usd(hours.useful_usd)} useful"
        ),
        "",
        *text_table(LEVERS, tree.levers),
        *tree.notes,
        "",
        *text_table(BUILDINGS, tree.buildings),
        "",
        tree.basis,
    ]
    return "\n".join(lines)

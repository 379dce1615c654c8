"""The compute fabric by size, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.charts.format import number, show
from app.views.fabric.growth import FabricGrowth, GrowthPlan
from app.views.fabric.sizes import FabricSizes
from app.views.table import Column, text_table

WORDS = {"price_usd": ("costs", "USD"), "power_w": ("draws", "W")}


def _usd(value: float | None) -> str:
    return show(value, "USD").text


def _range(price: Any) -> str:
    return f"{_usd(price.low)} to {_usd(price.high)}".rjust(14)


def _count(value: float | None) -> str:
    return "unknown" if value is None else number(value)


def _sum(values: Iterable[float | None]) -> float | None:
    found = list(values)
    return None if None in found else float(sum(value or 0.0 for value in found))


GROWTH = (
    Column("SuperNodes", "supernodes", number, 14),
    Column("switches", lambda stage: _sum(tier.switches for tier in stage.tiers), _count, 16),
    Column("links", lambda stage: _sum(tier.links for tier in stage.tiers), _count, 16),
    Column("moved", "moved_links", _count, 16),
    Column("free ports", "free_switch_ports", _count, 16),
    Column("price", "price_usd.typical", _usd, 16),
    Column("   low to high", "price_usd", _range),
)
SIZES = (
    Column("accelerators", lambda row: row[0], number, 14),
    Column("switches", lambda row: row[1].switches, _count, 16),
    Column("cables", lambda row: row[1].cables, _count, 16),
    Column("power", lambda row: show(row[1].power_w, "W").text, width=16),
    Column("price", lambda row: row[1].price_usd.typical, _usd, 16),
    Column("   low to high", lambda row: row[1].price_usd, _range),
)


def growth_text(answer: FabricGrowth) -> str:
    """A table a way to grow, a row a stage."""
    lines = [f"{answer.name}: {answer.topology}"]
    for plan in answer.plans:
        lines += ["", plan.title, *text_table(GROWTH, plan.stages)]
        lines.append(_total(plan))
    return "\n".join([*lines, *_about_prices(answer.single_prices)])


def sizes_text(answer: FabricSizes) -> str:
    """A table a topology, a row a size; then where curves cross."""
    lines = [answer.name]
    for one in answer.topologies:
        title = f"{one.title} (the scenario's)" if one.here else one.title
        points = zip(answer.accelerators, one.points, strict=True)
        lines += ["", title, *text_table(SIZES, (row for row in points if row[1].switches is not None))]
        if one.ends:
            lines.append(one.ends)
    titles = {one.topology: one.title for one in answer.topologies}
    lines.append("")
    for crossing in answer.crossings:
        verb, unit = WORDS[crossing.metric]
        lines.append(
            f"From {number(crossing.accelerators)} accelerators {titles[crossing.then]} {verb} less than "
            f"{titles[crossing.before]}: {show(crossing.value, unit).text}."
            + (" Nothing shown has less there." if crossing.lowest else "")
        )
    if not answer.crossings:
        lines.append("No two curves cross.")
    return "\n".join([*lines, *_about_prices(answer.single_prices)])


def _total(plan: GrowthPlan) -> str:
    price = plan.price_usd
    return (
        f"In all {_usd(price.typical)} ({_usd(price.low)} to {_usd(price.high)}), "
        f"{_count(plan.moved_links)} links moved"
    )


def _about_prices(single: tuple[str, ...]) -> list[str]:
    return ["", f"Known without a range: {'; '.join(single)}."] if single else []

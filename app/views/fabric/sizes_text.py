"""The compute fabric by size, as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from app.charts.format import number, show
from app.views.fabric.growth import FabricGrowth, GrowthPlan, GrowthStage
from app.views.fabric.sizes import FabricSizes, TopologySizes

WORDS = {"price_usd": ("costs", "USD"), "power_w": ("draws", "W")}
GROWTH_COLUMNS = ("SuperNodes", "switches", "links", "moved", "free ports", "price", "low to high")
SIZE_COLUMNS = ("accelerators", "switches", "cables", "power", "price", "low to high")
WIDTH = 14


def growth_text(answer: FabricGrowth) -> str:
    """A table a way to grow, a row a stage."""
    lines = [f"{answer.name}: {answer.topology}"]
    for plan in answer.plans:
        lines += ["", plan.title, _row(GROWTH_COLUMNS), *(_row(_stage(stage)) for stage in plan.stages)]
        lines.append(_total(plan))
    return "\n".join([*lines, *_about_prices(answer.single_prices)])


def sizes_text(answer: FabricSizes) -> str:
    """A table a topology, a row a size; then where curves cross."""
    lines = [answer.name]
    for one in answer.topologies:
        title = f"{one.title} (the scenario's)" if one.here else one.title
        lines += ["", title, _row(SIZE_COLUMNS), *_points(answer, one)]
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


def _stage(stage: GrowthStage) -> tuple[str, ...]:
    price = stage.price_usd
    return (
        number(stage.supernodes),
        _count(_sum(tier.switches for tier in stage.tiers)),
        _count(_sum(tier.links for tier in stage.tiers)),
        _count(stage.moved_links),
        _count(stage.free_switch_ports),
        show(price.typical, "USD").text,
        f"{show(price.low, 'USD').text} to {show(price.high, 'USD').text}",
    )


def _points(answer: FabricSizes, one: TopologySizes) -> list[str]:
    return [
        _row(
            (
                number(accelerators),
                _count(point.switches),
                _count(point.cables),
                show(point.power_w, "W").text,
                show(point.price_usd.typical, "USD").text,
                f"{show(point.price_usd.low, 'USD').text} to {show(point.price_usd.high, 'USD').text}",
            )
        )
        for accelerators, point in zip(answer.accelerators, one.points, strict=True)
        if point.switches is not None
    ]


def _total(plan: GrowthPlan) -> str:
    price = plan.price_usd
    return (
        f"In all {show(price.typical, 'USD').text} ({show(price.low, 'USD').text} to "
        f"{show(price.high, 'USD').text}), {_count(plan.moved_links)} links moved"
    )


def _sum(values: Iterable[float | None]) -> float | None:
    found = list(values)
    return None if None in found else float(sum(value or 0.0 for value in found))


def _count(value: float | None) -> str:
    return "unknown" if value is None else number(value)


def _row(cells: tuple[str, ...]) -> str:
    return "".join(cell.rjust(WIDTH) + "  " for cell in cells).rstrip()


def _about_prices(single: tuple[str, ...]) -> list[str]:
    return ["", f"Known without a range: {'; '.join(single)}."] if single else []

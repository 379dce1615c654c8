"""The charts of a scenario over sizes of its SuperNode."""

from __future__ import annotations

import math

from app.charts.fabric.supernode_sizes import SizePoint, SystemPoint, size_causes_figure, size_cost_figure
from app.charts.figure import Figure
from app.surfaces.pages.charts import chart_html
from app.surfaces.pages.templating import Templates
from app.views.fabric.supernode import MEDIA
from app.views.fabric.supernode_sizes import SuperNodeCostRatios, SuperNodeSize, SuperNodeSizes


def sizes_html(answer: SuperNodeSizes, page: Templates, *, whole: bool) -> str:
    """The cost by size; `whole`: with its causes and what both say in words."""
    cost, causes = size_figures(answer)
    if not whole:
        return chart_html(page, cost, before="")
    charts = [chart_html(page, figure, before="") for figure in (cost, causes)]
    return page.text("explore/supernode_sizes.html", charts=charts, findings=answer.findings)


def size_figures(answer: SuperNodeSizes) -> list[Figure]:
    """Cost by size, and what it is made of."""
    points = [_size_point(one) for one in answer.sizes]
    return [
        size_cost_figure(
            points, unit=answer.unit, own=answer.own, as_designed=answer.usd_per_unit_as_designed, best=answer.best, flat=answer.flat, accelerators=answer.accelerators,
            systems=[SystemPoint(one.name, one.size.accelerators, one.size.usd_per_unit) for one in answer.systems],
        ),
        size_causes_figure(points, unit=answer.unit, best=answer.best),
    ]  # fmt: skip


def _size_point(one: SuperNodeSize) -> SizePoint:
    ratios = one.against_best or SuperNodeCostRatios(hardware=math.nan, speed=math.nan, failures=math.nan)
    return SizePoint(
        accelerators=one.accelerators,
        usd=one.usd_per_unit,
        usd_low=one.usd_per_unit_low,
        usd_high=one.usd_per_unit_high,
        step_time_s=one.step_time_s,
        speed_at_equal_accelerators=one.speed_at_equal_accelerators,
        speed_at_equal_capex=one.speed_at_equal_capex,
        medium=MEDIA.get(one.medium, ""),
        capex_usd=one.capex_usd_per_accelerator,
        power_w=one.rated_power_w_per_accelerator,
        racks=one.racks,
        ettr=one.ettr,
        hardware=ratios.hardware,
        speed=ratios.speed,
        failures=ratios.failures,
        note=one.refusal,
    )

"""Evaluation -> Plotly figure, as plain dictionaries and without Plotly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from app.charts.bandwidth import bandwidth_figure
from app.charts.facility.month_hours import pue_hours_figure
from app.charts.figure import Figure, figure_json
from app.charts.goodput import goodput_figure
from app.charts.memory import memory_figure
from app.charts.own_or_rent import own_or_rent_figure
from app.charts.power_flow import power_flow_figure
from app.charts.searching.domain_sizes import domain_sizes_figure
from app.charts.step_time import step_time_figure
from app.charts.step_timeline import step_timeline_figure
from app.charts.tco import tco_figure
from app.charts.topology import topology_figure

__all__ = ["FIGURES", "STUDY_FIGURES", "Figure", "figure_json"]

FIGURES: dict[str, Callable[[dict[str, Any]], Figure]] = {
    "topology": topology_figure,
    "bandwidth": bandwidth_figure,
    "step_time": step_time_figure,
    "memory": memory_figure,
    "power_flow": power_flow_figure,
    "pue_hours": pue_hours_figure,
    "tco": tco_figure,
    "own_or_rent": own_or_rent_figure,
    "goodput": goodput_figure,
}

STUDY_FIGURES: dict[str, Callable[[dict[str, Any]], Figure]] = {
    "domain_sizes": domain_sizes_figure,
    "step_timeline": step_timeline_figure,
}
"""Figures of what takes more than an evaluation: many evaluations of one scenario, or the simulation of a step."""

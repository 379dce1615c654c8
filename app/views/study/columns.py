"""Columns of the board of a study, declared once for page, text, CSV and REST."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Better = Literal["less", "more"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyFigure:
    """A figure of a candidate.

    Unknown is NaN; the ends are equal to the value where no range of it is known.
    """

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceColumn:
    """A choice of a candidate, which is a group in the explanation of differences.

    Parameters
    ----------
    key : attribute of a row, and the name of the group
    """

    key: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureColumn:
    """A figure of a candidate.

    Parameters
    ----------
    key : of `StudyRow.figures`
    path : place in the evaluation of the candidate, "" where it is of the study alone
    limit : field of the limits that bounds it, "" where none does
    better : less or more of it
    explained : whether the difference to the base is explained in it
    objective : word of the study's objective that ranks by it
    """

    key: str
    title: str
    unit: str
    path: str = ""
    limit: str = ""
    better: Better = "less"
    explained: bool = False
    objective: str = ""


CHOICES: tuple[ChoiceColumn, ...] = (
    ChoiceColumn(key="system", title="System"),
    ChoiceColumn(key="supernodes", title="SuperNodes"),
    ChoiceColumn(key="domain_size", title="Scale-up domain"),
    ChoiceColumn(key="network", title="Network"),
    ChoiceColumn(key="number_format", title="Number format"),
    ChoiceColumn(key="layout", title="Layout"),
    ChoiceColumn(key="site", title="Site"),
    ChoiceColumn(key="terms", title="Financial terms"),
)
FIGURES: tuple[FigureColumn, ...] = (
    FigureColumn(
        key="time_s", title="Time to finish", unit="s", path="performance.elapsed_time_s",
        limit="finish_within_days", explained=True, objective="time",
    ),
    FigureColumn(
        key="tco_usd", title="Total cost of ownership", unit="USD", limit="tco_usd", explained=True, objective="usd",
    ),
    FigureColumn(key="run_usd", title="Cost of the run", unit="USD", limit="run_usd", explained=True, objective="run",),
    FigureColumn(key="capex_usd", title="Capital cost", unit="USD", limit="capex_usd", explained=True),
    FigureColumn(
        key="meter_power_w", title="Power at the meter", unit="W", path="power.utility_peak_w",
        limit="meter_power_w", explained=True, objective="power",
    ),
    FigureColumn(
        key="carbon_kg", title="Carbon", unit="kg", path="carbon.total_kg", limit="carbon_kg", explained=True,
        objective="carbon",
    ),
    FigureColumn(key="pue", title="PUE", unit="1", path="cooling.pue", limit="pue"),
    FigureColumn(
        key="water_m3_per_year", title="Water", unit="m3/year", path="cooling.water_m3_per_year",
        limit="water_m3_per_year",
    ),
    FigureColumn(key="floor_m2", title="Floor area", unit="m2", path="power.floor_area_m2", limit="floor_m2"),
    FigureColumn(key="mfu", title="MFU", unit="1", path="performance.mfu", better="more"),
    FigureColumn(key="ettr", title="ETTR", unit="1", path="reliability.ettr", better="more"),
    FigureColumn(key="ttft_s", title="Time to first token", unit="s", limit="ttft_s"),
    FigureColumn(key="tpot_s", title="Time per output token", unit="s", limit="tpot_s"),
    FigureColumn(
        key="served_tokens_per_s", title="Served throughput", unit="tokens/s", limit="served_tokens_per_s",
        better="more",
    ),
    FigureColumn(key="delivery_months", title="Delivered after", unit="months", limit="delivery_by"),
)  # fmt: skip
FIGURE = {column.key: column for column in FIGURES}

"""Answers of the validation of power and cooling."""

from __future__ import annotations

from pydantic import Field

from app.surfaces.rest.catalog_models import Answer


class PowerErrorsSummary(Answer):
    """Errors as fractions: predicted over published, less one."""

    rows: int
    median_abs_error: float | None
    p90_abs_error: float | None
    bias: float | None
    within_20_pct: float | None


class PowerGroupAnswer(Answer):
    """Figures of one kind, or of one provider."""

    name: str
    errors: PowerErrorsSummary


class RankCorrelationAnswer(Answer):
    """Whether places are put in the order that is published."""

    name: str = Field(description="all, or a provider.")
    pairs: int
    spearman: float | None = Field(description="Null where there are fewer than five.")


class PowerFigureAnswer(Answer):
    """A published figure beside ours."""

    id: str
    kind: str = Field(description="node power, energy, sizing, flow, PUE provider, PUE facility or WUE.")
    quantity: str
    unit: str
    conditions: str
    published: float
    predicted: float
    low: float | None = Field(description="Of a PUE: what one operator in ten lies below.")
    high: float | None
    error: float
    assumed: list[str] = Field(description="What it was computed for.")
    source: str
    url: str


class LeftOutFigureAnswer(Answer):
    """A figure that is not compared."""

    id: str
    reason: str


class RegionFiguresAnswer(Answer):
    """A region of a cloud provider in one year beside the usual data centre in its climate."""

    id: str
    provider: str
    region: str
    location: str
    year: str
    place: str = Field(description="Which climate year stands for it, and how far away that was measured.")
    near: bool = Field(description="Whether that is near enough to rank it by.")
    pue: float | None
    predicted_pue: float
    wue_l_per_kwh: float | None = Field(description="Null where none of its own is published.")
    predicted_wue_l_per_kwh: float


class RegionWaterAnswer(Answer):
    """WUE of regions: differences, since errors of hundredths of a litre say nothing."""

    rows: int
    published_median_l_per_kwh: float | None
    predicted_median_l_per_kwh: float | None
    median_abs_difference_l_per_kwh: float | None
    rank_correlation: list[RankCorrelationAnswer]
    left_out: list[LeftOutFigureAnswer]


class RegionErrorsAnswer(Answer):
    """Regions of cloud providers beside ours."""

    rows: int
    computed: int
    model: str = Field(description="The data centre that every region is held against.")
    errors: PowerErrorsSummary
    pue_less_one: PowerErrorsSummary
    providers: list[PowerGroupAnswer]
    rank_correlation: list[RankCorrelationAnswer] = Field(
        description="Of regions whose climate year is within 300 km."
    )
    rank_correlation_with_far: list[RankCorrelationAnswer]
    operators_below: float = Field(description="How far one region in ten lies below ours, of PUE.")
    operators_above: float
    water: RegionWaterAnswer
    items: list[RegionFiguresAnswer]
    unsupported: list[LeftOutFigureAnswer]


class PowerErrorsAnswer(Answer):
    """Published figures of power and cooling beside ours."""

    rows: int
    scored: int
    computed: int
    errors: PowerErrorsSummary
    errors_by_source: PowerErrorsSummary = Field(description="Every source counts the same.")
    pue_less_one: PowerErrorsSummary = Field(description="Errors of what PUE adds to one.")
    kinds: list[PowerGroupAnswer]
    rank_correlation: list[RankCorrelationAnswer]
    items: list[PowerFigureAnswer]
    unsupported: list[LeftOutFigureAnswer]
    unscored: list[LeftOutFigureAnswer]
    regions: RegionErrorsAnswer

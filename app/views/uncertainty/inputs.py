"""Uncertain inputs of a scenario, by their places in the design.

A range that the scenario states counts first. Where the scenario is silent, the catalog's own ranges count, if
they are wanted, of what is read as an array after the speed is known: prices, rents, rates, shares, the plant.
How far the predicted speed may be off is known from measured runs, and stands for everything that speed is made
of, so that nothing is counted twice; a job without comparable measurements varies by the assumptions instead.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.catalog.ranges import physical_range
from app.catalog.view import CatalogView
from app.engine.trace import Array, Origin, first_of
from app.engine.uncertainty.distributions import ABOVE_ZERO, Distribution
from app.engine.units import unit_of
from app.scenarios.declared_fields import declared_field, label_of_field
from app.scenarios.document.ranges import is_whole, number_fields
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.document.uncertainty import RangeDocument
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.intervals import FAILURE_RATE
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.serving_intervals import factors
from app.scenarios.resolve import Resolved
from app.scenarios.sweeping.axes import Axis
from app.scenarios.sweeping.columns import AFTER_PERFORMANCE, column_place
from app.scenarios.sweeping.fields import ASSUMPTIONS, scenario_fields
from app.views.uncertainty.report import UncertainInput

MOST_LEVELS = 8
MOST_DESIGNS = 512
"""Structures that are resolved one at a time, some 20 ms each."""
SPEED = "workload.measured_over_predicted"
LATENCIES = ("tpot", "ttft")
FURTHER_COLUMNS = re.compile(
    r"""
    economics\.(finance|renting)\.\w+
  | pod\.fabric\.(\w+\.)*\w*(price_usd|power_w)
  | assumptions\.facility\.(?!plant_choice_margin)\w+
    """,
    re.VERBOSE,
)
"""Columns here, beside those of a sweep. What `auto` takes for cooling hangs on the one that is left out."""
DECIDED = {
    "assumptions.economics.software_usd_per_accelerator_hour",
    "assumptions.operations.spare_confidence",
    "assumptions.operations.drain_bandwidth_share",
    "assumptions.operations.elastic_operation",
    "assumptions.operations.checkpoint_overhead_target",
    "assumptions.operations.checkpoints_kept",
    "assumptions.facility.chilled_water_supply_c",
    "assumptions.facility.chilled_water_return_c",
}
"""Choices of the designer: the range of the catalog is not an uncertainty, so they vary only where a range is
stated."""
OF_SPEED = re.compile(r"assumptions\.performance\.\w+")
ESTIMATE = "estimate"
RATING = "supernode.max_power_w"
"""Racks may follow from it, so a range of the catalog is not sampled; an estimate varies, with the racks
unchanged."""


WIDE = 3.0
"""Ratio of the ends from which a range of the catalog is log-triangular: the value is known within a factor.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class VaryingInput:
    """One input; `levels` is 0 for a column of numbers, else how many values of a structure are taken."""

    place: str
    field: str
    label: str
    unit: str
    distribution: Distribution
    point: float  # as the scenario is evaluated
    source: str
    origin: str  # scenario | catalog | prediction
    levels: int = 0
    whole: bool = False

    def values(self, shares: Array) -> Array:
        """Values at shares of probability; of a structure the middles of parts of equal probability."""
        if self.levels:
            part = (shares * self.levels).astype(int).clip(0, self.levels - 1)
            shares = (part + 0.5) / self.levels
        found = self.distribution.quantile(shares)
        return found.round() if self.whole else found

    def told(self) -> UncertainInput:
        """As it is answered."""
        return UncertainInput(
            place=self.place,
            field=self.field,
            label=self.label,
            unit=self.unit,
            distribution=self.distribution.kind,
            low=self.distribution.low,
            typical=self.distribution.typical,
            high=self.distribution.high,
            kind="structure" if self.levels else "column",
            levels=self.levels,
            source=self.source,
            origin=self.origin,
        )


def varying_inputs(
    scenario: EvaluatedScenario, values: dict[str, Any], resolved: Resolved, catalog: CatalogView
) -> tuple[VaryingInput, ...]:
    """Every input that may vary, those of the scenario first.

    Parameters
    ----------
    values : the scenario with its layout held
    resolved : the same resolved
    """
    doubt = scenario.document.uncertainty
    found = [
        _stated(field, stated, values, resolved, catalog) for field, stated in sorted(doubt.inputs.items())
    ]
    taken = {one.place for one in found}
    if doubt.catalog_ranges:
        predicted = [speed] if (speed := _of_the_prediction(scenario, resolved)) else []
        predicted += _of_the_latencies(scenario, resolved)
        further = [*predicted, *_of_the_catalog(resolved, with_speed=not predicted)]
        found += [one for one in further if one.place not in taken]
    return _few_designs(found)


def _few_designs(inputs: Sequence[VaryingInput]) -> tuple[VaryingInput, ...]:
    """With fewer values of each structure where several vary, as every combination is a design of its own."""
    structures = sum(one.levels > 0 for one in inputs)
    most = max(2, int(MOST_DESIGNS ** (1 / structures) + 1e-9)) if structures else MOST_LEVELS
    return tuple(dataclasses.replace(one, levels=min(one.levels, most)) for one in inputs)


def _stated(
    field: str, stated: RangeDocument, values: dict[str, Any], resolved: Resolved, catalog: CatalogView
) -> VaryingInput:
    """A range of the scenario, at its place in the design or as structure."""
    place = _column_place(field, stated, values, catalog)
    whole = (
        is_whole(number_fields(ScenarioDocument)[field])
        if field in number_fields(ScenarioDocument)
        else False
    )
    point = first_of(resolved.values[place]) if place else _value_at(values, field)
    least, most = bounds_of_field(field)
    kind = stated.distribution or ("uniform" if stated.typical is None else "triangular")
    typical = stated.typical if stated.typical is not None else _middle(kind, stated, point)
    levels = 0 if place else MOST_LEVELS
    if whole and levels:
        levels = min(levels, int(stated.high - stated.low) + 1)
    origin = resolved.origins.get(place) if place else None
    return VaryingInput(
        place=place or field,
        field=field,
        label=name_of(place or field, origin),
        unit=unit_of(place or field),
        distribution=Distribution(
            kind=kind, low=stated.low, typical=typical, high=stated.high, least=least, most=most
        ),
        point=typical if math.isnan(point) else point,
        source="stated in the scenario",
        origin="scenario",
        levels=levels,
        whole=whole,
    )


def _column_place(
    field: str, stated: RangeDocument, values: dict[str, Any], catalog: CatalogView
) -> str | None:
    """Where the input is a column of numbers; a range with an end that no design can be is structure."""
    ends = Axis(field=field, low=stated.low, high=stated.high)
    try:
        return column_place(ends, values, catalog, also=FURTHER_COLUMNS)
    except ScenarioError:
        return None


def _middle(kind: str, stated: RangeDocument, point: float) -> float:
    """The field's own value where it lies within, else the middle of the range on its scale."""
    if stated.low <= point <= stated.high:
        return point
    if kind in ABOVE_ZERO:
        return math.sqrt(stated.low * stated.high)
    return (stated.low + stated.high) / 2


def _value_at(values: Any, field: str) -> float:
    """Contents of a field; not a number where it holds none."""
    for name in field.split("."):
        values = values.get(name) if isinstance(values, dict) else None
    return float(values) if isinstance(values, int | float) else math.nan


def _of_the_prediction(scenario: EvaluatedScenario, resolved: Resolved) -> VaryingInput | None:
    """The doubt of the predicted speed; None where nothing like the job was measured."""
    intervals = scenario.intervals
    bounds = intervals.performance.tokens_per_s
    if bounds.low is None or bounds.high is None or SPEED not in resolved.values or resolved.design.kinds:
        return None
    predicted = first_of(scenario.evaluation.sections.performance.tokens_per_s)
    point = first_of(resolved.values[SPEED])
    low, high = (point * bound / predicted for bound in (bounds.low, bounds.high))
    return VaryingInput(
        place=SPEED,
        field=field_of(SPEED),
        label=name_of(SPEED, None),
        unit="1",
        distribution=Distribution(
            kind="lognormal", low=low, typical=math.sqrt(low * high), high=high, least=0.0
        ),
        point=point,
        source=f"errors of {intervals.runs:,} measured runs, the most alike first, or own runs that are stated",
        origin="prediction",
    )


def _of_the_latencies(scenario: EvaluatedScenario, resolved: Resolved) -> Iterator[VaryingInput]:
    """The doubt of the latencies of a served model, each by itself."""
    doubt = scenario.doubt
    for name in LATENCIES if doubt is not None else ():
        row, place = getattr(doubt, name), f"{SPEED}_{name}"
        point = first_of(resolved.values[place])
        low, high = (point * bound for bound in factors(row))
        yield VaryingInput(
            place=place,
            field=field_of(place),
            label=name_of(place, None),
            unit="1",
            distribution=Distribution(
                kind="lognormal", low=low, typical=math.sqrt(low * high), high=high, least=0.0
            ),
            point=point,
            source=row.source,
            origin="prediction",
        )


def _of_the_catalog(resolved: Resolved, *, with_speed: bool) -> Iterator[VaryingInput]:
    """What the catalog gives a range of, and is read as an array."""
    for place, origin in resolved.origins.items():
        if not _has_range(origin) or place in DECIDED:
            continue
        if place == RATING and origin.kind != ESTIMATE:
            continue
        of_speed = with_speed and not resolved.design.kinds and OF_SPEED.fullmatch(place)
        if not (AFTER_PERFORMANCE.fullmatch(place) or FURTHER_COLUMNS.fullmatch(place) or of_speed):
            continue
        point = first_of(resolved.values[place])
        low, high = min(origin.low or 0.0, point), max(origin.high or 0.0, point)
        if low < high:
            yield VaryingInput(
                place=place,
                field=field_of(place),
                label=name_of(place, origin),
                unit=unit_of(place),
                distribution=_between(place, low, point, high),
                point=point,
                source=origin.source or origin.kind,
                origin="catalog",
            )


def _between(place: str, low: float, point: float, high: float) -> Distribution:
    """The distribution of a range of the catalog; rates over fleets have 80 % within and a longer tail."""
    if place == FAILURE_RATE:
        return Distribution(kind="lognormal", low=low, typical=point, high=high, least=0.0)
    by_factor = low > 0 and high >= WIDE * low
    return Distribution(
        kind="log_triangular" if by_factor else "triangular", low=low, typical=point, high=high
    )


def _has_range(origin: Origin) -> bool:
    return origin.kind not in ("scenario", "unknown") and origin.low is not None and origin.high is not None


FIELDS = {
    "supernode.price_usd": "economics.supernode_price_usd",
    "facility.site.electricity_price_usd_per_kwh": "economics.electricity_price_usd_per_kwh",
    "facility.site.water_price_usd_per_m3": "economics.water_price_usd_per_m3",
    "supernode.accelerator.price_usd": "supernode.override.accelerator.price_usd",
    "workload.measured_over_predicted": "workload.calibration.measured_over_predicted",
    "workload.measured_over_predicted_tpot": "workload.calibration.measured_tpot_over_predicted",
    "workload.measured_over_predicted_ttft": "workload.calibration.measured_ttft_over_predicted",
}


def name_of(place: str, origin: Origin | None) -> str:
    """Label of the field that states the number, else what the catalog says, else the words of its place."""
    if field_of(place) in scenario_fields():
        return label_of_field(field_of(place))
    if origin is not None and origin.kind != "scenario" and origin.label:
        first = re.split(r"[:;.](?:\s|$)", origin.label)[0]
        return first[0].upper() + first[1:]
    return label_of_field(place)


def field_of(place: str) -> str:
    """The field of the scenario that would state the number at a place of the design; empty where none does."""
    if place in FIELDS:
        return FIELDS[place]
    return place if place.startswith(ASSUMPTIONS) or place in scenario_fields() else ""


def bounds_of_field(field: str) -> tuple[float, float]:
    """The least and the most that a field may be; of an assumption what it can be physically.

    >>> bounds_of_field("economics.utilisation")
    (0.0, 1.0)
    """
    if field.startswith(ASSUMPTIONS):
        possible = physical_range(field.removeprefix(ASSUMPTIONS))
        return possible.least, possible.most
    least, most = declared_field(field).bounds
    return (-math.inf if least is None else least, math.inf if most is None else most)


KEY_FIGURES = (
    "cost.usd_per_accelerator_hour",
    "cost.usd_per_useful_accelerator_hour",
    "cost.usd_per_run",
    "cost.usd_per_million_tokens",
    "cost.capex_usd",
    "cost.tco_usd",
    "cost.usd_per_run_rented_on_demand",
    "cost.usd_per_run_rented_reserved",
    "cost.break_even_utilisation",
    "performance.elapsed_time_s",
    "performance.mfu",
    "reliability.ettr",
    "power.utility_mean_w",
    "power.utility_peak_w",
    "cooling.pue",
    "carbon.total_kg",
)
"""A job has those of its kind."""
SERVING_FIRST = (
    "performance.tpot_within_s",
    "performance.ttft_within_s",
    "performance.output_tokens_per_s_per_accelerator",
    "cost.usd_per_million_tokens",
)
"""What a pod that serves is judged by."""
SERVING_FIGURES = (
    *SERVING_FIRST,
    "performance.requests_per_s_limit",
    *(path for path in KEY_FIGURES if path not in (*SERVING_FIRST, "performance.mfu")),
)
"""Of a pod that serves, whose MFU is that of a decode step and says little."""
OF_SERVING = tuple(path for path in SERVING_FIRST if path not in KEY_FIGURES)
MAIN = (*OF_SERVING, "cost.usd_per_accelerator_hour", "cost.usd_per_run", "performance.elapsed_time_s")
"""What the answer is told for, the first that is known."""
DECIDED_BY = (
    "cost.usd_per_run",
    "cost.usd_per_run_rented_on_demand",
    "cost.usd_per_run_rented_reserved",
    "performance.elapsed_time_s",
    "power.utility_peak_w",
)
"""Needed for the probabilities and the decision, whatever is asked for."""

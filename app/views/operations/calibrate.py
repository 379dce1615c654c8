"""The rate of failures of a fleet that has counted its own interruptions."""

from __future__ import annotations

import math
from dataclasses import dataclass

from pydantic import Field, model_validator

from app.catalog.lookup import Catalog
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.fields import CountOrZero, Part, Positive, fault
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.fields import with_field
from app.views.operations.of_run import run_of
from app.views.table import Column, percents, text_table, time

FIELD = "operations.interruptions"


class CalibrateOptions(Part):
    """Own interruptions, of all causes; those of the scenario where both are left out."""

    count: CountOrZero | None = Field(default=None, description="Interruptions of jobs, of all causes.")
    node_days: Positive | None = Field(
        default=None, description="Hosts of eight accelerators times days in which they were counted."
    )

    @model_validator(mode="after")
    def _both(self) -> CalibrateOptions:
        for name, other in (("count", "node_days"), ("node_days", "count")):
            if getattr(self, name) is None and getattr(self, other) is not None:
                raise fault("required", "is required", hint="state interruptions and node-days", field=name)
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLine:
    """A rate of failures with what follows from it. Bounds are P10 and P90; unknown is NaN."""

    source: str
    failures_per_node_day: float
    failures_low: float
    failures_high: float
    mtbf_s: float
    mtbf_low_s: float
    mtbf_high_s: float
    ettr: float
    ettr_low: float
    ettr_high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateAnswer:
    """The rate of published fleets or as stated, and the one with own interruptions."""

    name: str
    count: int  # 0 where nothing was counted, as are node-days
    node_days: float
    before: RateLine
    after: RateLine
    narrower: float  # width of the interval of the rate, in logarithms, after over before


def calibrate_answer(
    scenario: EvaluatedScenario, catalog: Catalog, options: CalibrateOptions
) -> CalibrateAnswer:
    """The scenario without own interruptions, and with these.

    Raises
    ------
    ScenarioError : there is no run
    """
    run_of(scenario)
    own = scenario.document.operations.interruptions
    count, node_days = options.count, options.node_days
    if count is None and own is not None:
        count, node_days = own.count, own.node_days
    values = scenario.document.as_dict()
    stated = None if count is None else {"count": count, "node_days": node_days}
    without = {
        **values,
        "operations": {
            name: value for name, value in (values.get("operations") or {}).items() if name != "interruptions"
        },
        "assumptions": {
            name: value
            for name, value in (values.get("assumptions") or {}).items()
            if name != "operations.failures_per_node_day"
        },
    }
    before, after = (
        _line(evaluate_scenario(build_scenario(one), catalog))
        for one in (without, without if stated is None else with_field(without, FIELD, stated))
    )
    width = [math.log(line.failures_high / line.failures_low) for line in (before, after)]
    return CalibrateAnswer(
        name=scenario.document.name,
        count=count or 0,
        node_days=node_days or 0.0,
        before=before,
        after=after,
        narrower=width[1] / width[0],
    )


def _line(scenario: EvaluatedScenario) -> RateLine:
    run = run_of(scenario)
    bounds = scenario.intervals
    assert run.reliability.ettr is not None, "a run has it"

    def known(value: float | None) -> float:
        return math.nan if value is None else value

    mtbf, ettr = bounds.reliability.mtbf_s, bounds.reliability.ettr
    return RateLine(
        source=run.rate.source,
        failures_per_node_day=run.rate.value,
        failures_low=run.rate.low,
        failures_high=run.rate.high,
        mtbf_s=first_of(run.reliability.mtbf_s),
        mtbf_low_s=known(mtbf.low),
        mtbf_high_s=known(mtbf.high),
        ettr=first_of(run.reliability.ettr),
        ettr_low=known(ettr.low),
        ettr_high=known(ettr.high),
    )


COLUMNS = (
    Column("", lambda pair: pair[0], width=-22),
    Column("per node-day", lambda pair: pair[1].failures_per_node_day, "{:.4f}".format, 14),
    Column("P10", lambda pair: pair[1].failures_low, "{:.4f}".format, 9),
    Column("P90", lambda pair: pair[1].failures_high, "{:.4f}".format, 9),
    Column("MTBF", lambda pair: pair[1].mtbf_s, time, 12),
    Column("P10", lambda pair: pair[1].mtbf_low_s, time, 12),
    Column("P90", lambda pair: pair[1].mtbf_high_s, time, 12),
    Column("ETTR", lambda pair: pair[1].ettr, percents(1), 9),
    Column("P10", lambda pair: pair[1].ettr_low, percents(1), 9),
    Column("P90", lambda pair: pair[1].ettr_high, percents(1), 9),
)


def calibrate_text(answer: CalibrateAnswer) -> str:
    """Both rates, and how to state the second."""
    if not answer.node_days:
        lines = text_table(COLUMNS, [("Published fleets", answer.before)])
        return "\n".join([*lines, "", "Nothing is counted: state interruptions and node-days."])
    lines = text_table(COLUMNS, [("Published fleets", answer.before), ("Own interruptions", answer.after)])
    return "\n".join(
        [
            *lines,
            "",
            (
                f"{answer.count:,} interruptions in {answer.node_days:,.0f} node-days: the interval is {answer.narrower:.0%} as "
                "wide. To state it:"
            ),
            "",
            "operations:",
            "  interruptions:",
            f"    count: {answer.count}",
            f"    node_days: {answer.node_days:g}",
        ]
    )

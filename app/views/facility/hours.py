"""What is said of a design's hours: its year hour by hour, the usual measures, and a hall that fills."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from app.engine.facility.hours.hours import Hours, hours_of
from app.engine.facility.hours.metrics import Metric, metrics
from app.engine.facility.hours.part_load import (
    LOAD_SHARES,
    FirstYear,
    PartLoad,
    first_year,
    part_load,
    ramp,
)
from app.engine.facility.hours.tables import (
    Duration,
    Moment,
    MonthsAndHours,
    duration,
    hottest_hour,
    months_and_hours,
)
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part, Whole

USUAL_RAMP_MONTHS = 12


class HoursOptions(Part):
    """Ramp-up of the hall."""

    ramp_months: Annotated[Whole, Field(ge=0, le=36)] = Field(
        default=USUAL_RAMP_MONTHS,
        description="Months in which the load grows evenly to its full mean; 0 where it is there at once.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class HoursAnswer:
    """The hours of a design, and what is told from them. Unknown is NaN."""

    name: str
    site: str
    plant: str
    hours: Hours
    metrics: tuple[Metric, ...]
    hottest_hour: Moment | None
    months_and_hours: MonthsAndHours
    duration: Duration
    part_load: PartLoad
    first_year: FirstYear


def hours_answer(scenario: EvaluatedScenario, options: HoursOptions | None = None) -> HoursAnswer:
    """The year of a scenario, hour by hour."""
    ramp_months = (options or HoursOptions()).ramp_months
    design, sections = scenario.resolved.design, scenario.evaluation.sections
    of_design = {
        "power": sections.power,
        "cooling": sections.cooling,
        "facility": design.facility,
        "assumptions": design.assumptions.rooms["facility"],
    }
    with np.errstate(invalid="ignore"):  # unknown inputs are NaN
        hours = alone = hours_of(**of_design)
        if design.facility.heat_reuse is not None:  # which no plant counts on in its hottest hour
            left_alone = dataclasses.replace(design.facility, heat_reuse=None)
            alone = hours_of(**of_design | {"facility": left_alone})
        filling = part_load(load_share=ramp(ramp_months), **of_design)
        return HoursAnswer(
            name=scenario.document.name,
            site=design.facility.site.name,
            plant=sections.cooling.plant,
            hours=hours,
            metrics=metrics(hours=alone, **of_design),
            hottest_hour=hottest_hour(alone),
            months_and_hours=months_and_hours(hours),
            duration=duration(hours),
            part_load=part_load(load_share=LOAD_SHARES, **of_design),
            first_year=first_year(months=filling, ramp_months=ramp_months),
        )

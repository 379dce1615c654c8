"""Figures whose difference can be explained: where they stand, what they are made of and multiplied from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from app.engine.economics.carbon.boundaries import power_parts_w
from app.engine.economics.difference.categories import of_the_figure
from app.engine.evaluation import Sections
from app.engine.specs import Design, ServingWorkload, TrainingWorkload
from app.engine.trace import Array, first_of, quotient
from app.scenarios.evaluation.training_only import of_a_run
from app.views.economics.carbon.words import EMBODIED, PARTS

Parts = dict[str, Array]
Factors = dict[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """`value` is NaN where it is unknown, `parts` add up to it, `factors` are by title and multiply to it."""

    title: str
    unit: str
    value: Callable[[Sections], float]
    parts: Callable[[Design, Sections], Parts]
    factors: Callable[[Design, Sections], Factors]
    part_titles: Mapping[str, str] = field(
        default_factory=dict
    )  # of parts that are not called by their names


RUN, CARBON = "The difference of two runs", "The difference in carbon of two runs"


def _cost(name: str) -> Callable[[Sections], float]:
    return lambda sections: first_of(getattr(sections.cost, name))


def _cost_parts(name: str) -> Callable[[Design, Sections], Parts]:
    return lambda _, sections: of_the_figure(sections.cost.tco_breakdown_usd, getattr(sections.cost, name))


def _carbon_parts(design: Design, sections: Sections) -> Parts:
    operational = of_the_figure(
        power_parts_w(sections.power, sections.cooling), of_a_run(sections.carbon.operational_kg, CARBON)
    )
    parts = sections.carbon.embodied_breakdown_kg or {}
    embodied = {f"embodied_{name}": part for name, part in parts.items()}
    return operational | embodied


def _hours_each(design: Design, sections: Sections) -> float:
    return first_of(of_a_run(sections.cost.run_accelerator_hours, RUN) / design.pod.accelerators_used)


def _run_factors(design: Design, sections: Sections) -> Factors:
    return {
        "Accelerators": first_of(design.pod.accelerators_used),
        "Hours of the run": _hours_each(design, sections),
        "USD for an accelerator-hour": first_of(sections.cost.usd_per_accelerator_hour),
    }


def _token_factors(design: Design, sections: Sections) -> Factors:
    if isinstance(design.workload, ServingWorkload):
        hour, accelerators = (
            first_of(sections.cost.usd_per_accelerator_hour),
            first_of(design.pod.accelerators_used),
        )
        return {
            "Accelerators": accelerators,
            "USD for an accelerator-hour": hour,
            "Hours for a million tokens": quotient(
                first_of(sections.cost.usd_per_million_tokens), hour * accelerators
            ),
        }
    tokens = design.workload.tokens if isinstance(design.workload, TrainingWorkload) else np.array([np.nan])
    return _run_factors(design, sections) | {"Runs for a million tokens": quotient(1e6, first_of(tokens))}


def _tco_factors(design: Design, sections: Sections) -> Factors:
    accelerators = first_of(design.pod.supernodes * design.supernode.accelerators)
    years = first_of(design.economics.life_years)
    return {
        "Accelerators": accelerators,
        "Years of life": years,
        "USD for an accelerator-year": first_of(sections.cost.tco_usd) / accelerators / years,
    }


def _hour_factors(design: Design, sections: Sections) -> Factors:
    cost = sections.cost
    available = first_of(cost.usd_per_available_accelerator_hour)
    return {
        "USD for an installed hour": first_of(cost.usd_per_installed_accelerator_hour),
        "Installed over available hours": quotient(
            available, first_of(cost.usd_per_installed_accelerator_hour)
        ),
        "Available over used hours": quotient(first_of(cost.usd_per_accelerator_hour), available),
    }


def _useful_hour_factors(design: Design, sections: Sections) -> Factors:
    return _hour_factors(design, sections) | {
        "Used over useful hours": quotient(1.0, first_of(sections.reliability.ettr))
    }


def _carbon_factors(design: Design, sections: Sections) -> Factors:
    carbon = sections.carbon
    accelerators, hours = first_of(design.pod.accelerators_used), _hours_each(design, sections)
    operational = first_of(carbon.operational_kg)
    return {
        "Accelerators": accelerators,
        "Hours of the run": hours,
        "kW an accelerator, at the meter": first_of(carbon.run_energy_kwh) / accelerators / hours,
        "kg for a kWh": first_of(design.facility.site.carbon_intensity_kg_per_kwh),
        "All carbon over that of electricity": first_of(carbon.total_kg) / operational
        if operational
        else 0.0,
    }


EXPLAINED: dict[str, Explained] = {
    "usd_per_run": Explained(
        title="Cost of a run",
        unit="USD",
        value=_cost("usd_per_run"),
        parts=_cost_parts("usd_per_run"),
        factors=_run_factors,
    ),
    "usd_per_million_tokens": Explained(
        title="Cost of a million tokens",
        unit="USD",
        value=_cost("usd_per_million_tokens"),
        parts=_cost_parts("usd_per_million_tokens"),
        factors=_token_factors,
    ),
    "tco": Explained(
        title="Total cost of ownership",
        unit="USD",
        value=_cost("tco_usd"),
        parts=_cost_parts("tco_usd"),
        factors=_tco_factors,
    ),
    "usd_per_accelerator_hour": Explained(
        title="Cost of a used accelerator-hour",
        unit="USD",
        value=_cost("usd_per_accelerator_hour"),
        parts=_cost_parts("usd_per_accelerator_hour"),
        factors=_hour_factors,
    ),
    "usd_per_useful_accelerator_hour": Explained(
        title="Cost of a useful accelerator-hour",
        unit="USD",
        value=_cost("usd_per_useful_accelerator_hour"),
        parts=_cost_parts("usd_per_useful_accelerator_hour"),
        factors=_useful_hour_factors,
    ),
    "carbon": Explained(
        title="Carbon of a run",
        unit="kg",
        value=lambda sections: first_of(sections.carbon.total_kg),
        parts=_carbon_parts,
        factors=_carbon_factors,
        part_titles=PARTS | {f"embodied_{name}": title for name, title in EMBODIED.items()},
    ),
}

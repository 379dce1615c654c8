"""The run of a scenario by Epoch's method: worth that its hardware loses meanwhile, and electricity."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.catalog.view import CatalogView
from app.engine.economics.runs import amortised as engine
from app.engine.economics.runs.acquisition import cluster_acquisition_usd, installed_usd_per_accelerator
from app.engine.trace import Array
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import of_a_run
from app.views.economics.run_assumptions import RunAssumptions

TARIFF = "us_average_industrial_electricity_2025"
"""The newest year of the tariff that the method takes, of the prices catalog."""


class Amortised(NamedTuple):
    usd: Array
    said: str


def amortised_run(scenario: EvaluatedScenario, catalog: CatalogView, age_years: float) -> Amortised:
    """Of the accelerators that the job uses, with their share of server and network, by the hours of the run."""
    design, sections = scenario.resolved.whole, scenario.evaluation.sections
    assume = RunAssumptions(catalog, {**scenario.resolved.context, "operator": "other"})
    used, progress = design.pod.accelerators_used, assume("hardware_progress_oom_per_year")
    hours = of_a_run(sections.cost.run_accelerator_hours, "The cost of a run")
    server = sections.cost.supernode_price_usd / design.supernode.accelerators
    with_network = installed_usd_per_accelerator(
        server_usd_per_accelerator=server, interconnect_share=assume("interconnect_share")
    )
    each = np.where(design.supernode.price_includes_network > 0, server, with_network)
    bought = cluster_acquisition_usd(accelerators=used, installed_usd_per_accelerator=each)
    hardware = engine.amortised_hardware_usd(
        acquisition_usd=bought,
        worth_at_start=engine.worth_at_start(
            age_years=np.array([age_years]), hardware_progress_oom_per_year=progress
        ),
        lost_worth_per_hour=engine.lost_worth_per_hour(hardware_progress_oom_per_year=progress),
        wall_time_h=of_a_run(sections.performance.elapsed_time_s, "The cost of a run") / 3600,
    )
    energy = engine.run_electricity_kwh(
        accelerator_hours=hours,
        tdp_w=sections.power.accelerator_tdp_power_w / used,
        server_power_ratio=assume("server_power_ratio"),
        mean_power_share=assume("mean_power_share"),
        pue=assume("training_pue"),
    )
    tariff = catalog.price_item(TARIFF).value
    electricity = engine.run_electricity_usd(
        run_electricity_kwh=energy, electricity_usd_per_kwh=np.array([tariff])
    )
    said = (
        f"{bought[0] / 1e6:,.4g} M USD of hardware, {age_years:g} years old, loses {100 * (1 - 10 ** -progress[0]):.1f} % "
        f"of its worth a year; electricity {electricity[0] / 1e6:,.3g} M USD at {tariff:g} USD/kWh"
    )
    return Amortised(
        engine.amortised_usd(amortised_hardware_usd=hardware, run_electricity_usd=electricity), said
    )

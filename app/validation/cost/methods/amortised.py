"""Amortised ownership by Epoch's method: the worth that a cluster loses while a run keeps it, and electricity."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.growth import NotableModel
from app.catalog.values import Part
from app.engine.economics.runs import amortised as engine
from app.engine.economics.runs.acquisition import cluster_acquisition_usd, installed_usd_per_accelerator
from app.engine.economics.runs.hours import accelerator_hours_of_flop, accelerator_hours_of_payment
from app.engine.trace import Array
from app.validation.cost.hardware import accelerator_in, context_for, needed_server_price
from app.validation.cost.models import model_in
from app.validation.cost.prices import rent_about, server_price
from app.validation.cost.statement import Asked, Computed
from app.validation.cost.units import DEVICES, HOURS
from app.validation.rows import UnsupportedRowError
from app.views.economics.run_assumptions import RunAssumptions

HYPERSCALERS = r"Google|DeepMind|Microsoft|Meta\b|Facebook|Amazon|OpenAI|xAI"
"""Who trains in halls of the largest operators: PUE of those."""
FIRST_TARIFF, LAST_TARIFF = 2018, 2025
"""Years of which the prices catalog has US industrial electricity."""
DAYS, HOURS_OF_YEAR = 365.25, 8766.0


class Run(NamedTuple):
    """What is known of the run of a model. `said` is what was taken for granted."""

    model: NotableModel
    accelerator: Part | None
    accelerators: float | None
    wall_time_h: float
    year: float  # of its beginning
    assume: RunAssumptions
    said: tuple[str, ...]


def amortised(asked: Asked) -> Computed:
    """The worth that the cluster loses during the run, with its electricity."""
    run = run_of(asked)
    bought, bought_said = _acquisition(asked, run)
    progress = run.assume("hardware_progress_oom_per_year")
    since = available_from(run)
    age = np.array([max(run.year - since, 0.0)])
    hardware = engine.amortised_hardware_usd(
        acquisition_usd=bought,
        worth_at_start=engine.worth_at_start(age_years=age, hardware_progress_oom_per_year=progress),
        lost_worth_per_hour=engine.lost_worth_per_hour(hardware_progress_oom_per_year=progress),
        wall_time_h=np.array([run.wall_time_h]),
    )
    electricity, electricity_said = _electricity(asked, run)
    found = engine.amortised_usd(amortised_hardware_usd=hardware, run_electricity_usd=electricity)
    return Computed(
        value=float(found[0]),
        arithmetic=(
            f"{bought[0] / 1e6:,.4g} M USD x 10^(\N{MINUS SIGN}{progress[0]:g} x {age[0]:.2f} y) x {progress[0]:g} ln 10 / 8,766 "
            f"x {run.wall_time_h:,.0f} h + {electricity[0] / 1e6:,.3g} M USD of electricity"
        ),
        assumed=(*run.said, *bought_said, *electricity_said),
    )


def acquisition(asked: Asked) -> Computed:
    """The whole cluster of a named model: accelerators with their share of server and network."""
    run = run_of(asked)
    if run.accelerators is None:
        raise UnsupportedRowError(f"neither the row nor the catalog has the accelerators of {run.model.name}")
    each, said = _each(asked, run.model, run.accelerator, run.assume)
    bought = cluster_acquisition_usd(
        accelerators=np.array([run.accelerators]), installed_usd_per_accelerator=each
    )
    words = f"{run.accelerators:,.0f} accelerators x {each[0]:,.0f} USD with server and network"
    return Computed(value=float(bought[0]), arithmetic=words, assumed=(*run.said, said))


def run_of(asked: Asked) -> Run:
    """The run of the model that a row names.

    Raises
    ------
    UnsupportedRowError : no such model is listed, or its accelerator or hours are not published
    """
    stated, catalog = asked.statement, asked.catalog
    model = model_in(stated.row.text("subject"))
    if model is None:
        raise UnsupportedRowError(
            "the amortised method needs accelerators, hours and date of the run, and no listed model has that name"
        )
    hardware = model.hardware.split(",")[0]
    named = accelerator_in(f"{stated.row.text('subject')} {stated.row.text('inputs')}", catalog)
    accelerator = named or accelerator_in(hardware, catalog)
    if accelerator is None and not hardware:
        raise UnsupportedRowError(f"nobody published on which accelerators {model.name} was trained")
    operator = "hyperscaler" if re.search(HYPERSCALERS, model.org) else "other"
    context = {**context_for(accelerator, hardware), "operator": operator, "model": model.key}
    assume = RunAssumptions(catalog, context)
    devices = (
        stated.get(DEVICES)
        or model.figures.get("accelerators")
        or _bought_devices(asked, accelerator, assume)
    )
    hours, hours_said = _wall_time(asked, model, accelerator, devices)
    ended = _recorded(assume, "training_ended_year")
    published = model.year - float(assume("publication_lag_days")[0]) / DAYS
    end = published if ended is None else ended
    said = (
        f"run of {model.name} as Epoch AI lists it, on {accelerator.name if accelerator else hardware}",
        *hours_said,
        f"trained until {end:.1f}",
    )
    return Run(model, accelerator, devices, hours, end - hours / HOURS_OF_YEAR, assume, said)


def available_from(run: Run) -> float:
    """When the accelerator could be had: as recorded, else the middle of the year it came out."""
    since = _recorded(run.assume, "available_from_year")
    if since is not None:
        return since
    if run.accelerator is None or run.accelerator.year is None:
        raise UnsupportedRowError(f"it is not known since when {run.model.hardware} could be had")
    return run.accelerator.year + float(run.assume("available_after_year_start")[0])


def _recorded(assume: RunAssumptions, name: str) -> float | None:
    """A date that is recorded of some models or lines of hardware only."""
    try:
        return float(assume(name)[0])
    except CatalogLookupError:
        return None


def _wall_time(
    asked: Asked, model: NotableModel, accelerator: Part | None, devices: float | None
) -> tuple[float, tuple[str, ...]]:
    """Hours of a run: stated, listed, what the stated rent paid for, or what its arithmetic takes.

    Raises
    ------
    UnsupportedRowError : none of these is known
    """
    stated, listed = asked.statement.get(HOURS), model.figures.get("hours")
    if stated is not None or listed is not None:
        return (stated if stated is not None else listed or 0.0), ()
    if accelerator is not None and devices is not None:
        found = _paid_hours(asked, model, accelerator) or _worked_hours(asked, model, accelerator)
        if found is not None:
            hours, words = found
            return float(hours[0] / devices), (words,)
    raise UnsupportedRowError(f"nobody published the hours of the run of {model.name}")


def _paid_hours(asked: Asked, model: NotableModel, accelerator: Part) -> tuple[Array, str] | None:
    """Accelerator-hours that the stated rent paid for, at the rent of three years."""
    paid = asked.statement.get("USD rented")
    rent = None if paid is None else rent_about(accelerator, model.year, "reserved", asked.catalog, term="3y")
    if paid is None or rent is None:
        return None
    hours = accelerator_hours_of_payment(paid_usd=np.array([paid]), usd_per_accelerator_hour=rent.value)
    return hours, f"hours from {paid:,.0f} USD of rent, {rent.said}"


def _worked_hours(asked: Asked, model: NotableModel, accelerator: Part) -> tuple[Array, str] | None:
    """Accelerator-hours that the arithmetic takes, at the listed MFU or that of most runs."""
    flop, listed = model.figures.get("training_flop"), model.figures.get("mfu")
    peak = accelerator.facts.get("bf16_flop_per_s") or accelerator.facts.get("fp16_flop_per_s")
    if flop is None or peak is None:
        return None
    mfu = RunAssumptions(asked.catalog, {})("usual_mfu") if listed is None else np.array([listed])
    hours = accelerator_hours_of_flop(
        flop=np.array([flop]), peak_flop_per_s=np.array([peak.value]), mfu=mfu, ettr=np.ones(1)
    )
    median = ", the median of published runs" if listed is None else ""
    return hours, f"hours from {flop:.3g} FLOP at {100 * mfu[0]:.3g} % MFU{median}"


def _acquisition(asked: Asked, run: Run) -> tuple[Array, tuple[str, ...]]:
    """Price of the whole cluster: stated, else by the catalog."""
    bought = asked.statement.get("USD bought")
    if bought is not None:
        return np.array([bought]), ()
    if run.accelerators is None:
        raise UnsupportedRowError(
            f"neither the row nor the catalog has the price of the cluster of {run.model.name}"
        )
    each, said = _each(asked, run.model, run.accelerator, run.assume)
    return cluster_acquisition_usd(
        accelerators=np.array([run.accelerators]), installed_usd_per_accelerator=each
    ), (said,)


def _each(
    asked: Asked, model: NotableModel, accelerator: Part | None, assume: RunAssumptions
) -> tuple[Array, str]:
    """An accelerator with its share of server and network."""
    if accelerator is None:
        raise UnsupportedRowError(f"the catalog has no price of {model.hardware}")
    server, share = needed_server_price(accelerator, asked.catalog), assume("interconnect_share")
    each = installed_usd_per_accelerator(server_usd_per_accelerator=server.value, interconnect_share=share)
    return each, f"{server.said}, network {100 * share[0]:g} % of both"


def _bought_devices(asked: Asked, accelerator: Part | None, assume: RunAssumptions) -> float | None:
    """How many accelerators the stated price of the cluster buys, where nobody counted them."""
    bought = asked.statement.get("USD bought")
    server = None if accelerator is None else server_price(accelerator, asked.catalog)
    if bought is None or server is None:
        return None
    each = installed_usd_per_accelerator(
        server_usd_per_accelerator=server.value, interconnect_share=assume("interconnect_share")
    )
    return float(bought / each[0])


def _electricity(asked: Asked, run: Run) -> tuple[Array, tuple[str, ...]]:
    """Electricity of the run at the tariff of its year."""
    year = min(max(int(run.year), FIRST_TARIFF), LAST_TARIFF)
    tariff = asked.catalog.price_item(f"us_average_industrial_electricity_{year}")
    if run.accelerator is not None and "tdp_w" in run.accelerator.facts and run.accelerators is not None:
        energy = engine.run_electricity_kwh(
            accelerator_hours=np.array([run.accelerators * run.wall_time_h]),
            tdp_w=np.array([run.accelerator.facts["tdp_w"].value]),
            server_power_ratio=run.assume("server_power_ratio"),
            mean_power_share=run.assume("mean_power_share"),
            pue=run.assume("training_pue"),
        )
        words = f"electricity at {tariff.value:g} USD/kWh of {year}"
    elif (power_w := run.model.figures.get("power_w")) is not None:
        energy = np.array([power_w / 1e3 * run.wall_time_h])
        words = f"electricity of {power_w / 1e6:.3g} MW as Epoch AI lists it, at {tariff.value:g} USD/kWh of {year}"
    else:
        raise UnsupportedRowError(
            f"neither the TDP of {run.model.hardware} nor the power of the run is known"
        )
    return engine.run_electricity_usd(
        run_electricity_kwh=energy, electricity_usd_per_kwh=np.array([tariff.value])
    ), (words,)

"""Bought clusters: their bill, and the share of their worth that a run uses up."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from app.catalog.errors import CatalogLookupError
from app.catalog.growth import NotableModel
from app.catalog.values import Part
from app.engine.economics.runs import amortised as engine
from app.engine.economics.runs.acquisition import (
    cluster_acquisition_usd,
    cluster_bill_usd,
    fabric_switches,
    installed_usd_per_accelerator,
)
from app.engine.economics.runs.levelised import accelerator_hours_of_flop, accelerator_hours_of_payment
from app.engine.economics.tco import purchase_usd
from app.engine.trace import Array
from app.validation.cost.hardware import (
    accelerator_in,
    context_for,
    model_in,
    needed_server_price,
    rent_about,
    server_price,
)
from app.validation.cost.statement import (
    DEVICES,
    HOSTS,
    HOURS,
    PLAIN,
    USD,
    USD_EACH,
    USD_HOST,
    Asked,
    Computed,
    Stated,
)
from app.validation.study import UnsupportedRowError
from app.views.economics.run_assumptions import RunAssumptions

# Amortised ownership by Epoch's method: the worth that a cluster loses while a run keeps it, and electricity.

HYPERSCALERS = r"Google|DeepMind|Microsoft|Meta\b|Facebook|Amazon|OpenAI|xAI"
"""Who trains in halls of the largest operators: PUE of those."""
FIRST_TARIFF, LAST_TARIFF = 2018, 2025
"""Years of which the prices catalog has US industrial electricity."""
DAYS, HOURS_OF_YEAR = 365.25, 8766.0


class Run(NamedTuple):
    """Inputs of the run of a model. `said` is what was assumed."""

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
        raise UnsupportedRowError(f"no published accelerators of {model.name} was trained")
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
    raise UnsupportedRowError(f"no published hours of the run of {model.name}")


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
    """Number of accelerators that the stated price of the cluster buys, where no one counted them."""
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


# Acquisition: nodes, switches and cables of a cluster, or so many of a kind at a price.

NODE_ITEM, SWITCH_ITEM = (
    "h100_node_used_in_public_cost_sheet",
    "64_port_400g_ndr_infiniband_switch_qm9700_class",
)
"""Rows of the prices catalog for a bill that names no prices."""
PLACE = r"facility|building|place|space|colo"
CABLES = r"cable|optic|transceiver|connector"
TIERS = (("single", 1), ("one", 1), ("two", 2), ("three", 3))


def bought(asked: Asked) -> Computed:
    """A cluster by its bill, else accelerators at a price, else accelerators at the catalog's price.

    Raises
    ------
    UnsupportedRowError : it does not say how many of what
    """
    stated = asked.statement
    nodes, devices = stated.get(HOSTS), stated.get(DEVICES)
    if nodes is not None and devices is not None:
        return _bill(asked, nodes, devices)
    for count, dimension in ((nodes, USD_HOST), (devices, USD_EACH)):
        price = stated.get(dimension)
        if count is not None and price is not None:
            found = purchase_usd(units=np.array([count]), price_usd=np.array([price]))
            return Computed(value=float(found[0]), arithmetic=f"{count:,.0f} x {price:,.0f} USD")
    hosts = stated.all(USD_HOST)
    if hosts and devices is not None and hosts[0].devices:
        found = purchase_usd(
            units=np.array([devices / hosts[0].devices]), price_usd=np.array([hosts[0].value])
        )
        return Computed(
            value=float(found[0]),
            arithmetic=f"{devices:,.0f} / {hosts[0].devices} servers x {hosts[0].value:,.0f} USD",
        )
    if devices is None:
        raise UnsupportedRowError("it does not say how many accelerators or nodes are bought")
    return _at_catalog_price(asked, devices)


def _at_catalog_price(asked: Asked, devices: float) -> Computed:
    text = f"{asked.statement.row.text('subject')} {asked.statement.row.text('inputs')}"
    accelerator = accelerator_in(text, asked.catalog)
    if accelerator is None:
        raise UnsupportedRowError("it states no price, and no accelerator to look one up for")
    server = needed_server_price(accelerator, asked.catalog)
    share = RunAssumptions(asked.catalog, {})("interconnect_share")
    each = installed_usd_per_accelerator(server_usd_per_accelerator=server.value, interconnect_share=share)
    found = cluster_acquisition_usd(accelerators=np.array([devices]), installed_usd_per_accelerator=each)
    return Computed(
        value=float(found[0]),
        arithmetic=f"{devices:,.0f} accelerators x {each[0]:,.0f} USD with server and network",
        assumed=(server.said, f"network {100 * share[0]:g} % of server and network"),
    )


def _bill(asked: Asked, nodes: float, devices: float) -> Computed:
    """Nodes, switches, cables and place, each as stated, by a neighbour of the source, else usual."""
    usual = RunAssumptions(asked.catalog, {})
    assumed: list[str] = []
    tiers = _tiers(asked, devices)
    node_price = _price(asked, USD_HOST, without=PLACE)
    if node_price is None:
        node = asked.catalog.price_item(NODE_ITEM)
        node_price = node.value
        assumed.append(f"{node.item} at {node.value:,.0f} USD")
    switch_price = _price(asked, "USD/switch")
    if switch_price is None:
        switch = asked.catalog.price_item(SWITCH_ITEM)
        switch_price = switch.value
        assumed.append(f"{switch.item} at {switch.value:,.0f} USD")
    place = _price(asked, USD_HOST, only=PLACE)
    if place is None:
        place = float(usual("place_usd_per_node")[0])
        assumed.append(f"place at {place:,.0f} USD per node")
    switches = asked.statement.get("switches")
    if switches is None:
        ports = usual("fabric_switch_ports")
        counted = fabric_switches(
            endpoints=np.array([devices]), switch_ports=ports, tiers=np.array([float(tiers)])
        )
        switches = float(counted[0])
        assumed.append(f"{switches:,.0f} switches of {ports[0]:g} ports in {tiers} tiers")
    cables = _cables(asked)
    if cables is None:
        each = float(usual("cables_usd_per_accelerator", tiers=str(tiers))[0])
        cables = each * devices
        assumed.append(f"cables at {each:,.0f} USD per accelerator in {tiers} tiers")
    found = cluster_bill_usd(
        nodes=np.array([nodes]),
        node_price_usd=np.array([node_price]),
        switches=np.array([switches]),
        switch_price_usd=np.array([switch_price]),
        cables_usd=np.array([cables]),
        place_usd_per_node=np.array([place]),
    )
    return Computed(
        value=float(found[0]),
        arithmetic=(
            f"{nodes:,.0f} nodes x ({node_price:,.0f} + {place:,.0f} USD) + {switches:,.0f} switches x "
            f"{switch_price:,.0f} USD + cables {cables:,.0f} USD"
        ),
        assumed=tuple(assumed),
    )


def _tiers(asked: Asked, devices: float) -> int:
    """Tiers as the subject names them, else as few as join the accelerators."""
    for word, tiers in TIERS:
        if asked.statement.says(rf"\b{word}[- ]tier", "subject", "inputs"):
            return tiers
    ports = float(RunAssumptions(asked.catalog, {})("fabric_switch_ports")[0])
    if devices <= ports * ports / 8:  # a switch for each of eight rails
        return 1
    return 2 if devices <= ports * ports / 2 else 3


def _price(asked: Asked, dimension: str, *, without: str = "", only: str = "") -> float | None:
    """A price of one, from the row or from another row of its source."""
    for statement in (asked.statement, *asked.neighbours):
        for one in statement.all(dimension):
            words = f"{one.before} {one.after}"
            wanted = re.search(only, words) if only else not (without and re.search(without, words))
            if wanted:
                return one.value
    return None


def _cables(asked: Asked) -> float | None:
    """What cables cost together, where the inputs say so."""
    named: list[Stated] = [
        one
        for one in asked.statement.inputs()
        if one.dimension in (PLAIN, USD) and re.search(CABLES, f"{one.before} {one.after}")
    ]
    return named[0].value if named else None

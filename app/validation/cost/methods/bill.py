"""Acquisition: nodes, switches and cables of a cluster, or so many of a kind at a price."""

from __future__ import annotations

import re

import numpy as np

from app.engine.economics.runs.acquisition import (
    cluster_acquisition_usd,
    cluster_bill_usd,
    fabric_switches,
    installed_usd_per_accelerator,
)
from app.engine.economics.simple_ownership import purchase_usd
from app.validation.cost.hardware import accelerator_in, needed_server_price
from app.validation.cost.stated import PLAIN, Stated
from app.validation.cost.statement import Asked, Computed
from app.validation.cost.units import DEVICES, HOSTS, USD, USD_EACH, USD_HOST
from app.validation.rows import UnsupportedRowError
from app.views.economics.run_assumptions import RunAssumptions

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
        assumed.append(f"place at {place:,.0f} USD a node")
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
        assumed.append(f"cables at {each:,.0f} USD an accelerator in {tiers} tiers")
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

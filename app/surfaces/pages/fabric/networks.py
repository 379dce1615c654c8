"""The networks tab: the four networks side by side, and the kinds of fabric."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.charts.format import Shown, show_at
from app.charts.networks import Connection, networks_figure
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.opened import OpenedDesign
from app.surfaces.pages.studio.state import encode_state, with_value
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.networks import COUNTED, NAMES, NetworkRow, PodNetworks, pod_networks

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)

CARRIED = {"own": "Own switches", "in_band": "In-band network", "none": "Not built"}
TOTALS = {"power_w": "fabric.network_power_w", "price_usd": "fabric.network_price_usd"}


class Line(NamedTuple):
    """A network as a line of the table; `figures` are shown values, each with the place of what explains it."""

    row: NetworkRow
    carried: str
    ports: str
    figures: tuple[tuple[Shown, str], ...]


class Offer(NamedTuple):
    title: str
    address: str


@router.get("/fabric/{key}/networks")
def networks(opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The four networks of a design."""
    answer = pod_networks(opened.scenario, opened.catalog) if opened.scenario else None
    if answer is None:
        return page.page("fabric/networks.html", opened=opened)
    places = _places(answer)
    lines = tuple(_line(row, places.get(row.name, "")) for row in answer.networks)
    total = tuple((_shown(name, answer.total[name]), TOTALS.get(name, "")) for name in COUNTED)
    return page.page(
        "fabric/networks.html",
        opened=opened,
        answer=answer,
        figure=networks_figure([_connection(row, places.get(row.name, "")) for row in answer.networks]),
        lines=lines,
        total=total,
        offers=_offers(opened, answer),
        switch_name=lambda key: opened.catalog.part("switches", key).name,
        nic_name=lambda key: opened.catalog.part("nics", key).name,
    )


def _offers(opened: OpenedDesign, answer: PodNetworks) -> list[Offer]:
    """This page with what is not built: each network by itself, and all where there are several."""
    if answer.networks[0].carried_by == "none":
        return []
    missing = [row for row in answer.networks if row.carried_by == "none"]
    offers = [Offer(row.title, _with_own(opened, [row.name])) for row in missing]
    every = Offer("All networks", _with_own(opened, [row.name for row in missing]))
    return [*offers, every] if len(offers) > 1 else offers


def _with_own(opened: OpenedDesign, names: list[str]) -> str:
    values = opened.carried.values
    for name in names:
        values = with_value(values, f"pod.networks.{name}.carried_by", "own")
    return f"/fabric/{opened.carried.key}/networks?s={encode_state(values)}"


def _places(answer: PodNetworks) -> dict[str, str]:
    """Where the figures of each network with switches of its own stand in the evaluation."""
    beside = [row.name for row in answer.networks[1:] if row.carried_by == "own"]
    return {name: f"fabric.networks[{position}]" for position, name in enumerate(beside)}


def _line(row: NetworkRow, place: str) -> Line:
    built = row.carried_by == "own"
    own = {name: f"{place}.{name}" for name in COUNTED if place}
    if row.name == "compute":
        own = {name: f"fabric.{name}_total" for name in ("switches", "links", "cables", "modules")}
    figures = tuple(
        (_shown(name, getattr(row, name)) if built else Shown(""), own.get(name, "") if built else "")
        for name in COUNTED
    )
    return Line(row=row, carried=CARRIED[row.carried_by], ports=_ports(row), figures=figures)


def _shown(name: str, value: float | None) -> Shown:
    if value is not None and name not in TOTALS:
        return Shown(f"{value:,.0f}")
    return show_at(f"fabric.network_{name}", value)


def _ports(row: NetworkRow) -> str:
    if row.carried_by == "none":
        return ""
    if row.ports_per_node is None or row.port_bandwidth_bytes_per_s is None:
        return "unknown"
    return f"{row.ports_per_node:g} × {row.port_bandwidth_bytes_per_s * 8e-9:g} Gbit/s"


def _connection(row: NetworkRow, place: str) -> Connection:
    rate = row.port_bandwidth_bytes_per_s
    return Connection(
        title=row.title,
        built=row.carried_by != "none",
        ports=row.ports_per_node,
        gbit_s=None if rate is None else rate * 8e-9,
        switches=row.switches,
        through=NAMES[row.carried_by] if row.carried_by == "in_band" else "",
        path="fabric.switches_total" if row.name == "compute" else f"{place}.switches" if place else "",
    )

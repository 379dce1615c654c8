"""The four networks of an evaluated scenario side by side, and what its kind of fabric implies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from app.catalog.view import CatalogView
from app.charts.format import show
from app.engine.fabric.kinds import KINDS, Claim, FabricKind, kind_of, spoken_kinds
from app.engine.fabric.networks.section import TITLES
from app.engine.fabric.tier_parts import names_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.table import Column, text_line

PURPOSES = {
    "compute": "Parameters and gradients between accelerators: the parameter plane.",
    "storage": "Data sets and checkpoints: the data plane.",
    "in_band": "Jobs, services, log-ins and the site, north-south: the business plane.",
    "out_of_band": "Management ports of hosts, switches and power strips: the management plane.",
}
NAMES = {"compute": "Compute fabric"} | TITLES
COUNTED = ("switches", "links", "cables", "modules", "power_w", "price_usd")
SPEED = (
    "No kind makes a design faster or slower here: step times rest on collectives measured on InfiniBand, RoCE and "
    "EFA fabrics, and no published measurement compares the kinds on one machine."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkRow:
    """One of the four networks; figures of one that has no switches of its own are 0, unknown ones None."""

    name: str
    title: str
    purpose: str
    carried_by: str  # own | in_band | none
    kind: str
    switch: str
    ports_per_node: float | None
    port_bandwidth_bytes_per_s: float | None
    node_bandwidth_bytes_per_s: float | None
    servers: float | None
    switches: float | None
    links: float | None
    cables: float | None
    modules: float | None
    power_w: float | None
    price_usd: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRow:
    """A kind of fabric with the parts of the catalog that belong to it."""

    key: str
    title: str
    here: bool
    switches: tuple[str, ...]
    nics: tuple[str, ...]
    load_balancing: str
    lossless: str
    in_network_reduction: str
    failover: str
    buying: str
    source: str
    line_rate: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PodNetworks:
    """`total` is of all networks; `in_supernode_price` says that the SuperNode's price covers them."""

    name: str
    nodes: float | None
    networks: tuple[NetworkRow, ...]
    total: dict[str, float | None]
    in_supernode_price: bool
    kind: str
    switch_reduction: str  # in-network reduction, as the catalog has it
    kinds: tuple[KindRow, ...]
    speed: str = SPEED


def pod_networks(evaluated: EvaluatedScenario, catalog: CatalogView) -> PodNetworks:
    """Networks of a pod, and the inputs that missing ones need."""
    design, evaluation = evaluated.resolved.design, evaluated.as_json
    fabric, switch = evaluation["fabric"], design.pod.fabric.switch
    found = {network["name"]: network for network in fabric["networks"]}
    tiers = [tier["name"] for tier in fabric["tiers"]]
    rows = [_compute(evaluation, switch.protocol if switch else "", names_of(design.pod.fabric, tiers))]
    for name in TITLES:
        if name in found:
            rows.append(_beside(found[name]))
        else:
            carried = name == "storage" and evaluated.document.pod.networks.built(name) == "in_band"
            rows.append(_not_built(name, found.get("in_band") if carried else None))
    protocol = switch.protocol if switch else ""
    kind = kind_of(design.pod.fabric.kind_asked, protocol)
    # a switch of another workspace may be missing from this catalog
    in_catalog = switch is not None and switch.key in catalog.keys("switches")
    attributes = catalog.part("switches", switch.key).attributes if switch and in_catalog else {}
    return PodNetworks(
        name=evaluated.document.name,
        nodes=_product(fabric["networked_supernodes"], evaluation["inputs"]["supernode"]["nodes"]),
        networks=tuple(rows),
        total={name: _sum(getattr(row, name) for row in rows) for name in COUNTED},
        in_supernode_price=bool(design.supernode.price_includes_network[0] > 0),
        kind=kind,
        switch_reduction=attributes.get("in_network_reduction", ""),
        kinds=tuple(_kind(each, catalog, here=each.key == kind) for each in KINDS.values()),
    )


def _compute(evaluation: dict[str, Any], protocol: str, switch: str) -> NetworkRow:
    fabric, supernode = evaluation["fabric"], evaluation["inputs"]["supernode"]
    own = [line for line in fabric["bill"] if not line["item"].startswith(tuple(TITLES.values()))]
    built = bool(fabric["networked_supernodes"])
    rate, nics = supernode["scale_out_nic_bandwidth_bytes_per_s"], supernode["scale_out_nics"]
    ports = nics / supernode["nodes"] if built and nics and supernode["nodes"] else None
    return NetworkRow(
        name="compute",
        title=NAMES["compute"],
        purpose=PURPOSES["compute"],
        carried_by="own" if built else "none",
        kind=protocol if built else "",
        switch=switch if built else "",
        ports_per_node=ports if built else 0.0,
        port_bandwidth_bytes_per_s=rate if built else 0.0,
        node_bandwidth_bytes_per_s=_product(ports, rate) if built else 0.0,
        servers=0.0,
        switches=fabric["switches_total"],
        links=fabric["links_total"],
        cables=fabric["cables_total"],
        modules=fabric["modules_total"],
        power_w=_sum(line["power_w"] for line in own) if fabric["bill"] else fabric["network_power_w"],
        price_usd=_sum(line["price_usd"] for line in own) if fabric["bill"] else fabric["network_price_usd"],
    )


def _beside(network: dict[str, Any]) -> NetworkRow:
    ports, rate = network["host_ports"], network["node_bandwidth_bytes_per_s"]
    return NetworkRow(
        name=network["name"],
        title=NAMES[network["name"]],
        purpose=PURPOSES[network["name"]],
        carried_by="own",
        kind=network["kind"],
        switch=network["switch"],
        ports_per_node=ports,
        port_bandwidth_bytes_per_s=rate / ports if ports and rate is not None else None,
        node_bandwidth_bytes_per_s=rate,
        servers=network["servers"],
        **{name: network[name] for name in COUNTED},
    )


def _not_built(name: str, carrier: dict[str, Any] | None) -> NetworkRow:
    """A network without switches; storage that the in-band network carries has that one's ports."""
    ports, rate = (carrier["host_ports"], carrier["node_bandwidth_bytes_per_s"]) if carrier else (0.0, 0.0)
    return NetworkRow(
        name=name,
        title=NAMES[name],
        purpose=PURPOSES[name],
        carried_by="in_band" if carrier else "none",
        kind=carrier["kind"] if carrier else "",
        switch="",
        ports_per_node=ports,
        port_bandwidth_bytes_per_s=rate / ports if ports and rate is not None else 0.0,
        node_bandwidth_bytes_per_s=rate,
        servers=0.0,
        **dict.fromkeys(COUNTED, 0.0),
    )


def _kind(kind: FabricKind, catalog: CatalogView, *, here: bool) -> KindRow:
    switches = [catalog.part("switches", key) for key in catalog.keys("switches")]
    nics = [catalog.part("nics", key) for key in catalog.keys("nics")]
    return KindRow(
        key=kind.key,
        title=kind.title,
        here=here,
        switches=tuple(
            part.key for part in switches if kind.key in spoken_kinds(part.attributes.get("protocol", ""))
        ),
        nics=tuple(
            part.key
            for part in nics
            if any(word in part.attributes.get("protocol", "") for word in kind.nics)
        ),
        load_balancing=kind.load_balancing,
        lossless=kind.lossless,
        in_network_reduction=kind.in_network_reduction,
        failover=kind.failover,
        buying=kind.buying,
        source=kind.source,
        line_rate=kind.line_rate,
    )


def _sum(values: Iterable[float | None]) -> float | None:
    """The sum, unknown where one of the values is."""
    found = list(values)
    known = [value for value in found if value is not None]
    return float(sum(known)) if len(known) == len(found) else None


def _product(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first * second


COLUMNS = ("network", "a node", "switches", "links", "modules", "power", "price", "switch")
WIDTHS = (22, 18, 9, 9, 9, 10, 12, 1)
LAYOUT = tuple(Column(head, str, width=-width) for head, width in zip(COLUMNS, WIDTHS, strict=True))


def networks_text(answer: PodNetworks) -> str:
    """A row a network, the total, and the kind of fabric."""
    rows = [COLUMNS, *(_row(row) for row in answer.networks), _total(answer.total)]
    lines = [text_line(row, LAYOUT) for row in rows]
    if answer.in_supernode_price:
        lines.append("The price of the SuperNode is of all IT: the networks add nothing to it.")
    kind = next((kind for kind in answer.kinds if kind.here), None)
    if kind:
        lines += ["", f"{kind.title}: {kind.load_balancing} {kind.lossless}", answer.speed]
    missing = [row.name for row in answer.networks if row.carried_by == "none"]
    if missing and missing != [row.name for row in answer.networks]:
        named = ", ".join(f"pod.networks.{name}.carried_by: own" for name in missing if name != "compute")
        lines += ["", f"Not built: {', '.join(missing)}. To build them: {named}."]
    return "\n".join(lines)


def _row(row: NetworkRow) -> tuple[str, ...]:
    if row.carried_by == "none":
        return (row.title, "not built", *("" for _ in COLUMNS[2:]))
    ports = "unknown" if row.ports_per_node is None else f"{row.ports_per_node:g}"
    rate = _rate(row.port_bandwidth_bytes_per_s)
    node = f"{ports} x {rate}"
    if row.carried_by == "in_band":
        return (row.title, node, *("in-band" if name == "switches" else "" for name in COLUMNS[2:]))
    return (
        row.title,
        node,
        *_counts(row.switches, row.links, row.modules, row.power_w, row.price_usd),
        row.switch,
    )


def _total(total: dict[str, float | None]) -> tuple[str, ...]:
    names = ("switches", "links", "modules", "power_w", "price_usd")
    return ("Total", "", *_counts(*(total[name] for name in names)), "")


def _counts(*figures: float | None) -> tuple[str, ...]:
    units = ("1", "1", "1", "W", "USD")
    return tuple(
        "unknown" if figure is None else f"{figure:,.0f}" if unit == "1" else show(figure, unit).text
        for figure, unit in zip(figures, units, strict=True)
    )


def _rate(bytes_per_s: float | None) -> str:
    return "unknown" if bytes_per_s is None else f"{bytes_per_s * 8e-9:g} Gbit/s"

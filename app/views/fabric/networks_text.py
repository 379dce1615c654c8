"""The four networks of a design as text for a terminal."""

from __future__ import annotations

from app.charts.format import show
from app.views.fabric.networks import NetworkRow, PodNetworks
from app.views.table import Column, text_line

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

"""Topologies side by side as text for a terminal."""

from __future__ import annotations

from app.charts.format import show
from app.views.fabric.alternatives import PodTopologies, TopologyAlternative

COLUMNS = (
    "topology",
    "switches",
    "links",
    "bisection",
    "oversubscr.",
    "diameter",
    "mean",
    "latency",
    "lengths",
)
WIDTHS = (28, 10, 10, 12, 13, 10, 8, 10, 0)


def topologies_text(found: PodTopologies) -> str:
    """A row a topology; what cannot be built says why."""
    if not found.topologies:
        return "One SuperNode by itself needs no scale-out fabric."
    lines = [_line(COLUMNS)]
    for row in found.topologies:
        title = f"{'* ' if row.is_chosen else '  '}{row.title}"
        lines.append(f"{title:{WIDTHS[0]}}{row.refusal}" if row.refusal else _line((title, *_figures(row))))
    return "\n".join([*lines, "", "* this design"])


def _figures(row: TopologyAlternative) -> tuple[str, ...]:
    return (
        *(_text(figure, unit) for figure, unit in (
            (row.switches, "1"), (row.links, "1"), (row.bisection_bandwidth_bytes_per_s, "B/s"),
            (row.oversubscription, "1"), (row.diameter_links, "1"), (row.mean_distance_links, "1"),
            (row.latency_s, "s"),
        )),
        " x ".join(str(length) for length in row.lengths),
    )  # fmt: skip


def _text(figure: float | None, unit: str) -> str:
    return "unknown" if figure is None else show(figure, unit).text


def _line(cells: tuple[str, ...]) -> str:
    return "".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()

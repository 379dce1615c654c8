"""Topologies side by side as text for a terminal."""

from __future__ import annotations

from collections.abc import Callable

from app.charts.format import show
from app.views.fabric.alternatives import PodTopologies, TopologyAlternative
from app.views.table import UNKNOWN, Column, text_rows, text_table


def _figure(unit: str) -> Callable[[float | None], str]:
    return lambda figure: UNKNOWN if figure is None else show(figure, unit).text


def _title(row: TopologyAlternative) -> str:
    return f"{'* ' if row.is_chosen else '  '}{row.title}"


COLUMNS = (
    Column("topology", _title, width=-28),
    Column("switches", "switches", _figure("1"), -10),
    Column("links", "links", _figure("1"), -10),
    Column("bisection", "bisection_bandwidth_bytes_per_s", _figure("B/s"), -12),
    Column("oversubscr.", "oversubscription", _figure("1"), -13),
    Column("diameter", "diameter_links", _figure("1"), -10),
    Column("mean", "mean_distance_links", _figure("1"), -8),
    Column("latency", "latency_s", _figure("s"), -10),
    Column("lengths", "lengths", lambda lengths: " x ".join(map(str, lengths)), -1),
)
REFUSED = (COLUMNS[0], Column("", "refusal", width=-1))


def topologies_text(found: PodTopologies) -> str:
    """A row a topology; what cannot be built says why."""
    if not found.topologies:
        return "One SuperNode by itself needs no scale-out fabric."
    rows = (
        line for row in found.topologies for line in text_rows(REFUSED if row.refusal else COLUMNS, [row])
    )
    return "\n".join([*text_table(COLUMNS, ()), *rows, "", "* this design"])

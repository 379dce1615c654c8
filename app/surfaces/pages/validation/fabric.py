"""Published fabrics beside ours as a page: counts of switches and cables, and what cannot be right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from app.charts.format import Shown
from app.surfaces.pages.validation.overview import KeyFigure
from app.validation.fabric.study import Checked, PublishedFabrics

SWITCHES = ("num_leaf_switches", "num_spine_switches", "num_core_switches")
CABLES = ("cables_node_leaf", "cables_leaf_spine", "cables_spine_core")
GROUPS = (("compute", "Between SuperNodes"), ("scale-up", "Inside a SuperNode"))
NOTHING = "n/a"


class FabricLine(NamedTuple):
    """A published fabric, and what opens under it."""

    name: str
    size: str
    switches: tuple[str, str]  # printed, ours
    cables: tuple[str, str]
    exact: bool
    doubts: tuple[str, ...]
    said: tuple[tuple[str, str], ...]  # label, text


class FabricGroup(NamedTuple):
    title: str
    anchor: str
    lines: tuple[FabricLine, ...]


class FabricOverview(NamedTuple):
    lead: str
    key_figures: tuple[KeyFigure, ...]
    groups: tuple[FabricGroup, ...]
    left_out: tuple[tuple[str, str], ...]  # name, reason


def fabric_overview(found: PublishedFabrics) -> FabricOverview:
    """Everything the page shows, in words."""
    of_group = {
        key: [one for one in found.checked if one.row.text("fabric").startswith(key)] for key, _ in GROUPS
    }
    return FabricOverview(
        lead=(
            f"{len(found.checked)} published fabrics print counts of switches, cables or accelerators. Each is "
            f"computed anew from its inputs, by the same functions as every design: {found.exact} come out in "
            "every count."
        ),
        key_figures=(
            KeyFigure("Published fabrics", Shown(f"{len(found.checked)}"), "that print counts"),
            KeyFigure("Exact", Shown(f"{found.exact}"), "in every count"),
            KeyFigure("Differ", Shown(f"{len(found.checked) - found.exact}"), "in one count or more"),
            KeyFigure("Flagged", Shown(f"{found.flagged}"), "misprinted, or recalled"),
        ),
        groups=tuple(
            FabricGroup(title=title, anchor=key, lines=tuple(_line(one) for one in of_group[key]))
            for key, title in GROUPS
            if of_group[key]
        ),
        left_out=tuple((one.row.text("system") or one.row.key, one.reason) for one in found.left_out),
    )


def _line(one: Checked) -> FabricLine:
    row, printed = one.row, one.printed
    said = {
        "Given": _given(one),
        "Taken": "; ".join(one.computed.assumed),
        "Note": row.text("notes"),
        "Source": row.text("source"),
    }
    accelerators = printed.get("num_accelerators")
    return FabricLine(
        name=row.text("system") or row.key,
        size=NOTHING if accelerators is None else f"{accelerators:,}",
        switches=_both(SWITCHES, printed, one.computed.counts),
        cables=_both(CABLES, printed, one.computed.counts),
        exact=one.exact,
        doubts=tuple(one.doubts),
        said=tuple((label, text) for label, text in said.items() if text),
    )


def _both(columns: tuple[str, ...], printed: Mapping[str, int], ours: Mapping[str, int]) -> tuple[str, str]:
    """Counts tier by tier, printed and ours; tiers that neither has are left out at the end."""
    known = [column for column in columns if column in printed]
    while known and not printed[known[-1]] and not ours.get(known[-1]):
        known.pop()
    if not known:
        return NOTHING, NOTHING
    return _tiers(known, printed), _tiers(known, ours)


def _tiers(columns: list[str], counts: Mapping[str, int]) -> str:
    return " / ".join(f"{counts[column]:,}" if column in counts else NOTHING for column in columns)


def _given(one: Checked) -> str:
    """The inputs that the counts were computed from."""
    row = one.row
    words = (
        ("num_nodes", "{} nodes"),
        ("accelerators_per_node", "{} accelerators each"),
        ("num_scalable_units", "{} units"),
        ("planes", "{} planes"),
        ("nic_gbit_s_per_accelerator", "{} Gbit/s an accelerator"),
        ("switch_radix_ports", "{} switch ports"),
        ("switch_port_gbit_s", "{} Gbit/s a port"),
        ("leaf_down_ports", "{} ports down"),
        ("leaf_up_ports", "{} up"),
        ("management_ports_on_leaf", "{} management ports"),
    )
    parts = [text.format(row.text(column)) for column, text in words if row.text(column)]
    return "; ".join([row.text("topology"), ", ".join(parts)])

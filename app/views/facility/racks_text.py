"""Checked racks as lines of text."""

from __future__ import annotations

from app.charts.facility.rack_words import STATES, TITLES, feeds_text, headline, measured, more_servers
from app.charts.format import percent, show
from app.engine.facility.racks.kind import RackKind
from app.views.facility.racks import RacksAnswer
from app.views.table import Column, text_table

NAME_WIDTH = 36
CHECKS = (
    Column("Check", lambda check: TITLES[check.key], width=-NAME_WIDTH),
    Column("asked", lambda check: measured(check.value, check.unit).text, width=14),
    Column("usual", lambda check: measured(check.usual, check.unit).text, width=14),
    Column("limit", lambda check: measured(check.limit, check.unit).text, width=14),
    Column("used", lambda check: percent(check.utilisation).text, width=14),
    Column("more", more_servers, width=14),
    Column("", lambda check: STATES[check.status]),
)


def racks_text(answer: RacksAnswer) -> str:
    """The chosen kind of rack with all its checks, and the first limit of every other."""
    chosen = answer.chosen
    if chosen is None:
        return "There is no rack."
    lines = [headline(chosen)]
    if chosen.first is not None:
        lines.append(f"Way out: {answer.ways_out[chosen.first.key]}")
    lines += ["", *text_table(CHECKS, chosen.checks)]
    lines += ["", *(f"{label:<{NAME_WIDTH}}{text}" for label, text in facts(chosen))]
    others = [kind for kind in answer.kinds if kind is not chosen]
    if others:
        lines += ["", *(f"{_count(kind)}, {kind.example.name}: {headline(kind)}" for kind in others)]
    return "\n".join(lines)


def facts(kind: RackKind) -> tuple[tuple[str, str], ...]:
    """Feeds, coolant, air and floor of one rack, as people read them."""
    air, feeds = kind.air, kind.feeds
    found = [
        ("Racks that hold the same", f"{kind.racks:,}, such as {kind.example.name}"),
        ("Rated power", measured(kind.heat.power_w, "W").text),
        ("Feeds", feeds_text(kind)),
        (
            "Current of a line, other side lost" if feeds.sides == 2 else "Current of a line",
            f"{measured(feeds.current_a, 'A').text}, {measured(feeds.current_limit_a, 'A').text} at most",
        ),
    ]
    if kind.whole:
        found.append(("Power shelves", show(feeds.shelves).text))
    if kind.heat.liquid_heat_w != 0:
        found += [
            ("Heat to liquid", measured(kind.heat.liquid_heat_w, "W").text),
            ("Coolant", measured(kind.coolant_flow_l_per_min, "L/min").text),
            ("Rack pumping units that carry it", show(kind.pumping_units).text),
        ]
    return (
        *found,
        ("Heat to air", measured(kind.heat.air_heat_w, "W").text),
        (
            f"Air at {air.rise_k:g} K rise",
            f"{measured(air.flow_m3_per_s, 'm3/s').text}, {measured(air.flow_cfm, 'CFM').text}",
        ),
        ("Weight", measured(kind.weight_kg, "kg").text),
        (
            "On its footprint",
            ", ".join(
                measured(load, unit).text
                for load, unit in (
                    (kind.footprint_load_kg_per_m2, "kg/m2"),
                    (kind.footprint_load_n_per_m2, "N/m2"),
                )
            ),
        ),
    )


def _count(kind: RackKind) -> str:
    return "1 rack" if kind.racks == 1 else f"{kind.racks:,} racks"

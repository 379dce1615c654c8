"""A floor as lines of text."""

from __future__ import annotations

from app.engine.fabric.floor.elevation import FullRack
from app.views.fabric.floor_answer import FloorAnswer
from app.views.table import Column, fixed, number, text_rows, text_table

CABLES = (
    Column("Network", "network", width=-14),
    Column("Tier", "tier", width=-16),
    Column("Links", "links", number, 9),
    Column("Mean m", "mean_length_m", fixed(1), 9),
    Column("Longest m", "longest_m", "{:g}".format, 11),
    Column("km", "metres", fixed(2, per=1e3), 9),
)
SHELVES = (
    Column("", lambda shelf: f"U{shelf.bottom_u}" if shelf.units else "beside", width=-8),
    Column("", lambda shelf: f"{shelf.units} U  ", width=7),
    Column("", "name", width=-29),
    Column("", "what", width=-34),
    Column("", lambda shelf: f"{number(shelf.power_w)} W", width=-1),
)


def floor_text(answer: FloorAnswer) -> str:
    """Sums, cables by tier, the rack that was asked for, and what stands in the way."""
    totals = answer.totals
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in totals.racks_by_kind.items() if count)
    power = number(totals.rated_power_w, per=1e3)
    largest, to_air = (
        number(value, 1, per=1e3) for value in (totals.largest_rack_power_w, totals.largest_rack_air_heat_w)
    )
    lines = [
        f"Racks           {totals.racks_total:,} ({kinds}) in {_rows(totals.rows)}",
        f"Floor           {totals.length_m:.1f} x {totals.width_m:.1f} m, {totals.area_m2:,.0f} m2",
        f"Rated power     {power} kW, {number(totals.power_w_per_m2, 2, per=1e3)} kW/m2",
        f"Largest rack    {largest} kW; {to_air} kW to air",
    ]
    if answer.cables:
        lines += ["", *text_table(CABLES, answer.cables)]
    if answer.rack:
        lines += ["", *_rack(answer.rack)]
    if answer.laid.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in answer.laid.problems)]
    return "\n".join(lines)


def _rack(rack: FullRack) -> list[str]:
    head = f"Rack {rack.name}, {rack.used_u} of {rack.height_u} U, {number(rack.power_w, 1, per=1e3)} kW, "
    head += f"{number(rack.weight_kg)} kg"
    return [head, *text_rows(SHELVES, reversed(rack.shelves))]


def _rows(rows: int) -> str:
    return "one row" if rows == 1 else f"{rows:,} rows"

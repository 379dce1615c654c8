"""A floor as lines of text."""

from __future__ import annotations

import math

from app.engine.fabric.floor.elevation import FullRack
from app.views.fabric.floor_answer import FloorAnswer


def floor_text(answer: FloorAnswer) -> str:
    """Sums, cables by tier, the rack that was asked for, and what stands in the way."""
    totals = answer.totals
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in totals.racks_by_kind.items() if count)
    power = _number(totals.rated_power_w / 1e3)
    largest, to_air = (
        _number(value / 1e3, 1) for value in (totals.largest_rack_power_w, totals.largest_rack_air_heat_w)
    )
    lines = [
        f"Racks           {totals.racks_total:,} ({kinds}) in {_rows(totals.rows)}",
        f"Floor           {totals.length_m:.1f} x {totals.width_m:.1f} m, {totals.area_m2:,.0f} m2",
        f"Rated power     {power} kW, {_number(totals.power_w_per_m2 / 1e3, 2)} kW/m2",
        f"Largest rack    {largest} kW; {to_air} kW to air",
    ]
    if answer.cables:
        lines += ["", f"{'Network':<14}{'Tier':<16}{'Links':>9}{'Mean m':>9}{'Longest m':>11}{'km':>9}"]
    lines += [
        f"{one.network:<14}{one.tier:<16}{one.links:>9,}{one.mean_length_m:>9.1f}{one.longest_m:>11g}"
        f"{one.metres / 1e3:>9.2f}"
        for one in answer.cables
    ]
    if answer.rack:
        lines += ["", *_rack(answer.rack)]
    if answer.laid.problems:
        lines += ["", *(f"{problem.kind}: {problem.message}" for problem in answer.laid.problems)]
    return "\n".join(lines)


def _rack(rack: FullRack) -> list[str]:
    head = f"Rack {rack.name}, {rack.used_u} of {rack.height_u} U, {_number(rack.power_w / 1e3, 1)} kW, "
    head += f"{_number(rack.weight_kg)} kg"
    return [
        head,
        *(
            f"{f'U{shelf.bottom_u}' if shelf.units else 'beside':<8}{shelf.units:>3} U  {shelf.name:<28} "
            f"{shelf.what:<34}{_number(shelf.power_w)} W"
            for shelf in reversed(rack.shelves)
        ),
    ]


def _rows(rows: int) -> str:
    return "one row" if rows == 1 else f"{rows:,} rows"


def _number(value: float, digits: int = 0) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}"

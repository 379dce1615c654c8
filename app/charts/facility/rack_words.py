"""Checks of racks in words."""

from __future__ import annotations

from math import isfinite, isinf, isnan

from app.charts.format import THIN_SPACE, Shown, percent, show
from app.engine.facility.racks.checks import Check
from app.engine.facility.racks.kind import RackKind

TITLES = {
    "density": "Power against its class of cooling",
    "air_heat": "Heat to air",
    "coolant_flow": "Coolant through the hose",
    "feeds": "Feeds of one side",
    "current_kind": "Alternating current",
    "power": "Power planned for a rack",
    "liquid_heat": "Heat to liquid planned for a rack",
    "weight": "Weight planned for a rack",
    "floor_load": "Floor, aisles counted in",
    "panel_load": "Panel of a raised floor",
    "height": "Height",
}
STATES = {"fits": "Fits", "unusual": "Unusual", "over": "Does not fit", "unknown": "Not checked"}
WRITTEN = {"N/m2": ("kN/m²", 1e3), "N": ("kN", 1e3), "kg/m2": ("kg/m²", 1.0), "m3/s": ("m³/s", 1.0)}
"""By unit, how it is written and by what the value is divided: no prefix comes before these by itself."""
DIGITS = {"kg": 4}  # of weights, whose limits are near to what is asked
UNBOUND = Shown("none")


def measured(value: float, unit: str) -> Shown:
    """A value of a check, or a bound of it, to three digits."""
    if isinf(value):
        return UNBOUND
    if isnan(value):
        return show(value, unit)
    written, divisor = WRITTEN.get(unit, (unit, 1.0))
    return show(float(f"{value / divisor:.{DIGITS.get(unit, 3)}g}"), written)


def more_servers(check: Check) -> str:
    """Servers that still fit below the limit of a check."""
    if isnan(check.more):
        return "n/a"
    return f"{check.more:,.0f}" if isfinite(check.more) else "any"


def headline(kind: RackKind) -> str:
    """First limit of a rack and its margin."""
    first = kind.first
    if first is None:
        return f"{kind.name}: nothing of it is known that could be checked."
    title = TITLES[first.key].lower()
    bound = first.limit if isfinite(first.limit) else first.usual
    asked = f"{measured(first.value, first.unit).text} of {measured(bound, first.unit).text}"
    share = percent(first.utilisation).text
    if kind.over:
        past = max(kind.over, key=lambda check: check.utilisation)
        limits = "a limit" if len(kind.over) == 1 else f"{len(kind.over)} limits"
        asked = f"{measured(past.value, past.unit).text} of {measured(past.limit, past.unit).text}"
        return f"{kind.name} is past {limits}: {TITLES[past.key].lower()} at {asked}, {percent(past.utilisation).text}."
    return f"{kind.name}: the first limit is {title}, {asked}, {share}. {_left(kind, first)}"


def _left(kind: RackKind, first: Check) -> str:
    if isnan(first.more):
        room = 1 / first.utilisation - 1 if first.utilisation else float("inf")
        return (
            f"It could grow by {100 * room:.1f}{THIN_SPACE}%." if isfinite(room) else "It asks nothing of it."
        )
    if first.more == 0:
        return "No further server fits."
    return f"{first.more:,.0f} more {'server fits' if first.more == 1 else 'servers fit'}."


def feeds_text(kind: RackKind) -> str:
    """Feeds of a rack in one phrase."""
    feeds = kind.feeds
    if isnan(feeds.feeds_per_side):
        return "not published"
    sides = "on each of two sides" if feeds.sides == 2 else "on one side"
    return f"{feeds.feeds_per_side:,.0f} of {feeds.breaker_a:g}{THIN_SPACE}A at {feeds.voltage_v:g}{THIN_SPACE}V {sides}"

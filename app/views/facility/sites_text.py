"""Sites as lines of text."""

from __future__ import annotations

import math

from app.views.facility.site_line import SiteLine
from app.views.facility.sites import SitesAnswer

HEAD = (
    f"{'Place':<6}{'Site':<22}{'USD/acc-h':>10}{'Carbon t':>11}{'Water m3/y':>12}{'PUE':>7}{'Hottest':>9}  "
    f"{'Plant':<24}Weather"
)


def sites_text(answer: SitesAnswer) -> str:
    """A line a site in the order asked for, and what must be known of them."""
    lines = [HEAD, *(_line(site) for site in answer.sites)]
    front = ", ".join(site.name for site in answer.sites if site.on_front)
    if front:
        lines += ["", f"No other site beats these in cost and carbon at once: {front}."]
    return "\n".join([*lines, "", *answer.notes])


def _line(site: SiteLine) -> str:
    place = "-" if site.place is None else str(site.place)
    distance = site.climate_distance_m
    near = f", {distance / 1e3:,.0f} km away" if distance > 0 else ""
    left_out = "; not ranked" if site.left_out else ""
    return (
        f"{place:<6}{site.name + (' *' if site.here else ''):<22}"
        f"{_number(site.usd_per_accelerator_hour, 3):>10}{_tonnes(site.operational_kg):>11}"
        f"{_number(site.water_m3_per_year, 0):>12}{_number(site.pue, 3):>7}{_number(site.pue_hottest_hour, 3):>9}  "
        f"{site.plant:<24}{site.climate_name}, {site.year_kind.partition(' (')[0]}{near}{left_out}"
    )


def _tonnes(kg: float) -> str:
    return _number(kg / 1e3, 0 if kg >= 1e5 else 3)


def _number(value: float, digits: int) -> str:
    return "unknown" if math.isnan(value) else f"{value:,.{digits}f}"

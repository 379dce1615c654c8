"""Sites as lines of text."""

from __future__ import annotations

from app.views.facility.site_line import SiteLine
from app.views.facility.sites import SitesAnswer
from app.views.table import Column, fixed, number, text_table, usd


def _tonnes(kg: float) -> str:
    return number(kg, 0 if kg >= 1e5 else 3, per=1e3)


def _weather(site: SiteLine) -> str:
    distance = site.climate_distance_m
    near = f", {distance / 1e3:,.0f} km away" if distance > 0 else ""
    left_out = "; not ranked" if site.left_out else ""
    return f"{site.climate_name}, {site.year_kind.partition(' (')[0]}{near}{left_out}"


COLUMNS = (
    Column("Place", "place", lambda place: "-" if place is None else str(place), -6),
    Column("Site", lambda site: f"{site.name}{' *' if site.here else ''}", width=-22),
    Column("USD/acc-h", "usd_per_accelerator_hour", usd, 10),
    Column("Carbon t", "operational_kg", _tonnes, 11),
    Column("Water m3/y", "water_m3_per_year", number, 12),
    Column("PUE", "pue", fixed(3), 7),
    Column("Hottest", "pue_hottest_hour", fixed(3), 9),
    Column("  Plant", "plant", "  {}".format, -26),
    Column("Weather", _weather, width=-1),
)


def sites_text(answer: SitesAnswer) -> str:
    """A line a site in the order asked for, and what must be known of them."""
    lines = text_table(COLUMNS, answer.sites)
    front = ", ".join(site.name for site in answer.sites if site.on_front)
    if front:
        lines += ["", f"No other site beats these in cost and carbon at once: {front}."]
    return "\n".join([*lines, "", *answer.notes])

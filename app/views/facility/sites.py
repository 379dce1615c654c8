"""The same design at every site of the catalog: what it costs, emits, drinks and draws there, and who comes first."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from app.catalog.lookup import Catalog
from app.charts.format import share_text, show
from app.engine.facility.sites.ranking import on_the_front, places, weighed
from app.scenarios.document.facility import CoolingPlant, InlineSite
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.fields import Part
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.fields import with_field
from app.views.facility.electrical_report import CHEAPEST, PLACE_FIELDS, SiteLine, site_line
from app.views.table import Column, fixed, number, text_table, usd

AS_DESIGNED = "as_designed"
RANKED_BY = ("cost", "carbon", "water", "pue")
PlantChoice = Literal["as_designed", "cheapest", CoolingPlant]


class SiteWeights(Part):
    """Relative weight of each figure. PUE is in cost and carbon already."""

    cost: Annotated[float, Field(ge=0, le=100)] = Field(default=1.0, description="Cost.")
    carbon: Annotated[float, Field(ge=0, le=100)] = Field(default=1.0, description="Operational carbon.")
    water: Annotated[float, Field(ge=0, le=100)] = Field(default=1.0, description="Water of the plant.")
    pue: Annotated[float, Field(ge=0, le=100)] = Field(default=0.0, description="PUE.")


class SitesOptions(Part):
    """Options of the site comparison."""

    plant: PlantChoice = Field(
        default="as_designed",
        description="Plant at every site: as the scenario has it, the cheapest at each, or one of those of "
        "facility.cooling.",
    )
    sort: Literal["score", "cost", "carbon", "water", "pue"] = Field(
        default="score", description="By what the sites are listed, least first."
    )
    weights: SiteWeights = Field(default=SiteWeights(), description="Figures of the weighted ranking.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesAnswer:
    """Every site, in the order that was asked for; those without a place come last."""

    name: str
    plant: str
    sort: str
    verdict: str
    sites: tuple[SiteLine, ...]
    clean_energy_share: float | None
    warming_k: float
    notes: tuple[str, ...]

    @property
    def ranked(self) -> tuple[SiteLine, ...]:
        """Those that have a place in the weighed order."""
        return tuple(site for site in self.sites if site.place is not None)

    @property
    def here(self) -> SiteLine | None:
        """Where the design stands; None for a site that the catalog has lost."""
        return next((site for site in self.sites if site.here), None)


def sites_answer(scenario: EvaluatedScenario, catalog: Catalog, options: SitesOptions) -> SitesAnswer:
    """The design at every site whose hourly year is in the catalog.

    Speed, fabric and failures do not depend on the place; power, cooling, cost and carbon are computed again.

    Raises
    ------
    ScenarioError : the plant that is asked for cannot be resolved
    """
    base = _with_plant(scenario, catalog, options.plant)
    years = set(catalog.keys("climate"))
    keys = [part.key for part in catalog.parts("sites") if part.attributes["climate_key"] in years]
    found = [site_line(base, catalog, key, options.plant) for key in keys]
    if isinstance(base.document.facility.site, InlineSite):
        found.insert(0, site_line(base, catalog, None, options.plant))
    lines = _ranked(found, options)
    share = base.document.facility.clean_energy_share
    return SitesAnswer(
        name=scenario.document.name,
        plant=options.plant,
        sort=options.sort,
        verdict=_verdict(lines, options.sort),
        sites=lines,
        clean_energy_share=share,
        warming_k=base.document.facility.warming_k or 0.0,
        notes=tuple(_notes(base, catalog, lines)),
    )


LEAST = {
    "score": "First by weight",
    "cost": "Least cost",
    "carbon": "Least carbon",
    "water": "Least water",
    "pue": "Least PUE",
}


def _verdict(lines: tuple[SiteLine, ...], sort: str) -> str:
    """The first site by what they are listed by, against where the design is."""
    first = lines[0] if lines else None
    if first is None or (first.place if sort == "score" else first.place_by[sort]) is None:
        return "No site has a place: what the sites are compared by is unknown of all."
    here = next((line for line in lines if line.here), None)
    text = f"{LEAST[sort]}: {first.name}, with {' and '.join(_figures(first, sort))}"
    if here is None:
        return f"{text}."
    if here is first:
        return f"{text}, where the design is."
    changes = [
        f"{share_text(abs(share))} {'less' if share < 0 else 'more'} {words}"
        for words, share in (
            ("carbon", first.operational_kg / here.operational_kg - 1 if here.operational_kg else np.nan),
            ("cost", first.usd_per_accelerator_hour / here.usd_per_accelerator_hour - 1),
        )
        if np.isfinite(share)
    ]
    if not changes:
        return f"{text}."
    return f"{text}: {' and '.join(changes)} than at {here.name}, where the design is."


def _figures(line: SiteLine, sort: str) -> list[str]:
    figures = {
        "carbon": (line.operational_kg, f"{show(line.operational_kg, 'kg').text} of carbon a run"),
        "cost": (
            line.usd_per_accelerator_hour,
            f"{line.usd_per_accelerator_hour:,.2f} USD per accelerator-hour",
        ),
        "water": (line.water_m3_per_year, f"{number(line.water_m3_per_year)} m³ of water a year"),
        "pue": (line.pue, f"a PUE of {line.pue:.3f}"),
    }
    order = (
        [sort, *(name for name in ("carbon", "cost") if name != sort)]
        if sort in figures
        else ["cost", "carbon"]
    )
    return [words for value, words in (figures[name] for name in order[:2]) if np.isfinite(value)]


def _with_plant(scenario: EvaluatedScenario, catalog: Catalog, plant: str) -> EvaluatedScenario:
    """The scenario with the plant that is asked for, where that is one plant everywhere."""
    if plant in (AS_DESIGNED, CHEAPEST, scenario.document.facility.cooling):
        return scenario
    values = with_field(scenario.document.as_dict(), "facility.cooling", plant)
    return evaluate_scenario(build_scenario(values), catalog)


def _ranked(lines: list[SiteLine], options: SitesOptions) -> tuple[SiteLine, ...]:
    """The lines with their places among those that may be ranked, in the order that was asked for."""
    figures = np.array(
        [
            (line.usd_per_accelerator_hour, line.operational_kg, line.water_m3_per_year, line.pue)
            for line in lines
        ]
    ).reshape(len(lines), len(RANKED_BY))
    compared = np.where(np.array([[line.rankable] for line in lines]), figures, np.nan)
    by = {name: places(compared[:, column]) for column, name in enumerate(RANKED_BY)}
    weights = np.array([getattr(options.weights, name) for name in RANKED_BY])
    score = weighed(compared, weights)
    front = on_the_front(compared[:, :2])
    place = places(score)
    found = [
        dataclasses.replace(
            line,
            score=float(score[row]),
            place=_place(place[row]),
            place_by={name: _place(by[name][row]) for name in RANKED_BY},
            on_front=bool(front[row]),
            unknown=tuple(name for column, name in enumerate(RANKED_BY) if np.isnan(figures[row, column])),
        )
        for row, line in enumerate(lines)
    ]
    column = {name: figures[:, place] for place, name in enumerate(RANKED_BY)} | {"score": score}
    keys = column[options.sort]
    if options.sort != "score":
        keys = np.where([line.rankable for line in lines], keys, np.nan)
    order = np.lexsort((np.arange(len(lines)), keys))  # unknown last
    return tuple(found[row] for row in order)


def _place(value: float) -> int | None:
    return None if np.isnan(value) else int(value)


def _notes(base: EvaluatedScenario, catalog: Catalog, lines: tuple[SiteLine, ...]) -> list[str]:
    """What a reader must know of the comparison."""
    proxies = [line for line in lines if line.rankable and line.climate_distance_m > 0]
    left_out = [line.name for line in lines if not line.rankable]
    no_price = sum(np.isnan(line.electricity_price_usd_per_kwh) for line in lines)
    no_carbon = sum(np.isnan(line.carbon_intensity_kg_per_kwh) for line in lines)
    recalled = sum(line.electricity_price_kind == "assumption" for line in lines)
    found = [
        "Electricity prices and carbon are yearly means: the catalog holds no hourly series of either.",
        f"Electricity prices of {recalled} sites are assumptions.",
        f"No price is known of {no_price} sites, no carbon of {no_carbon} grids: no place where these count.",
        f"The weather of {len(proxies)} ranked sites is a neighbour's; the distance is shown next to it.",
        "Water price and water stress of no site are in the catalog: volumes are compared, at one assumed price.",
    ]
    if left_out:
        found.append(f"Not ranked, as their weather is of another climate: {', '.join(left_out)}.")
    if any(getattr(base.document.economics, name) is not None for name in PLACE_FIELDS):
        found.append(
            "Prices that the scenario states count where it stands; elsewhere those of the catalog do."
        )
    missing = len(catalog.keys("sites")) - sum(line.key != "inline" for line in lines)
    if missing:
        found.append(
            f"{missing} sites are missing: their climate years were left out when the catalog was seeded."
        )
    return found


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
    """The first site, a line a site in the order asked for, and caveats."""
    lines = [answer.verdict, "", *text_table(COLUMNS, answer.sites)]
    front = ", ".join(site.name for site in answer.sites if site.on_front)
    if front:
        lines += ["", f"No other site beats these in cost and carbon at once: {front}."]
    return "\n".join([*lines, "", *answer.notes])

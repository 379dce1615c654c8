"""Published PUE and WUE of cloud regions against the usual data centre in the climate of each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import scipy

from app.catalog.kinds.cloud_regions import CloudRegion
from app.catalog.lookup import Catalog
from app.validation.power.facility import ADIABATIC, FILLER, SAYS, operated_at, operators_band, water_at
from app.validation.power.places import FARTHEST_KM, NEAR_KM, Place, Region, is_filler
from app.validation.study import (
    Checked,
    Compared,
    LeftOut,
    Prediction,
    Row,
    Study,
    UnsupportedRowError,
    attempts,
    errors_of,
)

PROVIDER = "provider"
NO_PUE = "no PUE is published"

# Whether places are put in the right order: rank correlation of published and predicted figures.

FEWEST = 5
"""Fewer pairs have no order worth a number."""


@dataclass(frozen=True, slots=True)
class RankCorrelation:
    """Spearman's rho of some pairs; None where there are too few, or one side is the same throughout."""

    pairs: int
    spearman: float | None


def rank_correlation(pairs: Sequence[tuple[float, float]]) -> RankCorrelation:
    """Spearman's rank correlation.

    >>> rank_correlation([(1.1, 1.0), (1.2, 1.3), (1.3, 1.4), (1.4, 1.5), (1.5, 1.6)])
    RankCorrelation(pairs=5, spearman=1.0)
    """
    if len(pairs) < FEWEST or any(len(set(side)) < 2 for side in zip(*pairs, strict=True)):
        return RankCorrelation(len(pairs), None)
    published, predicted = zip(*pairs, strict=True)
    return RankCorrelation(len(pairs), round(float(scipy.stats.spearmanr(published, predicted).statistic), 4))


def by_group(grouped: Iterable[tuple[str, float, float]]) -> dict[str, RankCorrelation]:
    """The rank correlation of all pairs under `all`, and that of each group under its name."""
    members: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for group, published, predicted in grouped:
        members["all"].append((published, predicted))
        members[group].append((published, predicted))
    return {name: rank_correlation(members[name]) for name in ("all", *sorted(set(members) - {"all"}))}


# Published PUE and WUE of cloud regions against the usual data centre in the climate of each.


def overhead_errors(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """Errors of PUE less one: what the building adds, which an error of the whole PUE makes look small."""
    return asdict(
        errors_of(
            [
                replace(one, measured=one.measured - 1, predicted=one.predicted - 1)
                for one in predictions
                if one.measured > 1
            ]
        )
    )


def overhead_lines(overhead: Mapping[str, Any]) -> list[str]:
    """The same in a line, none where there is no PUE."""
    if not overhead.get("rows"):
        return []
    return [
        "",
        (
            f"PUE less one, {overhead['rows']} rows: median error "
            f"{100 * overhead['median_abs_error']:.1f} %, 90 % within {100 * overhead['p90_abs_error']:.1f} %"
        ),
    ]


def rank_lines(of: str, found: dict[str, Any]) -> list[str]:
    if not found:
        return []
    return [
        "",
        f"rank correlation of {of} (Spearman), places with a climate year within {NEAR_KM:.0f} km",
        *(
            f"  {name}: {'too few' if one['spearman'] is None else format(one['spearman'], '.2f')}, "
            f"{one['pairs']} rows"
            for name, one in found.items()
        ),
    ]


def _water_lines(water: Mapping[str, Any]) -> list[str]:
    medians = (
        f": published median {water['published_median_l_per_kwh']:.2f} L/kWh, ours "
        f"{water['predicted_median_l_per_kwh']:.2f}, median difference {water['median_abs_difference_l_per_kwh']:.2f}"
        if water["rows"]
        else ""
    )
    return [
        "",
        f"WUE, {water['rows']} rows{medians}",
        *rank_lines("WUE", water["rank_correlation"]),
        "",
        f"WUE left out, {len(water['left_out'])} rows",
        *(f"  {one['id']}: {one['reason']}" for one in water["left_out"]),
    ]


@dataclass(frozen=True, slots=True)
class RegionYear:
    """A region in one year with its climate; what is not published, or not its own, is None."""

    row: Row
    provider: str
    place: Place
    pue: float | None
    predicted_pue: float
    wue_l_per_kwh: float | None
    predicted_wue_l_per_kwh: float
    without_wue: str  # why, "" where it has one

    @property
    def residual(self) -> float | None:
        """Published PUE less ours."""
        return None if self.pue is None else self.pue - self.predicted_pue


def residual_quantile(found: Sequence[RegionYear], share: float) -> float | None:
    """A quantile of published less predicted PUE, of regions whose climate year is near."""
    residuals = [one.residual for one in found if one.residual is not None and one.place.near]
    return float(np.quantile(residuals, share)) if residuals else None


def _ranks(found: Iterable[RegionYear]) -> dict[str, Any]:
    """Rank correlation of PUE, of all and by provider."""
    pairs = ((one.provider, one.pue, one.predicted_pue) for one in found if one.pue is not None)
    return {name: asdict(ranked) for name, ranked in by_group(pairs).items()}


def _region_year(row: Row, catalog: Catalog) -> Checked[RegionYear]:
    """A row with its place and its figures; one without a PUE is shown and not scored."""
    latitude, longitude = row.number("lat"), row.number("lon")
    if latitude is None or longitude is None:
        raise UnsupportedRowError("lat or lon is not given")
    region = Region(row.text("provider"), row.text("region"), row.text("location"), latitude, longitude)
    place = region.place(catalog)
    pue, wue, year = row.number("pue"), row.number("wue_l_per_kwh"), row.number("year")
    if pue is not None and pue < 1:
        raise UnsupportedRowError(f"pue is {pue:g}, below 1")
    why = ""
    if wue is None:
        why = "no WUE is published"
    elif year is not None and is_filler(catalog, region.provider, int(year), wue):
        why = FILLER.format(wue=wue, provider=region.provider)
    found = RegionYear(
        row=row,
        provider=region.provider,
        place=place,
        pue=pue,
        predicted_pue=operated_at(catalog, place.climate).pue,
        wue_l_per_kwh=None if why else wue,
        predicted_wue_l_per_kwh=water_at(catalog, place.climate),
        without_wue=why,
    )
    below, above = operators_band(catalog)
    prediction = Prediction(
        key=row.key,
        family=region.provider,
        groups={PROVIDER: region.provider},
        measured=math.nan if pue is None else pue,
        predicted=found.predicted_pue,
        low=found.predicted_pue - below,
        high=found.predicted_pue + above,
        assumed=(place.badge,),
    )
    return Checked(row, prediction, found, label=NO_PUE if pue is None else "")


def _water(compared: Compared[RegionYear]) -> dict[str, Any]:
    """WUE as differences, since relative errors of hundredths of a litre say nothing."""
    pairs = [
        (one.provider, one.wue_l_per_kwh, one.predicted_wue_l_per_kwh)
        for one in (figure.found for figure in compared.figures)
        if one.wue_l_per_kwh is not None and one.place.near
    ]
    without = {id(one.row): one.reason for one in compared.unsupported} | {
        id(one.row): one.found.without_wue for one in compared.figures
    }
    return {
        "rows": len(pairs),
        "plant": ADIABATIC,
        "published_median_l_per_kwh": _median([published for _, published, _ in pairs]),
        "predicted_median_l_per_kwh": _median([ours for _, _, ours in pairs]),
        "median_abs_difference_l_per_kwh": _median([abs(ours - theirs) for _, theirs, ours in pairs]),
        "rank_correlation": {name: asdict(found) for name, found in by_group(pairs).items()},
        "left_out": [
            {"id": row.key, "reason": reason} for row in compared.rows if (reason := without.get(id(row), ""))
        ],
    }


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if values else None


def _predict(rows: Sequence[Row], catalog: Catalog) -> Iterator[Checked[RegionYear] | LeftOut]:
    for one in attempts((row, partial(_region_year, row, catalog)) for row in rows):
        yield one
        if isinstance(one, Checked) and one.label:
            yield LeftOut(one.row, one.label)


def _measures(compared: Compared[RegionYear]) -> dict[str, Any]:
    with_pue = [one.found for one in compared.figures if not one.label]
    return {
        "regions": True,
        "model": SAYS,
        "nearest_climate_up_to_km": FARTHEST_KM,
        "ranked_up_to_km": NEAR_KM,
        "pue_less_one": overhead_errors(compared.predictions),
        "rank_correlation": _ranks(one for one in with_pue if one.place.near),
        "rank_correlation_with_far": _ranks(with_pue),
        "residual_p10": residual_quantile(with_pue, 0.1),
        "residual_p90": residual_quantile(with_pue, 0.9),
        "places": {one.row.key: one.found.place.badge for one in compared.figures},
        "wue": _water(compared),
    }


REGIONS = Study(
    kind="power",
    file=CloudRegion.file,
    columns=("year", "provider", "region", "location", "lat", "lon", "pue", "wue_l_per_kwh"),
    predict=_predict,
    extra=_measures,
    counts=("model", "nearest_climate_up_to_km", "ranked_up_to_km", "residual_p10", "residual_p90"),
    more=lambda extra: (
        *overhead_lines(extra["pue_less_one"]),
        *rank_lines("PUE", extra["rank_correlation"]),
        *_water_lines(extra["wue"]),
    ),
)

"""Published PUE and WUE of cloud regions against the usual data centre in the climate of each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from app.catalog.lookup import Catalog
from app.validation.power.correlation import by_group
from app.validation.power.facility import FILLER, operators_band
from app.validation.power.operators import ADIABATIC, SAYS, operated_at, water_at
from app.validation.power.places import FARTHEST_KM, NEAR_KM, Place
from app.validation.power.regions import Region, is_filler
from app.validation.power.report import PowerReport, overhead_errors
from app.validation.rows import Row, UnsupportedRowError
from app.validation.statistics import Prediction, Unsupported


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

    @property
    def residual(self) -> float | None:
        """Published PUE less ours."""
        return None if self.pue is None else self.pue - self.predicted_pue


@dataclass(frozen=True, slots=True)
class RegionTable:
    found: tuple[RegionYear, ...]
    unsupported: tuple[Unsupported, ...]  # of the PUE
    without_wue: tuple[Unsupported, ...]


def regions_report(rows: int, table: RegionTable, catalog: Catalog) -> PowerReport:
    """The report of a file of regions: PUE in its totals, WUE beside them, as relative errors of
    hundredths of a litre say nothing."""
    below, above = operators_band(catalog)
    with_pue = [one for one in table.found if one.pue is not None]
    predictions = tuple(
        Prediction(
            key=one.row.key,
            family=one.provider,
            groups={"provider": one.provider},
            measured=float(one.pue or 0),
            predicted=one.predicted_pue,
            low=one.predicted_pue - below,
            high=one.predicted_pue + above,
            assumed=(one.place.badge,),
        )
        for one in with_pue
    )
    return PowerReport(
        kind="power",
        rows=rows,
        predictions=predictions,
        unsupported=table.unsupported,
        constants={},
        extra={
            "regions": True,
            "model": SAYS,
            "nearest_climate_up_to_km": FARTHEST_KM,
            "ranked_up_to_km": NEAR_KM,
            "pue_less_one": overhead_errors(predictions),
            "rank_correlation": _ranks(one for one in with_pue if one.place.near),
            "rank_correlation_with_far": _ranks(with_pue),
            "residual_p10": residual_quantile(with_pue, 0.1),
            "residual_p90": residual_quantile(with_pue, 0.9),
            "places": {one.row.key: one.place.badge for one in table.found},
            "wue": _water(table),
        },
    )


def region_table(rows: Sequence[Row], catalog: Catalog) -> RegionTable:
    """Every scored row with its place and its figures."""
    found, unsupported, without_wue = [], [], []
    for row in rows:
        if not row.scored:
            continue
        try:
            one, why_no_wue = _region_year(row, catalog)
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(row.key, str(error)))
            without_wue.append(Unsupported(row.key, str(error)))
            continue
        found.append(one)
        if one.pue is None:
            unsupported.append(Unsupported(row.key, "no PUE is published"))
        if why_no_wue:
            without_wue.append(Unsupported(row.key, why_no_wue))
    return RegionTable(tuple(found), tuple(unsupported), tuple(without_wue))


def residual_quantile(found: Sequence[RegionYear], share: float) -> float | None:
    """A quantile of published less predicted PUE, of regions whose climate year is near."""
    residuals = [one.residual for one in found if one.residual is not None and one.place.near]
    return float(np.quantile(residuals, share)) if residuals else None


def _ranks(found: Iterable[RegionYear]) -> dict[str, Any]:
    """Rank correlation of PUE, of all and by provider."""
    pairs = ((one.provider, one.pue, one.predicted_pue) for one in found if one.pue is not None)
    return {name: asdict(ranked) for name, ranked in by_group(pairs).items()}


def _region_year(row: Row, catalog: Catalog) -> tuple[RegionYear, str]:
    """A row, and why it has no WUE, "" where it has one."""
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
    return RegionYear(
        row=row,
        provider=region.provider,
        place=place,
        pue=pue,
        predicted_pue=operated_at(catalog, place.climate).pue,
        wue_l_per_kwh=None if why else wue,
        predicted_wue_l_per_kwh=water_at(catalog, place.climate),
    ), why


def _water(table: RegionTable) -> dict[str, Any]:
    pairs = list(_water_pairs(table))
    published = [one for _, one, _ in pairs]
    predicted = [one for _, _, one in pairs]
    apart = [abs(ours - theirs) for _, theirs, ours in pairs]
    return {
        "rows": len(pairs),
        "plant": ADIABATIC,
        "published_median_l_per_kwh": _median(published),
        "predicted_median_l_per_kwh": _median(predicted),
        "median_abs_difference_l_per_kwh": _median(apart),
        "rank_correlation": {name: asdict(found) for name, found in by_group(pairs).items()},
        "left_out": [asdict(one) for one in table.without_wue],
    }


def _water_pairs(table: RegionTable) -> Iterator[tuple[str, float, float]]:
    for one in table.found:
        if one.wue_l_per_kwh is not None and one.place.near:
            yield one.provider, one.wue_l_per_kwh, one.predicted_wue_l_per_kwh


def _median(values: Sequence[float]) -> float | None:
    return float(np.median(values)) if values else None

"""Published figures of power and cooling, and of cloud regions, against the engine."""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
import scipy

from app.catalog.kinds.cloud_regions import CloudRegion
from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import POWER_FIGURES_FILE
from app.paths import seed_data
from app.validation.power.facility import (
    ADIABATIC,
    FILLER,
    SAYS,
    flow,
    operated_at,
    operators_band,
    pue,
    water,
    water_at,
)
from app.validation.power.nodes import (
    compute_tray,
    diversity,
    energy,
    power_of,
    scalable_unit,
    share_of_rating,
)
from app.validation.power.places import FARTHEST_KM, NEAR_KM, Place, Region, is_filler, provider_in
from app.validation.power.statement import Asked, Predicted, Statement
from app.validation.study import (
    LeftOut,
    Prediction,
    Report,
    Row,
    Unsupported,
    UnsupportedRowError,
    ValidationFileError,
    errors_of,
    read_rows,
)

# Columns of the two kinds of file: single figures, and regions of cloud providers.

COLUMNS = ("quantity", "value", "unit", "conditions")
"""What a file of power and cooling figures must have; `id`, `source`, `url` and `scored` are used where they are."""

REGION_COLUMNS = ("year", "provider", "region", "location", "lat", "lon", "pue", "wue_l_per_kwh")
"""What a file of regions must have."""


# Which figure a row asks for, and what predicts it.

NODE_POWER, ENERGY, SIZING, FLOW = "node power", "energy", "sizing", "flow"
PUE_PROVIDER, PUE_FACILITY, WUE = "PUE provider", "PUE facility", "WUE"


class Case(NamedTuple):
    """Words that a quantity must have, what it is a figure of, and what gives it."""

    words: str
    kind: str
    dimension: str
    predict: Callable[[Asked], Predicted]


def kind_of(statement: Statement, case: Case) -> str:
    """The kind that errors are grouped by: PUE of a provider's region apart from that of a facility."""
    if case.kind == PUE_FACILITY and provider_in(statement.quantity):
        return PUE_PROVIDER
    return case.kind


def case_of(statement: Statement) -> Case:
    """The figure that a row asks for.

    Raises
    ------
    UnsupportedRowError : the engine has no such figure
    """
    for case in CASES:
        if statement.asks(case.words):
            return case
    raise UnsupportedRowError(f"the engine has no figure for {statement.row.text('quantity')!r}")


def _refused(reason: str) -> Callable[[Asked], Predicted]:
    def refuse(_: Asked) -> NoReturn:
        raise UnsupportedRowError(reason)

    return refuse


CASES = (
    Case(r"\bpue\b", PUE_FACILITY, "1", pue),
    Case(r"\bwue\b|\bwater\b.*\b(use|usage|evaporat|cooling|tower)|\b(cooling|tower).*\bwater\b(?!.*flow)", WUE,
         "L/kWh", water),
    Case(r"\bflow\b", FLOW, "L/min/kW", flow),
    Case(r"\bdiversity\b", NODE_POWER, "1", diversity),
    Case(r"\benergy\b", ENERGY, "J", energy),
    Case(r"\bscalable unit\b", SIZING, "W", scalable_unit),
    Case(r"\bcompute tray\b", SIZING, "W", compute_tray),
    Case(r"\bstep\b|\bchange between\b", NODE_POWER, "W",
         _refused("the engine has no changes within seconds, only the swing between computing and a pause")),
    Case(r"\bswing\b", NODE_POWER, "W", power_of(lambda power: power.peak_w - power.pause_w)),
    Case(r"(/|\bover\b|\bto\b|\bof\b) ?(the )?(rat(ed|ing)|nameplate)|\bratio\b", NODE_POWER, "1",
         share_of_rating(lambda power: power.mean_w)),
    Case(r"\bidle\b|\bbetween phases\b", NODE_POWER, "W", power_of(lambda power: power.idle_w)),
    Case(r"\bpauses?\b|\bcheckpoint", NODE_POWER, "W", power_of(lambda power: power.pause_w)),
    Case(r"\bpercentile\b", NODE_POWER, "W",
         _refused("the engine has the mean, the peak, pauses and idle of a node, no other percentile")),
    Case(r"\b(rating|rated|nameplate|nominal|design|maximum system|provisioned)\b.*\bpower\b|\brack power\b"
         r"(?!.*\b(mean|average|measured|while|in training)\b)", SIZING, "W", _refused("a rating is what the engine starts from")),
    Case(r"\b(site|grid|facility|machine)\b.*\bpower\b", NODE_POWER, "W",
         _refused("what else the supply of a site feeds is not known")),
    Case(r"\bcoincident\b|\bcluster peak\b", NODE_POWER, "W", power_of(lambda power: power.peak_w)),
    Case(r"\b(peak|maximum|highest)\b.*\b(power|reading)\b|\bpower\b.*\b(peak|maximum|highest)\b", NODE_POWER, "W",
         power_of(lambda power: power.own_peak_w)),
    Case(r"^(?=.*\bpower\b)(?=.*\b(nodes?|servers?|systems?|racks?|cluster|gpu|accelerator|dgx|hgx)\b)",
         NODE_POWER, "W",
         power_of(lambda power: power.mean_w)),
)  # fmt: skip
"""The first whose words are in the quantity."""


# What the validation of power says beyond errors: ranks, and errors of what PUE adds to one.


class PowerReport(Report):
    """A report with rank correlations as a table."""

    def as_text(self) -> str:
        told = ("pue_less_one", "rank_correlation", "rank_correlation_with_far", "regions", "places", "wue")
        plain = {name: value for name, value in self.extra.items() if name not in told}
        lines = [Report(**{**self.__dict__, "extra": plain}).as_text()]
        overhead: dict[str, Any] = self.extra.get("pue_less_one", {})
        if overhead.get("rows"):
            lines += [
                "",
                (
                    f"PUE less one, {overhead['rows']} rows: median error "
                    f"{100 * overhead['median_abs_error']:.1f} %, nine of ten within {100 * overhead['p90_abs_error']:.1f} %"
                ),
            ]
        lines += _rank_lines("PUE", self.extra.get("rank_correlation", {}))
        water: dict[str, Any] = self.extra.get("wue", {})
        if water:
            lines += _water_lines(water)
        return "\n".join(lines)


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


def _rank_lines(of: str, found: dict[str, Any]) -> list[str]:
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


def _water_lines(water: dict[str, Any]) -> list[str]:
    lines = [
        "",
        (
            f"WUE, {water['rows']} rows: published median {water['published_median_l_per_kwh']:.2f} L/kWh, ours "
            f"{water['predicted_median_l_per_kwh']:.2f}, median difference "
            f"{water['median_abs_difference_l_per_kwh']:.2f}"
        ),
        *_rank_lines("WUE", water["rank_correlation"]),
        "",
        f"WUE left out, {len(water['left_out'])} rows",
    ]
    return lines + [f"  {one['id']}: {one['reason']}" for one in water["left_out"]]


# Published PUE and WUE of cloud regions against the usual data centre in the climate of each.

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


# `podwright validate power`: published figures of power and cooling, or of regions, against the engine.

NO_PROVIDER = "no provider"


@dataclass(frozen=True)
class Checked:
    """A scored row beside what the engine says of it, in the unit of the row."""

    row: Row
    kind: str
    watts: float  # of the printed unit; 0 where it is none of power
    prediction: Prediction
    found: Predicted


def validate_power(path: Path, catalog: Catalog) -> PowerReport:
    """Compute every scored figure of a file, or every region of a file of regions.

    Raises
    ------
    ValidationFileError : the file cannot be read
    """
    try:
        regions = read_rows(path, REGION_COLUMNS)
    except ValidationFileError:
        rows = read_rows(path, COLUMNS)
    else:
        return regions_report(len(regions), region_table(regions, catalog), catalog)
    return figures_report(len(rows), *checked_rows(rows, catalog))


def figures_report(rows: int, checked: Sequence[Checked], unsupported: Sequence[Unsupported]) -> PowerReport:
    """The report of a file of single figures."""
    of_places = [one for one in checked if one.kind in (PUE_PROVIDER, PUE_FACILITY)]
    return PowerReport(
        kind="power",
        rows=rows,
        predictions=tuple(one.prediction for one in checked),
        unsupported=tuple(unsupported),
        constants={},
        extra={
            "pue_less_one": overhead_errors([one.prediction for one in of_places]),
            "rank_correlation": _place_ranks(
                one for one in of_places if one.found.place and one.found.place.near
            ),
            "rank_correlation_with_far": _place_ranks(of_places),
        },
    )


def checked_rows(rows: Sequence[Row], catalog: Catalog) -> tuple[list[Checked], list[Unsupported]]:
    """Every scored row beside its prediction, and those that cannot be predicted with the reason."""
    statements = statements_of(rows)
    checked, unsupported = [], []
    for statement in statements:
        if not statement.row.scored:
            continue
        others = tuple(one for one in statements if one is not statement and _alike(one, statement))
        try:
            checked.append(_checked(Asked(statement, others, catalog)))
        except UnsupportedRowError as error:
            unsupported.append(Unsupported(statement.row.key, str(error)))
    return checked, unsupported


def statements_of(rows: Sequence[Row]) -> list[Statement]:
    """Rows, read; "same run" is the run of the row before."""
    read: list[Statement] = []
    for row in rows:
        before = read[-1] if read and _submission(read[-1].row) == _submission(row) else None
        read.append(Statement(row, before))
    return read


def _place_ranks(checked: Iterable[Checked]) -> dict[str, dict[str, float | None]]:
    """Rank correlation of PUE, of all and by provider."""
    pairs = (
        (one.found.provider or NO_PROVIDER, one.prediction.measured, one.prediction.predicted)
        for one in checked
    )
    return {name: asdict(found) for name, found in by_group(pairs).items()}


def _checked(asked: Asked) -> Checked:
    statement = asked.statement
    case = case_of(statement)
    kind = kind_of(statement, case)
    measured, factor = statement.measured(), statement.factor(case.dimension)
    found = case.predict(asked)
    if not math.isfinite(found.value):
        raise UnsupportedRowError("the engine leaves it unknown: an input is not in the catalog")
    prediction = Prediction(
        key=statement.row.key,
        family=statement.row.text("source") or statement.row.family,
        groups={"quantity": kind},
        measured=measured,
        predicted=found.value / factor,
        low=None if found.low is None else found.low / factor,
        high=None if found.high is None else found.high / factor,
        assumed=found.assumed,
    )
    return Checked(statement.row, kind, factor if case.dimension == "W" else 0.0, prediction, found)


def _alike(one: Statement, other: Statement) -> bool:
    return _submission(one.row) == _submission(other.row)


def _submission(row: Row) -> str:
    """What rows of one submission share."""
    return row.text("url") or row.text("source")


# The shipped figures of power and cooling, and of cloud regions, beside ours.


class PublishedPower(NamedTuple):
    checked: tuple[Checked, ...]
    unsupported: tuple[LeftOut, ...]
    unscored: tuple[LeftOut, ...]
    report: PowerReport
    regions: RegionTable
    regions_report: PowerReport
    band: tuple[float, float]  # how far operators lie below and above ours


def published_power(catalog: Catalog) -> PublishedPower:
    """Every shipped figure; computed once a catalog revision."""
    return _published(catalog.builtin)


@functools.lru_cache(maxsize=2)
def _published(catalog: Catalog) -> PublishedPower:
    rows = read_rows(seed_data() / POWER_FIGURES_FILE, COLUMNS)
    by_key = {row.key: row for row in rows}
    checked, unsupported = checked_rows(rows, catalog)
    region_rows = read_rows(seed_data() / CloudRegion.file, REGION_COLUMNS)
    regions = region_table(region_rows, catalog)
    return PublishedPower(
        checked=tuple(checked),
        unsupported=tuple(LeftOut(by_key[one.id], one.reason) for one in unsupported),
        unscored=tuple(LeftOut(row, row.text("unscored_reason")) for row in rows if not row.scored),
        report=figures_report(len(rows), checked, unsupported),
        regions=regions,
        regions_report=regions_report(len(region_rows), regions, catalog),
        band=operators_band(catalog),
    )

"""The shipped figures of power and cooling, and of cloud regions, beside ours."""

from __future__ import annotations

import functools
from typing import NamedTuple

from app.catalog.kinds.cloud_regions import CloudRegion
from app.catalog.lookup import Catalog
from app.catalog.validated_collectives import POWER_FIGURES_FILE
from app.paths import seed_data
from app.validation.power.columns import COLUMNS, REGION_COLUMNS
from app.validation.power.facility import operators_band
from app.validation.power.region_table import RegionTable, region_table, regions_report
from app.validation.power.report import PowerReport
from app.validation.power.validate import Checked, checked_rows, figures_report
from app.validation.published.left_out import LeftOut
from app.validation.rows import read_rows


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

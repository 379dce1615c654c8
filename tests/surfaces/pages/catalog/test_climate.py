"""A climate year by months."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.surfaces.pages.catalog.detail import detail
from tests.asgi import AsgiClient
from tests.surfaces.pages.catalog.support import TODAY, get


def test_climate_year_by_months(reading_client: AsgiClient, catalog: Catalog) -> None:
    months = detail(catalog, "climate", "london", today=TODAY).months
    year = catalog.climate("london")
    assert [month.name for month in months][:3] == ["Jan", "Feb", "Mar"]
    assert max(float(month.dry_bulb_highest) for month in months) == year.dry_bulb_c.max()
    january = year.dry_bulb_c[: 31 * 24].mean()
    assert float(months[0].dry_bulb_mean.replace("\u2212", "-")) == pytest.approx(january, abs=0.051)
    december = year.wet_bulb_c[-31 * 24 :].max()
    assert float(months[-1].wet_bulb_highest.replace("\u2212", "-")) == pytest.approx(december, abs=0.051)
    assert "Monthly summary" in get(reading_client, "/catalog/climate/london")

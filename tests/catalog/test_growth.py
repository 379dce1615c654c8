"""The dated figures of growth: whole, sourced, and refused where a cell cannot be used."""

from __future__ import annotations

import datetime
import shutil
from pathlib import Path

import pytest

from app.catalog.errors import SeedError
from app.catalog.growth import (
    LIMITS_FILE,
    MODELS_FILE,
    RATES_FILE,
    TRANSISTORS_FILE,
    decimal_year,
    growth_data,
    read_growth_data,
)
from app.catalog.lookup import Catalog
from app.views.growth.series import SERIES
from tests.support import SEED_DATA


def test_everything_has_a_source() -> None:
    data = growth_data()
    assert len(data.models) == 120
    assert "Epoch AI" in data.models_source
    assert "CC-BY 4.0" in data.models_source
    for one in (*data.rates, *data.limits, *data.transistors.values(), *data.earlier):
        assert one.source
        assert one.confidence in ("high", "medium", "low", "memory")
    for rate in data.rates:
        assert rate.low is None or rate.high is None or rate.low < rate.central < rate.high
        assert rate.basis in ("published", "whole_data")


def test_rates_and_limits_are_of_trends_that_there_are() -> None:
    data = growth_data()
    assert {rate.trend for rate in data.rates} <= {*SERIES, "mfu"}
    assert {limit.measure for limit in data.limits} == {one.measure for one in SERIES.values() if one.measure}


def test_transistors_are_of_devices_that_there_are(catalog: Catalog) -> None:
    data = growth_data()
    assert set(data.transistors) <= {*catalog.keys("accelerators"), *(one.key for one in data.earlier)}


def test_dates_become_years() -> None:
    assert decimal_year(datetime.date(2026, 1, 1)) == 2026
    assert decimal_year(datetime.date(2025, 12, 31)) == pytest.approx(2026, abs=1 / 365 + 1e-9)


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        (MODELS_FILE, "2012-09-30", "autumn 2012", "YYYY-MM-DD"),
        (MODELS_FILE, "4.7e+17", "lots", "not a number"),
        (RATES_FILE, "4.01,4.35", "4.01,", "is empty"),
        (LIMITS_FILE, "2e29", "0", "not above 0"),
        (TRANSISTORS_FILE, "80e9", "inf", "not above 0 and finite"),
    ],
)
def test_a_cell_that_cannot_be_used_is_named(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    shutil.copytree(SEED_DATA / "growth", tmp_path / "growth")
    path = tmp_path / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(SeedError, match=said):
        read_growth_data(tmp_path)

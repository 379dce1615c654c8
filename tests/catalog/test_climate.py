"""Hours: packed without loss, binned without losing hours, energy or extremes of the mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.catalog.climate import BIN_WIDTH_K, COLUMNS, HOURS, binned, checksum, pack, read_hours, unpack
from tests.support import SEED_DATA


def test_packing_loses_nothing() -> None:
    hours = read_hours(SEED_DATA, "phoenix_az")
    again = unpack(pack(hours), ",".join(COLUMNS), HOURS)
    assert list(again) == list(COLUMNS)
    for name, values in hours.items():
        np.testing.assert_array_equal(again[name], np.round(values, COLUMNS[name]))
        np.testing.assert_allclose(again[name], values, atol=10.0 ** -COLUMNS[name] / 2)


def test_each_file_has_its_checksum() -> None:
    keys = ("phoenix_az", "singapore", "oslo")
    assert len({checksum(SEED_DATA, key) for key in keys}) == len(keys)


def test_bins_by_hand() -> None:
    year = binned(
        dry_bulb_c=np.array([10.1, 10.3, 10.6, -0.2]),
        wet_bulb_c=np.array([8.1, 8.2, 8.3, -0.3]),
        pressure_pa=np.array([100e3, 101e3, 99e3, 98e3]),
    )
    np.testing.assert_allclose(year.dry_bulb_c, [-0.2, 10.2, 10.6])
    np.testing.assert_allclose(year.wet_bulb_c, [-0.3, 8.15, 8.3])
    np.testing.assert_allclose(year.pressure_pa, [98e3, 100.5e3, 99e3])
    np.testing.assert_allclose(year.hours, [1, 2, 1])


@given(
    st.lists(
        st.tuples(st.floats(-40, 50), st.floats(-40, 35), st.floats(60e3, 105e3)), min_size=1, max_size=80
    )
)
def test_bins_keep_hours_and_means(hours: list[tuple[float, float, float]]) -> None:
    dry, wet, pressure = np.array(hours).T
    year = binned(dry_bulb_c=dry, wet_bulb_c=wet, pressure_pa=pressure)
    assert year.hours.sum() == len(hours)
    for column, values in (("dry_bulb_c", dry), ("wet_bulb_c", wet), ("pressure_pa", pressure)):
        mean = (getattr(year, column) * year.hours).sum() / len(hours)
        assert mean == pytest.approx(values.mean(), abs=1e-6 * np.abs(values).max() + 1e-12)
    assert year.hours.size <= len(
        {(np.floor(d / BIN_WIDTH_K), np.floor(w / BIN_WIDTH_K)) for d, w, _ in hours}
    )


def test_a_real_year_has_a_few_hundred_bins() -> None:
    hours = read_hours(SEED_DATA, "denver_co")
    year = binned(**{name: hours[name] for name in ("dry_bulb_c", "wet_bulb_c", "pressure_pa")})
    assert 300 < year.hours.size < 1500
    assert np.all(year.wet_bulb_c <= year.dry_bulb_c + 0.1)

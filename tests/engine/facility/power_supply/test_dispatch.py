"""Who carries the load in each hour: by hand, in its limits, and over random sites."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.engine.facility.power_supply.dispatch import NO_STORE, Dispatch, Running, Store, dispatch
from tests.support import part_of

YEAR = 8760
DESIGNS = part_of(range(120))


def random_site(seed: int) -> dict[str, object]:
    made = np.random.default_rng(seed)
    return {
        "load_w": made.uniform(50, 150, YEAR),
        "clean_w": made.uniform(0, 1, YEAR) ** 3 * made.uniform(0, 300),
        "sources": tuple(
            Running(
                available_w=made.uniform(0, 60) * made.uniform(0.7, 1, YEAR),
                usd_per_kwh=float(made.uniform(0.02, 0.15)),
            )
            for _ in range(made.integers(0, 4))
        ),
        "grid_limit_w": (0.0, 50.0, 80.0, np.inf)[made.integers(4)],
        "grid_usd_per_kwh": made.normal(0.06, 0.05, YEAR),
        "store": Store(
            use=("backup", "clean", "price")[seed % 3],
            power_w=float(made.uniform(1, 80)),
            energy_wh=float(made.uniform(1, 400)),
            round_trip_efficiency=float(made.uniform(0.7, 1)),
        ),
    }


def given(found: Dispatch) -> np.ndarray:
    return found.clean_w + sum(found.sources_w, np.zeros(YEAR)) + found.grid_w


@pytest.mark.slow
@pytest.mark.parametrize("seed", DESIGNS)
def test_every_hour_balances_within_limits(seed: int) -> None:
    site = random_site(seed)
    found, store = dispatch(**site), site["store"]  # type: ignore[arg-type]
    assert isinstance(store, Store)
    left = given(found) + found.discharged_w + found.unmet_w
    assert np.allclose(left, found.load_w + found.charged_w + found.curtailed_w, atol=1e-9)
    for parts in (*found.sources_w, found.grid_w, found.unmet_w, found.curtailed_w):
        assert parts.min() >= -1e-9
    for running, power_w in zip(site["sources"], found.sources_w, strict=True):  # type: ignore[call-overload]
        assert (power_w <= running.available_w + 1e-9).all()
    assert found.grid_w.max() <= site["grid_limit_w"]
    assert -1e-9 <= found.stored_wh.min() <= found.stored_wh.max() <= store.energy_wh + 1e-9
    assert max(found.charged_w.max(), found.discharged_w.max()) <= store.power_w + 1e-9
    lost = found.charged_w.sum() * store.round_trip_efficiency - found.discharged_w.sum()
    assert lost == pytest.approx(0, abs=1e-5)


@pytest.mark.parametrize("seed", part_of(range(0, 180, 3)))
def test_a_larger_backup_never_leaves_more_unmet(seed: int) -> None:
    site = random_site(seed)
    store = site["store"]
    assert isinstance(store, Store)
    without, some, more = (
        dispatch(**{**site, "store": one}).unmet_w.sum()  # type: ignore[arg-type]
        for one in (
            NO_STORE,
            store,
            replace(store, power_w=1.5 * store.power_w, energy_wh=1.2 * store.energy_wh),
        )
    )
    assert without + 1e-6 >= some >= more - 1e-6


@pytest.mark.parametrize("seed", part_of(range(40)))
def test_cost_grows_with_the_price_of_the_grid(seed: int) -> None:
    site = random_site(seed) | {"store": NO_STORE}

    def cost(price: np.ndarray) -> float:
        found = dispatch(**{**site, "grid_usd_per_kwh": price})  # type: ignore[arg-type]
        of_sources = sum(
            power_w.sum() * running.usd_per_kwh
            for running, power_w in zip(site["sources"], found.sources_w, strict=True)  # type: ignore[call-overload]
        )
        return float((found.grid_w * price).sum() + of_sources)

    price = site["grid_usd_per_kwh"]
    assert isinstance(price, np.ndarray)
    assert cost(price) <= cost(price + 0.01) + 1e-9 <= cost(price + 0.05) + 2e-9


def test_negative_prices_earn_and_stop_own_plant() -> None:
    plant = Running(available_w=np.full(YEAR, 200.0), usd_per_kwh=0.04)
    price = np.where(np.arange(YEAR) % 2, 0.1, -0.02)
    found = dispatch(
        load_w=np.full(YEAR, 100.0),
        clean_w=np.zeros(YEAR),
        sources=(plant,),
        grid_limit_w=np.inf,
        grid_usd_per_kwh=price,
    )
    assert found.grid_w.tolist()[:2] == [100.0, 0.0]
    assert found.sources_w[0].tolist()[:2] == [0.0, 100.0]
    assert (found.grid_w * price).sum() < 0


def test_a_backup_by_hand() -> None:
    """Load of 100 for 12 h and of 130 for 12 h, a grid of 110: 20 short. 10 to spare for 12 h charge 120 Wh at most."""
    load = np.tile(np.repeat([100.0, 130.0], 12), 365)
    found = dispatch(
        load_w=load,
        clean_w=np.zeros(YEAR),
        sources=(),
        grid_limit_w=110.0,
        grid_usd_per_kwh=np.full(YEAR, 0.1),
        store=Store(use="backup", power_w=50.0, energy_wh=1000.0, round_trip_efficiency=1.0),
    )
    assert found.unmet_w.sum() == pytest.approx(365 * (240 - 120))
    assert found.grid_w[:12].tolist() == [110.0] * 12


def test_a_battery_buys_cheap_and_sells_dear() -> None:
    price = np.tile([0.01] * 6 + [0.05] * 12 + [0.2] * 6, 365)
    site = {
        "load_w": np.full(YEAR, 100.0),
        "clean_w": np.zeros(YEAR),
        "sources": (),
        "grid_limit_w": np.inf,
        "grid_usd_per_kwh": price,
    }
    store = Store(use="price", power_w=50.0, energy_wh=200.0, round_trip_efficiency=0.85)
    with_store, without = dispatch(**site, store=store), dispatch(**site)  # type: ignore[arg-type]
    assert (with_store.grid_w * price).sum() < (without.grid_w * price).sum()
    assert with_store.discharged_w.sum() == pytest.approx(365 * 4 * 50 * 0.85)
    flat = dispatch(**{**site, "grid_usd_per_kwh": np.full(YEAR, 0.05)}, store=store)  # type: ignore[arg-type]
    assert flat.charged_w.sum() == 0

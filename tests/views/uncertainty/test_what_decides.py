"""Capital and utilisation decide the cost of an hour; electricity and PUE hardly do."""

from __future__ import annotations

import numpy as np

from app.engine.economics import finance, tco
from app.engine.uncertainty.sobol import indices, saltelli_samples

RANGES = {
    "price": (20e3, 50e3),  # USD for an H100 with all that goes with it
    "life": (3, 6),
    "utilisation": (0.40, 0.95),
    "electricity": (0.05, 0.15),
    "pue": (1.05, 1.45),
}
PUBLISHED = {"utilisation": 0.45, "price": 0.35, "life": 0.15, "electricity": 0.007, "pue": 0.001}
"""First-order shares of the project's own study of an H100 hour (notes on cost and reliability, 2026-11)."""
MEAN_POWER_KW = 1.4 * 0.8


def test_shares_of_the_cost_of_an_h100_hour() -> None:
    shares = saltelli_samples(count=8192, inputs=len(RANGES), seed=0)
    values = {
        name: low + shares[..., place] * (high - low)
        for place, (name, (low, high)) in enumerate(RANGES.items())
    }
    recovery = finance.capital_recovery_factor(rate=np.array(0.10), years=values["life"])
    electricity = MEAN_POWER_KW * 8760 * values["pue"] * values["electricity"]
    installed = tco.usd_per_installed_accelerator_hour(
        annual_cost_usd_per_year=values["price"] * recovery + electricity,
        installed_accelerator_hours_per_year=np.array(8760.0),
    )
    hour = tco.usd_per_accelerator_hour(
        usd_per_available_accelerator_hour=installed, utilisation=values["utilisation"]
    )
    first, total = indices(hour)
    found = dict(zip(RANGES, first[0], strict=True))
    for name, share in PUBLISHED.items():
        assert abs(found[name] - share) < 0.01, (name, found[name])
    assert np.all(total[0] >= first[0] - 0.01)

"""Names of inputs, the fields that state them, and what these may be."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.trace import Origin
from app.scenarios.sweeping.fields import scenario_fields
from app.views.uncertainty.inputs import FIELDS, bounds_of_field, field_of, name_of


@pytest.mark.parametrize("field", FIELDS.values())
def test_fields_are_there(field: str) -> None:
    assert field in scenario_fields()


def test_a_place_without_a_field_has_none() -> None:
    assert field_of("economics.wacc") == "economics.wacc"
    assert field_of("assumptions.economics.storage_price_usd_per_tb").startswith("assumptions.")
    assert field_of("pod.fabric.switch.price_usd") == ""


def test_names_are_short() -> None:
    said = Origin(kind="vendor", label="share of the time; low: idle. And more")
    assert name_of("assumptions.facility.x", said) == "Share of the time"
    assert name_of("economics.wacc", said) == "Cost of capital"
    assert name_of("workload.tokens", Origin(kind="scenario", label="x")) == "Training tokens"


@pytest.mark.parametrize(
    ("field", "bounds"),
    [
        ("economics.utilisation", (0, 1)),
        ("economics.life_years", (0, 50)),
        ("pod.supernodes", (1, 1e6)),
        ("economics.renting.shock_share", (-1, 10)),
        ("assumptions.economics.support_share_per_year", (0, np.inf)),
    ],
)
def test_what_a_field_may_be(field: str, bounds: tuple[float, float]) -> None:
    assert bounds_of_field(field) == bounds

"""Bounds and widenings that ship are those that the left-out errors of the shipped measurements give."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.scenarios.evaluation.serving_doubt import ROOM, TPOT, TTFT, WIDER
from app.validation.serving.widening import CLASSES, Widths, measured_widths


@pytest.fixture(scope="module")
def widths(catalog: Catalog) -> dict[str, Widths]:
    return measured_widths(catalog)


@pytest.mark.parametrize(("name", "row"), [("tpot", TPOT), ("ttft", TTFT)])
def test_shipped_bounds_hold_eight_of_ten(
    catalog: Catalog, widths: dict[str, Widths], name: str, row: str
) -> None:
    shipped, found = catalog.assumption(ROOM, row, {}), widths[name]
    assert shipped.low is not None
    assert shipped.high is not None
    assert shipped.low <= found.low <= shipped.low * 1.1
    assert shipped.high / 1.1 <= found.high <= shipped.high
    for group in CLASSES:
        value = catalog.assumption(ROOM, WIDER[row], {"unmeasured": group}).value
        assert value == pytest.approx(found.widening[group], abs=0.01), group

"""The constants of serving: what they may be keyed by, and that each is shipped with its left-out values."""

from __future__ import annotations

import pytest

from app.catalog.lookup import Catalog
from app.validation.serving.assumed import ROOM, left_out_constants, name_of
from app.validation.serving.constants import FITTED

ALLOWED = {"engine", "generation", "dense_format", "expert_format"}


def test_constants_belong_to_hardware_engine_and_format() -> None:
    """Never to a model, a benchmark or a system as it is sold."""
    for constant in FITTED:
        assert set(constant.conditions) <= ALLOWED, constant.name


def test_every_fitted_constant_is_a_row_of_the_catalog(catalog: Catalog) -> None:
    shipped = {
        name_of(row) for name in catalog.assumption_names(ROOM) for row in catalog.assumption_rows(ROOM, name)
    }
    assert {constant.name for constant in FITTED} <= shipped


def test_no_constant_is_far_from_what_was_believed_of_it(catalog: Catalog) -> None:
    """Four standard deviations: farther off, a constant would stand for something else than its name."""
    import math

    values = {
        name_of(row): row.value
        for name in catalog.assumption_names(ROOM)
        for row in catalog.assumption_rows(ROOM, name)
    }
    for constant in FITTED:
        distance = abs(math.log(values[constant.name] / constant.prior)) / constant.spread
        assert distance < 4, (constant.name, distance)


@pytest.mark.parametrize("label", ["deepseek_v3", "llama_3_1_70b", "nvidia_b200_sxm", "nvidia_h100_sxm"])
def test_constants_without_a_model_or_a_system_are_shipped(label: str) -> None:
    assert set(left_out_constants()[label]) == {constant.name for constant in FITTED}

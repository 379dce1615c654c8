"""The constants of serving: what they may be keyed by, and that each is shipped with its left-out values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.validation.serving.deployment import ROOM, left_out_constants, name_of
from app.validation.serving.fit import COMMON, FITTED, OWN, SPREADS, values_of

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


def test_no_constant_is_further_than_two_standard_deviations_from_its_prior(catalog: Catalog) -> None:
    """Farther off, a constant would stand for something else than its name. Deviations are from the common value."""
    values = {
        name_of(row): row.value
        for name in catalog.assumption_names(ROOM)
        for row in catalog.assumption_rows(ROOM, name)
    }
    common = {one.assumption: math.log(values[one.name] / one.prior) for one in COMMON}
    for constant, spread in zip(FITTED, SPREADS.tolist(), strict=True):
        moved = math.log(values[constant.name] / constant.prior)
        if constant in OWN:
            moved -= common[constant.assumption]
        assert abs(moved) / spread < 2, (constant.name, moved / spread)


def test_own_values_are_the_common_one_times_a_deviation() -> None:
    """Nothing moved: the priors; a common value moved by a tenth takes its own ones along."""
    numbers = np.zeros(len(FITTED))
    assert values_of(numbers) == {one.name: pytest.approx(one.prior) for one in FITTED}
    at = [one.name for one in FITTED].index("kernel_time_s[]")
    numbers[at] = 0.1
    numbers[[one.name for one in FITTED].index("kernel_time_s[engine=vllm]")] = -0.3
    moved = values_of(numbers)
    assert moved["kernel_time_s[engine=sglang]"] == pytest.approx(4.5e-6 * math.exp(0.1))
    assert moved["kernel_time_s[engine=vllm]"] == pytest.approx(4.5e-6 * math.exp(-0.2))
    assert moved["expert_kernel_ratio[]"] == pytest.approx(1.35)


@pytest.mark.parametrize(
    "label",
    [
        "model=deepseek_v3",
        "system=nvidia_b200_sxm",
        "model_engine=deepseek_v3+sglang",
        "model_and_engine=qwen3_32b+vllm",
        "engine=vllm",
        "generation=hopper",
        "format=fp8",
        "attention=latent",
    ],
)
def test_constants_without_each_part_are_shipped(label: str) -> None:
    assert set(left_out_constants()[label]) == {constant.name for constant in FITTED}

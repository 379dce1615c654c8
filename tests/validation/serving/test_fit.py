"""Constants of serving: what they are fitted without, and how rows were measured."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.scenarios.evaluation.serving_intervals import ROOM as DOUBT
from app.scenarios.evaluation.serving_intervals import TPOT, TTFT, WIDER
from app.validation.serving.cases import BOTH, ENGINE, MODEL, PAIR, Without, gathered, parts_of
from app.validation.serving.deployment import ROOM, Deployment, deployment_of, left_out_constants, name_of
from app.validation.serving.fit import COMMON, FITTED, OWN, SPREADS, values_of
from app.validation.serving.protocol import is_known, kv_format
from app.validation.serving.widening import CLASSES, Widths, measured_widths
from tests.validation.serving.rows import row

# The constants of serving: what they may be keyed by, and that each is shipped with its left-out values.

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


# Which rows a fit does not see, and which are predicted with it.

WORDS = {MODEL: np.array(["a", "a", "b", "b"]), ENGINE: np.array(["x", "y", "x", "y"])}


@pytest.mark.parametrize(
    ("group", "words", "unseen", "own"),
    [
        (MODEL, {MODEL: "a"}, [1, 1, 0, 0], [1, 1, 0, 0]),
        (PAIR, {MODEL: "a", ENGINE: "x"}, [1, 0, 0, 0], [1, 0, 0, 0]),
        (BOTH, {MODEL: "a", ENGINE: "x"}, [1, 1, 1, 0], [1, 0, 0, 0]),
    ],
)
def test_rows_left_out(group: str, words: dict[str, str], unseen: list[int], own: list[int]) -> None:
    part = Without(group, words)
    assert part.members(WORDS).astype(int).tolist() == unseen
    assert part.own(WORDS).astype(int).tolist() == own


def test_every_part_that_there_is() -> None:
    assert [one.label for one in parts_of(WORDS, MODEL, PAIR)] == [
        "model=a", "model=b", "model_engine=a+x", "model_engine=a+y", "model_engine=b+x", "model_engine=b+y",
    ]  # fmt: skip
    assert len(parts_of({name: words[:1] for name, words in WORDS.items()}, PAIR)) == 1


# Bounds and widenings that ship are those that the left-out errors of the shipped measurements give.


@pytest.fixture(scope="module")
def widths(catalog: Catalog) -> dict[str, Widths]:
    return measured_widths(catalog)


@pytest.mark.parametrize(("name", "row"), [("tpot", TPOT), ("ttft", TTFT)])
def test_shipped_bounds_hold_eight_of_ten(
    catalog: Catalog, widths: dict[str, Widths], name: str, row: str
) -> None:
    shipped, found = catalog.assumption(DOUBT, row, {}), widths[name]
    assert shipped.low is not None
    assert shipped.high is not None
    assert shipped.low <= found.low <= shipped.low * 1.1
    assert shipped.high / 1.1 <= found.high <= shipped.high
    for group in CLASSES:
        value = catalog.assumption(DOUBT, WIDER[row], {"unmeasured": group}).value
        assert value == pytest.approx(found.widening[group], abs=0.01), group


# How the benchmark was run that most latencies come from.


def deployment(catalog: Catalog, **cells: object) -> Deployment:
    return deployment_of(gathered([row(**cells)], catalog, 1), catalog)


def test_dated_rows_of_its_lengths_are_of_the_benchmark() -> None:
    assert is_known(input_tokens=1024, output_tokens=8192, dated=True)
    assert not is_known(input_tokens=1024, output_tokens=8192, dated=False)
    assert not is_known(input_tokens=4000, output_tokens=1000, dated=True)


@pytest.mark.parametrize(
    ("changed", "form"),
    [
        ({}, "fp8"),
        ({"form": "bf16"}, None),
        ({"known": False}, None),
        ({"generation": "hopper"}, "fp8"),
        ({"generation": "hopper", "engine": "sglang"}, None),
        ({"generation": "hopper", "model": "gpt_oss_120b", "form": "mxfp4"}, None),
        ({"model": "gpt_oss_120b", "form": "mxfp4"}, "fp8"),
        ({"generation": "cdna"}, None),
    ],
)
def test_keys_and_values(changed: dict[str, object], form: str | None) -> None:
    plain = {
        "model": "deepseek_v3",
        "engine": "vllm",
        "generation": "blackwell",
        "form": "fp8",
        "known": True,
    }
    assert kv_format(**{**plain, **changed}) == form  # type: ignore[arg-type]


def test_lengths_are_spread_below_the_printed_ones(catalog: Catalog) -> None:
    assert deployment(catalog).load.input_tokens.tolist() == [pytest.approx(0.9 * 1024)]
    assert deployment(catalog, measured="").load.input_tokens.tolist() == [1024]
    assert deployment(catalog, isl=4000, osl=1000).load.output_tokens.tolist() == [1000]


def test_bytes_of_keys_and_values_follow(catalog: Catalog) -> None:
    assert deployment(catalog, engine="sglang").parts.kv_element_bytes.tolist() == [1]
    assert deployment(catalog, engine="sglang", system="h200_sxm").parts.kv_element_bytes.tolist() == [2]


def test_modules_of_multi_token_prediction(catalog: Catalog) -> None:
    with_modules = {"engine_version": "1.2.0rc6.post3", "measured": "2026-02-05"}
    assert deployment(catalog).speculation.tokens.tolist() == [0]
    assert deployment(catalog, **with_modules).speculation.tokens.tolist() == [3]
    cut = {"tp": 1, "dp": 8, "moe_tp": 1, "moe_ep": 8}
    found = deployment(catalog, **with_modules, **cut).speculation
    assert found.tokens.tolist() == [1]
    assert np.all((found.acceptance > 0) & (found.acceptance < 1))


def test_the_common_start_weighs_more_in_short_runs(catalog: Catalog) -> None:
    assert deployment(catalog, measured="").load.burst[0] > deployment(catalog).load.burst[0] == 1

"""How the benchmark was run that most latencies come from."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.validation.serving.cases import gathered
from app.validation.serving.deployment import Deployment, deployment_of
from app.validation.serving.protocol import is_known, kv_format
from tests.validation.serving.rows import row


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

"""Systems of late 2026 can be designed with: they answer, and what is not published is asked for with an offer."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import accept_suggestions, evaluate_scenario
from tests.scenarios.support import document

pytestmark = pytest.mark.slow
SYSTEMS = (
    "tpu_8t_pod", "tpu_8i_pod", "azure_maia_200_tray", "meta_mtia_400_rack", "nvidia_groq3_lpx", "groqrack_64",
    "sambarack_sn40l_16", "sambarack_sn50_16", "amd_mi440x_8way", "amd_mi430x_4way", "huawei_atlas_350_8",
    "huawei_atlas_950_superpod", "vr_cpx_144", "rubin_ultra_nvl576_kyber", "hgx_h100", "hgx_h200", "hgx_b200",
    "hgx_b300", "gb200_nvl4",
)  # fmt: skip
PEAKS = {
    "bf16": "bf16_flop_per_s", "fp16": "fp16_flop_per_s", "fp8": "fp8_flop_per_s", "nvfp4": "fp4_flop_per_s",
}  # fmt: skip
NOT_SOLD = {"google", "microsoft", "meta"}


def no_nan(value: Any, place: str = "") -> None:
    if isinstance(value, dict):
        for key, one in value.items():
            no_nan(one, f"{place}.{key}")
    elif isinstance(value, list):
        for one in value:
            no_nan(one, place)
    elif isinstance(value, float):
        assert math.isfinite(value), place


@pytest.mark.parametrize("system", SYSTEMS)
def test_it_answers_and_offers_what_is_not_published(system: str) -> None:
    catalog = ready_catalog()
    chip = catalog.part("accelerators", catalog.part("systems", system).attributes["accelerator_key"])
    precision = next(one for one, peak in PEAKS.items() if peak in chip.facts)
    before = evaluate_scenario(
        document(supernode__system=system, pod__supernodes=4, workload__precision=precision), catalog
    )
    no_nan(before.as_json)
    after = accept_suggestions(before)
    left = [one.constraint for one in after.problems if one.kind == "missing_input"]
    rent_only = chip.attributes["ecosystem"] in NOT_SOLD
    assert left == (["rent_only"] if rent_only else [])
    cost = "usd_per_run_rented_on_demand" if rent_only else "usd_per_run"
    assert after.as_json["cost"][cost] > 0
    assert after.as_json["power"]["utility_peak_w"] > 0


def test_figures_that_were_wrong() -> None:
    """As their makers print them: HGX B200 and B300 have 600 TFLOP/s of FP32 for eight."""
    parts = {
        key: ready_catalog().part("accelerators", key).facts for key in ready_catalog().keys("accelerators")
    }
    for key in ("nvidia_b200_sxm", "nvidia_b300_sxm"):
        assert parts[key]["fp32_flop_per_s"].value * 8 == 600e12
    assert parts["nvidia_b300_sxm"]["fp4_flop_per_s"].value * 8 == 108e15
    assert parts["intel_gaudi3"]["fp32_flop_per_s"].value == pytest.approx(28.7e12 / 2, rel=0.01)
    assert parts["nvidia_gh200_144"]["memory_label_bytes"].value == 144e9
    assert parts["nvidia_gh200_144"]["memory_bandwidth_bytes_per_s"].value == 4.9e12

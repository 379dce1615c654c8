"""What of a served workload goes to other hardware with it."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.load import build_scenario
from app.views.serving.other_hardware import workload_elsewhere
from tests.scenarios.serving.cases import values

CALIBRATION = {"measured_tpot_over_predicted": 1.1}
PARTS = {"kv_cache": "bf16", "head": "fp8"}


def moved(system: str | None, precision: str = "fp8", **workload: Any) -> dict[str, Any]:
    document = build_scenario(values(precision="fp8", **workload))
    return workload_elsewhere(document, ready_catalog(), system=system, precision=precision, mode="auto")


@pytest.mark.parametrize(
    ("engine", "system", "expected"),
    [
        ({"name": "tensorrt_llm"}, "amd_mi300x_8way", {"name": "auto"}),
        (
            {"name": "tensorrt_llm", "version": "1.1.0"},
            "dgx_b200",
            {"name": "tensorrt_llm", "version": "1.1.0"},
        ),
        ({"name": "sglang", "version": "0.5.9"}, "amd_mi300x_8way", {"name": "sglang", "version": "0.5.9"}),
        ({"version": "1.1.0"}, "amd_mi300x_8way", {"name": "auto"}),
        ({"version": "1.1.0"}, "dgx_b200", {"name": "auto", "version": "1.1.0"}),
        ({"name": "tensorrt_llm"}, None, {"name": "tensorrt_llm"}),
    ],
)
def test_the_engine_goes_where_it_runs(
    seeded_data_dir: object, engine: dict[str, str], system: str | None, expected: dict[str, str]
) -> None:
    assert moved(system, engine=engine)["engine"] == expected


def test_what_was_measured_and_what_the_format_decides_stay_behind(seeded_data_dir: object) -> None:
    own = moved(None, calibration=CALIBRATION, parts=PARTS)
    assert (own["calibration"], own["parts"]) == (CALIBRATION, PARTS)
    assert (own["layout"], own["concurrency"], own["mode"]) == ("auto", "auto", "auto")
    there = moved("dgx_b200", calibration=CALIBRATION, parts=PARTS)
    assert "calibration" not in there
    other = moved(None, "bf16", calibration=CALIBRATION, parts=PARTS)
    assert "calibration" not in other
    assert (other["precision"], other["parts"]) == ("bf16", {"kv_cache": "bf16"})

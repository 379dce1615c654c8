"""The serving workload of a scenario: defaults, ranges, and what is refused."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, get_args

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.document.scenario import ServingDocument
from app.scenarios.document.serving import ENGINES
from app.scenarios.document.serving_parts import ServingPrecision
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario, parse_scenario
from app.scenarios.reading.messages import all_paths
from app.scenarios.resolve import resolve
from tests.scenarios.serving.cases import faults, resolved, values

GUIDE = Path(__file__).resolve().parents[3] / "docs" / "serving.md"


def test_kind_and_model_are_enough() -> None:
    taken = build_scenario(values())
    workload = taken.workload
    assert isinstance(workload, ServingDocument)
    assert (workload.precision, workload.mode, workload.concurrency, workload.layout) == (
        "fp8", "auto", "auto", "auto",
    )  # fmt: skip
    assert (workload.requests.input_tokens, workload.requests.output_tokens) == (1024, 1024)
    assert workload.speculation.tokens == 0
    assert workload.demand is None


@pytest.mark.parametrize(
    "workload",
    [
        {},
        {"layout": {"tp": 8, "instances": 1}},
        {"layout": {"prefill": {"dp": 4}, "decode": {"dp": 4, "ep": 4}}},
        {"demand": {"tokens_per_day": 1e9, "regions": [{"name": "Asia", "round_trip_s": 0.05}]}},
        {"calibration": {"measured_tpot_over_predicted": 1.1, "source": "own run"}},
        {"parts": {"experts": "nvfp4", "kv_cache": "fp8"}, "concurrency": 64},
    ],
)
def test_a_document_survives_yaml_and_json(workload: dict[str, Any]) -> None:
    taken = build_scenario(values(**workload))
    assert parse_scenario(taken.as_yaml()) == taken
    assert parse_scenario(taken.as_json(), format="json") == taken


def test_a_number_may_be_a_range() -> None:
    taken = build_scenario(
        values(
            concurrency="100 to 400",
            requests={"input_tokens": "500 to 1000 to 4000"},
            layout={"tp": "4 to 16"},
        )
    )
    assert isinstance(taken.workload, ServingDocument)
    assert taken.workload.concurrency == 200
    assert taken.workload.requests.input_tokens == 1000
    assert set(taken.uncertainty.inputs) == {
        "workload.concurrency", "workload.requests.input_tokens", "workload.layout.tp",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("workload", "place", "said"),
    [
        ({"requests": {"output_tokens": -1}}, "workload.requests.output_tokens", "-1 must be at least 0"),
        ({"requests": {"input_tokens": 0}}, "workload.requests.input_tokens", "0 must be at least 1"),
        ({"requests": {"cached_share": 1}}, "workload.requests.cached_share", "1 must be below 1"),
        ({"concurrency": 0}, "workload.concurrency", "0 must be at least 1"),
        ({"concurrency": "many"}, "workload.concurrency", "'many' must be"),
        ({"precision": "fp7"}, "workload.precision", "'fp7' must be"),
        ({"engine": {"name": "tgi"}}, "workload.engine.name", "'tgi' must be"),
        ({"mode": "disaggregated", "layout": {"tp": 8}}, "workload.mode", "mode disaggregated does not go with workload.layout, which is aggregated"),
        ({"layout": {"prefill": {"tp": 8}}}, "workload.layout.decode", "is required"),
        ({"layout": {"tp": 8, "ttp": 1}}, "workload.layout.ttp", "Did you mean tp?"),
        ({"demand": {}}, "workload.demand", "states no amount"),
        ({"demand": {"peak_to_mean": 2}}, "workload.demand", "or leave demand out"),
        ({"demand": {"requests_per_s": 1, "tokens_per_day": 1}}, "workload.demand", "states its amount twice"),
        (
            {"demand": {"requests_per_s": 1, "regions": [{"name": "A", "share": 0.5, "round_trip_s": 0}]}},
            "workload.demand.regions", "sum to 0.5",
        ),
        ({"service_level": {"percentile": 95}}, "workload.service_level.percentile", "95 must be below 1"),
        ({"calibration": {}}, "workload.calibration", "states neither ratio"),
        ({"tokens": 1e12}, "workload.tokens", "is not a known key"),
    ],
)  # fmt: skip
def test_bad_input_is_named_with_a_way_out(workload: dict[str, Any], place: str, said: str) -> None:
    (told,) = faults(**workload)
    assert told.startswith(f"{place}: ")
    assert said in told


def test_a_training_layout_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"state workload\.layout"):
        resolve(build_scenario(values() | {"parallelism": {"tp": 8}}), ready_catalog())


def test_every_field_is_in_the_guide() -> None:
    """Fields by their names in backticks or in an example, those of an inline architecture aside."""
    words = set(re.findall(r"[a-z_][a-z0-9_]*", GUIDE.read_text(encoding="utf-8")))
    fields = {path.rsplit(".", 1)[-1] for path in all_paths(ServingDocument) if not path.startswith("model.")}
    assert fields - words == set()


def test_every_precision_and_engine_is_in_the_guide() -> None:
    text = GUIDE.read_text(encoding="utf-8")
    for word in (*get_args(ServingPrecision), *ENGINES):
        assert word in text


def test_a_range_is_told_by_its_field() -> None:
    found = resolved(calibration={"measured_tpot_over_predicted": 1.2})
    origin = found.origins["workload.measured_over_predicted_tpot"]
    assert (origin.kind, origin.field) == ("scenario", "workload.calibration.measured_tpot_over_predicted")

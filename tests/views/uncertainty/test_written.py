"""Ranges written in the fields themselves: where they go, what stands for them, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.saved.diff import input_changes
from app.scenarios.document.ranges import number_fields
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.load import build_scenario, parse_scenario
from app.scenarios.reading.messages import as_it_could_be_written, point_of, range_of_text
from app.scenarios.sweeping.fields import with_field
from tests.scenarios.support import document, fault, faults, scenario

WACC = "economics.wacc"


def ranged(field: str, **changes: Any) -> dict[str, Any]:
    """The range of a field as plain values."""
    return document(**changes).uncertainty.inputs[field].model_dump(exclude_none=True)


@pytest.mark.parametrize(
    ("written", "point", "range_"),
    [
        ("0.08 to 0.12", math.sqrt(0.08 * 0.12), {"low": 0.08, "high": 0.12}),
        ("0.08 \u2013 0.12", math.sqrt(0.08 * 0.12), {"low": 0.08, "high": 0.12}),
        ("8e-2 TO .12", math.sqrt(0.08 * 0.12), {"low": 0.08, "high": 0.12}),
        ("0.08 to 0.1 to 0.14", 0.1, {"low": 0.08, "typical": 0.1, "high": 0.14}),
        (
            "0.08 to 0.12 lognormal",
            math.sqrt(0.08 * 0.12),
            {"low": 0.08, "high": 0.12, "distribution": "lognormal"},
        ),
        ({"low": 0.08, "typical": 0.1, "high": 0.14}, 0.1, {"low": 0.08, "typical": 0.1, "high": 0.14}),
        (
            {"distribution": "pert", "low": 0, "high": 0.14},
            0.07,  # the arithmetic mean where an end is zero
            {"low": 0.0, "high": 0.14, "distribution": "pert"},
        ),
    ],
)
def test_a_range_moves_and_leaves_its_point(written: Any, point: float, range_: dict[str, Any]) -> None:
    found = document(economics__wacc=written)
    assert found.economics.wacc == pytest.approx(point, rel=1e-11)
    assert found.uncertainty.inputs[WACC].model_dump(exclude_none=True) == range_


def test_in_yaml_and_back() -> None:
    text = """
    workload: {kind: training, model: llama_3_1_8b, tokens: 1e12 to 2e12, sequence_length: 8192,
               global_batch_sequences: 1024}
    supernode: {system: dgx_h100}
    economics: {utilisation: {low: 0.4, typical: 0.8, high: 0.95}, finance: {inflation: -0.01 to 0.03}}
    operations: {spares: 2 to 8}
    assumptions: {operations.failures_per_node_day: 2e-3 to 1e-2}
    uncertainty: {inputs: {economics.life_years: 4 to 6}}
    """
    read = parse_scenario(text)
    assert set(read.uncertainty.inputs) == {
        "workload.tokens",
        "economics.utilisation",
        "economics.finance.inflation",
        "operations.spares",
        "assumptions.operations.failures_per_node_day",
        "economics.life_years",
    }
    assert read.operations.spares == 4
    assert read.economics.finance.inflation == pytest.approx(0.01)
    assert read.assumptions["operations.failures_per_node_day"] == pytest.approx(math.sqrt(2e-5))
    for again in (parse_scenario(read.as_yaml()), parse_scenario(read.as_json(), format="json")):
        assert again == read


def test_words_and_parts_are_no_ranges() -> None:
    found = document(
        name="5 to 10",
        description="2 to 4",
        supernode={"custom": {"name": "1 to 2", "accelerator": "nvidia_h100_sxm", "accelerators": 16}},
        pod__accelerators_used="all",
        workload__calibration={"measured_over_predicted": 1.0, "low": 0.9, "high": 1.1},
    )
    assert found.name == "5 to 10"
    assert found.uncertainty.inputs == {}


def test_without_a_range_nothing_is_touched() -> None:
    values = scenario(economics__wacc=0.1)
    assert build_scenario(values).uncertainty.model_fields_set == set()
    assert values == scenario(economics__wacc=0.1)


@pytest.mark.parametrize(
    ("changes", "path", "rule", "said"),
    [
        ({"economics__wacc": "0.12 to 0.08"}, WACC, "range_order", "low end, 0.12, above its high end, 0.08"),
        ({"economics__wacc": "0.1 to 0.1"}, WACC, "range_order", "so it is no range"),
        ({"economics__wacc": "0.08 to 0.3 to 0.12"}, WACC, "typical_inside", "0.3, outside 0.08 to 0.12"),
        ({"economics__wacc": "0 to 0.1 lognormal"}, WACC, "lognormal_above_zero", "low end of 0"),
        ({"economics__wacc": {"low": 0.08}}, f"{WACC}.high", "required", "is required"),
        ({"economics__wacc": {"low": 1, "hihg": 2}}, f"{WACC}.hihg", "unknown_key", "Did you mean high?"),
        ({"economics__wacc": "0.08-0.12"}, WACC, "number", "A range is written 0.08 to 0.12."),
        ({"economics__utilisation": "0.5 to 1.2"}, "economics.utilisation", "at_most", "1.2 must be at most 1"),
        ({"economics__life_years": "0 to 5"}, "economics.life_years", "above", "0 must be above 0"),
        ({"operations__spares": "1.5 to 4"}, "operations.spares", "whole_number", "1.5 must be a whole number"),
        ({"pod__fabric__shape": ["2 to 4"]}, "pod.fabric.shape[0]", "whole_number", "hold one number"),
        (
            {"economics__wacc": "0.1 to 0.2", "uncertainty__inputs": {WACC: {"low": 0.1, "high": 0.3}}},
            WACC,
            "range_once",
            "uncertainty.inputs has one too",
        ),
        ({"uncertainty__inputs": {"economics.wac": "1 to 2"}}, "uncertainty.inputs.economics.wac", "unknown_field",
         "Nearest: economics.wacc"),
        ({"uncertainty__inputs": {"supernode.system": "1 to 2"}}, "uncertainty.inputs.supernode.system",
         "number_field", "is not a number"),
        ({"uncertainty__inputs": {"pod.also[0].supernodes": "1 to 2"}}, "uncertainty.inputs.pod.also[0].supernodes",
         "field", "stands in a list"),
        ({"uncertainty__inputs": {"workload.steps": "1 to 2"}}, "uncertainty.inputs.workload.steps",
         "unknown_field", "not a field of this scenario"),
        ({"uncertainty__inputs": {"economics.utilisation": "0.5 to 2"}}, "uncertainty.inputs.economics.utilisation",
         "at_most", "2 must be at most 1"),
        ({"uncertainty__inputs": {WACC: "a few"}}, f"uncertainty.inputs.{WACC}", "range", "write it as 5 to 10"),
        ({"economics__wacc": 0.5, "uncertainty__inputs": {WACC: "0.1 to 0.2 pert"}}, f"uncertainty.inputs.{WACC}",
         "typical_inside", "0.5, which is outside 0.1 to 0.2"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_named(changes: dict[str, Any], path: str, rule: str, said: str) -> None:
    error = fault(**changes)
    assert (error.path, error.rule) == (path, rule)
    assert said.lower() in error.words.lower()
    assert error.hint


def test_each_fault_has_its_line_and_all_are_told() -> None:
    text = "workload: {kind: training}\neconomics:\n  wacc: 2 to 1\n  life_years: 0 to 4\n"
    with pytest.raises(Exception, match="2 to 1") as caught:
        parse_scenario(text)
    assert [(error.path, error.line) for error in caught.value.errors] == [  # type: ignore[attr-defined]
        ("economics.life_years", 4),
        ("economics.wacc", 3),
    ]


PAIR: dict[str, Any] = {"between": [WACC, "economics.utilisation"], "coefficient": 0.9}
RANGES = {
    "economics__wacc": "0.08 to 0.12",
    "economics__utilisation": "0.5 to 0.9",
    "economics__life_years": "3 to 6",
}


@pytest.mark.parametrize(
    ("correlations", "rule", "said"),
    [
        ([{"between": [WACC, WACC], "coefficient": 0.5}], "two_fields", "with itself"),
        ([PAIR, {"between": PAIR["between"][::-1], "coefficient": 0.1}], "once", "twice"),
        ([PAIR | {"coefficient": 1.5}], "at_most", "must be at most 1"),
        (
            [{"between": [WACC, "economics.wac"], "coefficient": 0.5}],
            "unknown_field",
            "Nearest: economics.wacc",
        ),
        (
            [
                PAIR,
                {"between": [WACC, "economics.life_years"], "coefficient": 0.9},
                {"between": ["economics.life_years", "economics.utilisation"], "coefficient": -0.9},
            ],
            "positive_definite",
            "nearest that can are 0.",
        ),
    ],
)
def test_correlations_that_cannot_be(correlations: list[dict[str, Any]], rule: str, said: str) -> None:
    error = fault(**RANGES, uncertainty__correlations=correlations)
    assert error.rule == rule
    assert error.path.startswith("uncertainty.correlations")
    assert said in error.words


def test_a_correlation_needs_ranges_where_the_catalog_has_none_to_give() -> None:
    asked = {"economics__wacc": "0.08 to 0.12", "uncertainty__correlations": [PAIR]}
    assert document(**asked).uncertainty.correlations  # utilisation may vary by the catalog
    error = fault(**asked, uncertainty__catalog_ranges=False)
    assert (error.rule, error.value) == ("range_wanted", "economics.utilisation")


def test_a_number_in_its_place_ends_the_range_and_its_correlations() -> None:
    values = document(**RANGES, uncertainty__correlations=[PAIR]).as_dict()
    changed = build_scenario(with_field(values, WACC, 0.2))
    assert changed.economics.wacc == 0.2
    assert set(changed.uncertainty.inputs) == {"economics.utilisation", "economics.life_years"}
    assert changed.uncertainty.correlations == ()


def test_a_changed_range_is_a_difference() -> None:
    before, after = (
        document(economics__wacc=text).as_dict() for text in ("0.08 to 0.1 to 0.12", "0.08 to 0.1 to 0.14")
    )
    (change,) = input_changes(before, after)
    assert change.path == "uncertainty.inputs.economics.wacc.high"
    assert change.label == "Cost of capital, high of its range"
    assert (change.before, change.after) == (0.12, 0.14)


def test_numbers_of_the_document_that_may_vary() -> None:
    fields = number_fields(ScenarioDocument)
    assert {WACC, "pod.supernodes", "operations.spares", "supernode.custom.max_power_w"} <= set(fields)
    assert not {
        "name",
        "supernode.system",
        "pod.also.supernodes",
        "published.value",
        "pod.fabric.shape",
    } & set(fields)
    assert not any(path.startswith("uncertainty") for path in fields)


def test_a_text_without_end_is_no_range_and_takes_no_time() -> None:
    assert range_of_text("1" * 900_000) is None
    assert as_it_could_be_written("1" * 900_000) == ""
    assert range_of_text("1e999 to 2") is None
    assert len(faults(scenario(economics__wacc="9" * 5000))) == 1


@given(
    low=st.floats(min_value=1e-6, max_value=1e12),
    factor=st.floats(min_value=1.01, max_value=1e6),
)
def test_the_point_lies_within_and_is_as_far_from_both_ends(low: float, factor: float) -> None:
    point = point_of(low, None, low * factor)
    assert low <= point <= low * factor
    assert point / low == pytest.approx(low * factor / point, rel=1e-9)
    assert range_of_text(f"{low!r} to {low * factor!r}") == {"low": low, "high": low * factor}

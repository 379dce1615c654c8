"""The sweep document: what it refuses, each with one message that names the place and a way out."""

from __future__ import annotations

from typing import Any

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.sweeping.document import SweepDocument

AXIS = {"field": "economics.wacc", "from": 0.02, "to": 0.2, "steps": 5}
SWEEP: dict[str, Any] = {"scenario": "edge_node", "axes": [AXIS]}


def refusal(**changes: Any) -> str:
    with pytest.raises(ScenarioError) as caught:
        build_document(SweepDocument, SWEEP | changes)
    assert len(caught.value.errors) == 1, str(caught.value)
    return str(caught.value)


def test_a_sweep_is_read_and_written_the_same() -> None:
    written = SWEEP | {"sample": None, "outputs": ["performance.mfu"], "name": "Money"}
    read = build_document(SweepDocument, written)
    assert build_document(SweepDocument, read.as_dict()) == read
    assert read.as_dict()["axes"] == [AXIS]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"axis": []}, "axis: is not a known key. Did you mean axes?"),
        ({"axes": []}, "axes: must not be empty. Name one field at least."),
        ({"axes": [{**AXIS, "form": 1}]}, "axes[0].form: is not a known key. Did you mean from?"),
        ({"axes": [{"field": "economics.wacc"}]}, "needs values, or a range with from and to"),
        ({"axes": [{**AXIS, "values": [1]}]}, "axes[0]: has both values and from. Keep one."),
        ({"axes": [{**AXIS, "to": 0.01}]}, "axes[0].to: 0.01 must be above from, which is 0.02."),
        ({"axes": [{**AXIS, "from": 0, "scale": "log"}]}, "0 must be above 0 on a log scale"),
        (
            {"axes": [{**AXIS, "from": 0, "scale": "doubling", "steps": None}]},
            "0 must be above 0 where values double",
        ),
        ({"axes": [{**AXIS, "scale": "doubling"}]}, "axes[0].steps: must be left out where values double"),
        ({"axes": [{**AXIS, "steps": 1}]}, "axes[0].steps: 1 must be at least 2"),
        ({"axes": [{**AXIS, "steps": None}]}, "economics.wacc has a range without steps"),
        ({"axes": [AXIS, AXIS]}, "axes: economics.wacc is an axis twice. Keep one."),
        ({"axes": [{"field": "economics.wacc", "values": [0.1, 0.1]}]}, "has a value twice"),
        ({"axes": [{"field": "economics.wacc", "values": []}]}, "axes[0].values: must not be empty"),
        ({"axes": [{"field": "economics.wacc", "values": [{}]}]}, "must be a number, a word, true or false"),
        ({"axes": [AXIS] * 9}, "axes: a list must have at most 8 entries"),
        ({"sample": {"kind": "sobol", "count": 9}}, "economics.wacc has steps, and a sample draws"),
        ({"sample": {"kind": "sobl", "count": 9}}, "Did you mean sobol?"),
        ({"sample": {"kind": "sobol", "count": 10**9}}, "must be at most 2,000,000"),
        ({"schema_version": 2}, "schema_version: 2 is not a version that can be read, which is 1"),
        ({"scenario": 7}, "scenario"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], words: str) -> None:
    assert words in refusal(**changes)

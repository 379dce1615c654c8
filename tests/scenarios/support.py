"""A scenario that is right, to be bent in one place."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_scenario

SMALLEST = {
    "workload": {
        "kind": "training",
        "model": "llama_3_1_8b",
        "tokens": 1e12,
        "sequence_length": 8192,
        "global_batch_sequences": 1024,
    },
    "supernode": {"system": "dgx_h100"},
}
DENSE = {"layers": 4, "hidden": 64, "heads": 8, "vocabulary": 1000, "feed_forward_hidden": 256}


def scenario(**changes: Any) -> dict[str, Any]:
    """The smallest scenario with values put at dotted places (written with __ for the dot)."""
    values = copy.deepcopy(SMALLEST)
    for place, value in changes.items():
        *above, last = place.split("__")
        part: dict[str, Any] = values
        for step in above:
            part = part.setdefault(step, {})
        part[last] = value
    return values


def document(**changes: Any) -> ScenarioDocument:
    return build_scenario(scenario(**changes))


def faults(values: Any) -> list[InputError]:
    """The faults of a scenario that must have some."""
    with pytest.raises(ScenarioError) as caught:
        build_scenario(values)
    assert caught.value.errors
    return list(caught.value.errors)


def fault(**changes: Any) -> InputError:
    """The one fault of the smallest scenario with these changes."""
    found = faults(scenario(**changes))
    assert len(found) == 1, [str(error) for error in found]
    return found[0]

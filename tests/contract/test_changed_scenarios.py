"""Worked examples with a few fields changed: evaluated or refused, never a failure of the server."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.scenarios.examples import list_examples

DOCUMENTS = {example.key: example.read().as_dict() for example in list_examples()}
NUMBERS = st.one_of(
    st.sampled_from([0, 1, -1, 2, 7, 1e-30, 1e-9, 0.5, 1e6, 1e9, 1e18, 1e30, 2**53, 2**63, 2**64]),
    st.integers(-10, 1_000_000),
    st.floats(allow_nan=False, allow_infinity=False),
)
VALUES = st.one_of(NUMBERS, st.none(), st.booleans(), st.text(max_size=8), st.just([]), st.just({}))


def places(value, above=()):
    """Where the leaves of a document are."""
    if isinstance(value, dict):
        return [place for name, part in value.items() for place in places(part, (*above, name))]
    if isinstance(value, list):
        return [place for index, part in enumerate(value) for place in places(part, (*above, index))]
    return [above]


@st.composite
def changed_documents(draw):
    """An example with up to four of its fields replaced or left out."""
    document = copy.deepcopy(DOCUMENTS[draw(st.sampled_from(sorted(DOCUMENTS)))])
    for _ in range(draw(st.integers(1, 4))):
        found = places(document)
        *above, last = draw(st.sampled_from(found))
        part = document
        for step in above:
            part = part[step]
        old = part[last]
        number = isinstance(old, int | float) and not isinstance(old, bool)
        kind = draw(st.sampled_from(["scaled", "replaced", "gone"] if number else ["replaced", "gone"]))
        if kind == "gone":
            del part[last]
        elif kind == "scaled":
            scaled = old * draw(st.sampled_from([1e-6, 0.01, 0.25, 0.5, 2, 4, 100, 1e6]))
            part[last] = int(scaled) if isinstance(old, int) else scaled
        else:
            part[last] = draw(NUMBERS if number else VALUES)
    return document


@pytest.mark.slow
@settings(max_examples=100, derandomize=True, suppress_health_check=list(HealthCheck), deadline=None)
@given(document=changed_documents())
def test_a_changed_example_is_evaluated_or_refused(asgi_client, document):
    answer = asgi_client.post("/api/v1/evaluations", json=document)
    assert answer.status_code in (200, 422), answer.text
    content = json.loads(answer.content, parse_constant=pytest.fail)  # NaN is not JSON
    if answer.status_code == 422:
        assert content["errors"]
        assert all(error["message"] for error in content["errors"])
    else:
        assert isinstance(content["feasible"], bool)

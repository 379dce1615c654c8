"""The choice of what requests are: classes begin like the requests of one kind, and back."""

from __future__ import annotations

from typing import Any

from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.fields import fields_by_path
from app.surfaces.pages.studio.form import field_text, filled_in, stated_values
from app.surfaces.pages.studio.serving_fields import (
    CLASSES,
    PLAIN,
    REQUESTS,
    SESSIONS,
    is_of_requests,
    other_requests,
    with_requests,
)
from tests.scenarios.serving.cases import values

OWN = {"input_tokens": 2000, "output_tokens": 500, "cache_tier": "host"}


def stated(**requests: Any) -> dict[str, Any]:
    return stated_values(build_scenario(values(requests=requests)))


def test_classes_begin_like_the_requests_of_one_kind() -> None:
    changed = with_requests(stated(**OWN), CLASSES)
    classes = changed["workload"]["requests"]["classes"]
    assert [one["input_tokens"] for one in classes] == [2000, 2000]
    assert changed["workload"]["requests"]["cache_tier"] == "host"
    assert field_text(fields_by_path()[REQUESTS], changed) == CLASSES
    build_scenario(changed)


def test_one_kind_has_the_means_of_the_classes() -> None:
    mix = {
        "classes": [
            {"name": "A", "share": 0.75, "input_tokens": 100},
            {"name": "B", "share": 0.25, "input_tokens": 500},
        ]
    }
    changed = with_requests(stated(**mix, cache_tier="host"), PLAIN)
    assert changed["workload"]["requests"] == {
        "input_tokens": 200,
        "output_tokens": 1024,
        "cache_tier": "host",
    }
    build_scenario(changed)


def test_a_choice_without_scripts_changes_the_scenario_and_fields_of_the_other_kind_are_left() -> None:
    base = stated(**OWN)
    form = {REQUESTS: CLASSES, "workload.requests.input_tokens": "777"}
    changed = filled_in(base, form)
    assert set(changed["workload"]["requests"]) == {"classes", "cache_tier"}
    assert filled_in(base, {REQUESTS: PLAIN}) == base
    assert is_of_requests("workload.requests.cache_tier", changed)
    assert not is_of_requests("workload.requests.input_tokens", changed)


def test_what_each_kind_would_state_can_be_evaluated_whatever_is_typed() -> None:
    for odd in ({}, {"classes": "many"}, {"classes": [{"name": "A"}]}, {"classes": [{"share": "x"}, 3]}):
        found = other_requests({"workload": {"requests": odd}})
        assert set(found) == {PLAIN, CLASSES, SESSIONS}


def test_sessions_begin_with_turns_like_the_requests_and_have_fields_of_their_own() -> None:
    changed = with_requests(stated(**OWN), SESSIONS)
    session = changed["workload"]["requests"]["sessions"]
    assert (session["added_tokens"], session["answer_tokens"]) == (2000, 500)
    build_scenario(changed)
    assert is_of_requests("workload.requests.sessions.gap_s", changed)
    assert not is_of_requests("workload.requests.input_tokens", changed)
    edited = filled_in(
        changed, {"workload.requests.sessions.gap_s": "90", "workload.requests.input_tokens": "7"}
    )
    assert edited["workload"]["requests"]["sessions"]["gap_s"] == 90
    assert "input_tokens" not in edited["workload"]["requests"]
    assert with_requests(changed, PLAIN)["workload"]["requests"] == OWN

"""Options of a search: what they hold, and what is wrong with those that are refused."""

from __future__ import annotations

import pytest

from app.engine.performance.memory_tiers import DRIVES
from app.engine.performance.space import ACTIVATIONS_AWAY, BOTH_AWAY, FULL, KEPT, NONE, STATES_AWAY
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.views.searching.options import SearchOptions, space_of


def test_nothing_asked_is_the_whole_space() -> None:
    options = build_document(SearchOptions, {})
    assert (options.objective, options.space, options.top) == ("step_time", "whole", 10)
    assert not space_of(options).only


def test_held_values_reach_the_engine_as_its_numbers() -> None:
    held = {"tp": [4, 8], "recompute": ["none", "full"], "data_overlap": [False], "schedule": ["zb_h1"]}
    only = space_of(build_document(SearchOptions, {"hold": held})).only
    assert only["tensor_parallel"] == (4.0, 8.0)
    assert only["recompute"] == (NONE, FULL)
    assert only["data_overlap"] == (0.0,)
    assert only["schedule"] == (1.0,)


def test_groups_of_shards_and_tiers_are_held_by_name() -> None:
    held = {"shard_group": ["all", 8], "offload_to": ["nvme"]}
    only = space_of(build_document(SearchOptions, {"hold": held})).only
    assert only["shard_ranks"] == (0.0, 8.0)
    assert only["offload_tier"] == (DRIVES,)
    assert set(only["offload"]) == {KEPT, STATES_AWAY, ACTIVATIONS_AWAY, BOTH_AWAY}
    both = space_of(build_document(SearchOptions, {"hold": held | {"offload": ["optimizer"]}})).only
    assert both["offload"] == (STATES_AWAY,)


@pytest.mark.parametrize(
    ("values", "path", "said"),
    [
        ({"hold": {"tensor": [1]}}, "hold", "no axis of a layout"),
        ({"hold": {"tp": [True]}}, "hold", "whole numbers from 1"),
        ({"hold": {"shard_group": [1]}}, "hold", "all, or whole numbers from 2"),
        ({"hold": {"offload_to": ["disk"]}}, "hold", "host, peer, nvme"),
        ({"hold": {"recompute": [1]}}, "hold", "none, selective, full"),
        ({"top": 1000}, "top", "at most 100"),
        ({"deadline_days": -1}, "deadline_days", "above 0"),
    ],
)
def test_what_cannot_be_used_is_named(values: dict[str, object], path: str, said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        build_document(SearchOptions, values)
    (fault,) = refused.value.errors
    assert fault.path == path
    assert said in str(fault)

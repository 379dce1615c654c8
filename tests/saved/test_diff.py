"""What differs, field by field: nothing between equals, and every change that was made."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.units import unit_of
from app.saved.diff import _named, input_changes, label_of_path, leaves_of, result_changes
from app.saved.records import Change
from tests.saved.support import document, pod_design, supernode_design
from tests.support import read_example

RESULTS: dict[str, Any] = {
    "name": "My pod",
    "performance": {"mfu": 0.4, "time_breakdown_s": {"gemm": 2.0}, "strategy": "tp 8", "parts": [1.0, 2.0]},
    "cost": {"tco_usd": None},
    "feasible": True,
    "problems": [{"value": 3.0}],
    "inputs": {"pod": {"supernodes": 4}},
    "provenance": {"engine_version": "0.1"},
}
numbers = st.none() | st.floats(allow_nan=False) | st.integers()
trees = st.recursive(
    numbers,
    lambda inner: st.dictionaries(st.sampled_from("abc"), inner, max_size=3) | st.lists(inner, max_size=3),
    max_leaves=12,
)


def paths(changes: tuple[Change, ...]) -> dict[str, tuple[Any, Any]]:
    return {change.path: (change.before, change.after) for change in changes}


def with_leaf(values: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """The values with one of a result's leaves replaced."""
    changed = copy.deepcopy(values)
    *above, last = path.replace("[", ".").replace("]", "").split(".")
    part: Any = changed
    for step in above:
        part = part[int(step)] if isinstance(part, list) else part[step]
    part[int(last) if isinstance(part, list) else last] = value
    return changed


def test_a_changed_field_is_named_with_label_and_unit() -> None:
    (change,) = input_changes(document(), document(supernode__override={"max_power_w": 9_000.0}))
    assert change == Change(
        path="supernode.override.max_power_w", label="Rated power", before=None, after=9_000.0, unit="W"
    )


def test_words_have_no_unit() -> None:
    (change,) = input_changes(document(), document(workload__model="llama_3_1_70b"))
    assert (change.path, change.unit) == ("workload.model", "")
    assert (change.before, change.after) == ("llama_3_1_8b", "llama_3_1_70b")


def test_stating_a_default_changes_nothing() -> None:
    stated = document(pod__supernodes=1, pod__accelerators_used="all", parallelism="auto")
    assert input_changes(document(), stated) == ()
    assert input_changes(document(workload__tokens=1e12), document(workload__tokens=10**12)) == ()


def test_a_word_that_becomes_a_part() -> None:
    changes = paths(input_changes(document(), document(parallelism={"tp": 8})))
    assert changes["parallelism"] == ("auto", None)
    assert changes["parallelism.tp"] == (None, 8)


def test_lists_are_compared_entry_by_entry() -> None:
    figure = {"quantity": "performance.mfu", "value": 40.0, "unit": "%", "source": "somebody"}
    before, after = document(published=[figure]), document(published=[{**figure, "value": 41.0}, figure])
    changes = paths(input_changes(before, after))
    assert changes["published[0].value"] == (40.0, 41.0)
    assert changes["published[1].source"] == (None, "somebody")


def test_designs_are_compared_too() -> None:
    assert paths(input_changes(supernode_design(), supernode_design(system="dgx_a100"))) == {
        "supernode.system": ("dgx_h100", "dgx_a100")
    }
    assert paths(input_changes(pod_design(supernodes=2), pod_design(supernodes=4))) == {
        "pod.supernodes": (2, 4)
    }


def test_a_scenario_that_takes_a_design_says_so() -> None:
    changes = paths(input_changes(document(), document(supernode={"design": "a" * 32})))
    assert changes == {"supernode.system": ("dgx_h100", None), "supernode.design": (None, "a" * 32)}


def test_documents_that_cannot_be_read_are_compared_as_written() -> None:
    old = {"schema_version": 0, "workload": {"kind": "training"}, "was": 1}
    assert paths(input_changes(old, {**old, "was": True})) == {"was": (1, True)}


@given(st.sampled_from([document(), document(pod__supernodes=7), supernode_design(), pod_design()]))
def test_equal_documents_do_not_differ(values: dict[str, Any]) -> None:
    assert input_changes(values, copy.deepcopy(values)) == ()


def test_figures_have_the_label_and_unit_of_their_quantity() -> None:
    (change,) = result_changes(RESULTS, with_leaf(RESULTS, "performance.time_breakdown_s.gemm", 3.0))
    assert (change.before, change.after, change.unit) == (2.0, 3.0, "s")
    (change,) = result_changes(RESULTS, with_leaf(RESULTS, "performance.mfu", 0.5))
    assert change.unit == "1"
    assert "utilisation" in change.label.lower()


def test_a_figure_that_becomes_known_or_a_design_that_fits_no_more() -> None:
    assert paths(result_changes(RESULTS, with_leaf(RESULTS, "cost.tco_usd", 1e9))) == {
        "cost.tco_usd": (None, 1e9)
    }
    assert paths(result_changes(RESULTS, with_leaf(RESULTS, "feasible", False))) == {
        "feasible": (True, False)
    }


def test_what_is_no_figure_is_left_out() -> None:
    for path, value in (
        ("name", "Other"),
        ("performance.strategy", "tp 4"),
        ("problems[0].value", 4.0),
        ("inputs.pod.supernodes", 8),
        ("provenance.engine_version", "0.2"),
    ):
        assert result_changes(RESULTS, with_leaf(RESULTS, path, value)) == ()


@given(trees)
def test_equal_results_do_not_differ(tree: Any) -> None:
    assert result_changes({"room": tree}, {"room": copy.deepcopy(tree)}) == ()


@pytest.mark.slow
@given(trees, trees)
def test_differences_are_the_same_from_both_sides(before: Any, after: Any) -> None:
    there = paths(result_changes({"room": before}, {"room": after}))
    back = paths(result_changes({"room": after}, {"room": before}))
    assert there == {path: (old, new) for path, (new, old) in back.items()}


@given(st.sampled_from(["performance.mfu", "performance.parts[1]", "cost.tco_usd"]), st.floats(1e3, 1e6))
def test_applying_the_changes_gives_the_other_side(path: str, value: float) -> None:
    after = with_leaf(RESULTS, path, value)
    applied = RESULTS
    for change in result_changes(RESULTS, after):
        applied = with_leaf(applied, change.path, change.after)
    assert applied == after


def test_a_field_of_a_region_says_of_which_and_in_what() -> None:
    path = "workload.demand.regions[1].round_trip_s"
    assert label_of_path(path) == "Region 2, round trip"
    before, after = ({"workload": {"regions": [{"round_trip_s": value}]}} for value in (0.1, 0.2))
    assert unit_of(_named(path)) == "s"
    assert leaves_of(before) != leaves_of(after)


def test_a_change_of_a_region_is_called_by_its_name_where_both_sides_agree_on_it() -> None:
    def with_regions(*regions: tuple[str, float]) -> dict[str, Any]:
        values = read_example("deepseek_r1_on_8_h200").as_dict()
        values["workload"]["demand"]["regions"] = [
            {"name": name, "share": share, "round_trip_s": 0.1} for name, share in regions
        ]
        return values

    def labels(*sides: dict[str, Any]) -> list[str]:
        return [each.label for each in input_changes(*sides)]

    two = with_regions(("Europe", 0.6), ("Asia", 0.4))
    assert labels(two, with_regions(("Europe", 0.7), ("Asia", 0.3))) == ["Europe, share", "Asia, share"]
    assert labels(two, with_regions(("Europe", 0.6), ("Africa", 0.4))) == ["Region 2, name"]
    assert labels(two, with_regions(("Europe", 1.0)))[:2] == ["Europe, share", "Region 2, name"]
    assert labels(two, with_regions(("Africa", 0.7), ("Asia", 0.3)))[:2] == [
        "Region 1, name",
        "Region 1, share",
    ]

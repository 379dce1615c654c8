"""Three versions become one: nothing is lost, nothing is made up, and what cannot be told is asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.saved.documents import build_saved, canonical
from app.saved.merge import Conflict, Merge, Side, merged_document
from app.scenarios.errors import ScenarioError, refuse
from tests.saved.support import document, pod_design, projection
from tests.scenarios.support import DENSE

EDITS: dict[str, tuple[Any, ...]] = {
    "name": ("Other pod", "Third pod"),
    "workload__tokens": (2e12, 3e12, 1_000_000_000_000),
    "workload__model": (
        "llama_3_1_70b",
        DENSE,
        DENSE | {"kv_heads": 4},
        DENSE | {"heads": 16, "kv_heads": 2},
    ),
    "workload__precision": ("fp8", "bf16"),
    "supernode": (
        {"system": "dgx_h200"},
        {"system": "dgx_h100", "override": {"racks": 1.0}},
        {"system": "dgx_h100", "override": {"max_power_w": 9e3, "accelerator": {"tdp_w": 650.0}}},
        {"custom": {"name": "Mine", "accelerator": "nvidia_h100_sxm", "accelerators": 8}},
        {"design": "a" * 32},
    ),
    "pod": ({"supernodes": 4}, {"supernodes": 4, "fabric": {"planes": 2}}, {"design": "b" * 32}),
    "parallelism": ({"tp": 8}, {"tp": 8, "pp": 2}, "auto"),
    "facility": ({"site": "oslo"}, {"cooling": "air"}, {}),
    "economics__life_years": (4.0, 6.0),
    "assumptions": ({"operations.failures_per_node_day": 0.01}, {"performance.peer_memory_bytes": 1e9}),
}
"""Values of fields. Those of different fields never exclude one another."""

edits = st.fixed_dictionaries({}, optional={path: st.sampled_from(values) for path, values in EDITS.items()})
versions = edits.map(lambda chosen: document(**chosen))
sides: st.SearchStrategy[Side] = st.sampled_from(["mine", "theirs"])


def merge(base: Any, mine: Any, theirs: Any, **options: Any) -> Merge:
    return merged_document("scenario", base, mine, theirs, **options)


def asked(base: Any, mine: Any, theirs: Any, **options: Any) -> Conflict:
    """The one conflict of a merge."""
    found = merge(base, mine, theirs, **options)
    assert found.document is None
    (conflict,) = found.conflicts
    return conflict


def leaves(values: Any, path: str = "") -> set[tuple[str, str]]:
    """Every value by its place; a list is one value."""
    if isinstance(values, dict) and values:
        return {leaf for name, inner in values.items() for leaf in leaves(inner, f"{path}.{name}")}
    return {(path, json.dumps(values, sort_keys=True))}


def test_each_side_keeps_what_it_changed() -> None:
    base = document(pod__supernodes=4, workload__tokens=1e12)
    found = merge(
        base,
        document(pod__supernodes=8, workload__tokens=1e12),
        document(pod__supernodes=4, workload__tokens=2e12),
    )
    assert found.document == document(pod__supernodes=8, workload__tokens=2e12)
    assert [(one.path, one.before, one.after) for one in found.from_mine] == [("pod.supernodes", 4, 8)]
    assert [(one.path, one.before, one.after) for one in found.from_theirs] == [
        ("workload.tokens", 1e12, 2e12)
    ]


def test_fields_of_a_part_that_the_base_leaves_out_go_together() -> None:
    mine = document(supernode__override={"racks": 1.0, "accelerator": {"tdp_w": 650.0}})
    theirs = document(supernode__override={"price_usd": 3e5, "accelerator": {"idle_w": 90.0}})
    found = merge(document(), mine, theirs).document
    assert found is not None
    assert found["supernode"]["override"] == {
        "racks": 1.0, "price_usd": 3e5, "accelerator": {"tdp_w": 650.0, "idle_w": 90.0},
    }  # fmt: skip


def test_the_same_field_changed_twice_is_asked() -> None:
    conflict = asked(document(), document(pod__supernodes=4), document(pod__supernodes=8))
    assert conflict == Conflict(path="pod.supernodes", label="SuperNodes", base=1, mine=4, theirs=8)


@pytest.mark.parametrize(("side", "count"), [("mine", 4), ("theirs", 8)])
def test_a_choice_settles_it(side: Side, count: int) -> None:
    mine = document(pod__supernodes=4, name="New name")
    found = merge(document(), mine, document(pod__supernodes=8), choices={"pod.supernodes": side})
    assert found.document == document(pod__supernodes=count, name="New name")
    assert found.conflicts == ()
    assert "pod.supernodes" in [
        one.path for one in (found.from_mine if side == "mine" else found.from_theirs)
    ]


def test_a_default_written_out_is_no_change_and_stays_unwritten() -> None:
    stated = document(pod__supernodes=1, parallelism="auto", pod__accelerators_used="all")
    found = merge(document(), stated, document(pod__supernodes=8))
    assert found.document is not None
    assert found.document["pod"] == {"supernodes": 8, "accelerators_used": "all"}
    assert found.from_mine == ()


def test_taking_a_field_out_meets_a_change_of_it() -> None:
    base = document(economics={"life_years": 5.0, "wacc": 0.1})
    conflict = asked(
        base, document(economics={"wacc": 0.1}), document(economics={"life_years": 6.0, "wacc": 0.1})
    )
    assert (conflict.path, conflict.base, conflict.mine, conflict.theirs) == (
        "economics.life_years", 5.0, None, 6.0,
    )  # fmt: skip


def test_what_one_takes_out_is_gone_where_the_other_leaves_it() -> None:
    base = document(economics={"life_years": 5.0}, supernode__override={"racks": 1.0, "price_usd": 1e5})
    mine = document(supernode__override={"price_usd": 1e5})
    theirs = document(economics={"life_years": 5.0}, supernode__override={"racks": 1.0})
    assert merge(base, mine, theirs).document == document()


def test_lists_are_taken_whole() -> None:
    def pod(count: int) -> dict[str, Any]:
        return document(pod__also=[{"supernode": {"system": "dgx_h200"}, "supernodes": count}])

    assert asked(pod(1), pod(2), pod(3)).path == "pod.also"
    assert merge(pod(1), pod(2), pod(1) | {"name": "Renamed"}).document == pod(2) | {"name": "Renamed"}


def published(**values: tuple[float, str]) -> dict[str, Any]:
    """A scenario with published figures: value and source of each."""
    return document(
        published=[
            {"quantity": quantity.replace("__", "."), "value": value, "unit": unit, "source": source}
            for quantity, (value, source) in values.items()
            for unit in ["fraction" if quantity.endswith("mfu") else "s"]
        ]
    )


MFU, STEP, TIME = "performance__mfu", "performance__step_time_s", "performance__training_time_s"


def entries(found: dict[str, Any] | None) -> list[tuple[str, float, str]]:
    assert found is not None
    return [(one["quantity"], one["value"], one["source"]) for one in found["published"]]


def test_entries_with_names_are_merged_each_by_its_fields() -> None:
    """One changes a value, the other its source, removes another entry, and both add one."""
    base = published(**{MFU: (0.4, "Report"), STEP: (1.0, "Report")})
    mine = published(**{MFU: (0.5, "Report"), STEP: (1.0, "Report"), TIME: (9.0, "Mine")})
    theirs = published(**{MFU: (0.4, "Talk"), "performance__elapsed_time_s": (8.0, "Theirs")})
    expected = [
        ("performance.mfu", 0.5, "Talk"),
        ("performance.elapsed_time_s", 8.0, "Theirs"),
        ("performance.training_time_s", 9.0, "Mine"),
    ]
    assert entries(merge(base, mine, theirs).document) == expected
    assert entries(merge(base, theirs, mine).document) == expected


def test_an_entry_that_both_changed_or_added_is_asked_by_its_name() -> None:
    base = published(**{MFU: (0.4, "Report"), STEP: (1.0, "Report")})
    conflict = asked(
        base,
        published(**{MFU: (0.5, "Report"), STEP: (1.0, "Report")}),
        published(**{MFU: (0.6, "Report"), STEP: (2.0, "Report")}),
    )
    assert (conflict.path, conflict.label) == ("published[performance.mfu].value", "performance.mfu, value")
    removed = asked(
        base, published(**{STEP: (1.0, "Report")}), published(**{MFU: (0.6, "Report"), STEP: (1.0, "Report")})
    )
    assert (removed.path, removed.mine) == ("published[performance.mfu]", None)
    added = asked(document(), published(**{MFU: (0.5, "A")}), published(**{MFU: (0.6, "B")}))
    assert added.path == "published[performance.mfu]"
    found = merge(
        document(),
        published(**{MFU: (0.5, "A")}),
        published(**{MFU: (0.6, "B")}),
        choices={"published[performance.mfu]": "mine"},
    ).document
    assert entries(found) == [("performance.mfu", 0.5, "A")]


def test_entries_that_were_moved_are_taken_whole() -> None:
    both = {MFU: (0.4, "Report"), STEP: (1.0, "Report")}
    moved = published(**{STEP: (1.0, "Report"), MFU: (0.4, "Report")})
    assert asked(published(**both), moved, published(**both | {MFU: (0.5, "Talk")})).path == "published"


rows = st.dictionaries(
    st.sampled_from([MFU, STEP, TIME]), st.tuples(st.sampled_from([0.4, 0.5]), st.sampled_from("AB"))
)


@given(rows, rows, rows)
def test_lists_of_names_lose_nothing_of_either_side(
    base: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any]
) -> None:
    base, mine, theirs = (dict(sorted(one.items())) for one in (base, mine, theirs))
    found = merge(published(**base), published(**mine), published(**theirs))
    back = merge(published(**base), published(**theirs), published(**mine))
    assert (found.document is None) == (back.document is None)
    if found.document is None or back.document is None:
        assert {one.path for one in found.conflicts} == {one.path for one in back.conflicts}
        return
    assert canonical(found.document) == canonical(back.document)
    kept = {quantity: (value, source) for quantity, value, source in entries(found.document)}
    for changed, other in ((mine, theirs), (theirs, mine)):
        for name in {*changed} | {*base}:
            row, before, after = changed.get(name), base.get(name), kept.get(name.replace("__", "."))
            if row == before:
                continue
            if row is None or before is None:
                assert after == row, name  # removed or added
                continue
            assert after is not None
            for place in range(2):  # value and source, each from whoever changed it
                if row[place] != before[place]:
                    assert after[place] == row[place], (name, other)


def test_a_layout_is_merged_by_field_only_where_all_three_state_one() -> None:
    stated = document(parallelism={"tp": 8, "pp": 2})
    mine, theirs = document(parallelism={"tp": 4, "pp": 2}), document(parallelism={"tp": 8, "pp": 4})
    found = merge(stated, mine, theirs).document
    assert found is not None
    assert found["parallelism"] == {"tp": 4, "pp": 4}
    assert asked(document(), mine, theirs).path == "parallelism"
    assert asked(stated, document(parallelism="auto"), theirs).path == "parallelism"


def test_what_the_supernode_is_goes_together_and_its_overrides_by_field() -> None:
    custom = {"name": "Mine", "accelerator": "nvidia_h100_sxm", "accelerators": 8}
    mine = document(supernode={"custom": custom, "override": {"racks": 1.0}})
    theirs = document(supernode={"system": "dgx_h200", "override": {"price_usd": 1e5}})
    conflict = asked(document(), mine, theirs)
    assert (conflict.path, conflict.mine, conflict.theirs) == (
        "supernode", {"custom": custom}, {"system": "dgx_h200"},
    )  # fmt: skip
    found = merge(document(), mine, theirs, choices={"supernode": "mine"}).document
    assert found is not None
    assert found["supernode"] == {"custom": custom, "override": {"racks": 1.0, "price_usd": 1e5}}


def test_a_workload_of_another_kind_is_taken_whole() -> None:
    generic = {
        "kind": "generic", "flop_per_step": 1e15, "memory_traffic_per_step_bytes": 1e12,
        "memory_held_bytes": 1e12, "steps": 1e3, "precision": "bf16",
    }  # fmt: skip
    conflict = asked(document(), document(workload=generic), document(workload__tokens=2e12))
    assert (conflict.path, conflict.mine) == ("workload", generic)
    assert merge(document(), document(workload=generic), document()).document == document(workload=generic)


def test_a_pod_of_a_saved_design_is_no_mixture_with_one_of_its_own() -> None:
    """Beside a design every field overrides it, which no one meant."""
    assert (
        asked(
            document(pod__supernodes=2), document(pod={"design": "b" * 32}), document(pod__supernodes=4)
        ).path
        == "pod"
    )
    both = [
        document(pod={"design": "b" * 32, **more})
        for more in ({}, {"supernodes": 4}, {"accelerators_used": 8})
    ]
    found = merge(*both).document
    assert found is not None
    assert found["pod"] == {"design": "b" * 32, "supernodes": 4, "accelerators_used": 8}


def test_what_follows_from_another_field_is_no_change() -> None:
    """kv_heads follow from heads when they are left out: only heads were changed."""
    base = document(workload__model=DENSE)
    mine = document(workload__model=DENSE | {"heads": 16})
    theirs = document(workload__model=DENSE | {"kv_heads": 4})
    assert merge(base, mine, theirs).document == document(
        workload__model=DENSE | {"heads": 16, "kv_heads": 4}
    )


def test_changes_that_do_not_fit_are_asked_as_the_smallest_part_that_holds_them() -> None:
    base = document(workload__model=DENSE | {"kv_heads": 4})
    mine = document(workload__model=DENSE | {"kv_heads": 4, "heads": 12, "hidden": 96}, name="Mine")
    theirs = document(workload__model=DENSE | {"kv_heads": 8}, workload__tokens=2e12)
    conflict = asked(base, mine, theirs)
    assert conflict.path == "workload.model"
    found = merge(base, mine, theirs, choices={"workload.model": "theirs"}).document
    assert found == document(workload__model=DENSE | {"kv_heads": 8}, workload__tokens=2e12, name="Mine")


def test_parts_that_do_not_fit_one_another_go_together() -> None:
    """As when evaluating refuses them: only the parts that the fault is about are asked for."""

    def check(values: dict[str, Any]) -> None:
        build_saved("scenario", values)
        if values["pod"]["supernodes"] == 3 and values["parallelism"] == {"tp": 8}:
            raise refuse("tp 8 does not divide.", rule="layout", path="parallelism.tp")

    base = document(pod__supernodes=4, parallelism="auto")
    mine = document(pod__supernodes=3, parallelism="auto", name="Mine")
    theirs = document(pod__supernodes=4, parallelism={"tp": 8}, workload__tokens=2e12)
    conflict = asked(base, mine, theirs, check=check)
    assert (conflict.path, conflict.label) == ("parallelism,pod", "Layout and Pod")
    assert conflict.mine == {"parallelism": "auto", "pod": {"supernodes": 3}}
    found = merge(base, mine, theirs, check=check, choices={"parallelism,pod": "theirs"})
    assert found.document == theirs | {"name": "Mine"}


def test_choices_that_do_not_fit_one_another_leave_one_side_whole() -> None:
    def check(values: dict[str, Any]) -> None:
        if (values["pod"]["supernodes"], values["workload"]["tokens"]) == (4, 3e12):
            raise refuse("They do not fit.", rule="fit", path="pod.supernodes")

    base = document(pod__supernodes=2)
    mine = document(pod__supernodes=4, workload__tokens=2e12)
    theirs = document(pod__supernodes=8, workload__tokens=3e12)
    choices: dict[str, Side] = {"pod.supernodes": "mine", "workload.tokens": "theirs"}
    conflict = asked(base, mine, theirs, check=check, choices=choices)
    assert conflict.path == "pod,workload"
    found = merge(base, mine, theirs, check=check, choices=choices | {"pod,workload": "theirs"})
    assert found.document == theirs


def test_a_side_that_cannot_be_saved_any_more_is_refused() -> None:
    def check(values: dict[str, Any]) -> None:
        if values["name"] == "Theirs":
            raise refuse("It is gone.", rule="unknown", path="supernode.system")

    mine, theirs = document(name="Mine"), document(name="Theirs")
    with pytest.raises(ScenarioError, match="It is gone"):
        merge(document(), mine, theirs, check=check, choices={"name": "theirs"})


def test_designs_and_projections_are_merged_too() -> None:
    fabric: dict[str, Any] = {"fabric": {"oversubscription": 2}}
    found = merged_document(
        "pod",
        pod_design(),
        pod_design(supernodes=32, **fabric),
        pod_design(supernodes=16, **fabric) | {"name": "B"},
    )
    assert found.document == pod_design(supernodes=32, **fabric) | {"name": "B"}
    inner = [projection(flops=1e23, scenario=document(**more)) for more in (
        {}, {"supernode__override": {"racks": 1.0}}, {"supernode__override": {"nodes": 2}},
    )]  # fmt: skip
    both = merged_document("projection", *inner).document
    assert both is not None
    assert both["scenario"]["supernode"]["override"] == {"racks": 1.0, "nodes": 2}


@pytest.mark.slow
@given(versions, versions)
def test_one_side_alone_is_taken_as_it_was_written(base: Any, changed: Any) -> None:
    assert merge(base, base, changed).document == changed
    assert merge(base, changed, base).document == changed
    assert merge(base, changed, changed).document == changed


@pytest.mark.slow
@given(versions, versions, versions)
def test_both_sides_are_treated_alike(base: Any, mine: Any, theirs: Any) -> None:
    there, back = merge(base, mine, theirs), merge(base, theirs, mine)
    assert {one.path for one in there.conflicts} == {one.path for one in back.conflicts}
    assert [one.path for one in there.from_mine] == [one.path for one in back.from_theirs]
    if there.document is not None and back.document is not None:
        assert canonical(there.document) == canonical(back.document)


@pytest.mark.slow
@given(versions, versions, versions, st.data())
def test_choices_settle_every_conflict_and_nothing_is_made_up(
    base: Any, mine: Any, theirs: Any, data: st.DataObject
) -> None:
    choices: dict[str, Side] = {}
    found = merge(base, mine, theirs)
    for _ in range(3):
        choices |= {one.path: data.draw(sides) for one in found.conflicts}
        found = merge(base, mine, theirs, choices=choices)
        if found.document is not None:
            break
    assert found.document is not None
    build_saved("scenario", found.document)
    assert leaves(found.document) <= leaves(base) | leaves(mine) | leaves(theirs)
    kind = {"system", "custom", "design"} & set(found.document["supernode"])
    assert kind in [{"system", "custom", "design"} & set(one["supernode"]) for one in (base, mine, theirs)]


@pytest.mark.slow
@given(edits, edits, edits)
def test_edits_of_different_fields_never_conflict(
    base: dict[str, Any], mine: dict[str, Any], theirs: dict[str, Any]
) -> None:
    theirs = {path: value for path, value in theirs.items() if path not in mine}
    found = merge(document(**base), document(**base | mine), document(**base | theirs))
    assert found.conflicts == ()
    assert found.document is not None
    assert canonical(found.document) == canonical(document(**base | mine | theirs))

"""Conflicts in words: a field as the form calls it, a part by what differs in it."""

from __future__ import annotations

from typing import Any

import pytest

from app.saved.merge import Conflict
from app.surfaces.pages.saved.saving import Open, in_form


def shown(path: str, base: Any, mine: Any, theirs: Any, **form: str) -> Open:
    conflict = Conflict(path=path, label="Label", base=base, mine=mine, theirs=theirs)
    return in_form(conflict, {}, form)


@pytest.mark.parametrize(
    ("path", "values", "label", "words"),
    [
        ("workload.tokens", (1e12, 2e12, None), "Training tokens", ("1 T", "2 T", "not stated")),
        ("supernode.override.racks", (None, 1.0, 2.0), "Racks", ("not stated", "1", "2")),
        (
            "parallelism",
            ("auto", {"tp": 8, "pp": 2}, {"tp": 8, "pp": 4}),
            "Layout",
            ("Search", "Tensor parallelism 8, Pipeline stages 2", "Tensor parallelism 8, Pipeline stages 4"),
        ),
        (
            "supernode",
            ({"system": "dgx_h100"}, {"system": "dgx_h200"}, {"custom": {"name": "Own", "accelerators": 8}}),
            "System",
            ("System dgx_h100", "System dgx_h200", "Name Own, Accelerators 8"),
        ),
        (
            "parallelism,pod",
            ({}, {"parallelism": "auto", "pod": {"supernodes": 3}}, {"pod": {"supernodes": 4}}),
            "Label",
            ("not stated", "Layout Search, SuperNodes 3", "SuperNodes 4"),
        ),
        (
            "pod.also",
            ([], [{"supernodes": 1}], [{"supernodes": 2}]),
            "Label",
            ("not stated", "Supernodes 1", "Supernodes 2"),
        ),
    ],
)
def test_both_sides_are_said(
    path: str, values: tuple[Any, Any, Any], label: str, words: tuple[str, str, str]
) -> None:
    found = shown(path, *values)
    assert (found.base, found.mine, found.theirs) == words
    assert found.label == label
    assert found.field == f"choice:{path}"


def test_a_long_part_is_cut_short() -> None:
    found = shown("facility.site", "oslo", {f"field_{number}": number for number in range(7)}, "ashburn")
    assert found.mine.endswith("and 3 more")


def test_what_was_chosen_stays_chosen() -> None:
    assert shown("name", "a", "b", "c", **{"choice:name": "theirs"}).chosen == "theirs"
    assert shown("name", "a", "b", "c").chosen == ""

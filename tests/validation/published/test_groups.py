"""Groups of runs: each run in one group of every grouping."""

from __future__ import annotations

import pytest

from app.catalog.validated import validated_runs
from app.validation.judged import ACCELERATOR, GROUPINGS, NOT_STATED, groups, judged
from tests.validation.published.runs import run


@pytest.mark.parametrize("name", GROUPINGS)
def test_every_run_is_in_one_group(name: str) -> None:
    everything = judged(validated_runs(), ACCELERATOR)
    found = groups(everything, GROUPINGS[name])
    members = [one.run.id for group in found for one in group.members]
    assert sorted(members) == sorted(one.run.id for one in everything)
    assert len(found) == len({group.name for group in found})


@pytest.mark.parametrize(
    ("parameters", "band"), [(2.99, "under 3 B"), (3.0, "3 to 20 B"), (405.0, "100 B and more")]
)
def test_size_bands_begin_with_their_first_number(parameters: float, band: str) -> None:
    assert GROUPINGS["size"].group(run("AB-002", parameters=parameters)) == band


@pytest.mark.parametrize(("accelerators", "band"), [(1, "1 to 8"), (8, "1 to 8"), (9, "9 to 64"), (1024, "257 to 1,024"), (1025, "over 1,024")])  # fmt: skip
def test_scale_bands_hold_both_their_numbers(accelerators: int, band: str) -> None:
    assert GROUPINGS["scale"].group(run("AB-002", accelerators=accelerators)) == band


def test_groups_stand_in_their_order() -> None:
    made = [
        run("AB-001", parameters=200.0, software_date="2025"),
        run("AB-002", parameters=1.0, software_date=""),
        run("AB-003", parameters=200.0, software_date="2023-02"),
    ]
    everything = judged(made, ACCELERATOR)
    assert [group.name for group in groups(everything, GROUPINGS["size"])] == ["under 3 B", "100 B and more"]
    assert [group.name for group in groups(everything, GROUPINGS["year"])] == ["2023", "2025", NOT_STATED]


def test_groups_without_an_order_begin_with_the_largest() -> None:
    made = [run("AB-001", precision="fp8"), run("AB-002"), run("AB-003")]
    found = groups(judged(made, ACCELERATOR), GROUPINGS["precision"])
    assert [(group.name, len(group.members)) for group in found] == [("bf16", 2), ("fp8", 1)]

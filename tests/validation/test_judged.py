"""Published measurements beside a fit: bases, groups, misses and summaries."""

from __future__ import annotations

import pytest

from app.catalog.validated import validated_runs
from app.validation.judged import (
    ACCELERATOR,
    BASES,
    GROUPINGS,
    NOT_STATED,
    common_trait,
    groups,
    judged,
    largest_misses,
    summary_of,
)
from tests.validation.runs import RUN, run, runs_with_errors

# The ways a run is predicted, and what follows for it.


@pytest.mark.parametrize(
    ("basis", "error"), [("both", 0.10), ("accelerator", 0.07), ("source", -0.05), ("fitted", 0.01)]
)
def test_error_is_that_of_the_fit(basis: str, error: float) -> None:
    assert judged([RUN], BASES[basis])[0].error == pytest.approx(error)


def test_first_fit_is_the_one_that_has_seen_neither_source_nor_accelerator() -> None:
    assert next(iter(BASES)) == "both"


@pytest.mark.parametrize(("measured", "held"), [(89.9, False), (90.0, True), (120.0, True), (120.1, False)])
def test_interval_holds_its_ends(measured: float, held: bool) -> None:
    one = judged([run("AB-002", measured_tokens_per_s=measured)], BASES["fitted"])[0]
    assert one.held is held


# Groups of runs: each run in one group of every grouping.


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


# The worst predictions, and what they share.


def test_largest_misses_go_both_ways() -> None:
    everything = judged(runs_with_errors(0.1, -0.4, 0.3, 0.0), ACCELERATOR)
    assert [round(one.error, 2) for one in largest_misses(everything, 2)] == [-0.4, 0.3]


def test_trait_of_the_misses_is_one_that_the_others_lack() -> None:
    good = runs_with_errors(*[0.01] * 8)
    bad = runs_with_errors(0.5, 0.6, 0.7, architecture="moe")
    everything = judged([*good, *bad], ACCELERATOR)
    trait = common_trait(largest_misses(everything, 4), everything, GROUPINGS.values())
    assert trait is not None
    assert (trait.grouping, trait.group, trait.misses) == ("architecture", "moe", 3)
    assert trait.share_of_all == 3 / 11


def test_what_is_not_stated_is_no_trait() -> None:
    good, bad = runs_with_errors(*[0.01] * 8), runs_with_errors(0.5, 0.6, software_date="")
    everything = judged([*good, *bad], ACCELERATOR)
    assert common_trait(largest_misses(everything, 2), everything, GROUPINGS.values()) is None


def test_what_all_runs_have_is_no_trait() -> None:
    everything = judged(runs_with_errors(0.1, 0.2, 0.3), ACCELERATOR)
    assert common_trait(largest_misses(everything, 2), everything, GROUPINGS.values()) is None


# Errors in a few numbers.


def test_nothing_has_no_errors() -> None:
    assert summary_of([]) is None


def test_summary_of_a_few_runs() -> None:
    summary = summary_of(judged(runs_with_errors(-0.3, -0.1, 0.0, 0.1, 0.15), ACCELERATOR))
    assert summary is not None
    assert summary.runs == 5
    assert summary.median_abs_error == pytest.approx(0.1)
    assert summary.bias == pytest.approx(0.0)
    assert summary.within_20_pct == pytest.approx(0.8)
    assert summary.low_error < summary.bias < summary.high_error
    assert summary.held == 1.0  # all measured 100, all intervals 90 to 120


def test_one_source_with_many_runs_counts_as_much_as_one_with_few() -> None:
    many = runs_with_errors(*[0.3] * 9)
    few = run("CD-001", family="CD", left_out_tokens_per_s=100.0)
    by_run = summary_of(judged([*many, few], BASES["accelerator"]))
    by_source = summary_of(judged([*many, few], BASES["accelerator"]), sources_equal=True)
    assert by_run is not None
    assert by_source is not None
    assert by_run.within_20_pct == pytest.approx(0.1)
    assert by_source.within_20_pct == pytest.approx(0.5)
    assert by_source.median_abs_error < by_run.median_abs_error

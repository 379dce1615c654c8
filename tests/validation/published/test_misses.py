"""The worst predictions, and what they share."""

from __future__ import annotations

from app.validation.judged import ACCELERATOR, GROUPINGS, common_trait, judged, largest_misses
from tests.validation.published.runs import runs_with_errors


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

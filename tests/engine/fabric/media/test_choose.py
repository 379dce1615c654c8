"""Which medium carries a link."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric.graph.graph import NO_PORT, NONE, FabricGraph, devices_of, links_between
from app.engine.fabric.media.choice import choose_media
from app.engine.fabric.media.medium import MediaRules, Medium, parallel_links
from tests.engine.fabric.media.media import ALL, DAC, DR4, FR4, LACC, LPO, SR4, cable, modules


def leaves_and_spines(parallel: int, count: int = 4) -> FabricGraph:
    """One leaf, and so many spines with some links to each."""
    devices, first = devices_of({"leaf": 1, "spine": count}, plane={}, group={}, rail={})
    upper = first["spine"] + np.repeat(np.arange(count), parallel)
    links = links_between(tier=1, lower=np.zeros(1, int), upper=upper, lower_port=NO_PORT, upper_port=NO_PORT)
    return FabricGraph(
        kinds=("leaf", "spine"),
        tiers=("leaf", "spine"),
        devices=devices,
        links=links,
        link_bandwidth_bytes_per_s=np.full(2, 50e9),
    )


def names(
    lengths: list[float], parallel: int = 2, media: tuple[Medium, ...] = ALL, rules: MediaRules | None = None
) -> list[str]:
    graph = leaves_and_spines(parallel, len(lengths))
    chosen = choose_media(
        graph, np.repeat(np.array(lengths), parallel), media=media, rules=rules or MediaRules()
    )
    return [media[index].key if index != NONE else "none" for index in chosen[::parallel]]


def test_every_link_gets_the_cheapest_medium_that_reaches():
    assert names([1.5, 2, 3, 5, 5.5, 50, 51, 100, 101, 2000]) == [
        "dac", "dac", "lacc", "lacc", "sr4", "sr4", "dr4", "dr4", "fr4", "fr4",
    ]  # fmt: skip


def test_beyond_the_longest_reach_there_is_none():
    assert names([2001]) == ["none"]


def test_a_cable_of_two_links_needs_two_links_between_the_same_devices():
    assert names([1.5, 3], parallel=1) == ["sr4", "sr4"]
    assert names([1.5, 3], parallel=3) == ["sr4", "sr4"]
    assert names([1.5, 3], parallel=4) == ["dac", "lacc"]


def test_linear_and_co_packaged_optics_are_taken_where_they_are_asked_for():
    assert names([60], rules=MediaRules(family="lpo")) == ["lpo"]
    assert LPO.link_price_usd() < DR4.link_price_usd()
    assert names([60]) == ["dr4"]


def test_a_family_can_be_named_for_one_tier():
    assert names([1.5], rules=MediaRules(families={"spine": "single_mode"})) == ["dr4"]
    assert names([1.5], rules=MediaRules(families={"leaf": "single_mode"})) == ["dac"]
    assert names([3], rules=MediaRules(family="copper")) == ["none"]


def test_least_power_may_be_another_medium_than_least_price():
    frugal = modules("frugal", "single_mode", 100, 5000, 4)
    assert names([40], media=(SR4, frugal)) == ["sr4"]
    assert names([40], media=(SR4, frugal), rules=MediaRules(least="power")) == ["frugal"]


def test_what_nobody_priced_is_taken_last():
    unpriced = modules("unpriced", "multimode", 30, float("nan"), 1)
    assert names([20, 20], media=(unpriced, SR4)) == ["sr4", "sr4"]
    assert names([20], media=(unpriced,)) == ["unpriced"]


def test_a_medium_of_unknown_reach_and_an_unknown_length_are_not_guessed():
    unknown = cable("unknown", "copper", float("nan"), 1, 1)
    assert names([1], media=(unknown, SR4)) == ["sr4"]
    assert names([float("nan")]) == ["none"]


def test_no_links_and_no_media():
    assert names([], parallel=2) == []
    assert names([1.0], media=()) == ["none"]


def test_links_between_the_same_two_devices_are_counted_whatever_their_direction():
    graph = leaves_and_spines(3, 2)
    assert parallel_links(graph, np.arange(6)).tolist() == [3] * 6
    assert parallel_links(graph, np.array([0, 1, 5])).tolist() == [2, 2, 1]


@pytest.mark.slow
@given(st.lists(st.floats(0.1, 3000), min_size=1, max_size=20), st.integers(1, 4))
def test_what_is_chosen_reaches_and_nothing_cheaper_that_fits_does(lengths: list[float], parallel: int):
    for length, key in zip(lengths, names(lengths, parallel), strict=True):
        fitting = [
            medium
            for medium in (DAC, LACC, SR4, DR4, FR4)
            if medium.reach_m >= length and parallel % medium.cable_links == 0
        ]
        cheapest = min(fitting, key=Medium.link_price_usd).key if fitting else "none"
        assert key == cheapest


def test_price_and_power_of_a_link_share_what_carries_two():
    assert SR4.link_price_usd() == pytest.approx(990 + 87)
    assert SR4.link_power_w() == pytest.approx(15)
    assert DAC.link_price_usd() == pytest.approx(245 / 2)
    assert DAC.link_power_w() == pytest.approx(0.1)

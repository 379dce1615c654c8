"""What is said of links that nothing carries."""

from __future__ import annotations

import numpy as np

from app.engine.fabric.media.choice import choose_media
from app.engine.fabric.media.medium import MediaRules, Medium
from app.engine.fabric.media.problems import media_problems
from app.engine.problems import Problem
from tests.engine.fabric.media.media import ALL, DAC, SR4
from tests.engine.fabric.media.test_choose import leaves_and_spines


def problems(
    lengths: list[float], rules: MediaRules, media: tuple[Medium, ...] = ALL, parallel: int = 1
) -> list[Problem]:
    graph = leaves_and_spines(parallel, len(lengths))
    every = np.repeat(np.array(lengths), parallel)
    chosen = choose_media(graph, every, media=media, rules=rules)
    return media_problems(graph, every, chosen, media=media, rules=rules)


def test_the_length_the_reach_and_what_works_are_named():
    (found,) = problems([20, 30], MediaRules(family="copper"))
    assert found.field == "pod.fabric.media"
    assert found.message == (
        "2 spine links of the compute network are up to 30 m long, and dac reaches 2 m. "
        "sr4 works: it reaches 50 m."
    )
    assert (found.value, found.limit, found.missed_by) == (30, 2, 28)
    assert found.fix is not None
    assert found.fix.value == "multimode"


def test_a_tier_that_is_named_is_the_field():
    (found,) = problems([20], MediaRules(families={"spine": "copper"}))
    assert found.field == "pod.fabric.media.spine"


def test_where_nothing_goes_so_far_the_racks_are_too_far_apart():
    (found,) = problems([5000], MediaRules())
    assert found.message.endswith("Nothing that fits reaches; bring the racks closer together.")
    assert found.fix is None


def test_cables_of_two_links_between_single_links_are_not_called_too_short():
    (found,) = problems([1.5], MediaRules(family="copper"), media=(DAC, SR4))
    assert "do not lie side by side" in found.message
    assert found.missed_by is None


def test_a_family_that_no_part_fits_is_named():
    (found,) = problems([1.5], MediaRules(family="copper"), media=(SR4,))
    assert "are to be of passive copper, and none is known that fits" in found.message
    assert found.fix is not None
    assert found.fix.value == "multimode"


def test_nothing_is_said_where_all_links_are_carried():
    assert problems([1.5, 40, 1500], MediaRules()) == []


def test_a_tier_that_is_not_there_is_named_with_those_that_are():
    (found,) = problems([1.5], MediaRules(families={"lefa": "copper"}))
    assert found.field == "pod.fabric.media.lefa"
    assert found.message == "The compute network has no tier lefa: its tiers are leaf, spine."

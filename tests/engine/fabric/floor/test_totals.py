"""What a floor comes to."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.fabric.floor.lengths import link_lengths_m
from app.engine.fabric.floor.totals import cable_totals, floor_totals
from tests.engine.fabric.floor.cases import DGX_H100, laid_out, of, two_tiers
from tests.engine.fabric.floor.rules import floor_rules


def test_sums_by_hand():
    graph, rules = two_tiers([4]), floor_rules()
    floor = laid_out(graph, rules, of(DGX_H100, 4))
    totals = floor_totals(floor)
    assert totals.racks_by_kind == {"compute": 1, "network": 2, "service": 0}
    assert (totals.racks_total, totals.rows) == (3, 1)
    assert totals.area_m2 == pytest.approx((3 * 0.75 + 2.4) * (1.2 + 2.4))
    assert totals.rated_power_w == 40_800 + 2 * 1_720
    assert totals.power_w_per_m2 == pytest.approx(totals.rated_power_w / totals.area_m2)
    assert totals.largest_rack_power_w == totals.largest_rack_air_heat_w == 40_800
    leaf, spine = cable_totals("compute", graph, link_lengths_m(graph, floor, rules))
    assert (leaf.tier, leaf.links, leaf.mean_length_m, leaf.longest_m, leaf.metres) == (
        "leaf",
        4,
        7.75,
        10,
        31,
    )
    assert (spine.links, spine.longest_m) == (1, 10)


def test_unknown_power_of_a_rack_leaves_the_sum_unknown():
    graph, rules = two_tiers([4]), floor_rules()
    floor = laid_out(graph, rules, of(DGX_H100, 4))
    floor.racks.power_w[1] = np.nan
    totals = floor_totals(floor)
    assert np.isnan(totals.rated_power_w)
    assert totals.largest_rack_power_w == 40_800

"""From N to 2N over every example: price, nines and PUE move the right way, or the reason is in the losses."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from app.catalog.ready import ready_catalog
from app.engine.evaluation import Sections
from app.engine.trace import first_of
from app.paths import seed_data
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.sweeping.fields import with_field
from tests.support import read_example

LADDER = (("N", "N"), ("N+1", "N+1"), ("2N", "N+1"), ("2N", "2N"))
EXAMPLES = sorted(path.stem for path in (seed_data() / "examples").glob("*.yaml"))
SHARING = {"mv_transformer", "lv_transformer", "ups"}  # a spare unit takes its part of the load of these
LARGEST_GAIN = 1e-3  # of the PUE: what is quadratic in the load falls more than what is constant grows


def sections_of(key: str, power: str, cooling: str) -> Sections:
    values = with_field(read_example(key).as_dict(), "facility.redundancy", power)
    values = with_field(values, "facility.cooling_redundancy", cooling)
    return evaluate_scenario(build_scenario(values), ready_catalog()).evaluation.sections


@pytest.mark.slow
@pytest.mark.parametrize("key", EXAMPLES)
def test_each_step_costs_more_fails_less_and_two_sides_draw_more(key: str) -> None:
    ladder = [sections_of(key, *step) for step in LADDER]
    prices = [first_of(one.cost.capex_breakdown_usd["facility"]) for one in ladder]
    nines = [first_of(one.power.facility_nines) for one in ladder]
    pue = [first_of(one.cooling.pue) for one in ladder]
    units = [first_of(one.cooling.cdu_count) for one in ladder]
    assert all(high > low for low, high in pairwise(nines))
    if math.isnan(pue[0]):
        return
    assert all(high >= low for low, high in pairwise(prices))
    assert prices[2] > prices[0]
    assert units[0] <= units[1] == units[2] <= units[3] == 2 * units[0]
    assert pue[2] == pue[3] > pue[0]
    if pue[1] < pue[0]:
        single, spare = (one.power.losses_breakdown_w for one in ladder[:2])
        assert {name for name in single if first_of(spare[name]) < first_of(single[name])} <= SHARING
        assert pue[0] - pue[1] < LARGEST_GAIN


@pytest.mark.slow
def test_some_example_gains_by_a_spare() -> None:
    """The reason of the test above is met: without it the branch would hold nothing."""
    gains = [key for key in EXAMPLES if _pue(key, "N+1") < _pue(key, "N")]
    assert "llama_3_1_405b_on_2048_dgx_h100" in gains


def _pue(key: str, scheme: str) -> float:
    return first_of(sections_of(key, scheme, scheme).cooling.pue)

"""Availability of power and cooling: hand-worked blocks, limits, and what redundancy may never make better."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.engine.economics import building
from app.engine.economics.assumptions import EconomicsAssumptions
from app.engine.facility.availability import (
    TIERS,
    block_unavailability,
    installed_shares,
    outages,
    shortage_share,
    unit_unavailability,
)
from app.engine.facility.electrical.redundancy import SCHEMES
from app.engine.trace import Array
from tests.engine.facility.cases import defaults, evaluate, facility_at, rack, steady
from tests.support import assumptions, number, part_of

LADDER = ("N", "N+1", "2N")
STEADY = steady(dry_bulb_c=20, wet_bulb_c=14)


def shortage(needed: int, installed: int, u: float) -> float:
    return float(
        shortage_share(needed=number(needed), installed=number(installed), unavailability=number(u))[0]
    )


def test_by_hand():
    """Two of three units, each down 10 % of the time: 2.7 % with two down serve half, 0.1 % with none."""
    assert shortage(2, 3, 0.1) == pytest.approx(3 * 0.01 * 0.9 * 0.5 + 0.001 * 1)
    assert shortage(1, 2, 0.1) == pytest.approx(0.01)
    assert shortage(4, 4, 0.1) == pytest.approx(0.1)
    assert float(unit_unavailability(mtbf_hours=number(99), mttr_hours=number(1))[0]) == 0.01


@pytest.mark.parametrize(
    ("needed", "installed"), [(1, 1), (1, 2), (3, 4), (7, 8), (7, 9), (40, 41), (20, 42)]
)
@pytest.mark.parametrize("u", [0, 1e-6, 1e-3, 0.2, 1])
def test_against_the_sum_over_all_states(needed: int, installed: int, u: float):
    states = (
        math.comb(installed, down)
        * u**down
        * (1 - u) ** (installed - down)
        * max(down - (installed - needed), 0)
        for down in range(installed + 1)
    )
    assert shortage(needed, installed, u) == pytest.approx(sum(states) / needed, rel=1e-6, abs=1e-15)


def test_common_causes_bound_what_two_sides_give():
    given = {"needed": number(10), "unavailability": number(1e-4), "common_cause_share": number(0.05)}
    two = float(block_unavailability(**given, redundancy="2N")[0])
    assert two == pytest.approx(0.05e-4 + (0.95e-4) ** 2)
    assert float(block_unavailability(**given, redundancy="N")[0]) == 1e-4


def hours(redundancy: str) -> dict[str, Array]:
    found = outages(liquid_share=number(0.8), redundancy=redundancy, assumptions=defaults())
    return {"total": found.yearly_outage_hours, **found.outage_breakdown_hours}


@pytest.mark.parametrize(("redundancy", "published"), [("N", 28.8), ("N+1", 22.0), ("2N", 0.4)])
def test_published_hours_of_the_tiers(redundancy: str, published: float):
    """28.8, 22, 1.6 and 0.4 h a year, as the Uptime Institute gave for its tiers; within 10 h or a factor of two."""
    found = float(hours(redundancy)["total"][0])
    assert abs(found - published) < 10 if published > 10 else published / 2 < found < 2 * published
    assert TIERS[redundancy][0] == {"N": "I", "N+1": "II", "2N": "IV"}[redundancy]


def test_hours_of_the_blocks_make_the_total():
    found = {name: float(value[0]) for name, value in hours("N").items()}
    total = found.pop("total")
    assert sum(found.values()) == pytest.approx(total, rel=1e-2)


def price_usd_per_mw(redundancy: str, megawatts: float) -> float:
    money = assumptions("economics", EconomicsAssumptions)
    shares = installed_shares(
        it_power_design_w=number(megawatts * 1e6),
        liquid_heat_design_w=number(0.8 * megawatts * 1e6),
        redundancy=redundancy,
        assumptions=defaults(),
    )
    per_mw = building.facility_usd_per_mw(
        facility_price_usd_per_mw=money.facility_price_usd_per_mw,
        construction_cost_factor=number(1),
        redundancy_usd_per_mw=building.redundancy_usd_per_mw(
            **{
                block: building.block_usd_per_mw(
                    installed_share=share,
                    block_usd_per_kw=getattr(money, f"{block}_usd_per_kw"),
                    facility_price_installed_ratio=money.facility_price_installed_ratio,
                )
                for block, share in shares.items()
            }
        ),
    )
    return float(per_mw[0])


def test_price_by_hand():
    """2N of one block of each kind: electrical blocks twice, cooling and CDUs n + 1."""
    ratio, doubled, cooled = 1.333, 250 + 800 + 150 + 450 + 250, 700 * 51 / 50 + 200 * 61 / 60
    expected = 11.7e6 + 1e3 * (2 * doubled + cooled - ratio * (doubled + 700 + 200))
    assert price_usd_per_mw("2N", 100) == pytest.approx(expected, rel=1e-6)
    assert price_usd_per_mw("N", 100) == pytest.approx(11.7e6 - 0.333e3 * 2800, rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", part_of(range(300)))
def test_more_redundancy_never_costs_less_fails_more_or_saves_power(seed: int):
    draw = np.random.default_rng(seed)
    words = {
        "ups": str(draw.choice(["double_conversion", "eco", "rack_batteries"])),
        "distribution": str(draw.choice(["ac_415", "ac_480", "dc_800"])),
    }
    given = defaults(**{k: v for k, v in words.items() if v not in ("double_conversion", "ac_415")})
    supernode = rack(liquid_share=float(draw.choice([0.0, 0.7, 0.87, 1.0])))
    count = int(draw.integers(1, 2000))
    used = int(draw.integers(1, count + 1)) * 72
    found = []
    for redundancy in LADDER:
        where = facility_at(STEADY, redundancy=redundancy)
        power, cooling = evaluate(
            facility=where, supernode=supernode, supernodes=count, accelerators_used=used, given=given
        )
        usd = price_usd_per_mw(redundancy, float(power.it_power_design_w[0]) / 1e6)
        found.append((usd, float(power.yearly_outage_hours[0]), float(cooling.pue[0])))
    (a, b, c) = zip(*found, strict=True)
    assert list(a) == sorted(a), "price"
    assert list(b) == sorted(b, reverse=True), "outage"
    assert c[2] >= c[0] - 1e-12, (words, c)
    assert c[1] >= c[0] - 6e-4, (words, c)  # one transformer more shares the current of few large ones


def test_every_scheme_is_better_than_none():
    single = float(hours("N")["total"][0])
    for redundancy in SCHEMES:
        assert float(hours(redundancy)["total"][0]) <= single

"""A demand hour by hour: replicas that run, latencies of each hour, what stopping saves."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from app.scenarios.load import build_scenario
from app.views.serving.demand_hours import DemandHours, Scaling
from app.views.serving.needs_text import sizing_text
from app.views.serving.sizing import SizingView, sizing_view
from tests.support import read_example
from tests.views.serving.cases import RACK, changed, evaluated

SCALING = {"enabled": True}


@functools.cache
def _view(key: str, shape: str, scaled: bool) -> SizingView:
    demand = {"requests_per_s": 30, "shape": shape} | ({"autoscaling": SCALING} if scaled else {})
    return sizing_view(changed(key, demand=demand))


def view(shape: str = "coding_week", key: str = "deepseek_r1_on_8_h200", scaled: bool = True) -> SizingView:
    return _view(key, shape, scaled)


def hours_of(found: SizingView) -> DemandHours:
    assert found.demand_hours is not None
    return found.demand_hours


def scaling_of(found: SizingView) -> Scaling:
    scaling = hours_of(found).scaling
    assert scaling is not None
    return scaling


@functools.cache
def scaled_with(**scaling: Any) -> SizingView:
    demand = {"requests_per_s": 30, "shape": "campus_day", "autoscaling": SCALING | scaling}
    return sizing_view(changed(demand=demand))


def steps(found: SizingView) -> dict[str, float]:
    return {row.step: row.value for row in found.rows}


def test_without_hours_there_is_nothing_to_follow() -> None:
    assert sizing_view(changed(demand={"requests_per_s": 30})).demand_hours is None
    assert sizing_view(changed(demand=None)).demand_hours is None


def test_the_shape_says_the_peak_and_what_is_needed_for_it() -> None:
    found, same = view(), sizing_view(changed(demand={"requests_per_s": 30, "peak_to_mean": 3.024054}))
    assert hours_of(found).peak_to_mean == pytest.approx(3.024054, rel=1e-6)
    assert steps(found) == pytest.approx(steps(same), rel=1e-5)
    assert max(hour.needed for hour in hours_of(found).hours) == steps(found)["replicas"]


def test_places_apart_flatten_the_demand() -> None:
    apart = [
        {"name": name, "share": 1 / 3, "round_trip_s": 0.1, "clock_offset_h": offset}
        for name, offset in (("A", 0), ("B", 8), ("C", -8))
    ]
    one = view("campus_day", scaled=False)
    three = sizing_view(changed(demand={"requests_per_s": 30, "shape": "campus_day", "regions": apart}))
    assert hours_of(three).peak_to_mean < 0.65 * hours_of(one).peak_to_mean
    assert steps(three)["replicas"] < steps(one)["replicas"]


def test_hours_carry_the_demand_and_keep_the_promise() -> None:
    hours = hours_of(view()).hours
    assert len(hours) == 168
    assert (hours[33].title, hours[0].title) == ("Tuesday 09:00", "Monday 00:00")
    assert np.mean([hour.requests_per_s for hour in hours]) == pytest.approx(30, rel=1e-3)
    rate = steps(view())["replica_rate"]
    for hour in hours:
        assert hour.needed <= hour.running <= hour.paid + 1e-9
        assert hour.utilisation == pytest.approx(hour.requests_per_s / hour.running / rate)
        assert hour.utilisation <= 1 + 1e-8
        assert hour.keeps


def test_latencies_are_those_of_the_rate() -> None:
    """The busiest hour without autoscaling: the evaluation of as many servers at that rate has them."""
    found = view("consumer_day", scaled=False)
    hours = hours_of(found)
    busiest = max(hours.hours, key=lambda hour: hour.requests_per_s)
    servers = round(steps(found)["replicas"])

    values = read_example("deepseek_r1_on_8_h200").as_dict()
    values["workload"].pop("concurrency", None)
    values["workload"]["layout"] = {"tp": 8}
    values["workload"]["demand"] = {"requests_per_s": 30, "shape": "consumer_day"}
    values["pod"] = {**values.get("pod", {}), "supernodes": servers}
    performance = evaluated(build_scenario(values)).evaluation.sections.performance
    assert busiest.tpot_within_s == pytest.approx(float(performance.tpot_within_s[0]), rel=2e-2)
    assert busiest.ttft_within_s == pytest.approx(float(performance.ttft_within_s[0]), rel=2e-2)


def test_an_hour_without_requests_has_no_latencies() -> None:
    weights = [0.0] * 6 + [1.0] * 18
    scaling = SCALING | {"minimum_instances": 0, "headroom": 0, "cold_start_s": 0}
    demand = {"requests_per_s": 30, "hourly_weights": weights, "autoscaling": scaling}
    hours = hours_of(sizing_view(changed(demand=demand))).hours
    assert (hours[2].running, hours[2].paid, hours[2].utilisation, hours[2].keeps) == (0, 0, 0, True)
    assert np.isnan(hours[2].ttft_within_s)
    assert hours[7].ttft_within_s > 0


def test_what_is_freed_is_the_rest_of_always_on() -> None:
    hours, scaling = hours_of(view()), scaling_of(view())
    assert hours.always_on_replicas == steps(view())["replicas"] + steps(view())["spares"]
    assert hours.always_on_hours_per_day == 24 * 8 * hours.always_on_replicas
    paid = np.mean([hour.paid for hour in hours.hours])
    assert scaling.accelerator_hours_per_day == pytest.approx(24 * 8 * paid)
    assert scaling.freed_share == pytest.approx(1 - paid / hours.always_on_replicas)
    assert 0.5 < scaling.freed_share < 0.67  # a week with a peak three times the mean
    assert hours_of(view(scaled=False)).scaling is None


def test_a_flat_day_frees_nothing() -> None:
    scaling = scaling_of(view("flat"))
    assert scaling.freed_share == pytest.approx(0)
    assert scaling.saved_kwh_per_day == pytest.approx(0)
    assert scaling.owned_usd == pytest.approx(scaling.owned_always_on_usd)


def test_owned_hardware_saves_energy_alone_and_rented_what_is_given_back() -> None:
    idle, off = scaled_with(), scaled_with(stopped="off")
    one, other = scaling_of(idle), scaling_of(off)
    assert one.rented_usd == one.rented_always_on_usd  # nothing is given back
    assert other.rented_usd == pytest.approx(other.rented_always_on_usd * (1 - other.freed_share))
    for found in (one, other):
        assert 0.9 * found.owned_always_on_usd < found.owned_usd < found.owned_always_on_usd
    assert one.owned_with_batch_usd == pytest.approx(one.owned_always_on_usd * (1 - one.freed_share))
    assert other.owned_with_batch_usd is None
    assert (one.node_boot_s, other.node_boot_s) == (0, 300)
    # nodes that are off draw nothing, those that stay on are idle
    assert other.saved_kwh_per_day / other.always_on_kwh_per_day == pytest.approx(other.freed_share)
    assert one.saved_kwh_per_day / one.always_on_kwh_per_day < one.freed_share


def test_a_cold_start_has_its_parts_and_headroom_for_what_grows_in_it() -> None:
    found = scaling_of(view())
    parts = (found.node_boot_s, found.weights_read_s, found.weights_copy_s, found.engine_start_s)
    assert sum(part for part in parts if part is not None) == pytest.approx(found.cold_start_s)
    assert found.engine_start_s == 60  # SGLang
    assert found.headroom == found.headroom_needed > 0.2 / 1.2 - 1e-9
    assert found.headroom_is_enough
    assert found.short_hours == 0


def test_less_headroom_than_is_needed_is_said() -> None:
    few, enough = scaling_of(scaled_with(headroom=0.02)), scaling_of(scaled_with(headroom=0.6))
    assert (few.headroom, few.headroom_is_stated, few.headroom_is_enough) == (0.02, True, False)
    assert few.short_hours > 0
    assert few.headroom_needed == enough.headroom_needed
    assert (enough.headroom_is_enough, enough.short_hours) == (True, 0)
    assert enough.freed_share < few.freed_share


@pytest.mark.parametrize(
    "change",
    [{"minimum_instances": 30}, {"scale_down_delay_s": 7200}, {"headroom": 0.7}, {"cold_start_s": 3600}],
)
def test_every_setting_costs_hours(change: dict[str, float]) -> None:
    most = scaling_of(scaled_with(cold_start_s=0))
    assert most.cold_start_is_stated
    assert most.headroom_needed == 0
    assert scaling_of(scaled_with(**{"cold_start_s": 0, **change})).freed_share < most.freed_share


def test_a_group_of_prefill_and_decode_starts_a_copy_for_each() -> None:
    demand = {"requests_per_s": 300, "shape": "campus_day", "autoscaling": SCALING}
    found = scaling_of(sizing_view(changed(RACK, demand=demand, concurrency=None)))
    assert found.weights_read_s is not None
    assert found.weights_read_s > 0
    assert found.freed_share > 0


def test_rows_and_text_say_what_it_comes_to() -> None:
    found = view("consumer_day")
    rows = {row.step: row for row in hours_of(found).rows}
    assert rows["freed"].value == scaling_of(found).freed_share
    assert rows["headroom"].said == "as much as is needed"
    assert rows["cold_start"].said.endswith("start of the engine 60 s, 10 at once")
    lines = sizing_text(found).splitlines()
    assert sum(line.startswith(f"{hour:02}:00 ") for line in lines for hour in range(24)) == 24
    assert any(line.startswith("Accelerator-hours freed") for line in lines)
    assert "Accelerator-hours" not in sizing_text(sizing_view(changed(demand={"requests_per_s": 30})))


def test_rows_say_what_a_setting_does_not_do() -> None:
    """A minimum beyond the busiest hour, and growth from nothing, for which no share is enough."""
    many = {row.step: row for row in hours_of(scaled_with(minimum_instances=500)).rows}
    assert "so that all run in all hours" in many["minimum"].said
    assert many["freed"].value == pytest.approx(0)
    demand = {"requests_per_s": 30, "hourly_weights": (0.0,) * 6 + (1.0,) * 18}
    asked = demand | {"autoscaling": SCALING | {"minimum_instances": 0}}
    found = sizing_view(changed(demand=asked))
    rows = {row.step: row for row in hours_of(found).rows}
    assert scaling_of(found).headroom_needed == 1
    assert (
        "grows from nothing within a cold start: all replicas run in all hours"
        in rows["headroom_needed"].said
    )
    assert rows["freed"].value == pytest.approx(0)


def test_only_whole_nodes_are_given_back() -> None:
    """Two replicas of 4 share a server: stopping one gives nothing back."""
    demand = {"requests_per_s": 30, "shape": "campus_day"}
    small = {"layout": {"tp": 4}, "model": "llama_3_1_70b", "concurrency": None}
    idle, off = (
        scaling_of(
            sizing_view(
                changed(
                    demand=demand | {"autoscaling": SCALING | {"stopped": how, "cold_start_s": 300}}, **small
                )
            )
        )
        for how in ("idle", "off")
    )
    assert idle.headroom == off.headroom
    assert off.accelerator_hours_per_day > idle.accelerator_hours_per_day
    assert off.freed_share < idle.freed_share

"""Coolant distribution units, busway, power racks and converters that a scenario names."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.facility.electrical import ElectricalOptions, electrical_answer
from tests.scenarios.every_input.designs import designs, merged

DIRECT = {"distribution": "dc_800"}


def evaluated(facility: dict[str, Any] | None = None, supernodes: int = 64) -> EvaluatedScenario:
    document = merged(
        designs()["small"],
        {
            "supernode": {"system": "gb200_nvl72"},
            "pod": {"supernodes": supernodes, "fabric": {"topology": "auto"}},
            "parallelism": "auto",
            "facility": {"cooling": "direct_liquid_dry", "redundancy": "N+1"} | (facility or {}),
        },
    )
    return evaluate_scenario(build_scenario(document), ready_catalog())


def figure(found: EvaluatedScenario, path: str) -> float:
    room, _, name = path.partition(".")
    value: Any = getattr(found.evaluation.sections, room)
    for part in name.split("."):
        value = value[part] if isinstance(value, dict) else getattr(value, part)
    return float(value[0])


def test_units_are_counted_by_their_capacity() -> None:
    """By hand: 64 racks of 132 kW give 87 % to liquid, 7.35 MW: four units of 2 MW and a spare."""
    found = evaluated({"cdu": "coolit_chx2000"})
    heat = 64 * 132e3 * 0.87
    assert figure(found, "cooling.liquid_heat_design_w") == pytest.approx(heat, rel=1e-9)
    assert figure(found, "cooling.cdu_count") == np.ceil(heat / 2e6) + 1 == 5
    assert figure(found, "cooling.cdu_capacity_w") == 10e6
    assert figure(found, "cost.cdu_usd") == pytest.approx(10e6 / 1e3 * 200)


def test_pumps_of_a_unit_draw_by_its_data_sheet() -> None:
    """By hand: 2,125 L/min at 241.3 kPa are 8.55 kW, of 12.24 kW: 0.698 in place of the assumed 0.5."""
    usual, named = evaluated(), evaluated({"cdu": "coolit_chx2000"})
    room = named.resolved.design.assumptions.rooms["facility"]
    assert room.coolant_pump_efficiency[0] == pytest.approx(2125 / 60e3 * 241.3e3 / 12_240)
    assert figure(named, "cooling.breakdown_w.pumps") < figure(usual, "cooling.breakdown_w.pumps")


@pytest.mark.parametrize("cdu", ["coolit_chx2000", "vertiv_coolchip_cdu_121", "motivair_mcdu_70"])
def test_more_heat_never_takes_fewer_units(cdu: str) -> None:
    found = [evaluated({"cdu": cdu}, supernodes) for supernodes in (16, 32, 64, 128)]
    for path in (
        "cooling.cdu_count",
        "cooling.cdu_capacity_w",
        "cost.cdu_usd",
        "cost.capex_breakdown_usd.facility",
    ):
        values = [figure(one, path) for one in found]
        assert values == sorted(values), path
    for one in found:
        spare = figure(one, "cooling.cdu_capacity_w") - figure(one, "cooling.liquid_heat_design_w")
        assert spare >= figure(one, "cooling.cdu_capacity_w") / figure(one, "cooling.cdu_count") * (1 - 1e-9)


def test_what_a_unit_does_not_state_stays_assumed() -> None:
    usual, named = evaluated(), evaluated({"cdu": "vertiv_coolchip_cdu_2300"})
    for name in ("cdu_approach_k", "coolant_pump_efficiency"):
        rooms = (one.resolved.design.assumptions.rooms["facility"] for one in (usual, named))
        before, after = (float(getattr(room, name)[0]) for room in rooms)
        assert before == after, name


def test_what_the_scenario_states_goes_before_the_unit() -> None:
    document = merged(
        evaluated({"cdu": "coolit_chx2000"}).document.model_dump(mode="json", exclude_unset=True),
        {"assumptions": {"facility.cdu_unit_w": 1e6}},
    )
    found = evaluate_scenario(build_scenario(document), ready_catalog())
    assert figure(found, "cooling.cdu_count") == 9


@pytest.mark.parametrize(
    ("facility", "expected"),
    [
        (DIRECT, 0.02 / 0.98),
        (DIRECT | {"rectifier": "delta_power_rack_660"}, 0.02 / 0.98),
        (DIRECT | {"rectifier": "delta_sst"}, 0.015 / 0.985),
    ],
)
def test_a_rectifier_loses_by_its_efficiency(facility: dict[str, Any], expected: float) -> None:
    """What it loses over what it gives on: (1 - 0.985) / 0.985 of a solid-state transformer."""
    found = evaluated(facility)
    losses = found.evaluation.sections.power.losses_breakdown_w
    given_on = figure(found, "power.it_power_mean_w") + float(losses["distribution"][0])
    assert float(losses["ups"][0]) / given_on == pytest.approx(expected, rel=1e-6)


def test_a_power_rack_stands_behind_transformers_to_480_v() -> None:
    central, racks = evaluated(DIRECT), evaluated(DIRECT | {"rectifier": "delta_power_rack_660"})
    losses = [one.evaluation.sections.power.losses_breakdown_w for one in (central, racks)]
    assert float(losses[0]["lv_transformer"][0]) == 0 < float(losses[1]["lv_transformer"][0])
    chains = [electrical_answer(one, ElectricalOptions()) for one in (central, racks)]
    assert "lv_transformer" not in chains[0].chain.kinds
    assert "lv_transformer" in chains[1].chain.kinds
    assert chains[1].chain.title("ups") == "Power rack"


def test_losses_conserve_energy_in_every_chain() -> None:
    """What the meter gives is what racks, losses, cooling and house draw."""
    for facility in (
        {},
        DIRECT,
        DIRECT | {"rectifier": "delta_power_rack_660"},
        DIRECT | {"rectifier": "delta_sst", "rack_converter": "navitas_dc_dc_10"},
        DIRECT | {"rectifier": "delta_power_rack_660", "ups": "rack_batteries"},
    ):
        power = evaluated(facility).evaluation.sections.power
        parts = sum(float(value[0]) for value in power.losses_breakdown_w.values())
        assert parts == pytest.approx(float(power.electrical_losses_w[0]), rel=1e-9)
        assert 0 < parts < 0.2 * float(power.it_power_mean_w[0])


def test_a_busway_carries_by_its_current() -> None:
    """By hand: 1,250 A at 415 V, 80 % of it, power factor 0.98: 704 kW."""
    found = electrical_answer(evaluated({"busway": "starline_t5"}), ElectricalOptions())
    rating = dict(zip(found.sizing.kinds, found.sizing.rating_w, strict=True))["busway"]
    assert rating == pytest.approx(3**0.5 * 415 * 1250 * 0.8 * 0.98)


@pytest.mark.parametrize(
    ("facility", "said"),
    [
        ({"cdu": "coolit_ahx240"}, "facility.cooling: liquid_to_air"),
        ({"cdu": "coolit_chx2000", "cooling": "liquid_to_air"}, "gives it to air"),
        ({"cdu": "no_such_unit"}, "podwright catalog facility_parts"),
        ({"cdu": "delta_sst"}, "coolit_chx2000"),
        ({"rectifier": "delta_sst"}, "facility.distribution: dc_800"),
        ({"rack_converter": "navitas_dc_dc_10"}, "facility.distribution: dc_800"),
        ({"busway": "delta_dc_busbar_1000"}, "another facility.distribution"),
        (DIRECT | {"busway": "starline_t5"}, "another facility.distribution"),
    ],
)
def test_what_does_not_fit_is_refused_with_a_way_out(facility: dict[str, Any], said: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        evaluated(facility)
    assert said in str(refused.value)

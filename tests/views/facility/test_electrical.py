"""The electrical chain of a scenario: a published unit, words of the scenario, what cannot be."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.facility.electrical import ElectricalAnswer, ElectricalOptions, electrical_answer
from app.views.facility.electrical_report import block_lines, electrical_report
from app.views.plain import report_json
from tests.scenarios.support import scenario


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return ready_catalog()


def answer(catalog: Catalog, options: dict[str, Any] | None = None, **changes: Any) -> ElectricalAnswer:
    document = build_scenario(scenario(**({"pod__supernodes": 64} | changes)))
    return electrical_answer(evaluate_scenario(document, catalog), ElectricalOptions(**(options or {})))


def units(found: ElectricalAnswer) -> dict[str, float | None]:
    return {line.kind: line.units for line in block_lines(found)}


def test_a_gb200_unit_of_eight_racks_is_1_2_mw_with_everything(catalog: Catalog) -> None:
    """NVIDIA DGX SuperPOD reference architecture, DGX GB200: 1.2 MW for a scalable unit of 8 racks."""
    found = answer(
        catalog, pod__supernodes=8, supernode__system="gb200_nvl72", operations__spares=0,
        pod__networks={"storage": {}, "in_band": {}, "out_of_band": {}},
    )  # fmt: skip
    assert found.loads.it_w[0] == pytest.approx(1.2e6, rel=0.05)
    assert units(found)["rack_feed"] == units(found)["shelf"] == 8
    assert found.racks == 8


@pytest.mark.slow
def test_sizes_of_the_chain_follow_its_assumptions(catalog: Catalog) -> None:
    usual = answer(catalog)
    small = answer(
        catalog,
        assumptions={
            "facility.ups_unit_w": 2e5,
            "electrical.generator_unit_w": 2e5,
            "electrical.fuel_hours": 24,
        },
    )
    assert units(small)["ups"] == 2 * math.ceil(small.sizing.load_w[small.sizing.kinds.index("ups")] / 2e5)
    assert (units(small)["generator"] or 0) > (units(usual)["generator"] or 0)
    assert small.standby.fuel_l == pytest.approx(usual.standby.fuel_l / 2, rel=0.02)


def test_sized_on_the_peak_the_rating_may_overload(catalog: Catalog) -> None:
    """Losing a block is always looked at with every node at its rating."""
    by_peak = answer(catalog, {"sized_on": "peak"}, facility__redundancy="N+1")
    by_rating = answer(catalog, facility__redundancy="N+1")
    assert by_peak.loads.it_w[0] < by_rating.loads.it_w[0]
    over = {
        kind
        for kind, too_much in zip(by_rating.lost.kinds, by_rating.lost.overloaded, strict=True)
        if too_much
    }
    assert over <= {"switchboard", "busway"}  # of one path, whatever is spare above them
    assert any(by_peak.lost.overloaded)
    assert by_peak.allowed_it_w < by_rating.allowed_it_w == pytest.approx(by_rating.loads.it_w[0])
    assert by_peak.lost.ride_through_s[0] < by_rating.lost.ride_through_s[0] == 300


def test_losses_are_those_of_the_evaluation(catalog: Catalog) -> None:
    document = build_scenario(scenario(pod__supernodes=64))
    evaluated = evaluate_scenario(document, catalog)
    found = electrical_answer(evaluated, ElectricalOptions())
    power = evaluated.evaluation.sections.power
    assert sum(one.loss_w for one in found.losses) == pytest.approx(power.electrical_losses_w[0])
    assert all(0 < one.load < 1 for one in found.losses)


@pytest.mark.parametrize(
    ("facility", "without"),
    [({"distribution": "dc_800"}, "lv_transformer"), ({"ups": "rack_batteries"}, "ups")],
)
def test_words_of_the_scenario_leave_blocks_out(
    catalog: Catalog, facility: dict[str, str], without: str
) -> None:
    found = answer(catalog, facility=facility)
    assert without not in found.chain.kinds
    with pytest.raises(ScenarioError, match="is not a block of this chain"):
        answer(catalog, {"lost": without}, facility=facility)


def test_what_cannot_be_built_is_a_problem_of_the_evaluation_and_of_the_answer(catalog: Catalog) -> None:
    found = answer(catalog, pod__supernodes=4, facility__redundancy="3N/2")
    (problem,) = found.problems
    assert (problem.field, problem.kind) == ("facility.redundancy", "infeasible")
    evaluated = evaluate_scenario(
        build_scenario(scenario(pod__supernodes=4, facility__redundancy="3N/2")), catalog
    )
    assert not evaluated.evaluation.feasible
    assert problem in evaluated.problems


def test_sizes_that_only_the_answer_knows(catalog: Catalog) -> None:
    given = {"electrical.generator_unit_w": 10, "electrical.feeder_current_nec_a": 0}
    found = {problem.field: problem for problem in answer(catalog, assumptions=given).problems}
    assert set(found) == {f"assumptions.{name}" for name in given}
    assert all(problem.fix for problem in found.values())


def test_the_report_has_no_numbers_that_json_lacks(catalog: Catalog) -> None:
    found = report_json(electrical_report(answer(catalog, facility__redundancy="N")))
    alone = next(line for line in found["lost"] if line["kind"] == "lv_transformer")
    assert (alone["load_after"], alone["carried_by"], alone["it_served_w"]) == (None, "nobody", 0)


def test_an_unknown_altitude_leaves_derated_blocks_unknown(catalog: Catalog) -> None:
    found = answer(catalog, facility__site={"name": "Here", "climate": "ashburn_va"})
    assert units(found)["generator"] is None
    assert units(found)["switchboard"] == 2

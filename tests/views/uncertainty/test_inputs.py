"""Which inputs vary, and by which ranges."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.engine.design import evaluate
from app.engine.explore.job_sizes import evaluate_block
from app.engine.leaves import leaves
from app.scenarios.errors import ScenarioError
from app.scenarios.examples import example
from app.scenarios.resolve import resolve
from app.views.uncertainty.answer import uncertainty_steps
from app.views.uncertainty.fixed_layout import held_values
from app.views.uncertainty.inputs import FURTHER_COLUMNS, SPEED, VaryingInput, varying_inputs
from tests.views.uncertainty.cases import evaluated

WACC = {"low": 0.05, "typical": 0.1, "high": 0.2}


def inputs_of(
    catalog: Catalog, uncertainty: dict | None = None, **changes: object
) -> dict[str, VaryingInput]:
    found = evaluated(catalog, uncertainty, **changes)
    return {one.place: one for one in varying_inputs(found, held_values(found), found.resolved, catalog)}


def test_a_silent_scenario_varies_by_the_catalog(catalog: Catalog) -> None:
    found = inputs_of(catalog)
    life = found["economics.life_years"]
    assert (life.origin, life.distribution.kind) == ("catalog", "triangular")
    assert (life.distribution.low, life.point, life.distribution.high) == (4, 5, 6)
    assert "annual reports" in life.source
    assert {"supernode.price_usd", "economics.utilisation", "economics.wacc", SPEED} <= set(found)
    # the doubt of the speed stands for what it is made of, and set points are decided
    assert not [place for place in found if place.startswith("assumptions.performance")]
    assert "assumptions.operations.spare_confidence" not in found


def test_what_the_scenario_states_is_known(catalog: Catalog) -> None:
    assert "economics.life_years" not in inputs_of(catalog, economics__life_years=4)


def test_a_range_of_the_scenario_goes_first(catalog: Catalog) -> None:
    found = inputs_of(catalog, {"inputs": {"economics.wacc": WACC}}, economics__wacc=0.1)["economics.wacc"]
    assert (found.origin, found.distribution.low, found.distribution.high) == ("scenario", 0.05, 0.2)


def test_the_catalog_may_be_left_out(catalog: Catalog) -> None:
    found = inputs_of(catalog, {"inputs": {"economics.wacc": WACC}, "catalog_ranges": False})
    assert list(found) == ["economics.wacc"]


def test_the_speed_is_as_unsure_as_the_prediction(catalog: Catalog) -> None:
    found = evaluated(catalog)
    bounds = found.intervals.performance.tokens_per_s
    predicted = found.evaluation.sections.performance.tokens_per_s[0]
    assert bounds.low is not None
    assert bounds.high is not None
    speed = inputs_of(catalog)[SPEED]
    ends = speed.distribution.quantile(np.array([0.1, 0.9]))
    np.testing.assert_allclose(ends, [bounds.low / predicted, bounds.high / predicted], rtol=1e-9)
    assert (speed.distribution.kind, speed.origin) == ("lognormal", "prediction")


def test_a_job_that_nobody_measured_varies_by_the_assumptions(catalog: Catalog) -> None:
    from app.scenarios.evaluation.service import evaluate_example

    found = evaluate_example("fft_3d_on_512_dgx_a100", catalog)
    places = [one.place for one in varying_inputs(found, held_values(found), found.resolved, catalog)]
    assert SPEED not in places
    assert "assumptions.performance.memory_bandwidth_fraction" in places


def test_what_decides_the_structure_takes_a_few_values(catalog: Catalog) -> None:
    found = inputs_of(catalog, {"inputs": {"pod.supernodes": {"low": 2, "high": 32}}})["pod.supernodes"]
    assert (found.levels, found.whole, found.point) == (8, True, 4)
    values = found.values(np.linspace(0, 1, 1000))
    # middles of eight equal parts of 2 to 32, each as likely
    numbers, counts = np.unique(values, return_counts=True)
    np.testing.assert_array_equal(numbers, np.round(2 + 30 * (np.arange(8) + 0.5) / 8))
    np.testing.assert_array_equal(counts, 125)


def test_few_whole_numbers_are_few_levels(catalog: Catalog) -> None:
    found = inputs_of(catalog, {"inputs": {"pod.supernodes": {"low": 3, "high": 4}}})["pod.supernodes"]
    assert found.levels == 2


STRUCTURES = {
    "pod.supernodes": {"low": 2, "high": 32},
    "workload.sequence_length": {"low": 2048, "high": 16_384},
    "workload.global_batch_sequences": {"low": 512, "high": 2048},
    "pod.floor.nodes_per_rack": {"low": 1, "high": 40},
    "pod.floor.rack_units": {"low": 30, "high": 60},
    "pod.floor.row_racks": {"low": 4, "high": 24},
    "pod.floor.rack_width_m": {"low": 0.5, "high": 0.9},
    "pod.floor.rack_depth_m": {"low": 1.0, "high": 1.6},
    "pod.floor.cold_aisle_m": {"low": 1.0, "high": 2.0},
    "pod.floor.hot_aisle_m": {"low": 1.0, "high": 2.0},
}


@pytest.mark.parametrize(("fields", "levels"), [(1, 8), (2, 8), (3, 8), (4, 4), (5, 3), (9, 2)])
def test_several_structures_take_fewer_values_each(catalog: Catalog, fields: int, levels: int) -> None:
    """The largest number of values, eight at most, that makes no more than 512 designs."""
    found = inputs_of(catalog, {"inputs": dict(list(STRUCTURES.items())[:fields])})
    assert [one.levels for one in found.values() if one.levels] == [levels] * fields
    assert levels**fields <= 512


def test_too_many_structures_are_refused_by_name(catalog: Catalog) -> None:
    found = evaluated(catalog, {"inputs": STRUCTURES})
    with pytest.raises(
        ScenarioError, match=r"1,024 combinations of 10 such fields are more than 512"
    ) as caught:
        next(uncertainty_steps(found, catalog))
    assert all(field in str(caught.value) for field in STRUCTURES)


def test_an_end_that_no_design_can_be_is_structure(catalog: Catalog) -> None:
    stated = {"inputs": {"pod.accelerators_used": {"low": 8, "high": 320_000}}}
    assert inputs_of(catalog, stated, pod__accelerators_used=32)["pod.accelerators_used"].levels == 8


def test_a_normal_share_stays_a_share(catalog: Catalog) -> None:
    stated = {"inputs": {"economics.utilisation": {"low": 0.7, "high": 0.99, "distribution": "normal"}}}
    found = inputs_of(catalog, stated)["economics.utilisation"]
    assert found.values(np.linspace(0, 1, 101)).max() <= 1
    assert found.distribution.cut_share > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("key", ["llama_3_1_405b_on_gb200_nvl72", "edge_node"])
def test_further_places_are_read_as_arrays(catalog: Catalog, key: str) -> None:
    """All of the catalog's ranges at once: blocks and single designs agree, though not to the last bit."""
    resolved = resolve(example(key).read(), catalog)
    outputs = [path for path, figure in leaves(evaluate(resolved.design).sections) if np.size(figure) == 1]
    generator = np.random.default_rng(1)
    columns = {
        place: generator.uniform(origin.low, origin.high, 64)
        for place, origin in resolved.origins.items()
        if FURTHER_COLUMNS.fullmatch(place) and origin.low is not None and origin.high is not None
    }
    assert len(columns) > 100
    together = evaluate_block(resolved.design, columns, 64, outputs).values
    for row in (0, 31):
        one = {place: column[row : row + 1] for place, column in columns.items()}
        alone = evaluate_block(resolved.design, one, 1, outputs).values[:, 0]
        np.testing.assert_allclose(together[:, row], alone, rtol=1e-9)

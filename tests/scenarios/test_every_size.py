"""Every system, any number of SuperNodes, batches that people state: a layout, or one click to one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.catalog.ready import ready_catalog
from app.engine.explore.domain_sizes import domain_parts
from app.engine.leaves import leaves
from app.engine.performance.section import Performance
from app.engine.trace import plain
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.surfaces.pages.studio.offers import fix_offers
from app.surfaces.pages.studio.state import with_value
from app.views.searching.domains import domain_study
from tests.scenarios.support import scenario
from tests.support import part_of

PART = "pod.accelerators_per_domain_used"
SAMPLE = 120


@pytest.fixture(scope="module")
def catalog(seeded_data_dir: object) -> Catalog:
    return ready_catalog()


def values_of(
    system: str, supernodes: int, batch: int, model: str = "llama_3_1_8b", part: Any = "all"
) -> Any:
    values = scenario(
        workload__model=model, workload__global_batch_sequences=batch, workload__sequence_length=8192,
        pod__supernodes=supernodes, parallelism="auto",
    )  # fmt: skip
    values = values | {"supernode": {"system": system}}
    return values if part == "all" else with_value(values, PART, part)


def evaluated(values: Any, catalog: Catalog) -> EvaluatedScenario:
    return evaluate_scenario(build_scenario(values), catalog)


def performance(found: EvaluatedScenario) -> Performance:
    assert isinstance(found.evaluation.sections.performance, Performance)
    return found.evaluation.sections.performance


def runs(found: EvaluatedScenario) -> bool:
    """Whether there is a layout, and it fits."""
    return not any(
        problem.kind == "infeasible" and problem.constraint in ("layout", "memory")
        for problem in found.evaluation.problems
    )


def has_layout(found: EvaluatedScenario) -> bool:
    return not np.isnan(performance(found).strategy["tp"]).any()


def with_published_compute(values: Any, catalog: Catalog) -> EvaluatedScenario | None:
    """The scenario evaluated; None where no one publishes a peak, or one kind of accelerator."""
    try:
        found = evaluated(values, catalog)
    except ScenarioError as error:
        if {fault.path for fault in error.errors} <= {"workload.precision", "supernode.system"}:
            return None
        raise
    unknown = np.isnan(plain(found.resolved.design.supernode.accelerator.peak_flop_per_s)).any()
    return None if unknown else found


def used(found: EvaluatedScenario) -> float:
    return float(found.resolved.design.pod.accelerators_used[0])


@pytest.mark.slow
def test_every_system_at_any_size_has_a_layout_or_one_click_to_one(catalog: Catalog) -> None:
    """A seeded sample of every system x 1 to 16 SuperNodes x 512 to 4,096 sequences."""
    random = np.random.default_rng(19)
    tried = part_of(range(SAMPLE), parts=6)
    for number in range(SAMPLE):
        system = str(random.choice(catalog.keys("systems")))
        size, batch = int(random.integers(1, 17)), int(random.choice([512, 1024, 2048, 4096]))
        model = str(random.choice(["llama_3_1_8b", "llama_3_1_405b"]))
        values = values_of(system, size, batch, model)
        if number not in tried or (found := with_published_compute(values, catalog)) is None:
            continue
        design, fast = found.resolved.design, performance(found)
        assert used(found) <= design.pod.supernodes * design.supernode.accelerators
        assert not fast.step_time_s < fast.roofline_step_time_s
        offers = [
            (problem["constraint"], offer)
            for problem in found.as_json["problems"]
            if problem["constraint"] in ("layout", "memory")
            for offer in fix_offers(problem)
        ]
        assert has_layout(found) or offers, (system, size, batch)
        for constraint, offer in offers:
            changed = evaluated(with_value(values, offer.field, offer.value), catalog)
            assert has_layout(changed) if constraint == "layout" else runs(changed), (values, offer)


@pytest.mark.parametrize("batch", [512, 2048])
@pytest.mark.parametrize("model", ["llama_3_1_8b", "gpt_oss_120b"])
def test_auto_is_as_fast_as_the_fastest_number_of_a_domain(catalog: Catalog, model: str, batch: int) -> None:
    def on(part: Any) -> EvaluatedScenario:
        return evaluated(values_of("gb200_nvl72", 4, batch, model, part), catalog)

    each = {part: float(performance(on(part)).step_time_s[0]) for part in (72, 64, 48)}
    chosen = on("auto")
    assert float(performance(chosen).step_time_s[0]) == min(each.values())
    assert used(chosen) == 4 * min(each, key=lambda part: each[part])


def test_idle_accelerators_are_named_paid_for_and_powered(catalog: Catalog) -> None:
    whole, part = (evaluated(values_of("gb200_nvl72", 4, 2048, part=count), catalog) for count in ("all", 64))
    assert [problem.message for problem in part.problems if problem.constraint == "idle accelerators"] == [
        "8 of 72 accelerators per SuperNode idle: they are paid for and draw idle power."
    ]
    assert not [problem for problem in whole.problems if problem.constraint == "idle accelerators"]
    assert used(part) == 256
    some, all_of_them = part.evaluation.sections, whole.evaluation.sections
    assert some.power.it_power_idle_w == all_of_them.power.it_power_idle_w
    working = 64 / 72 * all_of_them.power.it_power_mean_w
    assert working < some.power.it_power_mean_w < all_of_them.power.it_power_mean_w
    spares, more_spares = (each.cost.capex_breakdown_usd["spares"] for each in (some, all_of_them))
    assert some.cost.capex_usd - spares == pytest.approx(
        all_of_them.cost.capex_usd - more_spares, rel=1e-3, nan_ok=True
    )  # but for what is built around spare trays
    assert spares <= more_spares  # for trays at work


def test_a_design_with_idle_accelerators_explains_itself(catalog: Catalog) -> None:
    found = evaluated(values_of("gb200_nvl72", 4, 512, part="auto"), catalog)
    bare = dict(leaves(found.evaluation.sections))
    for path, figure in found.figures.items():
        np.testing.assert_array_equal(plain(figure), bare[path], err_msg=path)


def test_a_stated_layout_takes_the_accelerators_that_it_divides(catalog: Catalog) -> None:
    stated = values_of("gb200_nvl72", 1, 512) | {"parallelism": {"tp": 8, "pp": 8}}
    with pytest.raises(ScenarioError, match="does not divide"):
        evaluated(stated, catalog)
    found = evaluated(with_value(stated, PART, "auto"), catalog)
    assert used(found) == 64


@pytest.mark.parametrize(
    ("part", "changes", "words"),
    [
        (73, {}, "has 72 accelerators. Nearest choice: 72."),
        (64, {"pod.accelerators_used": 100}, "beside pod.accelerators_used"),
        (64, {"pod.accelerators_used": 64}, "Set one to all"),
    ],
)
def test_what_cannot_be_left_out_is_refused(
    catalog: Catalog, part: int, changes: dict[str, Any], words: str
) -> None:
    values = values_of("gb200_nvl72", 4, 512, part=part)
    for field, value in changes.items():
        values = with_value(values, field, value)
    with pytest.raises(ScenarioError) as refused:
        evaluated(values, catalog)
    (fault,) = refused.value.errors
    assert fault.path == PART
    assert words in f"{fault.message} {fault.hint}"


def test_a_study_of_domain_sizes_takes_whole_domains(catalog: Catalog) -> None:
    with pytest.raises(ScenarioError, match="whole domains"):
        domain_study(evaluated(values_of("gb200_nvl72", 4, 512, part=64), catalog), catalog)


def test_a_scenario_that_leaves_none_out_says_nothing_of_it() -> None:
    whole, part = (build_scenario(values_of("gb200_nvl72", 4, 512, part=count)) for count in ("all", 64))
    name = PART.removeprefix("pod.")
    assert name not in whole.model_dump()["pod"]
    assert part.model_dump()["pod"][name] == 64


@pytest.mark.parametrize(("domain", "parts"), [(2, [2, 1]), (9, [9, 8, 6]), (384, [384, 256, 192])])
def test_numbers_of_a_domain_that_are_tried(domain: int, parts: list[int]) -> None:
    assert domain_parts(domain) == parts

"""Sizes of one job at once: the layouts and figures are those of each size alone."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.explore.alike import alike, evaluated_at_once, sample_of
from app.engine.explore.layout_search import search_layouts
from app.engine.explore.size_layouts import best_layouts
from app.engine.performance.space import USUAL
from app.engine.specs import Design
from app.scenarios.errors import ScenarioError
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.views.fabric.sized_document import document_of_size

pytestmark = pytest.mark.slow
SIZES = (2, 8, 16, 36, 64, 128, 288)
JOBS = {  # accelerators that are bought
    "llama_3_1_405b_on_gb200_nvl72": 4608,
    "deepseek_v3_on_256_hgx_h800": 2048,
    "gpt_3_175b_on_128_dgx_a100": 1024,
    "dense_128b_on_tpu_v5p": 12_288,
    "llama_3_1_405b_on_2048_dgx_h100": 16_384,
}


def sizes_of(name: str, bought: int, sizes: tuple[int, ...] = SIZES) -> list[tuple[Design, ...]]:
    document, catalog = build_scenario(example(name).read().as_dict()), ready_catalog()
    used = resolve(document, catalog).design.pod.accelerators_used
    found = []
    for size in sizes:
        try:
            one = resolve(document_of_size(document, size, bought=bought, used=int(np.median(used))), catalog)
        except ScenarioError:
            continue
        found.append((one.design, *one.others))
    return found


@pytest.mark.parametrize(("name", "bought"), JOBS.items(), ids=JOBS)
def test_the_best_layouts_are_those_of_a_whole_search(name: str, bought: int) -> None:
    """Nothing is lost by looking at few variants of each way to split: within what counts as a tie, 0.1 %."""
    sizes = sizes_of(name, bought)
    assert len(sizes) > 3
    at_once = evaluated_at_once(best_layouts(sizes, USUAL))
    for designs, one in zip(sizes, at_once, strict=True):
        search = search_layouts(designs[0], USUAL, designs[1:])
        (best,) = search.evaluated(search.best(1))
        step = float(best.sections.performance.step_time_s[0])
        assert float(one.sections.performance.step_time_s[0]) == pytest.approx(step, rel=1e-3)
        assert one.feasible == best.feasible


BY_THE_YEAR = ("power", "cost", "carbon")


def test_designs_at_once_are_those_alone() -> None:
    """Every figure of every section, over sizes of one and of two tiers of switches.

    Means of a year by its bins, as samples take them, are within 5e-5 of those of all hours.
    """
    designs = best_layouts(sizes_of("llama_3_1_405b_on_gb200_nvl72", 4608), USUAL)
    assert 1 < len(alike(designs)) < len(designs)
    for design, one in zip(designs, evaluated_at_once(designs), strict=True):
        own = evaluate(design)
        for room in ("reliability", "power", "cost", "carbon", "performance"):
            there, here = (getattr(which.sections, room) for which in (own, one))
            for name in type(there).__dataclass_fields__:
                value = getattr(there, name)
                if isinstance(value, np.ndarray):
                    np.testing.assert_allclose(
                        getattr(here, name),
                        value,
                        rtol=5e-5 if room in BY_THE_YEAR else 1e-9,
                        err_msg=f"{room}.{name}",
                    )
        assert [problem.message for problem in one.problems] == [problem.message for problem in own.problems]


def test_a_sample_of_a_record_is_the_record() -> None:
    designs = [
        one for one in best_layouts(sizes_of("gpt_3_175b_on_128_dgx_a100", 1024, (8, 16)), USUAL) if one
    ]
    ((group, together),) = alike(designs) if len(alike(designs)) == 1 else alike(designs)[:1]
    for sample, place in enumerate(group):
        own = sample_of(together, sample, len(group))
        assert own.supernode.accelerators[0] == designs[place].supernode.accelerators[0]


def test_of_no_sizes_there_are_no_layouts() -> None:
    assert evaluated_at_once([]) == []


def test_served_models_find_their_layouts_one_by_one() -> None:
    """A search decides on the median of samples: of sizes at once every one would get the same layout."""
    designs = [one[0] for one in sizes_of("deepseek_r1_on_gb200_nvl72", 576, (4, 16, 48))]
    for design, one in zip(designs, evaluated_at_once(designs), strict=True):
        own = evaluate(design)
        assert one.sections.performance.strategy == own.sections.performance.strategy
        assert one.sections.performance.step_time_s == own.sections.performance.step_time_s

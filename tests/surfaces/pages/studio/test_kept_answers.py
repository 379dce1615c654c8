"""What is kept between changes changes nothing: answers are those of a process that has kept nothing."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.engine.design import evaluate
from app.engine.leaves import plain_values
from app.scenarios.answers import Answers, at_most
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation import service
from app.scenarios.evaluation.service import Evaluations, evaluate_scenario
from app.scenarios.load import build_scenario
from app.scenarios.resolve import speeds
from app.surfaces.pages.studio import row_texts
from app.surfaces.pages.studio.form import stated_values
from app.surfaces.pages.studio.state import with_value
from tests.asgi import AsgiClient
from tests.support import part_of, read_example

CHANGES = 25  # of each design: a hundred in all
TRAINS: dict[str, tuple[Any, ...]] = {
    "workload.tokens": (1e9, 3e9, 1e12),
    "workload.sequence_length": (2048, 4096, 8192),
    "workload.global_batch_sequences": (64, 128, 2048),
}
SERVES: dict[str, tuple[Any, ...]] = {
    "workload.requests.input_tokens": (500, 1000, 4000),
    "workload.requests.output_tokens": (200, 1000),
    "workload.precision": ("fp8", "bf16"),
}
ANY: dict[str, tuple[Any, ...]] = {
    "economics.wacc": (0.05, 0.09, 0.12),
    "economics.utilisation": (0.5, 0.9),
    "economics.life_years": (4, 6),
    "facility.coolant_supply_c": (20, 30, 40),
    "facility.redundancy": ("N", "2N"),
    "facility.site": ("stockholm", "abilene", "singapore"),
    "operations.spares": (0, 2),
    "operations.failures_per_node_day": (0.001, 0.01),
    "pod.supernodes": (1, 2, 4),
    "name": ("One", "Another"),
}
DESIGNS = {
    "edge_node": TRAINS,
    "llama_3_1_70b_on_trn2_ultraserver": TRAINS,
    "deepseek_r1_on_8_h200": SERVES,
    "fft_3d_on_512_dgx_a100": {},
}
PLACES = ("overview", "performance", "cost", "power", "facility/cooling", "all")
NAME = re.compile(r'<div data-of="([0-9a-f]{10})" class="field [^>]*data-path="([^"]+)"')
SAME = re.compile(r'<div class="field" data-path="([^"]+)" data-same></div>')


def changes(key: str) -> list[tuple[str, dict[str, Any]]]:
    """Scenarios one change apart, and some that go back to an earlier one, each with the section that is open."""
    rng = random.Random(f"28 {key}")
    fields = {**ANY, **DESIGNS[key]}
    first = stated_values(read_example(key))
    found, values = [], first
    while len(found) < CHANGES:
        path = rng.choice(sorted(fields))
        values = with_value(rng.choice([values, values, first]), path, rng.choice(fields[path]))
        found.append((rng.choice(PLACES), values))
    return found


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "EVALUATIONS", Evaluations())
    monkeypatch.setattr("app.surfaces.pages.designs.EVALUATIONS", service.EVALUATIONS)
    monkeypatch.setattr(speeds, "_speeds", Answers(at_most(speeds.KEPT)))
    row_texts._named.cache_clear()


@pytest.mark.slow
@pytest.mark.parametrize("key", DESIGNS)
def test_answers_of_a_busy_server_are_those_of_a_fresh_one(
    key: str, asgi_client: AsgiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = changes(key)
    before = [steps[0][1], *(values for _, values in steps)]
    bodies = [
        {"key": key, "place": place, "scenario": values, "before": earlier}
        for (place, values), earlier in zip(steps, before, strict=False)
    ]
    kept = [asgi_client.post("/studio/evaluate", json=body).json() for body in bodies]
    assert sum("results" in answer for answer in kept) > CHANGES / 2
    for body, answer in part_of(zip(bodies, kept, strict=True)):
        forget(monkeypatch)
        assert asgi_client.post("/studio/evaluate", json=body).json() == answer


@pytest.mark.slow
@pytest.mark.parametrize("key", DESIGNS)
def test_a_speed_at_hand_hides_no_problem(key: str, seeded_data_dir: object) -> None:
    catalog = ready_catalog()
    steps = changes(key)
    compared = part_of(range(len(steps)))
    for number, (_, values) in enumerate(steps):
        try:
            found = evaluate_scenario(build_scenario(values), catalog)
        except ScenarioError:
            continue
        if number not in compared:
            continue
        fresh = evaluate(found.resolved.design)
        assert found.evaluation.problems == fresh.problems
        assert plain_values(found.evaluation.sections) == plain_values(fresh.sections)


def test_rows_that_the_page_has_are_left_out_and_no_others(asgi_client: AsgiClient) -> None:
    first = stated_values(read_example("edge_node"))
    changed = with_value(first, "economics.wacc", 0.11)

    def panel(values: dict[str, Any], rows: list[str]) -> str:
        body = {"key": "edge_node", "place": "overview", "scenario": values, "before": first, "rows": rows}
        text: str = asgi_client.post("/studio/evaluate", json=body).json()["panel"]
        return text

    whole, after = panel(first, []), panel(changed, [])
    names = {path: name for name, path in NAME.findall(whole)}
    assert len(names) > 100
    assert not SAME.findall(whole)
    short = panel(changed, list(names.values()))
    same, sent = set(SAME.findall(short)), {path for _, path in NAME.findall(short)}
    assert "economics.wacc" in sent
    assert same | sent == names.keys()
    fresh = {path: name for name, path in NAME.findall(after)}
    assert same == {path for path in names if fresh[path] == names[path]}
    assert len(short) < len(whole) / 5


@pytest.mark.parametrize("rows", [None, "all", [1, None], ["nothing"]])
def test_names_that_are_none_leave_nothing_out(rows: object, asgi_client: AsgiClient) -> None:
    body = {"key": "edge_node", "scenario": stated_values(read_example("edge_node")), "rows": rows}
    answer = asgi_client.post("/studio/evaluate", json=body)
    assert answer.status_code == 200
    assert not SAME.findall(answer.json()["panel"])

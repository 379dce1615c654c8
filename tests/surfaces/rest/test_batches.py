"""Many scenarios in one request: each answered on its own, in order, none kept longer than needed."""

from __future__ import annotations

import asyncio
import copy
import json
from random import Random
from types import SimpleNamespace

import orjson
import pytest

from app.catalog.pinned import RecordingCatalog
from app.catalog.ready import ready_catalog
from app.scenarios.errors import ScenarioError
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.examples import example
from app.scenarios.load import build_scenario
from app.server.rates import TokenBuckets
from app.surfaces.rest import batches
from app.surfaces.rest.evaluations import evaluation_answer
from app.surfaces.rest.limits import Limits
from app.surfaces.rest.problem_types import TOO_BUSY
from app.surfaces.rest.problems import ProblemError, json_bytes
from tests.surfaces.rest.conftest import EVALUATIONS, assert_problem

pytestmark = pytest.mark.slow

BATCH = f"{EVALUATIONS}:batch"
FIGURES = ["performance.mfu", "cost.tco_usd", "performance.ttft_s", "fabric.tiers[0].switches"]


def document(key="edge_node"):
    return example(key).read().as_dict()


def entries(client, body):
    """The answer to a batch, which says the same as a list and as lines."""
    listed = client.post(BATCH, json=body)
    assert listed.status_code == 200, listed.text
    assert listed.headers["content-type"] == "application/json"
    found = lines(client.post(BATCH, json=body, headers={"accept": "application/x-ndjson"}))
    assert _without_ids(listed.json()) == _without_ids(found)
    return found


def _without_ids(found):
    """Entries without what is of one request only."""
    return [
        line | {"problem": line["problem"] | {"request_id": ""}} if "problem" in line else line
        for line in found
    ]


def lines(answer):
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["index"] for line in found] == list(range(len(found)))
    return found


def members(found, batch):
    """What each scenario of a batch is answered with, one after the other."""
    return [batches._members(found, batch, index) for index in range(len(batch.scenarios))]


def batch_of(scenarios, figures=()):
    keys = [batches._key(scenario) for scenario in scenarios]
    left = batches.Counter(key for key in keys if key is not None)
    return batches._Batch(list(scenarios), tuple(figures), ready_catalog(), keys, left)


@pytest.fixture
def counted(monkeypatch):
    """Services that only count what is computed."""
    computed = []

    def compute(found, batch, values):
        computed.append(values)
        return orjson.dumps({"name": values["name"]})

    monkeypatch.setattr(batches, "_computed", compute)
    return computed


def test_each_is_answered_as_if_it_had_come_alone(asgi_client):
    documents = [document(), document("llama_3_1_405b_on_2048_dgx_h100")]
    answers = entries(asgi_client, {"scenarios": documents})
    for one, answer in zip(documents, answers, strict=True):
        assert answer["evaluation"] == asgi_client.post(EVALUATIONS, json=one).json()


def test_chosen_figures_are_those_of_the_evaluation(asgi_client):
    documents = [document("llama_3_1_405b_on_2048_dgx_h100"), document()]
    answers = entries(asgi_client, {"scenarios": documents, "figures": FIGURES})
    for one, answer in zip(documents, answers, strict=True):
        whole = asgi_client.post(EVALUATIONS, json=one).json()
        tiers = whole["fabric"]["tiers"]
        assert answer["figures"] == {
            "performance.mfu": whole["performance"]["mfu"],
            "cost.tco_usd": whole["cost"]["tco_usd"],
            "performance.ttft_s": None,  # of a served model
            "fabric.tiers[0].switches": tiers[0]["switches"] if tiers else None,
        }
        assert (answer["name"], answer["feasible"]) == (one["name"], whole["feasible"])


def test_a_bad_scenario_has_a_problem_of_its_own(asgi_client):
    wrong = document() | {"workload": {"kind": "training"}}
    unknown = copy.deepcopy(document())
    unknown["supernode"]["system"] = "edge_node_1pg"
    body = {"scenarios": [wrong, 3, document(), unknown, wrong], "figures": ["cost.tco_usd"]}
    first, number, good, misspelt, again = entries(asgi_client, body)
    assert good["figures"]["cost.tco_usd"] > 0
    for index, line in ((0, first), (1, number), (3, misspelt), (4, again)):
        assert line["problem"]["status"] == 422
        assert all(error["pointer"].startswith(f"#/scenarios/{index}") for error in line["problem"]["errors"])
    assert "edge_node_1pf" in json.dumps(misspelt["problem"])


def test_an_unknown_figure_is_a_fault_of_the_request(asgi_client):
    body = {"scenarios": [document()], "figures": ["performance.mfuu"]}
    (line,) = entries(asgi_client, body)
    assert line["problem"]["errors"][0]["pointer"] == "#/figures/0"
    assert "performance.mfu" in line["problem"]["errors"][0]["hint"]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ([], ["#"]),
        ({}, ["#/scenarios"]),
        ({"scenarios": {}}, ["#/scenarios"]),
        ({"scenarios": []}, ["#/scenarios"]),
        ({"scenarios": [1] * 1_001}, ["#/scenarios"]),
        ({"scenarios": [1], "figurs": []}, ["#/figurs"]),
        ({"scenarios": [1], "figures": ["x"] * 101}, ["#/figures"]),
    ],
)
def test_a_bad_request_is_refused_before_the_first_line(asgi_client, body, pointers):
    content = assert_problem(asgi_client.post(BATCH, json=body), 422, "invalid-scenario")
    assert [error["pointer"] for error in content["errors"]] == pointers


def test_a_batch_may_be_larger_than_a_scenario_and_has_limits(asgi_client):
    large = [{"name": "x" * 2_000}] * 1_000
    assert len(entries(asgi_client, {"scenarios": large})) == 1_000
    assert_problem(asgi_client.post(EVALUATIONS, json={"scenarios": large}), 413)
    assert_problem(asgi_client.post(BATCH, json={"scenarios": ["x" * 8_000_000]}), 413)
    headers = {"content-type": "application/json"}
    many = b'{"scenarios": [[' + b"0," * 500_000 + b"0]]}"
    assert_problem(asgi_client.post(BATCH, content=many, headers=headers), 400, "malformed-body")
    as_yaml = asgi_client.post(BATCH, content=b"x" * 1_000_001, headers={"content-type": "application/yaml"})
    assert_problem(as_yaml, 413)


def test_identical_scenarios_are_computed_once_and_let_go(counted):
    one, two = {"name": "one"}, {"name": "two"}
    found = SimpleNamespace(limits=Limits())
    batch = batch_of([one, two, dict(one), one, two])
    assert [json.loads(text)["name"] for text in members(found, batch)] == ["one", "two", "one", "one", "two"]
    assert counted == [one, two]
    assert (batch.kept, batch.kept_bytes, set(batch.scenarios)) == ({}, 0, {None})


def test_answers_in_common_are_kept_within_a_limit(counted):
    found = SimpleNamespace(limits=Limits(most_batch_kept_bytes=10))
    batch = batch_of([{"name": "one"}] * 3)
    assert len(members(found, batch)) == len(counted) == 3


def read(found, batch, leaves_after=100):
    asked = iter(range(1_000))

    async def is_disconnected():
        return next(asked) >= leaves_after

    request = SimpleNamespace(
        is_disconnected=is_disconnected, url=SimpleNamespace(path="/"), state=SimpleNamespace(request_id="1")
    )

    async def all_lines():
        return [json.loads(line) async for line in batches._lines(request, found, batch)]

    return asyncio.run(all_lines())


class Workers:
    """Runs what it is given at once, but refuses the first `refused` times."""

    def __init__(self, refused=0):
        self.refused = refused

    async def run(self, work, *arguments):
        self.refused -= 1
        if self.refused >= 0:
            raise ProblemError(TOO_BUSY, "Too many evaluations are under way.")
        return work(*arguments)


def test_work_stops_when_the_reader_leaves(counted):
    found = SimpleNamespace(limits=Limits(), workers=Workers())
    batch = batch_of([{"name": f"{number}"} for number in range(10)])
    assert len(read(found, batch, leaves_after=3)) == len(counted) == 3


def test_a_busy_server_is_waited_for(counted):
    found = SimpleNamespace(limits=Limits(retry_after_s=0), workers=Workers(refused=5))
    assert read(found, batch_of([{"name": "one"}])) == [{"index": 0, "name": "one"}]
    found = SimpleNamespace(limits=Limits(retry_after_s=0, time_limit_s=0), workers=Workers(refused=1_000))
    (line,) = read(found, batch_of([{"name": "one"}]))
    assert line["problem"]["status"] == TOO_BUSY.status


def test_a_failure_does_not_take_the_others_with_it(counted, monkeypatch):
    found = SimpleNamespace(limits=Limits(), workers=Workers(), storage_problem=lambda error: None)
    batch = batch_of([{"nam": "fails"}, {"name": "one"}])
    failed, good = read(found, batch)
    assert failed["problem"]["status"] == 500
    assert good == {"index": 1, "name": "one"}


def test_a_request_worth_several_is_owed_by_its_caller_only():
    buckets = TokenBuckets(60, 120, clock=lambda: 0.0)
    assert buckets.take("a").left == 119
    assert buckets.spend("a", 99).left == 20
    owed = buckets.spend("a", 40)
    assert (owed.left, owed.wait_s) == (0, 21.0)
    assert not buckets.take("a").allowed
    assert buckets.take("b").allowed


def unlike(count, seed):
    """Scenarios as someone's script varies them: systems, models, counts, batches, tokens, sites and terms."""
    catalog, random = ready_catalog(), Random(seed)
    models, sites = catalog.keys("models"), catalog.keys("sites")
    for number in range(count):
        training = {
            "kind": "training",
            "tokens": random.choice([1e11, 1e12, 1.5e13]),
            "sequence_length": random.choice([4096, 8192]),
            "global_batch_sequences": random.choice([256, 1024, 2048]),
        }
        serving = {"kind": "serving", "requests": {"input_tokens": random.choice([512, 2048])}}
        yield {
            "name": f"Variant {number}",
            "workload": {**random.choice([training, training, serving]), "model": random.choice(models)},
            "supernode": {"system": random.choice(["dgx_h100", "dgx_b200", "gb200_nvl72", "dgx_a100"])},
            "pod": {"supernodes": random.choice([1, 4, 16, 64])},
            "facility": {"site": random.choice(sites)},
            "economics": {"wacc": round(random.uniform(0.04, 0.12), 4)},
            "assumptions": random.choice([{}, {}, {"economics.facility_life_years": 12}]),
        }


def test_unlike_scenarios_have_the_figures_of_single_evaluations_bit_for_bit(asgi_client):
    """The other side looks every assumption up again, so that nothing can be left from the scenario before."""
    scenarios = list(unlike(16, seed=19))
    answers = asgi_client.post(BATCH, json={"scenarios": scenarios}).json()
    assert sum("evaluation" in answer for answer in answers) > 8
    for one, answer in zip(scenarios, answers, strict=True):
        try:
            alone = evaluate_scenario(build_scenario(one), RecordingCatalog(ready_catalog()))
        except ScenarioError:
            assert "problem" in answer
        else:
            assert answer["evaluation"] == orjson.loads(json_bytes(evaluation_answer(alone)))

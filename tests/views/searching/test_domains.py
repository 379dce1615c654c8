"""A domain study of a scenario as plain JSON."""

from __future__ import annotations

import json

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.views.searching.domains import domain_study
from tests.scenarios.support import scenario
from tests.support import read_example


def test_sizes_hold_the_designs_own(seeded_data_dir: object) -> None:
    values = scenario(workload__global_batch_sequences=128, pod__supernodes=8)
    values["supernode"]["override"] = {"scale_up_domain_accelerators": 24}
    study = domain_study(evaluate_scenario(build_scenario(values), ready_catalog()), (1.0,))
    assert json.loads(json.dumps(study, allow_nan=False)) == study
    assert (study["accelerators"], study["domain_accelerators"]) == (192, 24)  # a domain is bought together
    assert [row["domain_accelerators"] for row in study["sizes"]] == [1, 4, 8, 16, 24, 32, 64, 72, 128]
    one = study["sizes"][0]
    assert 0 < one["mfu"] < 1
    assert one["exposed_exchange_s"] < one["step_time_s"]
    assert one["usd_per_run"] == pytest.approx(one["usd_per_million_tokens"] * 1e12 / 1e6)


def test_what_is_unknown_stays_unknown(seeded_data_dir: object) -> None:
    """A node without NICs: accelerators that no scale-up domain joins do not reach each other."""
    study = domain_study(evaluate_scenario(read_example("edge_node"), ready_catalog()))
    alone = [row for row in study["sizes"] if row["domain_accelerators"] == 1]
    assert alone
    assert {(row["step_time_s"], row["exposed_exchange_s"]) for row in alone} == {(None, None)}
    json.dumps(study, allow_nan=False)

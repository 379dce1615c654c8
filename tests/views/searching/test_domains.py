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
    study = domain_study(evaluate_scenario(build_scenario(values), ready_catalog()), ready_catalog(), (1.0,))
    assert json.loads(json.dumps(study, allow_nan=False)) == study
    assert (study["accelerators"], study["domain_accelerators"]) == (192, 24)  # a domain is bought together
    assert [row["domain_accelerators"] for row in study["sizes"]] == [1, 4, 8, 16, 24, 32, 64, 72, 128]
    one = study["sizes"][0]
    assert 0 < one["mfu"] < 1
    assert one["exposed_exchange_s"] < one["step_time_s"]
    assert one["usd_per_run"] == pytest.approx(one["usd_per_million_tokens"] * 1e12 / 1e6)


def test_what_is_unknown_stays_unknown(seeded_data_dir: object) -> None:
    """A node without NICs: accelerators that no scale-up domain joins do not reach each other."""
    values = read_example("edge_node").model_dump(mode="json", exclude_unset=True)
    values["supernode"]["override"] = {"scale_out_nics": 0}
    study = domain_study(evaluate_scenario(build_scenario(values), ready_catalog()), ready_catalog())
    alone = [row for row in study["sizes"] if row["domain_accelerators"] == 1]
    assert alone
    assert {(row["step_time_s"], row["exposed_exchange_s"]) for row in alone} == {(None, None)}
    json.dumps(study, allow_nan=False)


def test_sizes_are_priced_by_their_parts(seeded_data_dir: object) -> None:
    """One rack as sold beats both: smaller has no fewer chips an accelerator, larger a second tier, with optics once its
    racks are further apart than active copper reaches.
    """
    catalog = ready_catalog()
    study = domain_study(
        evaluate_scenario(read_example("llama_3_1_405b_on_gb200_nvl72"), catalog), catalog, (1.0,)
    )
    assert study["sized_by_parts"]
    by_size = {row["domain_accelerators"]: row for row in study["sizes"]}
    capex = [by_size[size]["capex_usd"] for size in (72, 128, 256, 576)]
    assert min(capex[1:]) > 1.3 * capex[0]
    assert min(capex[2:]) > 1.45 * capex[0]
    assert by_size[576]["step_time_s"] < by_size[8]["step_time_s"]
    assert by_size[576]["it_power_mean_w"] > by_size[72]["it_power_mean_w"]


def test_sizes_that_links_cannot_join_say_so(seeded_data_dir: object) -> None:
    catalog = ready_catalog()
    values = scenario(workload__global_batch_sequences=128, pod__supernodes=16)
    values["supernode"] = {"system": "amd_mi300x_8way"}
    study = domain_study(evaluate_scenario(build_scenario(values), catalog), catalog, (1.0,))
    assert [row["domain_accelerators"] for row in study["sizes"]] == [1, 4, 8]
    assert [one["domain_accelerators"] for one in study["refused"]] == [16, 32, 64, 72, 128]
    assert "joins at most 8 accelerators" in study["refused"][0]["reason"]


def test_what_the_scenario_states_of_its_own_size_is_not_told_of_others(seeded_data_dir: object) -> None:
    catalog = ready_catalog()
    values = scenario(workload__global_batch_sequences=128, pod__supernodes=8)
    values["supernode"]["override"] = {"price_usd": 1e6}
    study = domain_study(evaluate_scenario(build_scenario(values), catalog), catalog, (1.0,))
    assert not study["sized_by_parts"]
    capex = [row["capex_usd"] for row in study["sizes"]]
    assert max(capex) < 1.02 * min(capex)  # spare hosts apart

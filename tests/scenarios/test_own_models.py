"""Models with any subset of fields: described, evaluated and explained, or refused with every reason."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from app.catalog.model_shape import whole_shape
from app.catalog.own.entries import Entry, FaultError, OwnSource
from app.catalog.own.parsing import parsed
from app.catalog.ready import ready_catalog
from app.scenarios.document.model_counts import describe_model
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.resolve.workload import shape_of

DENSE = {"layers": 4, "hidden": 64, "heads": 8, "vocabulary": 1000, "feed_forward_hidden": 256}
ROW = {"name": "Own", **DENSE}


def faults_of(**values: Any) -> dict[str, str]:
    """Columns of a refused row with what is said of each; none where it is accepted."""
    try:
        cells = {name: str(value) for name, value in values.items()}
        parsed([Entry(kind="models", key="own", cells=cells, source=OwnSource())], None)
    except FaultError as error:
        return {fault.column: fault.message for fault in error.faults}
    return {}


def test_counts_by_hand() -> None:
    counts = describe_model(DENSE).counts
    layer = 4 * 64 * 64 + 3 * 64 * 256
    assert counts.parameters == 4 * layer + 2 * 64 * 1000
    assert counts.active_parameters == counts.parameters
    assert counts.kv_cache_bytes_per_token == 4 * 2 * 64 * 2
    attention = 4 * 2 * 8 * (8 + 8) * 2048
    assert counts.forward_flop_per_token == 2 * (4 * layer + 64 * 1000) + attention
    assert counts.training_flop_per_token == 3 * counts.forward_flop_per_token


def test_defaults_say_their_rule() -> None:
    described = describe_model(DENSE)
    rules = {one.field: (one.value, one.is_assumption) for one in described.assumed}
    assert rules["mlp_matrices"] == (3, True)
    assert rules["tied_embedding"] == (0, True)
    assert rules["attention_layers"] == (4, False)
    assert rules["head_dim"] == (8, False)
    assert described.attention == "MHA"


def test_rows_need_what_their_kind_needs() -> None:
    assert faults_of(**ROW) == {}
    assert set(faults_of(name="Own")) == {"layers", "hidden", "heads", "vocabulary"} - {"kv_heads"}
    assert "feed_forward_hidden" in faults_of(**{**ROW, "feed_forward_hidden": ""})
    assert set(faults_of(**ROW, experts=8)) == {"experts_per_token", "expert_hidden"}
    assert set(faults_of(**ROW, attention="MLA")) == {
        "latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim"
    }  # fmt: skip
    assert set(faults_of(**ROW, linear_layers=2)) == {"linear_layer_parameters", "linear_state_elements"}
    assert "nearest is GQA" in str(describe_model({**DENSE, "attention": "GQQ"}).faults)


def test_all_faults_of_a_row_at_once() -> None:
    found = faults_of(name="Own", layers="many", hidden="-1", heads=8, vocabulary=10, experts=4)
    assert {"layers", "hidden", "experts_per_token", "expert_hidden"} <= set(found)


def test_earlier_spellings_are_one_document() -> None:
    model = ScenarioDocument.model_json_schema()["$defs"]["InlineArchitecture"]["properties"]
    assert "d_model" not in model
    now = describe_model(DENSE)
    then = describe_model({"layers": 4, "d_model": 64, "n_heads": 8, "vocab": 1000, "ffn": 256})
    assert now == then


def test_a_row_of_the_catalog_states_what_is_stated_here() -> None:
    for part in ready_catalog().parts("models"):
        shape = shape_of(part)
        stated = {name: fact.value for name, fact in part.facts.items() if name in shape.numbers}
        assert all(shape.numbers[name] == value for name, value in stated.items()), part.key
        unknown = [name for name, value in shape.numbers.items() if np.isnan(value)]
        assert set(unknown) <= {"published_parameters"}, part.key


@pytest.mark.parametrize("seed", range(10))
def test_any_subset_of_fields_is_described(seed: int) -> None:
    chance = random.Random(seed)
    fields = sorted(whole_shape({}).numbers)
    for _ in range(50):
        names = chance.sample(fields, chance.randrange(len(fields)))
        values = {name: chance.choice([0, 1, 2, 8, 64, 1e12, "", "x", "nan", "-3", 2.5]) for name in names}
        described = describe_model(values)
        for fault in described.faults:
            assert fault.field in [*fields, "attention"]
            assert "nan" not in fault.message.replace("'nan'", "")

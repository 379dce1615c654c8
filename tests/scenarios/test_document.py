"""The rules of the scenario document, field by field."""

from __future__ import annotations

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from app.engine import specs
from app.scenarios.document.architecture import InlineArchitecture
from app.scenarios.document.scenario import ScenarioDocument, scenario_schema
from app.scenarios.document.supernode import AcceleratorOverride, SuperNodeOverride
from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario, parse_scenario
from tests.scenarios.support import DENSE, document, fault, faults, scenario


def array_fields(record: type) -> set[str]:
    return {field.name for field in dataclasses.fields(record) if "Array" in str(field.type)}


def test_everything_but_workload_and_supernode_has_a_default() -> None:
    taken = document()
    assert taken.parallelism == "auto"
    assert taken.pod.accelerators_used == "all"
    assert taken.facility.redundancy == "2N"
    assert taken.operations.spares == "auto"


def test_a_missing_workload_and_supernode_are_named() -> None:
    found = faults({"name": "x"})
    assert [(error.path, error.rule) for error in found] == [
        ("workload", "required"),
        ("supernode", "required"),
    ]


@pytest.mark.parametrize(
    ("place", "key", "near"),
    [
        ("ecnomics", "ecnomics", "Did you mean economics?"),
        ("workload__sequence_lenght", "workload.sequence_lenght", "Did you mean sequence_length?"),
        ("tokens", "tokens", "Did you mean workload.tokens?"),
        ("pod__fabric__swich", "pod.fabric.swich", "Did you mean switch?"),
        ("supernode__override__accelerator__tdp", "supernode.override.accelerator.tdp", "tdp_w"),
        ("parallelism__zzzzqq", "parallelism.zzzzqq", "Known here: tp, pp, cp"),
    ],
)
def test_an_unknown_key_is_named_with_its_place_and_the_nearest(place: str, key: str, near: str) -> None:
    error = fault(**{place: 1})
    assert (error.path, error.rule) == (key, "unknown_key")
    assert near in error.hint


@pytest.mark.parametrize(("kind", "near"), [("servng", "serving"), ("train", "training")])
def test_unknown_workloads_are_refused_in_one_message_that_names_those_there_are(
    kind: str, near: str
) -> None:
    found = faults({"workload": {"kind": kind, "rate": 3}, "supernode": {"system": "dgx_h100"}})
    assert [str(error) for error in found] == [
        f"workload.kind: '{kind}' must be one of training, serving, generic. Did you mean {near}?"
    ]


@pytest.mark.parametrize(
    ("place", "value", "rule", "words"),
    [
        ("workload__tokens", 0, "above", "0 must be above 0."),
        ("workload__tokens", -1e9, "above", "must be above 0."),
        ("workload__tokens", 2e18, "at_most", "must be at most 1e+18."),
        ("workload__tokens", float("nan"), "finite", "not a finite number"),
        ("workload__tokens", float("inf"), "finite", "not a finite number"),
        ("workload__tokens", "15.6e12", "number", "'15.6e12' must be a number."),
        ("workload__tokens", True, "number", "true must be a number."),
        ("workload__tokens", 10**400, "finite", "below 1.8e308"),
        ("workload__tokens", None, "number", "null must be a number."),
        ("workload__sequence_length", 0, "at_least", "must be at least 1."),
        ("workload__sequence_length", 81.5, "whole_number", "81.5 must be a whole number."),
        ("workload__global_batch_sequences", False, "whole_number", "must be a whole number."),
        ("workload__precision", "bf61", "one_of", "Did you mean bf16?"),
        ("workload__model", "Llama 3.1 8B", "key_syntax", "Perhaps llama_3_1_8b."),
        ("supernode__system", 3, "text", "3 must be text."),
        ("pod__supernodes", 0, "at_least", "0 must be at least 1."),
        ("pod__supernodes", 1_000_001, "at_most", "must be at most 1,000,000."),
        ("pod__accelerators_used", "half", "one_of", "all, or a number"),
        ("pod__fabric__oversubscription", 0.5, "at_least", "must be at least 1."),
        ("parallelism__tp", 0, "at_least", "0 must be at least 1."),
        ("parallelism__zero_stage", 4, "at_most", "4 must be at most 3."),
        ("parallelism__recompute", 1.5, "at_most", "1.5 must be at most 1."),
        ("parallelism__recompute", "some", "one_of", "'selective' or 'full'"),
        ("parallelism__sequence_parallel", "no", "true_or_false", "'no' must be true or false."),
        ("parallelism", "manual", "one_of", "'manual' must be 'auto'."),
        ("facility__redundancy", "2n", "one_of", "'2N'"),
        ("facility__coolant_supply_c", 95, "at_most", "95 must be at most 70."),
        ("facility__site", {"name": "x"}, "required", "is required."),
        ("operations__spares", -1, "at_least", "-1 must be at least 0."),
        ("economics__wacc", 10, "at_most", "10 must be at most 1."),
        ("economics__utilisation", 0, "above", "0 must be above 0."),
        ("schema_version", 2, "schema_version", "not a version that can be read, which is 1."),
        ("schema_version", True, "schema_version", "true is not a version"),
        ("name", "", "not_empty", "must not be empty."),
        ("name", "a\nb", "plain_text", "one line of printable text"),
        ("assumptions", {"failures": 1.0}, "assumption_name", "'failures' is not the name"),
        ("assumptions", {"operations.failures_per_node_day": "x"}, "number", "'x' must be a number."),
        ("published", [3], "mapping", "3 must be a mapping of fields."),
        ("pod", None, "mapping", "null must be a mapping of fields."),
    ],
)
def test_a_bad_value_gives_one_message_with_field_value_and_rule(
    place: str, value: Any, rule: str, words: str
) -> None:
    error = fault(**{place: value})
    assert error.path.startswith(place.replace("__", "."))
    assert error.rule == rule
    assert words in str(error)
    assert len(str(error)) < 400
    json.dumps(error.as_dict(), allow_nan=False)


def test_all_faults_come_at_once() -> None:
    found = faults(scenario(workload__tokens=0, pod__supernodes=0, ecnomics={}))
    assert {error.path for error in found} == {"workload.tokens", "pod.supernodes", "ecnomics"}
    assert len(str(ScenarioError(found)).splitlines()) == 3


def test_a_long_list_of_faults_is_cut() -> None:
    found = faults(scenario(**{f"unknown_{number}": 1 for number in range(30)}))
    assert str(ScenarioError(found)).splitlines()[-1] == "and 10 more."


def test_a_supernode_is_a_system_or_a_custom_one() -> None:
    custom = {"name": "Mine", "accelerator": "nvidia_h100_sxm", "accelerators": 16}
    assert "needs a system, a custom SuperNode or a saved design" in str(fault(supernode={}))
    assert "has both system and custom." in str(fault(supernode={"system": "dgx_h100", "custom": custom}))
    taken = document(supernode={"custom": custom}).supernode.custom
    assert taken is not None
    assert taken.max_power_w is None
    assert taken.scale_up.topology == "switched"


def test_a_scale_up_domain_is_at_most_the_supernode() -> None:
    custom = {
        "name": "Mine",
        "accelerator": "nvidia_h100_sxm",
        "accelerators": 16,
        "scale_up": {"domain_accelerators": 32},
    }
    error = fault(supernode={"custom": custom})
    assert error.path == "supernode.custom.scale_up.domain_accelerators"
    assert "32 is more than accelerators (16)" in error.message


def test_whole_numbers_may_be_written_as_floats() -> None:
    assert document(workload__sequence_length=2e3).workload.sequence_length == 2000
    assert document(schema_version=1.0).schema_version == 1


def test_every_number_of_the_engine_can_be_overridden() -> None:
    # What a price covers goes with the price, and what a NIC and its slot carry with the catalog; no facts of their own.
    assert set(SuperNodeOverride.model_fields) >= array_fields(specs.SuperNode) - {
        "channel_price_ratio",
        "price_includes_network",
        "price_is_listed",
        "nic_made_for_bytes_per_s",
        "nic_slot_bandwidth_bytes_per_s",
    }
    # A cap is what a facility allows, and no fact of an accelerator.
    assert set(AcceleratorOverride.model_fields) == array_fields(specs.Accelerator) - {"power_cap"}


def test_an_inline_architecture_states_every_number_of_the_engine() -> None:
    facts = InlineArchitecture.model_validate(DENSE).facts()
    assert set(facts) == array_fields(specs.Architecture)
    # Worked by hand: 64 / 8 = 8 wide heads, every head with its own keys, all four layers attend.
    assert (facts["head_dim"], facts["kv_heads"], facts["attention_layers"]) == (8, 8, 4)
    assert (facts["expert_layers"], facts["mlp_matrices"], facts["published_parameters"]) == (0, 3, None)


@pytest.mark.parametrize(("kv_heads", "kind"), [(8, "mha"), (2, "gqa"), (1, "mqa")])
def test_the_kind_of_attention_follows_from_the_heads(kv_heads: int, kind: str) -> None:
    assert InlineArchitecture.model_validate({**DENSE, "kv_heads": kv_heads}).attention == kind


def test_latent_attention_and_experts() -> None:
    latent = {"latent_kv_rank": 16, "latent_nope_dim": 8, "latent_rope_dim": 4, "latent_value_dim": 8}
    experts = {"experts": 8, "experts_per_token": 2, "expert_hidden": 32}
    taken = InlineArchitecture.model_validate({**DENSE, "attention": "mla", **latent, **experts})
    assert (taken.head_dim, taken.expert_layers) == (12, 4)


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"kv_heads": 3}, "kv_heads", "3 does not divide heads (8)"),
        ({"heads": 7}, "heads", "7 does not divide hidden (64)"),
        ({"attention_layers": 5}, "attention_layers", "5 is more than layers (4)"),
        ({"window_layers": 2}, "window_tokens", "belong together"),
        ({"linear_layers": 2}, "linear_layer_parameters", "belong together"),
        (
            {"linear_layers": 5, "linear_layer_parameters": 9, "linear_state_elements": 9},
            "linear_layers",
            "more than layers (4)",
        ),
        ({"index_elements": 128}, "sparse_tokens", "of sparse attention"),
        ({"index_heads": 64}, "index_elements", "score the keys of an index"),
        ({"attention": "mla"}, "latent_kv_rank", "is required with attention: mla"),
        ({"latent_kv_rank": 16}, "latent_kv_rank", "is only read with attention: mla"),
        ({"experts": 8}, "experts_per_token", "must be above 0 in a model with experts"),
        (
            {"experts": 2, "experts_per_token": 4, "expert_hidden": 8},
            "experts_per_token",
            "more than experts (2)",
        ),
        ({"shared_experts": 1}, "shared_experts", "only read in a model with experts"),
        ({"feed_forward_hidden": 0}, "feed_forward_hidden", "4 of 4 layers have a dense MLP"),
        ({"mlp_matrices": 4}, "mlp_matrices", "must be 2 or 3"),
        ({"layers": 0}, "layers", "0 must be at least 1"),
    ],
)
def test_an_inconsistent_architecture_is_one_message(changes: dict[str, Any], field: str, words: str) -> None:
    error = fault(workload__model={**DENSE, **changes})
    assert error.path == f"workload.model.{field}"
    assert words in error.message


def test_the_document_cannot_be_changed() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        document().name = "other"


def test_published_figures_convert_to_base_units() -> None:
    figure = {"quantity": "performance.elapsed_time_s", "value": 2, "unit": "days", "source": "a paper"}
    (taken,) = document(published=[figure]).published
    assert (taken.base_value, taken.base_unit) == (172_800, "s")


def test_the_schema_describes_every_field() -> None:
    schema = scenario_schema()
    assert schema["required"] == ["workload", "supernode"]
    parts = [schema, *schema["$defs"].values()]
    for part in parts:
        assert part["additionalProperties"] is False
        assert all(field.get("description") for field in part["properties"].values()), part["title"]
    json.dumps(schema, allow_nan=False)


lines = st.text(min_size=1, max_size=40).filter(lambda text: text.isprintable() and text.strip() == text)
paragraphs = st.lists(lines, max_size=4).map("\n".join)
positive = st.floats(min_value=1e-9, max_value=1e18)
degrees = st.integers(1, 64)
keys = st.from_regex(r"[a-z0-9][a-z0-9_]{0,20}", fullmatch=True)
share = st.floats(0, 1)

models = st.one_of(
    keys,
    st.builds(
        lambda heads, kv, width, layers: {
            **DENSE, "layers": layers, "heads": heads * kv, "kv_heads": kv, "hidden": heads * kv * width,
        },
        degrees, degrees, degrees, degrees,
    ),
)  # fmt: skip
scenarios = st.fixed_dictionaries(
    {
        "workload": st.fixed_dictionaries(
            {
                "kind": st.just("training"),
                "model": models,
                "tokens": positive,
                "sequence_length": st.integers(1, 10**6),
                "global_batch_sequences": st.integers(1, 10**6),
            },
            optional={"precision": st.sampled_from(["bf16", "fp8", "nvfp4"])},
        ),
        "supernode": st.one_of(
            st.fixed_dictionaries(
                {"system": keys},
                optional={"override": st.fixed_dictionaries({}, optional={"max_power_w": positive})},
            ),
            st.fixed_dictionaries(
                {
                    "custom": st.fixed_dictionaries(
                        {"name": lines, "accelerator": keys, "accelerators": degrees},
                        optional={"liquid_share": share, "scale_up": st.just({"topology": "mesh"})},
                    )
                }
            ),
        ),
    },
    optional={
        "name": lines,
        "description": paragraphs,
        "parallelism": st.one_of(
            st.just("auto"),
            st.fixed_dictionaries(
                {}, optional={"tp": degrees, "recompute": st.one_of(share, st.just("full"))}
            ),
        ),
        "pod": st.fixed_dictionaries(
            {}, optional={"supernodes": degrees, "accelerators_used": st.one_of(degrees, st.just("all"))}
        ),
        "economics": st.fixed_dictionaries({}, optional={"wacc": share, "supernode_price_usd": positive}),
        "assumptions": st.dictionaries(
            keys.map(lambda key: f"a{key}.{key}"), st.floats(-1e30, 1e30), max_size=3
        ),
        "published": st.lists(
            st.fixed_dictionaries(
                {
                    "quantity": st.just("performance.mfu"),
                    "value": st.floats(-1e30, 1e30),
                    "unit": st.just("%"),
                    "source": lines,
                }
            ),
            max_size=2,
        ),
    },
)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(scenarios)
def test_a_scenario_survives_yaml_json_and_plain_values(values: dict[str, Any]) -> None:
    taken = build_scenario(values)
    assert build_scenario(taken.as_dict()) == taken
    assert parse_scenario(taken.as_json(), format="json") == taken
    assert parse_scenario(taken.as_yaml()) == taken
    # The canonical form is a fixed point: the same text however often it is read and written.
    assert parse_scenario(taken.as_yaml()).as_yaml() == taken.as_yaml()


def test_stated_values_are_told_from_defaults() -> None:
    taken = ScenarioDocument.model_validate(scenario(economics__wacc=0.1))
    assert taken.economics.model_fields_set == {"wacc"}
    assert "life_years" not in taken.as_dict()["economics"]

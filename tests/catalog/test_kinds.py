"""Kinds: one file each, and a new one needs no more than that."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import pytest

from app.catalog.checks import architecture_of, counts_apply
from app.catalog.columns import number, text
from app.catalog.kinds import KINDS
from app.catalog.kinds.base import Number, SourcedKind
from app.catalog.lookup import Catalog
from app.catalog.rows import parse
from app.catalog.seed import Seed, read_seed
from app.catalog.seed_files import SeedRow, expected_columns, read_source_families
from app.engine.workload.transformer import parameters
from tests.support import SEED_DATA


@pytest.fixture(scope="module")
def seed() -> Seed:
    return read_seed(SEED_DATA)


class Battery(SourcedKind):
    kind: ClassVar[str] = "batteries"
    file: ClassVar[str] = "batteries.csv"
    title: ClassVar[str] = "Batteries"

    name: str = text()
    power_w: Number = number("power_mw", "kW")
    price_usd: Number = number("", "USD", low="price_usd_low", high="price_usd_high")


def test_a_new_kind_is_one_class() -> None:
    assert expected_columns(Battery) == [
        "key",
        "source",
        "name",
        "power_mw",
        "price_usd_low",
        "price_usd_high",
    ]
    cells = {
        "key": "big_one", "source": "memory", "name": "Big one", "power_mw": "3", "price_usd_low": "4",
        "price_usd_high": "9",
    }  # fmt: skip
    record = parse(Battery, SeedRow("batteries.csv", 2, cells), read_source_families(SEED_DATA))
    assert record.facts["power_w"].value == 3000
    assert (record.facts["price_usd"].value, record.facts["price_usd"].low) == (6.0, 4.0)
    assert record.attributes == {"name": "Big one"}


def test_kinds_have_titles_and_files() -> None:
    assert len(KINDS) >= 17
    assert len({kind.file for kind in KINDS.values()}) == len(KINDS)
    assert all(kind.title and kind.__doc__ for kind in KINDS.values())


def test_parameter_counts_agree_with_what_is_published(seed: Seed) -> None:
    checked = [record for record in seed.records["models"] if counts_apply(record)]
    assert len(checked) >= 58
    for record in checked:
        counted = float(parameters(architecture=architecture_of(record))[0])
        assert counted == pytest.approx(record.facts["published_parameters"].value, rel=0.03), record.key
        assert counted == pytest.approx(record.facts["computed_parameters"].value, rel=0.006), record.key


def test_our_printed_counts_agree_where_the_formulas_do_not_apply(seed: Seed) -> None:
    others = [record for record in seed.records["models"] if not counts_apply(record)]
    assert others
    for record in others:
        computed = record.facts["computed_parameters"].value
        assert computed == pytest.approx(record.facts["published_parameters"].value, rel=0.03), record.key


def test_rack_totals_add_up(catalog: Catalog) -> None:
    for system in catalog.parts("systems"):
        chip_key = system.attributes.get("accelerator_key")
        if not chip_key or "accelerator_mix" in system.attributes or "vendor_headline" in system.attributes:
            continue
        chip = catalog.part("accelerators", chip_key).facts
        count = system.facts["accelerators"].value
        for name in ("bf16_flop_per_s", "fp8_flop_per_s"):
            if name in system.facts and name in chip:
                assert system.facts[name].value == pytest.approx(count * chip[name].value, rel=0.01)


def test_absent_means_none_only_for_parts_of_the_shape(seed: Seed) -> None:
    dense = next(record for record in seed.records["models"] if record.key == "llama_3_1_405b")
    architecture = architecture_of(dense)
    assert architecture.experts[0] == 0
    assert np.isfinite(architecture.hidden[0])


def test_hybrids_and_sparse_attention_state_what_they_keep(seed: Seed) -> None:
    models = {record.key: architecture_of(record) for record in seed.records["models"]}
    qwen, nemotron = models["qwen3_5_397b_a17b"], models["nemotron_3_nano_30b_a3b"]
    assert (qwen.linear_layers[0], qwen.attention_layers[0], qwen.layers[0]) == (45, 15, 60)
    assert qwen.linear_state_elements[0] == 64 * 128 * 128
    assert (nemotron.linear_layers[0], nemotron.linear_state_elements[0]) == (23, 64 * 64 * 128)
    sparse = {key for key, model in models.items() if model.sparse_tokens[0]}
    assert sparse == {"deepseek_v3_2", "glm_5", "minimax_m3", "deepseek_v4_pro", "deepseek_v4_flash"}
    assert {key: models[key].index_elements[0] for key in sparse} == {
        "deepseek_v3_2": 128, "glm_5": 128, "minimax_m3": 128, "deepseek_v4_pro": 32, "deepseek_v4_flash": 32,
    }  # fmt: skip
    assert (models["deepseek_v3_2"].index_heads[0], models["glm_5"].index_heads[0]) == (64, 32)
    super_120b = models["nemotron_3_super_120b_a12b"]
    assert super_120b.linear_layers[0] + super_120b.attention_layers[0] + super_120b.expert_layers[0] == 88
    assert models["qwen3_32b"].query_key_norm[0] == 1
    assert models["llama_3_1_70b"].query_key_norm[0] == 0

"""Rows as designs: what is stated is taken, what is not is the framework's default and is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.catalog.lookup import Catalog
from app.engine.specs import Architecture
from app.scenarios.load import build_scenario
from app.scenarios.resolve import resolve
from app.validation.study import Row, UnsupportedRowError
from app.validation.training.architecture import architecture, model_of
from app.validation.training.case import case_of, flop_per_token, measured_memory_bytes, measured_tokens_per_s
from app.validation.training.job import cluster, layout, software

MakeRow = Callable[..., Row]


def test_architecture_follows_from_the_columns(run: MakeRow) -> None:
    found = architecture(run())
    assert (found["mlp_matrices"], found["tied_embedding"], found["head_dim"]) == (3, False, 128)
    gpt = architecture(run(params_b=174.6, layers=96, hidden=12288, heads=96, kv_heads=96, ffn_hidden=49152,
                           vocab=51200))  # fmt: skip
    assert gpt["mlp_matrices"] == 2
    wide = architecture(run(params_b=30.5, active_params_b=3.3, layers=48, hidden=2048, heads=32, kv_heads=4,
                            ffn_hidden=768, vocab=151936, experts=128, topk=8, arch="moe"))  # fmt: skip
    assert (wide["head_dim"], wide["shared_experts"], wide["expert_hidden"]) == (128, 0, 768)


def test_sizes_of_a_model_that_states_parameters_only(run: MakeRow) -> None:
    found = architecture(run(params_b=20, layers="", hidden="", heads="", kv_heads="", ffn_hidden=""))
    assert (found["layers"], found["hidden"], found["heads"]) == (48, 6144, 48)


@pytest.mark.parametrize(
    ("scale_out", "node", "gbit_s"),
    [
        ("8x200G HDR IB per node (Selene)", 8, 200),
        ("4x100G Omni-Path per node", 8, 50),
        ("1600 Gb/s RoCE per node", 8, 200),
        ("Storage: 2x ConnectX-7 IB NDR 400Gb/s, Compute: 8x ConnectX-7 IB NDR 400Gb/s", 8, 400),
        ("4x400G NDR per tray; NVL72 NVLink domain", 4, 400),
    ],
)
def test_network_of_a_node(run: MakeRow, catalog: Catalog, scale_out: str, node: int, gbit_s: float) -> None:
    found = cluster(run(scale_out=scale_out, gpus_per_node=node), catalog)
    rate = found.supernode["override"]["scale_out_nic_bandwidth_bytes_per_s"]
    assert rate == pytest.approx(gbit_s * 1e9 / 8)


def test_domain_of_servers_racks_and_slices(run: MakeRow, catalog: Catalog) -> None:
    def domain(**cells: object) -> int:
        supernode = cluster(run(**cells), catalog).supernode
        return int(supernode["override"]["scale_up_domain_accelerators"])

    assert domain(n_accelerators=64) == 8
    assert domain(accelerator_key="nvidia_gb200", n_accelerators=256, gpus_per_node=4) == 72
    assert domain(accelerator_key="google_tpu_v5p", n_accelerators=64) == 64
    assert domain(accelerator_key="google_tpu_v5e", n_accelerators=512, scale_out="2 slices over DCN") == 256


def test_software_of_its_time(run: MakeRow) -> None:
    assert software(run(software_date="2021"))["framework"] == "megatron_lm"
    assert software(run(software_date="2024-07"))["attention_kernel"] == "vendor_2024"
    assert software(run())["captured_graphs"] == "no"
    assert software(run(software_date="2026-06"))["captured_graphs"] == "auto"
    assert software(run(framework="fsdp_composer"))["attention_kernel"] == "flash_1"
    assert software(run(framework="something new"))["framework"] == "auto"


def test_defaults_are_named(run: MakeRow) -> None:
    plan = layout(run(), "megatron")
    assert isinstance(plan.parallelism, dict)
    assert plan.parallelism["zero_stage"] == 1
    assert plan.assumed == ("zero_stage 1", "sequence_parallel True", "micro_batch 1")
    assert plan.recompute == ("none", "selective", "full")
    assert layout(run(recompute="selective"), "megatron").recompute == ("selective",)


def test_micro_batch_of_frameworks_that_do_not_accumulate_gradients(run: MakeRow) -> None:
    def micro_batch(framework: str, date: str) -> int:
        plan = layout(run(n_accelerators=128, global_batch_seqs=2048, software_date=date), framework)
        assert isinstance(plan.parallelism, dict)
        size: int = plan.parallelism["micro_batch"]
        return size

    assert micro_batch("xla", "2025-01") == 16
    assert micro_batch("megatron_lm", "2020-09") == 16
    assert micro_batch("megatron_lm", "2021-04") == 1
    assert micro_batch("megatron", "2025-01") == 1


def test_long_bubble_means_virtual_stages(run: MakeRow) -> None:
    plan = layout(run(n_accelerators=64, tp=4, pp=8, global_batch_seqs=32, layers=96), "megatron")
    assert isinstance(plan.parallelism, dict)
    assert plan.parallelism["vpp"] == 6
    short = layout(run(n_accelerators=64, tp=4, pp=8, global_batch_seqs=2048, layers=96), "megatron")
    assert isinstance(short.parallelism, dict)
    assert short.parallelism["vpp"] == 1


def test_sequences_are_split_where_there_are_few(run: MakeRow) -> None:
    plan = layout(run(n_accelerators=256, global_batch_seqs=64), "xla")
    assert isinstance(plan.parallelism, dict)
    assert plan.parallelism["cp"] == 4


def test_recomputation_is_what_the_memory_needs(run: MakeRow, catalog: Catalog) -> None:
    roomy = case_of(run(n_accelerators=64, tp=2), catalog)
    assert "recompute none" in roomy.assumed
    tight = case_of(run(params_b=70.6, layers=80, hidden=8192, heads=64, ffn_hidden=28672, n_accelerators=128,
                        framework="fsdp", zero_stage=3, micro_batch=2, global_batch_seqs=512), catalog)  # fmt: skip
    assert "recompute full" in tight.assumed


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"accelerator_key": "abacus"}, "'abacus' is not in the catalog"),
        ({"precision_class": "fp2"}, "precision 'fp2' is not built"),
        ({"heads": ""}, "heads is not given"),
        ({"arch": "mamba"}, "mamba models are not built"),
        ({"kv_heads": 7}, "does not divide heads"),
        ({"tp": 3}, "tp 3 does not divide"),
        ({"measured_tokens_per_s_per_gpu": ""}, "no speed was measured"),
    ],
)
def test_rows_that_cannot_be_predicted(
    run: MakeRow, catalog: Catalog, cells: dict[str, object], reason: str
) -> None:
    with pytest.raises(UnsupportedRowError, match=reason):
        case_of(run(**cells), catalog)


def transformer(catalog: Catalog, model: str | dict[str, object] = "llama_3_1_8b") -> Architecture:
    """A model as the engine sees it."""
    workload = {"kind": "training", "model": model, "tokens": 1e12, "sequence_length": 4096,
                "global_batch_sequences": 64}  # fmt: skip
    document = {
        "name": "one",
        "workload": workload,
        "supernode": {"system": "dgx_h100"},
        "pod": {"supernodes": 1},
    }
    return resolve(build_scenario(document), catalog).design.training.architecture


def test_speed_as_it_is_printed(run: MakeRow, catalog: Catalog) -> None:
    llama = transformer(catalog)
    assert measured_tokens_per_s(run(), None, llama) == 11000
    step = run(measured_tokens_per_s_per_gpu="", measured_iteration_s=10)
    assert measured_tokens_per_s(step, None, llama) == pytest.approx(128 * 8192 / 10 / 8)
    share = run(measured_tokens_per_s_per_gpu="", measured_mfu_pct=50, flop_convention="mosaic_model_6N")
    assert measured_tokens_per_s(share, 1e15, llama) == pytest.approx(5e14 / flop_per_token(share, llama))


def test_flop_conventions_by_hand(run: MakeRow, catalog: Catalog) -> None:
    """Llama 3.1 8B: 6 N and twice the causal half of attention, embeddings in or out."""
    llama, attention = transformer(catalog), 12 * 32 * 4096 * 8192
    whole = flop_per_token(run(flop_convention="mosaic_model_6N_plus_full_attention"), llama)
    assert whole == pytest.approx(6 * 8.03e9 + attention)
    half = flop_per_token(run(flop_convention="maxtext_model_causal_half"), llama)
    assert half == pytest.approx(6 * (8.03e9 - 128256 * 4096) + attention / 2)
    with pytest.raises(UnsupportedRowError, match="cannot be converted"):
        flop_per_token(run(flop_convention=""), llama)


@pytest.mark.parametrize(
    ("model", "width"),
    [
        pytest.param("qwen3_30b_a3b", 32 * 128, id="heads wider than the model"),
        pytest.param("gpt_oss_120b", 64 * 64, id="heads times 64, not 2,880"),
        pytest.param("deepseek_v3", 128 * (128 + 64 + 128) / 2, id="latent attention: n (qk + v) / 2"),
    ],
)
def test_attention_is_as_wide_as_its_heads(run: MakeRow, catalog: Catalog, model: str, width: float) -> None:
    """What 4,096 more tokens of context add is 12 L times the heads together, whatever the width of the model."""
    found = transformer(catalog, model)
    short, long = (
        flop_per_token(run(seq_len=tokens, flop_convention="megatron_model_full_attention"), found)
        for tokens in (4096, 8192)
    )
    assert long - short == pytest.approx(12 * float(found.layers[0]) * width * 4096)


def test_a_tied_embedding_is_the_output_head_and_counted(run: MakeRow, catalog: Catalog) -> None:
    row = run(flop_convention="maxtext_model_causal_half", params_b=1.236, active_params_b="")
    found = transformer(catalog, "llama_3_2_1b")
    assert flop_per_token(row, found) == pytest.approx(6 * 1.236e9 + 6 * 16 * 32 * 64 * 8192)


def test_parameters_that_are_not_printed_are_counted(run: MakeRow, catalog: Catalog) -> None:
    row = run(flop_convention="mosaic_model_6N_plus_full_attention", params_b="", seq_len=1)
    assert flop_per_token(row, transformer(catalog)) == pytest.approx(6 * 8.03e9, rel=1e-3)


@pytest.mark.parametrize(
    ("unit", "factor"), [("", 1e9), ("GB as printed", 1e9), ("GiB", 2**30), ("MiB", 2**20), ("gb", 1e9)]
)
def test_peak_memory_is_in_the_unit_that_its_column_says(run: MakeRow, unit: str, factor: float) -> None:
    row = run(measured_peak_mem_gb=70, measured_peak_mem_unit=unit)
    assert measured_memory_bytes(row) == pytest.approx(70 * factor)


def test_peak_memory_in_an_unknown_unit_is_refused(run: MakeRow) -> None:
    assert measured_memory_bytes(run()) is None
    with pytest.raises(UnsupportedRowError, match="'pages'; it may be GB"):
        measured_memory_bytes(run(measured_peak_mem_gb=70, measured_peak_mem_unit="pages"))


DEEPSEEK = {
    "model_name": "DeepSeek-V3", "arch": "moe", "params_b": 671, "active_params_b": 37, "layers": 61,
    "hidden": 7168, "heads": 128, "kv_heads": 128, "ffn_hidden": 2048, "vocab": 129280, "experts": 256, "topk": 8,
}  # fmt: skip


def test_a_row_that_names_a_public_model_takes_it_from_the_catalog(run: MakeRow, catalog: Catalog) -> None:
    case = case_of(run(**DEEPSEEK, n_accelerators=256, global_batch_seqs=2048), catalog)
    model = case.design.training.architecture
    assert (model.key, model.attention, int(model.expert_layers[0])) == ("deepseek_v3", "mla", 58)
    assert case.assumed[0] == "architecture of DeepSeek-V3 / R1 in the catalog"


def test_shared_experts_may_be_counted_with_the_routed_ones(run: MakeRow, catalog: Catalog) -> None:
    found = model_of(run(**{**DEEPSEEK, "experts": 257, "topk": 9}), catalog)
    assert found.stated == "deepseek_v3"


def test_sizes_that_a_row_leaves_out_are_those_of_the_model_it_names(run: MakeRow, catalog: Catalog) -> None:
    bare = {"layers": "", "hidden": "", "heads": "", "kv_heads": "", "ffn_hidden": "", "vocab": ""}
    found = model_of(run(model_name="meta-llama/Llama-3.1-8B", **bare), catalog)
    assert found.stated == "llama_3_1_8b"
    assert [found.row.count(name) for name in ("layers", "hidden", "heads")] == [32, 4096, 32]
    another = model_of(run(model_name="Llama-3.1-8B", **{**bare, "params_b": 20}), catalog)
    assert not another.assumed


def test_a_cut_model_keeps_its_layers_but_not_their_number(run: MakeRow, catalog: Catalog) -> None:
    cut = model_of(run(**{**DEEPSEEK, "layers": 4, "params_b": ""}), catalog)
    assert isinstance(cut.stated, dict)
    assert (cut.stated["layers"], cut.stated["expert_layers"], cut.stated["latent_kv_rank"]) == (4, 4, 512)
    assert cut.assumed == ("architecture of DeepSeek-V3 / R1 in the catalog, 4 layers in place of 61",)
    model = transformer(catalog, cut.stated)
    assert (float(model.layers[0]), model.attention) == (4, "mla")


def test_another_vocabulary_is_taken_as_stated(run: MakeRow, catalog: Catalog) -> None:
    found = model_of(run(model_name="Llama-3.1-8B", vocab=32000), catalog)
    assert isinstance(found.stated, dict)
    assert found.stated["vocabulary"] == 32000
    padded = model_of(run(model_name="Llama-3.1-8B", vocab=128512), catalog)
    assert padded.stated == "llama_3_1_8b"


@pytest.mark.parametrize(
    "cells",
    [
        {"model_name": "DeepSeek-V3", "experts": 8},
        {"model_name": "DeepSeek-V3", "hidden": 4096},
        {"model_name": "DeepSeek-V3", "heads": 64, "kv_heads": 64},
        {"model_name": "DeepSeek-V3", "topk": 4},
        {"model_name": "DeepSeek-V3", "ffn_hidden": 4096},
        {"model_name": "Llama-3.1-405B proxy"},
        {"model_name": ""},
        {"model_name": "DeepSeek-V3", "arch": "dense", "experts": "", "topk": ""},
    ],
)
def test_what_differs_in_any_size_is_not_the_model_it_names(
    run: MakeRow, catalog: Catalog, cells: dict[str, object]
) -> None:
    found = model_of(run(**{**DEEPSEEK, **cells}), catalog)
    assert isinstance(found.stated, dict)
    assert "attention" not in found.stated
    assert found.assumed == ()

"""Rows of measured collectives: their cases, and where their ranks lie."""

from __future__ import annotations

import math

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.validation.collectives.case import Place, accelerator_of, case_of, place_of
from app.validation.study import UnsupportedRowError
from tests.validation.collectives.rows import dispatch, row

# A row as a collective with its measurement.


@pytest.mark.parametrize(
    ("name", "collective"),
    [("AllReduce", "all_reduce"), ("all-to-all", "all_to_all"), ("reduce", "broadcast"), ("sendrecv_perf", "send_receive")],
)  # fmt: skip
def test_collectives_go_by_many_names(catalog: Catalog, name: str, collective: str) -> None:
    assert case_of(row(collective=name), catalog).collective == collective


@pytest.mark.parametrize(
    ("cells", "seconds"),
    [
        ({"time_us": 320, "busbw_gb_s": 999}, 320e-6),
        ({"time_us": "", "busbw_gb_s": 367}, 14 / 8 * 2**26 / 367e9),
        ({"time_us": "", "algbw_gb_s": 200, "busbw_gb_s": 999}, 2**26 / 200e9),
        ({"time_us": "", "busbw_gb_s": 300, "collective": "all_gather"}, 7 / 8 * 2**26 / 300e9),
        ({"time_us": "", "busbw_gb_s": 300, "collective": "broadcast"}, 2**26 / 300e9),
    ],
)
def test_times_come_from_bandwidths_where_they_must(
    catalog: Catalog, cells: dict[str, object], seconds: float
) -> None:
    assert case_of(row(**cells), catalog).measured_s == pytest.approx(seconds)


def test_how_it_was_measured(catalog: Catalog) -> None:
    assert not case_of(row(), catalog).separate_processes
    assert case_of(row(algorithm_or_library="NCCL"), catalog).separate_processes
    assert case_of(row(algorithm_or_library="NCCL Ring (NVLS disabled)"), catalog).ring_only
    assert not case_of(row(algorithm_or_library="NCCL NVLS, or Ring/Tree"), catalog).ring_only


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"collective": "latency_two_switch_hops"}, "is not modelled"),
        ({"message_size_bytes": ""}, "message_size_bytes is not given"),
        ({"num_accelerators": 1}, "one rank"),
        ({"time_us": ""}, "no time was measured"),
        ({"time_us": "fast"}, "not a number"),
    ],
)
def test_what_cannot_be_predicted_says_why(catalog: Catalog, cells: dict[str, object], reason: str) -> None:
    with pytest.raises(UnsupportedRowError, match=reason):
        case_of(row(**cells), catalog)


def test_low_latency_kernels_send_one_copy_to_each_expert(catalog: Catalog) -> None:
    experts = case_of(dispatch(), catalog).experts
    assert experts is not None
    assert (experts.tokens, experts.copy_bytes) == (128, 7168 * (1 + 4 / 128))
    assert (experts.scale_up_copies, experts.scale_out_copies) == (8 * 7 / 16, 8 * 8 / 16)


def test_other_kernels_send_one_copy_to_each_rank_and_domain(catalog: Catalog) -> None:
    drawn = case_of(dispatch(algorithm_or_library="DeepEP"), catalog).experts
    limited = case_of(
        dispatch(algorithm_or_library="DeepEP", num_accelerators=64, num_nodes=8,
                 notes="hidden 7168; top-8; fp8; limited to 4 nodes"), catalog
    ).experts  # fmt: skip
    even = case_of(
        dispatch(accelerator="GB200", num_accelerators=64, num_nodes=16, domain="scale-up",
                 algorithm_or_library="TensorRT-LLM", notes="nvfp4; hidden 7168; top-8; balanced"), catalog
    ).experts  # fmt: skip
    assert drawn is not None
    assert limited is not None
    assert even is not None
    assert drawn.scale_out_copies == pytest.approx(2 * (1 - 0.5**8) / 2)
    assert limited.scale_out_copies == pytest.approx(4 * 7 / 8)
    assert (even.scale_up_copies, even.scale_out_copies) == (8 * 63 / 64, 0)
    assert even.copy_bytes == 7168 * 0.5625


def test_what_is_taken_for_granted_is_named(catalog: Catalog) -> None:
    silent = case_of(dispatch(notes="hidden 7168; top-8"), catalog).experts
    back = case_of(dispatch(collective="moe_combine"), catalog).experts
    assert silent is not None
    assert back is not None
    assert silent.assumed == ("dispatch in FP8",)
    assert (back.copy_bytes, back.assumed) == (2 * 7168, ())


def test_experts_need_a_shape(catalog: Catalog) -> None:
    with pytest.raises(UnsupportedRowError, match="hidden size"):
        case_of(dispatch(notes="top-8"), catalog)
    with pytest.raises(UnsupportedRowError, match="tokens_per_rank"):
        case_of(dispatch(tokens_per_rank=""), catalog)


def test_a_row_may_leave_the_system_unnamed(catalog: Catalog) -> None:
    assert case_of(row(system=""), catalog).system == "H100 SXM"
    assert np.isfinite(case_of(row(num_nodes=""), catalog).place.domain_ranks)


# Which accelerator a row means, where its ranks lie and what joins them.


def placed(catalog: Catalog, **cells: object) -> Place:
    measured = row(**cells)
    return place_of(measured, accelerator_of(measured, catalog), catalog)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("H200 SXM", "nvidia_h200_sxm"),
        ("B300 SXM", "nvidia_b300_sxm"),
        ("GB300", "nvidia_gb300"),
        ("H20 SXM", "nvidia_h20_sxm"),
        ("NVIDIA H100 80GB HBM3", "nvidia_h100_sxm"),
        ("nvidia_gb200", "nvidia_gb200"),
        ("MI325X", "amd_mi325x"),
        ("Gaudi 3", "intel_gaudi3"),
        ("Trainium 2", "aws_trainium2"),
        ("TPU v6e", "google_tpu_v6e"),
        ("RTX PRO 6000", "nvidia_rtx_pro_6000_server"),
        ("V100", "nvidia_v100_sxm2_32"),
    ],
)
def test_accelerators_go_by_many_names(catalog: Catalog, name: str, key: str) -> None:
    assert accelerator_of(row(accelerator=name), catalog).key == key


def test_sizes_of_memory_do_not_tell_links_apart(catalog: Catalog) -> None:
    part = accelerator_of(row(accelerator="A100 SXM"), catalog)
    assert part.facts["scale_up_bandwidth_bytes_per_s"].value == 300e9


def test_the_domain_tells_a_card_from_a_module(catalog: Catalog) -> None:
    assert accelerator_of(row(accelerator="A100", domain="PCIe"), catalog).key == "nvidia_a100_pcie_80"
    assert accelerator_of(row(accelerator="A100"), catalog).key.startswith("nvidia_a100_sxm")


@pytest.mark.parametrize("name", ["K20X", "H900 SXM", "GPU", ""])
def test_unknown_accelerators_are_refused(catalog: Catalog, name: str) -> None:
    with pytest.raises(UnsupportedRowError, match="accelerator"):
        accelerator_of(row(accelerator=name), catalog)


@pytest.mark.parametrize(
    ("cells", "inside", "domains"),
    [
        ({}, 8, 1),
        ({"num_accelerators": 16, "num_nodes": 2, "domain": "scale-out"}, 8, 2),
        ({"num_accelerators": 16, "num_nodes": 2, "domain": ""}, 8, 2),
        ({"num_accelerators": 4, "num_nodes": 2, "domain": "scale-out"}, 2, 2),
        ({"accelerator": "GB200", "num_accelerators": 72, "num_nodes": 18}, 72, 1),
        ({"accelerator": "GB200", "num_accelerators": 72, "num_nodes": 18, "domain": ""}, 72, 1),
        ({"accelerator": "GB300", "num_accelerators": 1440, "num_nodes": 360, "domain": "scale-up+scale-out"}, 72, 20),
        ({"accelerator": "GB200", "num_accelerators": 8, "num_nodes": 2, "domain": "scale-out"}, 4, 2),
        ({"accelerator": "TPU v5e", "num_accelerators": 256, "num_nodes": 64, "domain": "supernode"}, 256, 1),
    ],
)  # fmt: skip
def test_ranks_fill_domains(catalog: Catalog, cells: dict[str, object], inside: int, domains: int) -> None:
    place = placed(catalog, **cells)
    assert (place.domain_ranks, place.domains) == (inside, domains)


def test_nics_are_those_of_the_row_else_of_the_catalog(catalog: Catalog) -> None:
    two = {"num_accelerators": 16, "num_nodes": 2, "domain": "scale-out"}
    assert placed(catalog, **two, nic_gbit_s_per_accelerator=200).scale_out_bandwidth_bytes_per_s == 25e9
    assert placed(catalog, **two).scale_out_bandwidth_bytes_per_s == 50e9
    assert math.isnan(placed(catalog).scale_out_bandwidth_bytes_per_s)


def test_links_of_a_mesh_and_of_a_torus(catalog: Catalog) -> None:
    pair = placed(catalog, accelerator="MI300X", num_accelerators=2)
    assert pair.scale_up_bandwidth_bytes_per_s == 64e9
    assert placed(catalog, accelerator="MI300X").scale_up_bandwidth_bytes_per_s == 448e9
    slice_ = placed(catalog, accelerator="TPU v5e", num_accelerators=256, domain="supernode")
    assert (slice_.dimensions, slice_.scale_up_bandwidth_bytes_per_s) == (2, 200e9)
    assert slice_.all_to_all_bandwidth_bytes_per_s == 8 * 50e9 / 16
    assert slice_.switched == pair.switched == 0


def test_words_that_choose_constants(catalog: Catalog) -> None:
    assert dict(placed(catalog).context) == {
        "generation": "hopper",
        "chip": "hopper",
        "accelerator": "nvidia_h100_sxm",
        "link": "nvlink",
    }
    assert placed(catalog, accelerator="L40S", domain="PCIe").context["link"] == "pcie"
    cloud = placed(catalog, system="AWS p4de x2", notes="EFA v1 4x100 Gb/s").context
    assert (cloud["network"], cloud["nic"]) == ("efa", "efa_v1")
    assert "network" not in placed(catalog, notes="InfiniBand").context


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"num_accelerators": ""}, "num_accelerators is not given"),
        ({"num_accelerators": "8.5"}, "not a whole number"),
        ({"accelerator": "MLU590"}, "is not published"),
    ],
)
def test_what_is_not_known_is_said(catalog: Catalog, cells: dict[str, object], reason: str) -> None:
    with pytest.raises(UnsupportedRowError, match=reason):
        placed(catalog, **cells)

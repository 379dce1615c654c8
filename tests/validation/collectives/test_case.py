"""A row as a collective with its measurement."""

from __future__ import annotations

import numpy as np
import pytest

from app.catalog.lookup import Catalog
from app.validation.collectives.case import case_of
from app.validation.study import UnsupportedRowError
from tests.validation.collectives.rows import dispatch, row


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

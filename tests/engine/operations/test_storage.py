"""Storage bandwidth and capacity."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.operations.storage import blocking_bandwidth_bytes_per_s, storage_flash_bytes, storage_racks
from tests.engine.operations.runs import evaluate, operations, pod
from tests.support import number


@pytest.mark.parametrize(
    ("parameters", "hours", "gigabytes"),
    [(70e9, 24, (56.7, 9.1, 2.3)), (405e9, 3.093, (2546, 407, 102)), (1e12, 0.5, (38889, 6222, 1556))],
)
def test_bandwidth_for_an_overhead(
    parameters: float, hours: float, gigabytes: tuple[float, float, float]
) -> None:
    # The second row at 2 % is what Meta built: 2 TB/s sustained (arXiv 2407.21783).
    found = blocking_bandwidth_bytes_per_s(
        checkpoint_bytes=number(14 * parameters),
        mtbf_s=number(hours * 3600),
        overhead=np.array([0.02, 0.05, 0.10]),
    )
    np.testing.assert_allclose(found / 1e9, gigabytes, rtol=0.02)


def test_rule_of_thumb_is_used_only_where_nothing_is_stated() -> None:
    # 16,384 accelerators at 80 GB/s per 1,024 (SuperPOD guidance, "better").
    assert evaluate().storage_write_bandwidth_bytes_per_s[0] == pytest.approx(1.28e12)
    assert evaluate().storage_read_bandwidth_bytes_per_s[0] == pytest.approx(2.56e12)
    assert evaluate().storage_write_rated_bytes_per_s[0] == pytest.approx(1.28e12 / 0.25)
    stated = evaluate(operations=operations(write=2e12))
    assert stated.storage_write_bandwidth_bytes_per_s[0] == 2e12
    assert stated.checkpoint_write_s[0] == pytest.approx(405.85e9 * 14 / 2e12)


@given(held=st.floats(0, 1e18), bandwidth=st.floats(1e9, 1e13))
def test_capacity_holds_what_it_must(held: float, bandwidth: float) -> None:
    capacity = storage_flash_bytes(
        stored_bytes=number(held),
        usable_share=number(0.8),
        storage_write_rated_bytes_per_s=number(bandwidth),
        write_per_capacity_per_s=number(2.9e-4),
        storage_read_rated_bytes_per_s=number(bandwidth),
        read_per_capacity_per_s=number(4.6e-4),
        stated_capacity_bytes=number(np.nan),
    )[0]
    assert capacity * 0.8 >= held * (1 - 1e-12)
    assert capacity * 2.9e-4 >= bandwidth * (1 - 1e-12)


def test_tiers_of_llama_beside_what_meta_built() -> None:
    """240 PB, 2 TB/s sustained and 7 at the peak for 24,576 accelerators (arXiv 2407.21783); by accelerators 160 PB here."""
    found = evaluate()
    assert found.storage_flash_bytes[0] == pytest.approx(1.28e12 / 0.25 / 2.9e-4)
    assert found.storage_capacity_bytes[0] == pytest.approx(16384 * 7.2e12 / 0.8)
    assert 0.5 < found.storage_capacity_bytes[0] / (240e15 * 16384 / 24576) < 2
    assert 0.5 < found.storage_write_bandwidth_bytes_per_s[0] / 2e12 < 2
    assert 0.5 < found.storage_write_rated_bytes_per_s[0] / 7e12 < 2
    flash_pb, bulk_pb = found.storage_flash_bytes[0] / 1e15, found.storage_bulk_bytes[0] / 1e15
    assert found.storage_power_w[0] == pytest.approx(flash_pb * 2500 + 5120 * 20 + bulk_pb * 700)
    assert found.storage_ports[0] == np.ceil(2.56e12 / 0.45 / 45e9)
    assert found.storage_metadata_per_s[0] == 16384 * 2 / 10


def test_a_stated_capacity_is_all_there_is() -> None:
    given_terms = operations()
    stated = dataclasses.replace(
        given_terms, storage=dataclasses.replace(given_terms.storage, capacity_bytes=number(5e15))
    )
    found = evaluate(operations=stated)
    assert (found.storage_flash_bytes[0], found.storage_bulk_bytes[0]) == (5e15, 0)
    assert found.storage_capacity_bytes[0] == 5e15


def test_racks_by_hand() -> None:
    """17.7 PB and 5,120 GB/s of flash: 1.06 by capacity, 3.43 by bandwidth; 130 PB of disks 13."""
    racks = storage_racks(
        storage_flash_bytes=number(17.7e15),
        storage_bulk_bytes=number(130e15),
        storage_write_rated_bytes_per_s=number(5.12e12),
        flash_racks_per_pb=number(0.06),
        flash_racks_per_gb_s=number(0.00067),
        bulk_racks_per_pb=number(0.1),
    )
    assert racks[0] == 17


@pytest.mark.slow
@given(count=st.integers(1, 2000), write=st.floats(1e11, 1e14), read=st.floats(1e11, 1e14))
def test_more_of_anything_never_takes_less(count: int, write: float, read: float) -> None:
    small = evaluate(
        pod=pod(supernodes=count, accelerators_used=8 * count), operations=operations(write=write, read=read)
    )
    large = evaluate(
        pod=pod(supernodes=2 * count, accelerators_used=8 * count),
        operations=operations(write=2 * write, read=2 * read),
    )
    for name in ("capacity_bytes", "flash_bytes", "power_w", "racks", "ports"):
        a, b = getattr(small, f"storage_{name}")[0], getattr(large, f"storage_{name}")[0]
        assert 0 <= a <= b * (1 + 1e-12)

"""The three-term model against measured curves of one node, and its two-level form."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.engine.fabric import collectives
from app.engine.trace import Array
from tests.support import number

DATA = Path(__file__).parent / "data"
GIB = 2.0**30
FLAT = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all", "broadcast")


def rows(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


FITS = {(row["system"], row["collective"]): row for row in rows("collective_fits.csv")}


def timed(collective: str) -> Callable[..., Array]:
    function: Callable[..., Array] = getattr(collectives, f"{collective}_time_s")
    return function


def predicted_time_s(system: str, collective: str, message_bytes: Array) -> Array:
    fit = FITS[system, collective]
    return timed(collective)(
        message_bytes=message_bytes,
        ranks=number(8),
        bandwidth_bytes_per_s=number(float(fit["bandwidth_gb_s"]) * 1e9),
        latency_s=number(float(fit["latency_us"]) * 1e-6),
        sqrt_coefficient_s=number(float(fit["sqrt_coefficient_us"]) * 1e-6),
    )


def all_reduce_bus_bandwidth_gb_s(system: str, message_bytes: float) -> float:
    time = predicted_time_s(system, "all_reduce", number(message_bytes))
    return float(2 * 7 / 8 * message_bytes / time[0] / 1e9)


@pytest.mark.parametrize(("system", "collective"), FITS)
def test_fits_reproduce_the_measured_curves(system: str, collective: str) -> None:
    curve = [
        row
        for row in rows("collective_measurements.csv")
        if row["system"] == system and row["collective"] == collective
    ]
    sizes = np.array([float(row["message_size_bytes"]) for row in curve])
    measured = np.array([float(row["time_us"]) * 1e-6 for row in curve])
    errors = np.abs(predicted_time_s(system, collective, sizes) / measured - 1)
    assert len(curve) >= 20
    assert np.median(errors) <= float(FITS[system, collective]["median_error"]) + 0.01
    assert np.max(errors) < 0.42  # the note of the fits gives 10 to 41 % at the worst size


@pytest.mark.parametrize(
    ("system", "message_bytes", "measured_gb_s", "tolerance"),
    [
        # Azure AI-benchmarking-guide, ND A100 v4 and ND H100 v5, 8 GiB
        ("a100_sxm", 8 * GIB, 231.58, 0.03),
        ("h100_sxm", 8 * GIB, 478.87, 0.02),
        # aiconfigurator at 512 MiB, the largest size of the fit
        ("b200_sxm", 0.5 * GIB, 704, 0.08),
        # 838 GB/s at 8 GiB lies beyond the fit, whose asymptote is 754: the model must not exceed it
        ("b200_sxm", 8 * GIB, 838, 0.15),
    ],
)
def test_large_all_reduce_reaches_the_measured_bus_bandwidth(
    system: str, message_bytes: float, measured_gb_s: float, tolerance: float
) -> None:
    predicted = all_reduce_bus_bandwidth_gb_s(system, message_bytes)
    assert predicted == pytest.approx(measured_gb_s, rel=tolerance)
    assert predicted < float(FITS[system, "all_reduce"]["bandwidth_gb_s"])


def hierarchical(name: str = "all_reduce", **changes: float) -> float:
    values = {
        "message_bytes": 4 * GIB,
        "domain_ranks": 8,
        "domains": 4,
        "scale_up_bandwidth_bytes_per_s": 0.82 * 900e9,  # ring speed: 80 to 82 % of the link rate
        "scale_out_bandwidth_bytes_per_s": 50e9,
        "scale_up_latency_s": 0,
        "scale_out_latency_s": 0,
        "scale_up_sqrt_coefficient_s": 0,
        "scale_out_sqrt_coefficient_s": 0,
        "overlap": 0,
    } | changes
    numbers = {key: number(value) for key, value in values.items()}
    return float(timed(f"hierarchical_{name}")(**numbers)[0])


def test_four_servers_of_eight_lie_in_the_published_bracket() -> None:
    # 32 x B200, 4 GiB: 16.1 ms fully overlapped to 26.3 ms in series; measured 22.05 ms (EFA v4)
    assert hierarchical(overlap=1) == pytest.approx(16.1e-3, rel=2e-3)
    assert hierarchical(overlap=0) == pytest.approx(26.3e-3, rel=2e-3)
    assert hierarchical(overlap=1) < 22.05e-3 < hierarchical(overlap=0)


def test_hierarchical_all_reduce_by_hand() -> None:
    # 8 GB over 2 domains of 4: 2 x 3/4 x 8 / 300 + 2 x 1/2 x 2 / 25 = 40 + 80 ms
    time = hierarchical(
        message_bytes=8e9,
        domain_ranks=4,
        domains=2,
        scale_up_bandwidth_bytes_per_s=300e9,
        scale_out_bandwidth_bytes_per_s=25e9,
    )
    assert time == pytest.approx(0.120)


def test_an_all_gather_and_a_reduce_scatter_make_a_hierarchical_all_reduce() -> None:
    assert 2 * hierarchical("all_gather") == pytest.approx(hierarchical("all_reduce"))


def test_all_to_all_moves_every_byte_once_inside_or_across() -> None:
    equal = {"scale_up_bandwidth_bytes_per_s": 1.0, "scale_out_bandwidth_bytes_per_s": 1.0}
    time = hierarchical("all_to_all", message_bytes=3200, **equal)
    assert time == pytest.approx(3200 * 31 / 32)  # all but the rank's own part


@pytest.mark.parametrize("name", ["all_reduce", "all_gather", "all_to_all"])
def test_one_domain_has_no_scale_out_part(name: str) -> None:
    assert hierarchical(name, domains=1, scale_out_bandwidth_bytes_per_s=float("nan")) > 0
    assert hierarchical(name, domains=1, domain_ranks=1) == 0


@pytest.mark.parametrize("collective", FLAT)
def test_one_rank_takes_exactly_no_time(collective: str) -> None:
    unknown = number(float("nan"))
    time = timed(collective)(
        message_bytes=number(1e9),
        ranks=number(1),
        bandwidth_bytes_per_s=unknown,
        latency_s=unknown,
        sqrt_coefficient_s=unknown,
    )
    assert time.tolist() == [0.0]


def test_an_empty_message_takes_exactly_no_time() -> None:
    time = collectives.point_to_point_time_s(
        message_bytes=number(0),
        bandwidth_bytes_per_s=number(1),
        latency_s=number(1),
        sqrt_coefficient_s=number(1),
    )
    assert time.tolist() == [0.0]


@pytest.mark.parametrize(
    "missing", ["message_bytes", "ranks", "bandwidth_bytes_per_s", "latency_s", "sqrt_coefficient_s"]
)
@pytest.mark.parametrize("collective", FLAT)
def test_unknown_stays_unknown(collective: str, missing: str) -> None:
    values = {
        "message_bytes": 1e9, "ranks": 8, "bandwidth_bytes_per_s": 4e11, "latency_s": 1e-5,
        "sqrt_coefficient_s": 1e-8,
    } | {missing: float("nan")}  # fmt: skip
    assert np.isnan(timed(collective)(**{name: number(value) for name, value in values.items()})[0])


def test_arrays_broadcast_and_keep_their_shape() -> None:
    time = collectives.all_reduce_time_s(
        message_bytes=np.full((3, 1), 1e6),
        ranks=np.array([1.0, 2, 4, 8]),
        bandwidth_bytes_per_s=np.full((3, 1), 1e11),
        latency_s=number(1e-5),
        sqrt_coefficient_s=number(0),
    )
    assert time.shape == (3, 4)
    assert np.all(time[:, 0] == 0)


finite = st.floats(1, 1e12)


@given(
    collective=st.sampled_from(FLAT),
    message=finite,
    ranks=st.integers(1, 4096),
    latency=st.floats(0, 1e-2),
    more=st.floats(1, 1e6),
    field=st.sampled_from(["message_bytes", "ranks", "latency_s"]),
)
def test_more_never_takes_less(
    collective: str, message: float, ranks: int, latency: float, more: float, field: str
) -> None:
    values = {
        "message_bytes": message, "ranks": float(ranks), "bandwidth_bytes_per_s": 4e11,
        "latency_s": latency, "sqrt_coefficient_s": 1e-8,
    }  # fmt: skip
    function = timed(collective)

    def time(**changes: float) -> float:
        return float(function(**{name: number(value) for name, value in (values | changes).items()})[0])

    assert time(**{field: values[field] + more}) >= time()

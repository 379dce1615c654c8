"""The gap recomputed from the catalog, and where "40 times, 9 times, 4 times in eight years" holds."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.lookup import Catalog
from app.views.growth.gap import CLAIM, TOLERANCE, DeviceOrderError, UnknownDeviceError, ends, gap_answer


def factors(answer: dict[str, Any], part: str) -> dict[str, float | None]:
    return {one["key"]: one["factor"] for one in answer[part]}


def test_v100_to_b200(catalog: Catalog) -> None:
    """18 times in BF16, 36 in FP8, 72 in FP4; NVLink 6 times; a port 4 times, per device 8 times."""
    answer = gap_answer(catalog)
    assert answer["years"] == 7
    assert factors(answer, "compute") == pytest.approx({"bf16": 18, "fp8": 36, "fp4": 72, "best": 72})
    links = factors(answer, "links")
    assert (links["bus"], links["port"], links["network"]) == pytest.approx((6, 4, 8))
    assert links["transistors"] == pytest.approx(208 / 21.1)


def test_p100_has_a_bus_of_80_gb_a_second_each_way(catalog: Catalog) -> None:
    answer = gap_answer(catalog, "nvidia_p100_sxm2", "nvidia_b200_sxm")
    assert factors(answer, "links")["bus"] == pytest.approx(11.25)
    assert factors(answer, "compute")["bf16"] == pytest.approx(2250 / 21.2)


def test_what_is_not_published_is_unknown(catalog: Catalog) -> None:
    answer = gap_answer(catalog, "nvidia_v100_sxm2_32", "nvidia_a100_sxm_80")
    assert factors(answer, "compute")["fp8"] is None
    assert factors(answer, "compute")["bf16"] == pytest.approx(312 / 125)


def test_the_claim_holds_only_for_few_pairs(catalog: Catalog) -> None:
    claim = gap_answer(catalog)["claim"]
    assert 0 <= claim["all_hold"] < 0.1 * claim["combinations"]
    assert claim["all_hold"] <= min(claim[f"{name}_holds"] for name in ("compute", "bus", "network"))
    distances = [one["distance"] for one in claim["closest"]]
    assert distances == sorted(distances)
    for one in claim["closest"]:
        assert 7 <= one["years"] <= 9
        for name, claimed in zip(("compute", "bus", "network"), CLAIM, strict=True):
            assert (name in one["holds"]) == (abs(one[name] / claimed - 1) <= TOLERANCE)


def test_v100_to_gb200_gives_the_forty_and_the_four_but_not_the_nine(catalog: Catalog) -> None:
    one = next(
        one
        for one in gap_answer(catalog)["claim"]["closest"]
        if (one["from"]["key"], one["to"]["key"]) == ("nvidia_v100_sxm2_32", "nvidia_gb200")
    )
    assert (one["precision"], one["network_basis"]) == ("fp8", "port")
    assert (one["compute"], one["bus"], one["network"]) == pytest.approx((40, 6, 4))
    assert one["holds"] == ["compute", "network"]


def test_unknown_and_swapped_ends_are_refused(catalog: Catalog) -> None:
    with pytest.raises(UnknownDeviceError, match="nvidia_b200_sxm"):
        gap_answer(catalog, last_key="nvidia_b200_sx")
    with pytest.raises(DeviceOrderError, match="not later"):
        gap_answer(catalog, "nvidia_b200_sxm", "nvidia_v100_sxm2_32")
    assert [one.year for one in ends(catalog)] == sorted(one.year for one in ends(catalog))

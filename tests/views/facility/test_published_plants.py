"""Buildings that operators published, designed as they describe them: PUE within 0.03, water where it is known.

None of the published figures is an input. What is read off the publications is the design: the plant, what stands
between mains and racks, the hall's or the coolant's temperature and the share of liquid.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.scenarios.evaluation.service import evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.power.nodes import ANY_JOB

ROOT = Path(__file__).resolve().parents[3]
AIR = {"supernode": {"system": "dgx_h100"}, "pod": {"supernodes": 128}}
LIQUID = {
    "supernode": {"system": "gb200_nvl72", "override": {"liquid_share": 0.97}},
    "pod": {"supernodes": 8},
}
RACK_BATTERIES = {"ups": "rack_batteries", "redundancy": "N+1"}
WITHOUT_GENERATORS = {"facility.generator_heater_share": 0.0}
WARM_HALL = {"facility.hall_air_supply_c": 27.0}
WARM_WATER = WARM_HALL | {"facility.chilled_water_supply_c": 23.0, "facility.chilled_water_return_c": 33.0}

SITES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, float], float, float | None]] = {
    "Meta, fleet 2023": (
        AIR, {"site": "hillsboro", "cooling": "outdoor_air", **RACK_BATTERIES}, WARM_HALL, 1.08, None,
    ),
    "Google, Oregon 2024": (
        AIR, {"site": "hillsboro", "cooling": "air_tower", **RACK_BATTERIES}, WARM_WATER, 1.07, None,
    ),
    "Google, Finland 2024": (
        AIR, {"site": "hamina", "cooling": "air_source_water", **RACK_BATTERIES}, WARM_WATER, 1.09, None,
    ),
    "AWS, Ohio 2024": (
        AIR, {"site": "columbus", "cooling": "outdoor_air", "redundancy": "N+1"}, {}, 1.13, 0.10,
    ),
    "AWS, Oregon 2024": (
        AIR, {"site": "hillsboro", "cooling": "outdoor_air", "redundancy": "N+1"}, {}, 1.12, 0.16,
    ),
    "NREL, ESIF": (
        LIQUID,
        {"site": "denver", "cooling": "direct_liquid_all_tower", "coolant_supply_c": 24, "ups": "rack_batteries",
         "distribution": "ac_480", "redundancy": "N"},
        WITHOUT_GENERATORS, 1.036, None,
    ),
    "ORNL, Frontier": (
        LIQUID,
        {"site": "memphis", "cooling": "direct_liquid_all_tower", "coolant_supply_c": 36, "ups": "rack_batteries",
         "distribution": "ac_480", "redundancy": "N"},
        WITHOUT_GENERATORS, 1.045, None,
    ),
    "CSC, LUMI": (
        LIQUID,
        {"site": "kajaani", "cooling": "direct_liquid_dry", "coolant_supply_c": 36, "ups": "rack_batteries",
         "distribution": "ac_480", "redundancy": "N"},
        WITHOUT_GENERATORS, 1.045, None,
    ),
}  # fmt: skip
"""Servers, building, assumptions, published PUE (of Frontier and LUMI the middle of 1.03 to 1.06) and water [L/kWh]."""


def cooling_of(name: str) -> Any:
    """The cooling of a published site as it is described."""
    servers, facility, assumptions, _, _ = SITES[name]
    document = {
        "name": name,
        "workload": ANY_JOB,
        **servers,
        "facility": {"load_profile": "serving", **facility},
        "operations": {"spares": 0},
        "assumptions": assumptions,
    }
    return evaluate_scenario(build_scenario(document), ready_catalog()).evaluation.sections.cooling


@pytest.mark.slow
@pytest.mark.parametrize("name", SITES)
def test_as_published(name: str) -> None:
    *_, pue, wue = SITES[name]
    cooling = cooling_of(name)
    assert cooling.pue[0] == pytest.approx(pue, abs=0.03)
    if wue is not None:
        assert cooling.wue_l_per_kwh[0] == pytest.approx(wue, abs=0.13)


@pytest.mark.slow
def test_the_documented_table_is_what_comes_out() -> None:
    lines = (ROOT / "docs" / "facility.md").read_text(encoding="utf-8").splitlines()
    for name, (*_, pue, wue) in SITES.items():
        cooling = cooling_of(name)
        water = "" if wue is None else f"{wue:.2f} / {cooling.wue_l_per_kwh[0]:.2f}"
        row = f"{pue:.3f} | {cooling.pue[0]:.3f} | {water} |"
        assert any(line.startswith(f"| {name} |") and line.endswith(row) for line in lines), row

"""Elevation of a site: thinner air takes more fan power and more water of a tower; the climate file stays as it is."""

from __future__ import annotations

from typing import Any

import pytest

from app.catalog.ready import ready_catalog
from app.catalog.weather.gaps import standard_pressure_pa
from app.engine.trace import first_of, plain
from app.scenarios.evaluation.service import EvaluatedScenario, evaluate_scenario
from app.scenarios.load import build_scenario
from app.validation.power.nodes import ANY_JOB

OWN = {
    "name": "Own", "climate": "denver_co", "electricity_price_usd_per_kwh": 0.08, "carbon_intensity_kg_per_kwh": 0.3,
    "water_price_usd_per_m3": 2,
}  # fmt: skip


def at(site: Any, cooling: str = "direct_liquid_dry") -> EvaluatedScenario:
    document = {
        "name": "Elevation", "workload": ANY_JOB, "supernode": {"system": "gb200_nvl72"}, "pod": {"supernodes": 8},
        "facility": {"site": site, "cooling": cooling, "coolant_supply_c": 40},
    }  # fmt: skip
    return evaluate_scenario(build_scenario(document), ready_catalog())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cooling", "figure"), [("direct_liquid_dry", "pue"), ("direct_liquid_tower", "wue_l_per_kwh")]
)
def test_a_higher_site_never_takes_less(cooling: str, figure: str) -> None:
    found = [
        first_of(getattr(at(OWN | {"elevation_m": m}, cooling).evaluation.sections.cooling, figure))
        for m in (0, 500, 1000, 2000, 3000)
    ]
    assert found == sorted(found)
    assert found[-1] > found[0]


@pytest.mark.slow
@pytest.mark.parametrize("elevation_m", [0, 1000, 2500])
def test_the_pressure_is_that_of_the_standard_atmosphere_between_both(elevation_m: float) -> None:
    """Guiyang's file is of a grid cell at 506 m, 95,673 Pa; the site is at 1,100 m: 0.9304 of it by hand."""
    file = ready_catalog().climate("denver_co")
    station = ready_catalog().part("climate", "denver_co").facts["elevation_m"].value
    climate = at(OWN | {"elevation_m": elevation_m}).resolved.design.facility.site.climate
    ratio = standard_pressure_pa(elevation_m) / standard_pressure_pa(station)
    assert plain(climate.pressure_pa).mean() == pytest.approx(file.pressure_pa.mean() * ratio)
    guiyang = plain(at("guiyang").resolved.design.facility.site.climate.pressure_pa).mean()
    assert guiyang == pytest.approx(95_673 * 0.9304, rel=1e-3)


def test_at_the_elevation_of_its_file_nothing_changes() -> None:
    station = ready_catalog().part("climate", "denver_co").facts["elevation_m"].value
    plainly, stated = at(OWN), at(OWN | {"elevation_m": station})
    assert first_of(plainly.evaluation.sections.cooling.pue) == first_of(
        stated.evaluation.sections.cooling.pue
    )

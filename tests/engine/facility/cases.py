"""Designs and climates for the tests of this room."""

from __future__ import annotations

import csv
import dataclasses
import functools
import gzip
from types import SimpleNamespace
from typing import Any

import numpy as np

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.results import Cooling, Power
from app.engine.facility.section import evaluate_facility
from app.engine.specs import Climate, FabricPlan, Facility, Pod, Site, SuperNode, Transceiver
from app.engine.trace import Array
from tests.support import SEED_DATA, assumptions, build, dgx_h100, number


def year_of(*, dry_bulb_c: Array, wet_bulb_c: Array, pressure_pa: Array) -> Climate:
    """A climate with its bins of 0.5 K by dry and wet bulb."""
    cells = np.stack([np.floor(dry_bulb_c / 0.5), np.floor(wet_bulb_c / 0.5)])
    _, cell, hours = np.unique(cells, axis=1, return_inverse=True, return_counts=True)

    def mean(values: Array) -> Array:
        return np.bincount(cell.ravel(), values) / hours

    return Climate(
        key="made_for_tests",
        dry_bulb_c=dry_bulb_c,
        wet_bulb_c=wet_bulb_c,
        pressure_pa=pressure_pa,
        binned_dry_bulb_c=mean(dry_bulb_c),
        binned_wet_bulb_c=mean(wet_bulb_c),
        binned_pressure_pa=mean(pressure_pa),
        binned_hours=hours.astype(float),
    )


@functools.cache
def climate(key: str) -> Climate:
    with gzip.open(SEED_DATA / "climate" / f"{key}.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return year_of(
        **{
            name: np.array([float(row[name]) for row in rows])
            for name in ("dry_bulb_c", "wet_bulb_c", "pressure_pa")
        }
    )


def steady(*, dry_bulb_c: float, wet_bulb_c: float, pressure_pa: float = 101325) -> Climate:
    """A year of one weather."""
    return year_of(
        dry_bulb_c=np.full(8760, dry_bulb_c),
        wet_bulb_c=np.full(8760, wet_bulb_c),
        pressure_pa=np.full(8760, pressure_pa),
    )


def rack(liquid_share: float | Array = 0.87, **changes: Any) -> SuperNode:
    """A rack in the manner of a GB200 NVL72."""
    base = dataclasses.replace(
        dgx_h100(),
        max_power_w=number(132e3),
        cooling="hybrid",
        racks=number(1),
        accelerators=number(72),
        scale_out_nics=number(72),
        nodes=number(18),
    )
    changes |= {"liquid_share": liquid_share}
    changes = {k: number(v) if isinstance(v, int | float) else v for k, v in changes.items()}
    return dataclasses.replace(base, **changes)


def pod_of(supernodes: float, accelerators_used: float) -> Pod:
    module = build(Transceiver, key="m", name="M", ports=1, power_w=15, price_usd=1000)
    plan = build(
        FabricPlan, topology="none", switch=None, switch_transceiver=module, node_transceiver=module,
        trunk_price_usd=0, nic_price_usd=1000, nic_power_w=25, oversubscription=1,
        scalable_unit_supernodes=32, management_ports=0, planes=1,
    )  # fmt: skip
    return Pod(supernodes=number(supernodes), accelerators_used=number(accelerators_used), fabric=plan)


def facility_at(
    weather: Climate, *, cooling: str = "auto", coolant_supply_c: float = 40, redundancy: str = "2N"
) -> Facility:
    site = build(
        Site, key="here", name="Here", elevation_m=0, electricity_price_usd_per_kwh=0.07,
        carbon_intensity_kg_per_kwh=0.3, water_price_usd_per_m3=2, climate=weather,
    )  # fmt: skip
    return Facility(
        site=site, cooling=cooling, redundancy=redundancy, coolant_supply_c=number(coolant_supply_c)
    )


def defaults(**context: str) -> FacilityAssumptions:
    return assumptions("facility", FacilityAssumptions, **context)


def evaluate(
    *,
    facility: Facility,
    supernode: SuperNode | None = None,
    supernodes: float = 16,
    accelerators_used: float | None = None,
    network_power_w: float = 0,
    spare_supernodes: float = 0,
    given: FacilityAssumptions | None = None,
) -> tuple[Power, Cooling]:
    supernode = supernode or rack()
    used = accelerators_used or supernodes * supernode.accelerators[0]
    return evaluate_facility(
        supernode=supernode,
        pod=pod_of(supernodes, used),
        facility=facility,
        fabric=SimpleNamespace(network_power_w=number(network_power_w)),
        performance=SimpleNamespace(tokens_per_s=number(1e6)),
        reliability=SimpleNamespace(
            spare_supernodes_installed=number(spare_supernodes), storage_power_w=number(0)
        ),
        assumptions=given or defaults(),
    )

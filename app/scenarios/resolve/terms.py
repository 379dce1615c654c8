"""Where a pod stands and how it is run."""

from __future__ import annotations

from dataclasses import replace

from app.engine.facility.cooling.plants import IMMERSED
from app.engine.operations.assumptions import OperationsAssumptions
from app.engine.operations.failures import posterior_rate
from app.engine.operations.section import cube_side_of
from app.engine.operations.spares import pod_units, unit_accelerators
from app.engine.specs import Facility, HeatReuse, Operations, Pod, Site, Storage, SuperNode
from app.engine.trace import Array, Origin, first_of
from app.engine.units import words_of
from app.scenarios.document.facility import HeatReuse as HeatReuseDocument
from app.scenarios.document.scenario import (
    EconomicsDocument,
    FacilityDocument,
    InlineSite,
    InlineStorage,
    OperationsDocument,
)
from app.scenarios.errors import refuse
from app.scenarios.resolve.climate import climate
from app.scenarios.resolve.facility_parts import rectifier_input
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.resolve.lookups import part_or_error
from app.scenarios.resolve.power_supply import power_supply

DIELECTRIC = "dielectric"
"""The coolant of tanks, whatever the scenario says of the coolant of cold plates."""
FACILITY_CONTEXT = ("air_handling", "coolant", "distribution", "ups", "load_profile")
FACILITY_WORDS = ("cooling", "redundancy", "cooling_redundancy", *FACILITY_CONTEXT)


def facility(inputs: Inputs, document: FacilityDocument, economics: EconomicsDocument) -> Facility:
    """Site, climate and plant.

    Raises
    ------
    ScenarioError : unknown site
    """
    coolant = inputs.assumption(
        "facility.coolant_supply_c",
        "scenario.coolant_supply_c",
        given=document.coolant_supply_c,
        scenario_field="facility.coolant_supply_c",
    )
    site = _site(inputs, document.site, economics, document.warming_k or 0.0)
    return Facility(
        site=site,
        power_supply=power_supply(inputs, document.power_supply, site.climate.key),
        coolant_supply_c=coolant,
        heat_reuse=_heat_reuse(inputs, document.heat_reuse),
        utility_limit_w=_stated(inputs, document, "utility_limit_w"),
        clean_energy_share=_stated(inputs, document, "clean_energy_share"),
        rectifier_input=rectifier_input(inputs, document),
        **{name: getattr(document, name) for name in FACILITY_WORDS},
    )


def facility_context(document: FacilityDocument) -> dict[str, str]:
    """The words by which assumptions of the facility are chosen."""
    words = {name: getattr(document, name) for name in FACILITY_CONTEXT}
    return words | ({"coolant": DIELECTRIC} if document.cooling in IMMERSED else {})


def _stated(inputs: Inputs, document: FacilityDocument, name: str) -> Array | None:
    value = getattr(document, name)
    return None if value is None else inputs.scenario(f"facility.{name}", value)


def _heat_reuse(inputs: Inputs, document: HeatReuseDocument | None) -> HeatReuse | None:
    if document is None:
        return None
    path = "facility.heat_reuse"
    return HeatReuse(
        share=inputs.scenario(f"{path}.share", document.share),
        supply_c=inputs.scenario(f"{path}.supply_c", document.supply_c),
    )


def operations(inputs: Inputs, document: OperationsDocument) -> Operations:
    """Checkpoints, spares and storage."""
    spares = None
    if document.spares != "auto":
        spares = inputs.scenario("operations.spare_units", document.spares, "operations.spares")
    return Operations(
        checkpoint=document.checkpoint, spare_units=spares, storage=_storage(inputs, document.storage)
    )


def check_spares(document: OperationsDocument, supernode: SuperNode, pod: Pod) -> None:
    """Refuse more spares than the pod has units of what is replaced as a whole.

    Raises
    ------
    ScenarioError : there are more
    """
    if document.spares == "auto":
        return
    unit = unit_accelerators(
        accelerators_per_supernode=supernode.accelerators,
        nodes_per_supernode=supernode.nodes,
        cube_side=cube_side_of(supernode),
    )
    units = pod_units(
        supernodes=pod.supernodes, accelerators_per_supernode=supernode.accelerators, unit_accelerators=unit
    )
    if document.spares > units[0]:
        raise refuse(
            f"{document.spares:,} spares are more than the {units[0]:,.0f} units of {unit[0]:,.0f} accelerators that the "
            "pod has.",
            rule="at_most",
            path="operations.spares",
            value=document.spares,
            hint=f"State 0 to {units[0]:,.0f}, or auto.",
        )


FAILURE_RATE = "failures_per_node_day"


def own_failure_rate(
    inputs: Inputs, document: OperationsDocument, assumptions: OperationsAssumptions
) -> OperationsAssumptions:
    """The assumptions with the rate of failures that own interruptions leave; a stated rate stands over both."""
    path, own = f"assumptions.operations.{FAILURE_RATE}", document.interruptions
    fleets = inputs.origins[path]
    if own is None or fleets.low is None or fleets.high is None:
        return assumptions
    found = posterior_rate(
        count=own.count,
        node_days=own.node_days,
        middle=float(getattr(assumptions, FAILURE_RATE)[0]),
        low=fleets.low,
        high=fleets.high,
    )
    origin = Origin(
        kind="derived",
        label=f"{own.count:,} own interruptions in {own.node_days:,.0f} node-days, with the spread of published fleets",
        source="gamma posterior of own interruptions, operations.interruptions",
        low=found.low,
        high=found.high,
    )
    return replace(assumptions, failures_per_node_day=inputs.taken(path, found.mean, origin))


def _site(inputs: Inputs, given: str | InlineSite, economics: EconomicsDocument, warming_k: float) -> Site:
    path = "facility.site"
    stated = {} if isinstance(given, str) else given.model_dump(exclude_none=True)
    part = part_or_error(inputs.catalog, "sites", given, path) if isinstance(given, str) else None
    name = part.name if part else stated["name"]
    climate_key = part.attributes["climate_key"] if part else stated["climate"]
    part_or_error(inputs.catalog, "climate", climate_key, f"{path}.climate")

    def number(field: str, terms_value: float | None = None) -> Array:
        if terms_value is not None:
            return inputs.scenario(f"{path}.{field}", terms_value, f"economics.{field}")
        if field in stated:
            return inputs.scenario(f"{path}.{field}", stated[field])
        if part is not None:
            return inputs.fact(f"{path}.{field}", part)
        return inputs.unknown(f"{path}.{field}", f"{name}, {words_of(field)}")

    elevation = number("elevation_m")
    water = economics.water_price_usd_per_m3 or stated.get("water_price_usd_per_m3")
    return Site(
        key=given if isinstance(given, str) else "inline",
        name=name,
        elevation_m=elevation,
        electricity_price_usd_per_kwh=number(
            "electricity_price_usd_per_kwh", economics.electricity_price_usd_per_kwh
        ),
        carbon_intensity_kg_per_kwh=number("carbon_intensity_kg_per_kwh"),
        water_price_usd_per_m3=inputs.assumption(
            f"{path}.water_price_usd_per_m3",
            "scenario.water_price_usd_per_m3",
            given=water,
            scenario_field="economics.water_price_usd_per_m3",
        ),
        climate=climate(inputs, climate_key, warming_k, first_of(elevation)),
    )


def _storage(inputs: Inputs, given: str | InlineStorage | None) -> Storage:
    path = "operations.storage"
    stated = given.model_dump(exclude_none=True) if isinstance(given, InlineStorage) else {}
    part = part_or_error(inputs.catalog, "storage", given, path) if isinstance(given, str) else None
    numbers = {}
    for name in ("read_bandwidth_bytes_per_s", "write_bandwidth_bytes_per_s"):
        if part is not None:
            numbers[name] = inputs.fact(f"{path}.{name}", part)
        elif name in stated:
            numbers[name] = inputs.scenario(f"{path}.{name}", stated[name])
        else:
            numbers[name] = inputs.unknown(f"{path}.{name}", f"storage, {words_of(name)}: not stated")
    price = inputs.assumption(
        f"{path}.price_usd_per_tb", "scenario.storage_price_usd_per_tb", given=stated.get("price_usd_per_tb")
    )
    capacity, priced = stated.get("capacity_bytes"), "price_usd_per_tb" in stated
    return Storage(
        price_usd_per_tb=price,
        capacity_bytes=None if capacity is None else inputs.scenario(f"{path}.capacity_bytes", capacity),
        is_rated=None
        if part is None
        else inputs.derived(
            f"{path}.is_rated", 1.0, f"{part.name}: rated", "the catalog states rated bandwidths"
        ),
        price_is_stated=inputs.derived(
            f"{path}.price_is_stated",
            float(priced),
            "whether the price of a TB has the servers in it",
            f"{path}.price_usd_per_tb: {'stated' if priced else 'left out'}",
        ),
        **numbers,
    )

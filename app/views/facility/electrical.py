"""The electrical chain of an evaluated scenario: sized, with every kind of block lost in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from app.engine.facility.assumptions import FacilityAssumptions
from app.engine.facility.availability import BLOCKS, TIERS
from app.engine.facility.electrical import supply
from app.engine.facility.electrical.assumptions import ElectricalAssumptions
from app.engine.facility.electrical.chain import stage_loads
from app.engine.facility.electrical.kinds import Chain
from app.engine.facility.electrical.loads import ChainLoads, chain_loads
from app.engine.facility.electrical.lost_block import LostBlock, allowed_it_power_w, lose_each
from app.engine.facility.electrical.problems import unit_size_problem
from app.engine.facility.electrical.redundancy import SchemeLoads, scheme_loads
from app.engine.facility.electrical.sizing import Sizing, line_power_w, site_derating, size_chain
from app.engine.facility.results import Power
from app.engine.problems import Problem
from app.engine.trace import Array, first_of
from app.likeness import nearest_names
from app.scenarios.errors import refuse, shorten
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.fields import Part


class ElectricalOptions(Part):
    """On what the chain is sized, by which standard, and which block is looked at more closely."""

    sized_on: Literal["rating", "peak"] = Field(
        default="rating",
        description="IT power that the chain is sized for: every node at its rating, or the coincident peak of the job.",
    )
    standard: Literal["nec", "iec"] = Field(
        default="nec", description="Breakers, and how much of them is carried continuously: NEC or IEC."
    )
    lost: Annotated[str, Field(max_length=30)] = Field(
        default="",
        description="Kind of block whose loss is drawn, such as ups or rack_feed; none when left out.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StageLoss:
    """One stage that loses energy, at the mean load of the job. `load` is of the units that share it."""

    stage: str
    load: float
    loss_w: float
    share_of_it: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Standby:
    """Backup power."""

    generator_derating: float
    hottest_dry_bulb_c: float
    load_steps: float
    load_step_w: float  # the largest that the running generators take at once
    job_swing_w: float
    fuel_l: float
    battery_energy_j: float
    battery_time_s: float  # at the load that it is sized for, at the end of life


@dataclass(frozen=True, slots=True, kw_only=True)
class OutageOfBlock:
    """Hours of a year that a block takes from a rack, and how often it is installed over what is needed."""

    block: str
    hours: float
    installed_share: float | None  # None: unknown, or maintenance, which is no block


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Availability of power and cooling at a rack, with the class of topology that the scheme corresponds to."""

    availability: float
    nines: float
    outage_hours: float
    topology_tier: str
    tier_reason: str
    blocks: tuple[OutageOfBlock, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ElectricalAnswer:
    """The chain with its sizes. `loads` are those it is sized for; `lost` is at every node's rating."""

    options: ElectricalOptions
    chain: Chain
    loads: ChainLoads
    sizing: Sizing
    lost: LostBlock
    schemes: tuple[SchemeLoads, ...]
    losses: tuple[StageLoss, ...]
    standby: Standby
    availability: Availability
    racks: float
    allowed_it_w: float
    narrowest: str  # the kind of block that allows it
    problems: tuple[Problem, ...]


def electrical_answer(evaluated: EvaluatedScenario, options: ElectricalOptions) -> ElectricalAnswer:
    """The electrical chain of a scenario.

    Raises
    ------
    ScenarioError : the chain has no block of the kind that is to be lost; the nearest are in the message
    """
    with np.errstate(divide="ignore", invalid="ignore"):  # a size of zero is told as a problem
        return _answer(evaluated, options)


def _answer(evaluated: EvaluatedScenario, options: ElectricalOptions) -> ElectricalAnswer:
    design, sections = evaluated.resolved.design, evaluated.evaluation.sections
    facility: FacilityAssumptions = design.assumptions.rooms["facility"]
    electrical: ElectricalAssumptions = design.assumptions.rooms["electrical"]
    power, site = sections.power, design.facility.site
    chain = Chain(
        redundancy=design.facility.redundancy,
        distribution=design.facility.distribution,
        ups=design.facility.ups,
        standard=options.standard,
        rectifier_input=design.facility.rectifier_input,
    )
    if options.lost and options.lost not in chain.kinds:
        raise refuse(
            f"{shorten(options.lost)} is not a block of this chain.",
            rule="unknown_block",
            path="lost",
            value=options.lost,
            hint=f"Nearest: {nearest_names(options.lost, chain.kinds)}.",
        )

    def loads_at(it_w: Array) -> ChainLoads:
        return chain_loads(
            it_w=it_w,
            power=power,
            cooling=sections.cooling,
            redundancy=chain.redundancy,
            assumptions=facility,
        )

    sized_for = loads_at(power.it_power_peak_w if options.sized_on == "peak" else power.it_power_design_w)
    at_rating = loads_at(power.it_power_design_w)
    dry_bulb_c = np.atleast_1d(np.max(site.climate.dry_bulb_c))
    derating = site_derating(
        elevation_m=site.elevation_m, hottest_dry_bulb_c=dry_bulb_c, electrical=electrical
    )
    sizing = size_chain(
        chain=chain,
        loads=sized_for,
        racks=power.racks,
        derating=derating,
        facility=facility,
        electrical=electrical,
    )
    carried_w = np.concatenate([at_rating.carried_w[kind] for kind in chain.kinds])
    batteries_w = _on_batteries_w(chain, sized_for)
    lost = lose_each(
        chain=chain,
        sizing=sizing,
        carried_w=carried_w,
        it_w=at_rating.it_w,
        battery_time_s=electrical.battery_time_s * batteries_w / _on_batteries_w(chain, at_rating),
        hold_up_s=electrical.power_supply_hold_up_s,
    )
    limits_w = sizing.suffice * sizing.capacity_w
    allowed_w = allowed_it_power_w(it_power_w=at_rating.it_w, limits_w=limits_w, loads_w=carried_w)
    generator = sizing.kinds.index("generator")
    return ElectricalAnswer(
        options=options,
        chain=chain,
        loads=sized_for,
        sizing=sizing,
        lost=lost,
        schemes=_schemes(sizing),
        losses=_losses(evaluated, facility),
        standby=Standby(
            generator_derating=first_of(derating["generator"]),
            hottest_dry_bulb_c=first_of(dry_bulb_c),
            job_swing_w=first_of(power.it_power_swing_w),
            fuel_l=first_of(
                supply.fuel_l(
                    site_power_w=sized_for.site_w,
                    fuel_hours=electrical.fuel_hours,
                    fuel_l_per_kwh=electrical.fuel_l_per_kwh,
                )
            ),
            battery_energy_j=first_of(
                supply.battery_energy_j(
                    power_w=batteries_w,
                    battery_time_s=electrical.battery_time_s,
                    battery_depth_of_discharge=electrical.battery_depth_of_discharge,
                    battery_efficiency=electrical.battery_efficiency,
                    battery_end_of_life_share=electrical.battery_end_of_life_share,
                )
            ),
            battery_time_s=first_of(electrical.battery_time_s),
            **_steps(sizing, sized_for, generator, electrical),
        ),
        availability=_availability(power, design.facility.redundancy),
        racks=first_of(power.racks),
        allowed_it_w=first_of(allowed_w),
        narrowest=_narrowest(sizing.kinds, limits_w / carried_w),
        problems=electrical_problems(evaluated, chain, sized_for, facility, electrical),
    )


INSTALLED_AS = {"mv_transformer": "feeds"}
"""Blocks that are counted with another one in what is installed."""


def _availability(power: Power, redundancy: str) -> Availability:
    tier, reason = TIERS[redundancy]
    titles = {"maintenance": "maintenance that racks cannot run through"} | BLOCKS
    shares = power.installed_shares
    return Availability(
        availability=first_of(power.facility_availability),
        nines=first_of(power.facility_nines),
        outage_hours=first_of(power.yearly_outage_hours),
        topology_tier=tier,
        tier_reason=reason,
        blocks=tuple(
            OutageOfBlock(
                block=titles[block][:1].upper() + titles[block][1:],
                hours=first_of(hours),
                installed_share=_share(shares, INSTALLED_AS.get(block, block)),
            )
            for block, hours in power.outage_breakdown_hours.items()
        ),
    )


def _share(shares: dict[str, Array], block: str) -> float | None:
    share = first_of(shares[block]) if block in shares else np.nan
    return None if np.isnan(share) else share


def _on_batteries_w(chain: Chain, loads: ChainLoads) -> Array:
    """What batteries carry, wherever they are: the racks, and the pumps that cool them."""
    racks_w = loads.it_w if chain.ups == "rack_batteries" else loads.carried_w["ups"]
    return racks_w + loads.carried_w["pump_ups"]


def _steps(
    sizing: Sizing, loads: ChainLoads, generator: int, electrical: ElectricalAssumptions
) -> dict[str, float]:
    running_w = np.atleast_1d(sizing.sharing[generator] * sizing.capacity_w[generator])
    share = electrical.generator_block_load_share
    steps = supply.load_steps(
        site_power_w=loads.site_w, running_power_w=running_w, generator_block_load_share=share
    )
    return {"load_steps": first_of(steps), "load_step_w": first_of(running_w * share)}


def _schemes(sizing: Sizing) -> tuple[SchemeLoads, ...]:
    """Every scheme for as many units as the switchboards of this chain need."""
    needed = sizing.needed[sizing.kinds.index("switchboard")]
    return scheme_loads(int(needed)) if np.isfinite(needed) else ()


def _losses(evaluated: EvaluatedScenario, assumptions: FacilityAssumptions) -> tuple[StageLoss, ...]:
    design, power = evaluated.resolved.design, evaluated.evaluation.sections.power
    loads = stage_loads(
        it_power_w=power.it_power_mean_w,
        it_power_design_w=power.it_power_design_w,
        losses_w=power.losses_breakdown_w,
        redundancy=design.facility.redundancy,
        assumptions=assumptions,
    )
    mean_w = first_of(power.it_power_mean_w)
    return tuple(
        StageLoss(
            stage=stage, load=first_of(load), loss_w=(lost_w := first_of(power.losses_breakdown_w[stage])),
            share_of_it=lost_w / mean_w,
        )
        for stage, load in loads.items()
    )  # fmt: skip


def _narrowest(kinds: tuple[str, ...], shares: Array) -> str:
    return "" if np.isnan(shares).all() else kinds[int(np.nanargmin(shares))]


OWN_UNITS = {
    "utility_feed": "utility_feed_unit_w",
    "generator": "generator_unit_w",
    "busway": "busway_current_a",
    "rack_feed": "feeder_current_{standard}_a",
    "shelf": "shelf_unit_w",
}


def electrical_problems(
    evaluated: EvaluatedScenario,
    chain: Chain,
    loads: ChainLoads,
    facility: FacilityAssumptions,
    electrical: ElectricalAssumptions,
) -> tuple[Problem, ...]:
    """Redundancy and unit-size problems of the electrical chain."""
    found = [problem for problem in evaluated.problems if problem.constraint == "unit size"]
    for kind, field in OWN_UNITS.items():
        name = field.format(standard=chain.standard)
        current = name.endswith("_a")
        load_w = first_of(loads.carried_w[kind])
        if np.isnan(load_w):
            continue
        problem = unit_size_problem(
            field=f"assumptions.electrical.{name}",
            name=chain.title(kind).lower(),
            value=first_of(getattr(electrical, name)),
            load_w=load_w,
            most=first_of(facility.electrical_most_units),
            watts_each=first_of(line_power_w(np.ones(1), chain, electrical)) if current else 1.0,
            unit="A" if current else "W",
        )
        if problem:
            found.append(problem)
    return tuple(found)

"""A design of several kinds of SuperNode -> the same with one, their mean, for all that adds up over SuperNodes.

Speed and memory do not add up: the performance room is given the kinds themselves.

What binds in a mixed pod: the least that any kind has, or the most that any kind takes.

Nothing is known of a bound that is unknown of one kind.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from app.engine.economics import capital
from app.engine.fabric.floor.limits import packed_servers, racks_filled, racks_of_all_kinds
from app.engine.mixed import means
from app.engine.quantities import quantity
from app.engine.specs import (
    Accelerator,
    Assumptions,
    Design,
    Economics,
    Kind,
    ScaleUpPlan,
    ServingWorkload,
    SuperNode,
)
from app.engine.trace import Array, plain

Values = tuple[Array, ...]


def all_kinds(design: Design) -> tuple[Kind, ...]:
    """Every kind of SuperNode of a mixed pod, the first included; none where there is only one kind."""
    if not design.kinds:
        return ()
    rooms, economics = design.assumptions.rooms, design.economics
    first = Kind(
        supernode=design.supernode,
        supernodes=means.first_kind_supernodes(
            supernodes=design.pod.supernodes,
            further_supernodes=tuple(kind.supernodes for kind in design.kinds),
        ),
        performance=rooms["performance"],
        accelerator_embodied_kg=rooms["economics"].accelerator_embodied_kg,
        coolant_supply_limit_c=rooms["facility"].coolant_supply_limit_c,
        rental_on_demand_usd_per_accelerator_hour=economics.rental_on_demand_usd_per_accelerator_hour,
        rental_reserved_usd_per_accelerator_hour=economics.rental_reserved_usd_per_accelerator_hour,
        contract_usd_per_accelerator_hour=economics.renting.contract_usd_per_accelerator_hour,
        spot_usd_per_accelerator_hour=economics.renting.spot_usd_per_accelerator_hour,
        capacity_block_usd_per_accelerator_hour=economics.renting.capacity_block_usd_per_accelerator_hour,
        serving=rooms.get("serving"),
        parts=design.workload.parts if isinstance(design.workload, ServingWorkload) else None,
    )
    return (first, *design.kinds)


def blended(design: Design, kinds: tuple[Kind, ...]) -> Design:
    """The design with the mean SuperNode of all kinds; the design itself where there is one kind."""
    if not kinds:
        return design
    rooms = design.assumptions.rooms
    counts = tuple(kind.supernodes for kind in kinds)
    economics = replace(
        rooms["economics"],
        accelerator_embodied_kg=means.mean_accelerator_embodied_kg(
            counts=counts, embodied_kg=tuple(kind.accelerator_embodied_kg for kind in kinds)
        ),
    )
    facility = replace(
        rooms["facility"],
        coolant_supply_limit_c=lowest_coolant_limit_c(
            limits_c=tuple(kind.coolant_supply_limit_c for kind in kinds)
        ),
    )
    return replace(
        design,
        supernode=_supernode(kinds, counts, rooms["economics"].server_price_ratio, design.economics),
        pod=replace(design.pod, racks=_racks(design, kinds)),
        economics=_rented(design.economics, kinds, counts),
        assumptions=Assumptions(rooms={**rooms, "economics": economics, "facility": facility}),
    )


def _racks(design: Design, kinds: tuple[Kind, ...]) -> Array:
    """Racks of all SuperNodes without spares: no kind shares a rack with another."""
    racks: Array = racks_of_all_kinds(
        by_kind=tuple(
            racks_filled(
                supernodes=kind.supernodes,
                nodes=kind.supernode.nodes,
                servers_per_rack=packed_servers(kind.supernode, design.pod.floor),
            )
            for kind in kinds
        )
    )
    return racks


def _rented(economics: Economics, kinds: tuple[Kind, ...], counts: Values) -> Economics:
    def mean(rent: Callable[[Kind], Array]) -> Array:
        return means.mean_rental_usd_per_accelerator_hour(
            counts=counts, rentals_usd_per_hour=tuple(rent(kind) for kind in kinds)
        )

    return replace(
        economics,
        rental_on_demand_usd_per_accelerator_hour=mean(
            lambda kind: kind.rental_on_demand_usd_per_accelerator_hour
        ),
        rental_reserved_usd_per_accelerator_hour=mean(
            lambda kind: kind.rental_reserved_usd_per_accelerator_hour
        ),
        renting=replace(
            economics.renting,
            contract_usd_per_accelerator_hour=mean(lambda kind: kind.contract_usd_per_accelerator_hour),
            spot_usd_per_accelerator_hour=mean(lambda kind: kind.spot_usd_per_accelerator_hour),
            capacity_block_usd_per_accelerator_hour=mean(
                lambda kind: kind.capacity_block_usd_per_accelerator_hour
            ),
        ),
    )


def kind_prices_usd(kinds: tuple[Kind, ...], server_price_ratio: Array, economics: Economics) -> Values:
    """Price of a SuperNode of each kind."""
    return tuple(
        capital.with_pool_usd(
            capital.supernode_price_usd(
                price_usd=supernode.price_usd,
                accelerators_per_supernode=supernode.accelerators,
                accelerator_price_usd=supernode.accelerator.price_usd,
                server_price_ratio=server_price_ratio,
                price_is_listed=supernode.price_is_listed,
                channel_price_ratio=supernode.channel_price_ratio,
                price_discount=economics.price_discount,
            ),
            supernode,
        )
        for supernode in (kind.supernode for kind in kinds)
    )


def _shared_scale_up(supernodes: tuple[SuperNode, ...]) -> ScaleUpPlan | None:
    """How the domains of all kinds are joined; None where they are not joined alike."""
    plans = [supernode.scale_up for supernode in supernodes]
    keys = {plan.key if plan else "" for plan in plans}
    return plans[0] if len(keys) == 1 else None


def _supernode(
    kinds: tuple[Kind, ...], counts: Values, server_price_ratio: Array, economics: Economics
) -> SuperNode:
    supernodes = tuple(kind.supernode for kind in kinds)

    def of(fact: Callable[[SuperNode], Array]) -> Values:
        return tuple(fact(supernode) for supernode in supernodes)

    prices = kind_prices_usd(kinds, server_price_ratio, economics)
    # What is the same in every kind (accelerators, domain, hosts, NICs, cooling) is that of the first.
    return replace(
        supernodes[0],
        key="mixed",
        scale_up=_shared_scale_up(supernodes),
        name=" and ".join(f"{_count(kind.supernodes):,.0f} {kind.supernode.name}" for kind in kinds),
        accelerator=_accelerator(tuple(supernode.accelerator for supernode in supernodes), counts),
        scale_up_latency_s=longest_latency_s(latencies_s=of(lambda one: one.scale_up_latency_s)),
        host_memory_bytes=least_host_memory_bytes(memories_bytes=of(lambda one: one.host_memory_bytes)),
        scale_out_nic_bandwidth_bytes_per_s=slowest_link_bytes_per_s(
            bandwidths_bytes_per_s=of(lambda one: one.scale_out_nic_bandwidth_bytes_per_s)
        ),
        max_power_w=means.mean_max_power_w(counts=counts, max_powers_w=of(lambda one: one.max_power_w)),
        typical_power_w=means.mean_typical_power_w(
            counts=counts, typical_powers_w=of(lambda one: one.typical_power_w)
        ),
        racks=means.mean_racks(counts=counts, racks=of(lambda one: one.racks)),
        rack_units=means.mean_rack_units(counts=counts, rack_units=of(lambda one: one.rack_units)),
        price_usd=means.mean_supernode_price_usd(counts=counts, prices_usd=prices),
        price_is_listed=np.zeros(1),  # the discount is taken off the price of each kind
        pool=None if supernodes[0].pool is None else replace(supernodes[0].pool, price_usd=None),
    )


def _accelerator(accelerators: tuple[Accelerator, ...], counts: Values) -> Accelerator:
    def of(fact: Callable[[Accelerator], Array]) -> Values:
        return tuple(fact(accelerator) for accelerator in accelerators)

    def joined(words: Callable[[Accelerator], str]) -> str:
        return " and ".join(dict.fromkeys(words(accelerator) for accelerator in accelerators))

    return Accelerator(
        key="mixed",
        name=joined(lambda one: one.name),
        vendor=joined(lambda one: one.vendor),
        generation=joined(lambda one: one.generation),
        peak_flop_per_s=means.mean_peak_flop_per_s(
            counts=counts, peaks_flop_per_s=of(lambda one: one.peak_flop_per_s)
        ),
        peak_16_bit_flop_per_s=means.mean_peak_flop_per_s(
            counts=counts, peaks_flop_per_s=of(lambda one: one.peak_16_bit_flop_per_s)
        ),
        achievable_16_bit_flop_per_s=least_achievable_flop_per_s(
            achievable_flop_per_s=of(lambda one: one.achievable_16_bit_flop_per_s)
        ),
        memory_bytes=least_memory_bytes(memories_bytes=of(lambda one: one.memory_bytes)),
        memory_bandwidth_bytes_per_s=means.mean_memory_bandwidth_bytes_per_s(
            counts=counts, bandwidths_bytes_per_s=of(lambda one: one.memory_bandwidth_bytes_per_s)
        ),
        scale_up_bandwidth_bytes_per_s=slowest_link_bytes_per_s(
            bandwidths_bytes_per_s=of(lambda one: one.scale_up_bandwidth_bytes_per_s)
        ),
        scale_up_pair_bandwidth_bytes_per_s=slowest_link_bytes_per_s(
            bandwidths_bytes_per_s=of(lambda one: one.scale_up_pair_bandwidth_bytes_per_s)
        ),
        tdp_w=means.mean_tdp_w(counts=counts, tdps_w=of(lambda one: one.tdp_w)),
        idle_w=means.mean_idle_w(counts=counts, idles_w=of(lambda one: one.idle_w)),
        price_usd=means.mean_accelerator_price_usd(counts=counts, prices_usd=of(lambda one: one.price_usd)),
        power_cap=accelerators[0].power_cap,  # one cap for all
    )


def _count(supernodes: Array) -> float:
    return float(plain(supernodes).ravel()[0])


@quantity(unit="B", source="definition")
def least_memory_bytes(*, memories_bytes: tuple[Array, ...]) -> Array:
    """Least accelerator memory of all kinds in a mixed pod."""
    return functools.reduce(np.minimum, memories_bytes)


@quantity(unit="B", source="definition")
def least_host_memory_bytes(*, memories_bytes: tuple[Array, ...]) -> Array:
    """Least host memory of all kinds in a mixed pod."""
    return functools.reduce(np.minimum, memories_bytes)


@quantity(unit="B/s", source="definition")
def slowest_link_bytes_per_s(*, bandwidths_bytes_per_s: tuple[Array, ...]) -> Array:
    """Slowest link of its sort in a mixed pod: a group goes at the speed of its slowest rank."""
    return functools.reduce(np.minimum, bandwidths_bytes_per_s)


@quantity(unit="FLOP/s", source="definition")
def least_achievable_flop_per_s(*, achievable_flop_per_s: tuple[Array, ...]) -> Array:
    """Least of the measured matmul rates in a mixed pod."""
    return functools.reduce(np.minimum, achievable_flop_per_s)


@quantity(unit="s", source="definition")
def longest_latency_s(*, latencies_s: tuple[Array, ...]) -> Array:
    """Longest scale-up latency of all kinds in a mixed pod."""
    return functools.reduce(np.maximum, latencies_s)


@quantity(unit="degC", source="definition")
def lowest_coolant_limit_c(*, limits_c: tuple[Array, ...]) -> Array:
    """Coolant limit of a mixed pod: that of the kind that takes the coldest."""
    return functools.reduce(np.minimum, limits_c)

"""The constants of the collective model that were fitted to measured collectives, and the fit."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from app.catalog.assumptions import AssumptionRow
from app.catalog.lookup import Catalog
from app.engine.fabric.collectives import times as collectives
from app.engine.fabric.collectives.expert_traffic import (
    combine_memory_time_s_per_byte,
    expert_paths,
    expert_time_s,
    token_handling_time_s,
)
from app.engine.fabric.collectives.network import Group, Network, shared_link_bandwidth_bytes_per_s
from app.engine.trace import Traced
from app.validation.collectives.case import Case, Place
from app.validation.study import Constant, Mask, Numbers, softened

# The constants of the collective model that were fitted to measured collectives.
#
# The prior is what physics, data sheets or library sources say without the measurements; the spread is how far
# from it the fit may go at the cost of one standard deviation, in logarithms. A row that narrows another
# (Hopper narrows all) is fitted as a ratio to it, so that without measurements of its own it stays there.

ASSUMPTIONS = (
    "scale_up_efficiency",
    "link_sharers",
    "host_staging_bytes_per_s",
    "in_switch_efficiency",
    "in_switch_reduction_ranks",
    "collective_launch_s",
    "scale_up_hop_s",
    "own_part",
    "scale_out_efficiency",
    "scale_out_hop_s",
    "domain_nics",
    "level_overlap",
    "expert_launch_s",
    "expert_handling_bytes_per_s",
    "memory_bandwidth_fraction",
    "collective_full_pipeline_s",
    "separate_processes_s",
)
"""All that the model is computed with, fitted or stated."""

MEASUREMENT = ("separate_processes_s",)


def room_of(assumption: str) -> str:
    """Where an assumption is kept: with the engine's, or with those on how measurements were taken."""
    return "validation" if assumption in MEASUREMENT else "performance"


AMPERE, HOPPER, BLACKWELL = (f"link=nvlink;generation={name}" for name in ("ampere", "hopper", "blackwell"))

FITTED = (
    Constant("scale_up_efficiency", "", 0.88, 0.05),  # copies on H200 (nvbandwidth): 396 of 450 GB/s
    # Half of a PCIe Gen4 x16 link: every byte goes to the host and back.
    Constant("host_staging_bytes_per_s", "link=pcie;generation=ada", 16e9, 0.5),
    # NCCL tuning table: 0.85 and 0.74, less the rank's own part of the sum, 1/8 with 8 ranks.
    Constant("in_switch_efficiency", HOPPER, 0.75, 0.08),
    Constant("in_switch_efficiency", BLACKWELL, 0.66, 0.08),
    Constant("collective_launch_s", "", 6e-6, 0.4),  # NCCL tuning table: 6.6 us
    Constant("collective_launch_s", "link=pcie", 1.0, 0.3, ""),
    Constant("collective_launch_s", AMPERE, 1.0, 0.3, ""),
    Constant("collective_launch_s", HOPPER, 1.0, 0.3, ""),
    Constant("collective_launch_s", BLACKWELL, 1.0, 0.3, ""),
    Constant("scale_up_hop_s", "", 1e-6, 0.4),  # NCCL tuning table: 0.6 us (LL) to 1.9 us (LL128)
    Constant("scale_up_hop_s", HOPPER, 1.0, 0.3, ""),
    Constant("scale_up_hop_s", BLACKWELL, 1.0, 0.3, ""),
    Constant("collective_full_pipeline_s", "", 1e-3, 0.5),  # 4 MiB x 32 channels at 100 GB/s and more
    Constant("own_part", "", 0.5, 0.3),
    Constant("scale_out_efficiency", "", 0.95, 0.03),  # Ethernet and InfiniBand headers: 3 to 5 %
    Constant("scale_out_hop_s", "", 4e-6, 0.15),  # NCCL tuning table: 2.7 (LL) to 14 us (Simple)
    Constant("scale_out_hop_s", "network=efa", 12e-6, 0.3),
    Constant("scale_out_hop_s", "network=efa;nic=efa_v1", 1.5, 0.4, "network=efa"),
    Constant("domain_nics", "link=nvlink", 9.0, 0.2),  # as many channels as an 8-GPU server has NICs
    Constant("expert_launch_s", "", 10e-6, 0.2),
    Constant("expert_handling_bytes_per_s", "", 7e11, 0.25),
    Constant("separate_processes_s", "", 15e-6, 0.3),
)


def row_of(catalog: Catalog, constant: Constant) -> AssumptionRow:
    """The catalog row that holds a constant."""
    return catalog.assumption(room_of(constant.assumption), constant.assumption, constant.conditions)


def shipped_values(catalog: Catalog) -> dict[str, float]:
    """The values in the catalog of the constants that were fitted, by name."""
    return {constant.name: row_of(catalog, constant).value for constant in FITTED}


# All measured collectives in one pass of the collective model for each kind.


FUNCTIONS = {
    "all_reduce": collectives.all_reduce_time_s,
    "all_gather": collectives.all_gather_time_s,
    "reduce_scatter": collectives.reduce_scatter_time_s,
    "all_to_all": collectives.all_to_all_time_s,
    "broadcast": collectives.broadcast_time_s,
}
PLACE = tuple(field.name for field in fields(Place) if field.name != "context")
EXPERT = ("tokens", "hidden", "copy_bytes", "experts_per_token", "scale_up_copies", "scale_out_copies")


class Batch:
    """Collectives that are predicted together, with own assumptions where they are given."""

    def __init__(self, cases: Sequence[Case], catalog: Catalog) -> None:
        self.cases = tuple(cases)
        self.measured_s = np.array([case.measured_s for case in cases])
        self.values = {
            name: np.array(
                [catalog.assumption(room_of(name), name, case.place.context).value for case in cases]
            )
            for name in ASSUMPTIONS
        }
        self._place = {name: np.array([getattr(case.place, name) for case in cases]) for name in PLACE}
        self._message_bytes = np.array([case.message_bytes for case in cases])
        self._processes = np.array([float(case.separate_processes) for case in cases])
        self._ring_only = np.array([case.ring_only for case in cases])
        self._expert = {
            name: np.array([getattr(case.experts, name) if case.experts else np.nan for case in cases])
            for name in EXPERT
        }
        kinds = np.array([case.collective for case in cases])
        self._members = {kind: np.flatnonzero(kinds == kind) for kind in sorted(set(kinds.tolist()))}

    def time_s(self, overrides: Mapping[str, Numbers] | None = None) -> Numbers:
        """Time of every collective; `overrides` holds the value of an assumption for each."""
        values = self.values | dict(overrides or {})
        predicted = np.full(len(self.cases), np.nan)
        with np.errstate(all="ignore"):
            for kind, members in self._members.items():
                predicted[members] = self._kind_time_s(kind, members, values)
        return predicted

    def traced_time_s(self, wrap: Callable[[str, Numbers], Traced]) -> Traced:
        """Time of the one collective of a batch, its inputs wrapped: the same computation, able to explain itself."""
        (kind,) = self._members
        one: Any = copy.copy(self)
        one._place = _wrapped(self._place, wrap)
        one._expert = _wrapped(self._expert, wrap)
        one._message_bytes = wrap("message_bytes", self._message_bytes)
        one._processes = wrap("separate_processes", self._processes)
        with np.errstate(all="ignore"):
            time = one._kind_time_s(kind, self._members[kind], _wrapped(self.values, wrap))
        assert isinstance(time, Traced)  # as of any computation with a traced input
        return time

    def _kind_time_s(self, kind: str, members: NDArray[np.intp], values: Mapping[str, Numbers]) -> Numbers:
        at = {name: _taken(value, members) for name, value in {**values, **self._place}.items()}
        group = Group(domain_ranks=at["domain_ranks"], domains=at["domains"])
        network = self._network(kind, members, at)
        if kind.startswith("moe"):
            return self._expert_time_s(kind, members, at, group=group, network=network)
        size = _taken(self._message_bytes, members)
        if kind == "send_receive":
            apart = at["domains"] > 1
            return collectives.send_receive_time_s(
                message_bytes=size,
                bandwidth_bytes_per_s=np.where(
                    apart, network.scale_out_bandwidth_bytes_per_s, network.scale_up_bandwidth_bytes_per_s
                ),
                launch_s=network.launch_s,
                hop_s=np.where(apart, network.scale_out_hop_s, network.scale_up_hop_s),
                full_pipeline_s=network.full_pipeline_s,
            )
        best = FUNCTIONS[kind](message_bytes=size, group=group, network=network)
        if kind != "all_reduce":
            return best
        ring = collectives.time_s(size, collectives.ring_pace(collectives.TWICE, group, network))
        return np.where(self._ring_only[members], ring, best)

    def _expert_time_s(
        self,
        kind: str,
        members: NDArray[np.intp],
        at: Mapping[str, Numbers],
        *,
        group: Group,
        network: Network,
    ) -> Numbers:
        traffic = {name: _taken(value, members) for name, value in self._expert.items()}
        memory = np.zeros(1)
        if kind == "moe_combine":
            memory = combine_memory_time_s_per_byte(
                experts_per_token=traffic["experts_per_token"],
                memory_bandwidth_bytes_per_s=at["memory_bandwidth_bytes_per_s"]
                * at["memory_bandwidth_fraction"],
            )
        return expert_time_s(
            expert_paths(
                tokens=traffic["tokens"],
                scale_up_copies=traffic["scale_up_copies"],
                scale_out_copies=traffic["scale_out_copies"],
                group=group,
                network=network,
            ),
            copy_bytes=traffic["copy_bytes"],
            memory_time_s_per_byte=memory,
            launch_s=at["expert_launch_s"],
            token_s=token_handling_time_s(
                hidden=traffic["hidden"], handling_bytes_per_s=at["expert_handling_bytes_per_s"]
            ),
        )

    def _network(self, kind: str, members: NDArray[np.intp], at: Mapping[str, Numbers]) -> Network:
        crossing = kind in ("all_to_all", "moe_dispatch", "moe_combine")
        link = at[f"{'all_to_all' if crossing else 'scale_up'}_bandwidth_bytes_per_s"]
        return Network(
            scale_up_bandwidth_bytes_per_s=shared_link_bandwidth_bytes_per_s(
                ranks=at["domain_ranks"],
                link_bandwidth_bytes_per_s=link * at["scale_up_efficiency"],
                link_sharers=at["link_sharers"],
                host_staging_bytes_per_s=at["host_staging_bytes_per_s"],
            ),
            scale_out_bandwidth_bytes_per_s=at["scale_out_bandwidth_bytes_per_s"]
            * at["scale_out_efficiency"],
            in_switch_efficiency=at["switched"] * at["in_switch_efficiency"],
            in_switch_ranks=at["in_switch_reduction_ranks"],
            launch_s=at["collective_launch_s"]
            + _taken(self._processes, members) * at["separate_processes_s"],
            dimensions=at["dimensions"],
            scale_up_hop_s=at["scale_up_hop_s"],
            scale_out_hop_s=at["scale_out_hop_s"],
            full_pipeline_s=at["collective_full_pipeline_s"],
            own_part=at["own_part"],
            domain_nics=at["domain_nics"],
            level_overlap=at["level_overlap"],
        )


def _wrapped(inputs: Mapping[str, Numbers], wrap: Callable[[str, Numbers], Traced]) -> dict[str, Any]:
    return {name: wrap(name, values) for name, values in inputs.items()}


def _taken(values: Any, members: NDArray[np.intp]) -> Any:
    """The values of some members; traced values are those of the one collective there is."""
    return values if isinstance(values, Traced) else values[members]


# Fitting the constants to measured collectives, and refitting them without some.
#
# Least squares on the logarithm of predicted over measured time, each system counting the same, large errors
# counting by their size (soft L1), priors being believed in weakly. The values that the catalog ships are the
# result on the whole file, rounded.


SOFT = 0.15
"""Error, in logarithms, from which a row counts by its size and no longer by its square."""
STEP = np.full(len(FITTED), 1e-4)
PASSES = 40
ENOUGH = 1e-4
"""Relative gain of a pass at which the search ends."""


class Fit:
    """The fit over one batch. Values are held as logarithms over the priors."""

    def __init__(self, batch: Batch, catalog: Catalog) -> None:
        self._batch = batch
        self._spread = np.array([constant.spread for constant in FITTED])
        self._systems = np.array([case.system for case in batch.cases])
        sizes = Counter(self._systems.tolist())
        # Between all rows alike and all systems alike: a curve says more than a point, but not as often.
        weight = np.array([sizes[name] ** -0.5 for name in self._systems])
        self._weight = np.sqrt(weight / weight.mean())
        self._used = [_users(constant, batch, catalog) for constant in FITTED]

    def time_s(self, values: Numbers) -> Numbers:
        """Time of every collective with these values."""
        constants = list(self.named(values).values())
        overrides = {
            constant.assumption: self._batch.values[constant.assumption].copy() for constant in FITTED
        }
        for constant, used, value in zip(FITTED, self._used, constants, strict=True):
            overrides[constant.assumption][used] = value
        return self._batch.time_s(overrides)

    def fitted(self, without: Mask | None = None, start: Numbers | None = None) -> Numbers:
        """Values that fit the rows best; rows `without` are not looked at."""
        kept = np.ones(len(self._batch.cases), dtype=bool) if without is None else ~without
        found = scipy.optimize.least_squares(
            self._residuals,
            np.zeros(len(FITTED)) if start is None else start,
            args=(kept,),
            max_nfev=PASSES,
            diff_step=STEP,
            ftol=ENOUGH,
            xtol=ENOUGH,
        )
        return np.asarray(found.x, dtype=float)

    def left_out(self) -> Numbers:
        """Each row predicted with constants that were fitted without the rows of its system.

        The fit to all rows is only where the search begins.
        """
        predicted = np.full(len(self._batch.cases), np.nan)
        everything = self.fitted()
        for name in sorted(set(self._systems.tolist())):
            without = self._systems == name
            predicted[without] = self.time_s(self.fitted(without, everything))[without]
        return predicted

    def named(self, values: Numbers) -> dict[str, float]:
        """The constants themselves, by name; what narrows a row is a ratio to that row."""
        found: dict[str, float] = {}
        for constant, value in zip(FITTED, np.exp(values), strict=True):
            wider = 1.0 if constant.narrows is None else found[f"{constant.assumption}[{constant.narrows}]"]
            found[constant.name] = float(wider * constant.prior * value)
        return found

    def _residuals(self, values: Numbers, kept: Mask) -> Numbers:
        scaled = np.log(self.time_s(values) / self._batch.measured_s) / SOFT
        return np.concatenate([(softened(scaled) * self._weight)[kept], values / self._spread])


def _users(constant: Constant, batch: Batch, catalog: Catalog) -> Mask:
    """The collectives that a constant holds for."""
    room = room_of(constant.assumption)
    rows = (catalog.assumption(room, constant.assumption, case.place.context) for case in batch.cases)
    return np.array([dict(row.applies_to) == constant.conditions for row in rows])

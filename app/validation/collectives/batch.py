"""All measured collectives in one pass of the collective model for each kind."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from app.validation.collectives.case import Case
from app.validation.collectives.constants import ASSUMPTIONS, room_of
from app.validation.collectives.place import Place

Numbers = NDArray[np.float64]

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
    """Collectives that are predicted together, with assumptions of one's own where they are given."""

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

"""Searches of a served model on one pod or several, with what tokens cost and the power they take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.engine.economics.token_cost import usd_per_million_served_tokens, usd_per_serving_hour
from app.engine.evaluation import Sections
from app.engine.facility.electrical.supply import energy_j_per_token
from app.engine.mixed import all_kinds
from app.engine.performance.search import central
from app.engine.performance.serving.replica_memory import with_found_choices
from app.engine.performance.serving.search.found import ServingSearch, search_serving, together
from app.engine.performance.serving.search.front import undominated
from app.engine.performance.serving.search.space import ServingSpace, instances_of
from app.engine.performance.serving.search.tried import Rows, Tried, joined, layout_index
from app.engine.performance.serving.section import ServingPerformance
from app.engine.performance.serving.setting import Setting, settings_of
from app.engine.performance.serving.space import DEGREES
from app.engine.quantities import quantity
from app.engine.specs import Design, ServingWorkload
from app.engine.trace import Array, median_of

OBJECTIVES = ("throughput", "cost", "energy", "speed")


@dataclass(frozen=True, slots=True, kw_only=True)
class PodSearch:
    """A search on one pod, and what of the evaluation of that pod prices it; unknown is NaN."""

    search: ServingSearch
    accelerators: float
    usd_per_accelerator_hour: float  # used
    meter_power_per_accelerator_w: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinPower:
    """A row, and what of it a power is enough for."""

    row: Rows
    accelerators: float
    replicas: float
    tokens_per_s: float


@quantity(unit="1", source="definition", at="search.accelerators_within_power")
def accelerators_within_power(*, power_limit_w: Array, meter_power_per_accelerator_w: Array) -> Array:
    """Accelerators that a power at the meter is enough for."""
    return np.floor(power_limit_w / meter_power_per_accelerator_w)


@quantity(unit="1", source="definition", at="search.replicas_within_power")
def replicas_within_power(*, accelerators: Array, accelerators_per_replica: Array) -> Array:
    """Whole replicas on so many accelerators; 0 where not one fits."""
    return np.floor(accelerators / accelerators_per_replica)


@quantity(unit="tokens/s", source="definition", at="search.tokens_per_s_within_power")
def tokens_per_s_within_power(*, tokens_per_s: Array, replicas: Array, replicas_within_power: Array) -> Array:
    """Output tokens of the replicas that a power is enough for."""
    return tokens_per_s / replicas * replicas_within_power


def search_pod(design: Design, sections: Sections, space: ServingSpace) -> PodSearch:
    """Search the layouts of a design that serves.

    Cost and power of an accelerator are those of the evaluation of the design, at the layout and load that it has.
    """
    return PodSearch(
        search=together([search_serving(setting, space) for setting in _settings(design, sections)]),
        accelerators=median_of(design.pod.accelerators_used),
        usd_per_accelerator_hour=median_of(sections.cost.usd_per_accelerator_hour),
        meter_power_per_accelerator_w=median_of(sections.power.meter_power_per_accelerator_w),
    )


def degrees_tried(design: Design, sections: Sections, space: ServingSpace) -> dict[str, tuple[int, ...]]:
    """Values of each degree that instances of a space have, all other degrees free; by the names of a layout."""
    settings = [central(setting) for setting in _settings(design, sections) if setting.reading is None]
    layouts = [instances_of(setting, space, prefills=True) for setting in settings]
    return {
        name: tuple(
            int(value) for value in np.unique(np.concatenate([getattr(each, name) for each in layouts]))
        )
        for name in DEGREES
        if name
        not in ("redundant_experts", "context_parallel")  # follow from the others and from the prompts
    }


@dataclass(frozen=True)
class ServingChoice:
    """What several pods can do, as one table: `pod` is the place of a row's pod among `pods`."""

    pods: tuple[PodSearch, ...]
    tried: Tried
    pod: Rows

    @cached_property
    def usd_per_million_tokens(self) -> Array:
        """Cost of a million output tokens of each row, with all that it takes to read their prompts."""
        hour = usd_per_serving_hour(
            usd_per_accelerator_hour=self.of_pods("usd_per_accelerator_hour"),
            accelerators_used=self.of_pods("accelerators"),
        )
        return usd_per_million_served_tokens(usd_per_serving_hour=hour, tokens_per_s=self.tried.tokens_per_s)

    @cached_property
    def energy_j_per_token(self) -> Array:
        """Energy at the meter for each output token."""
        power_w = self.of_pods("meter_power_per_accelerator_w") * self.of_pods("accelerators")
        return energy_j_per_token(utility_mean_w=power_w, tokens_per_s=self.tried.tokens_per_s)

    def of_pods(self, name: str) -> Array:
        """A figure of the pod of each row."""
        return np.array([getattr(pod, name) for pod in self.pods])[self.pod]

    @cached_property
    def keeps(self) -> NDArray[np.bool_]:
        """Rows that meet the SLO."""
        kept: NDArray[np.bool_] = self.tried.known & (self.tried.over_promise <= 1)
        return kept

    @cached_property
    def front(self) -> Rows:
        """The Pareto front of tokens per second for each user against for each accelerator, over all pods."""
        return undominated(self.tried.tokens_per_s_per_user, self.tried.tokens_per_s_per_accelerator)

    def front_of(self, pod: int) -> Rows:
        """The front of one of the pods."""
        rows = np.flatnonzero(self.pod == pod)
        own = undominated(
            self.tried.tokens_per_s_per_user[rows], self.tried.tokens_per_s_per_accelerator[rows]
        )
        return rows[own]

    def thinned_front_of(self, pod: int, most: int) -> Rows:
        """The front of a pod, with about even ratios of tokens for a user between its points, both ends among them."""
        front = self.front_of(pod)
        if front.size <= most:
            return front
        rising = np.log(self.tried.tokens_per_s_per_user[front[::-1]])
        wanted = np.linspace(rising[0], rising[-1], most)
        right = np.searchsorted(rising, wanted).clip(1, rising.size - 1)
        nearer_left = wanted - rising[right - 1] < rising[right] - wanted
        kept = np.unique(np.where(nearer_left, right - 1, right))
        thinned: Rows = front[::-1][kept][::-1]
        return thinned

    def best(self, objective: str, count: int) -> Rows:
        """The best rows that meet the SLO, one of each layout, best first."""
        score = self._least(objective)
        score = np.where(self.keeps & np.isfinite(score), score, np.inf)
        index = layout_index(self.tried)[0] * len(self.pods) + self.pod
        order = np.lexsort((score, index))
        first = np.ones(order.size, dtype=np.bool_)
        first[1:] = index[order][1:] != index[order][:-1]
        one_each = order[first]
        one_each = one_each[np.isfinite(score[one_each])]
        return one_each[np.argsort(score[one_each], kind="stable")][:count]

    def within_power(self, power_limit_w: float) -> WithinPower | None:
        """What answers most on the accelerators that a power is enough for, of all that meets the SLO.

        None where no whole replica does.
        """
        accelerators = accelerators_within_power(
            power_limit_w=np.full(1, power_limit_w),
            meter_power_per_accelerator_w=self.of_pods("meter_power_per_accelerator_w"),
        )
        replicas = replicas_within_power(
            accelerators=accelerators, accelerators_per_replica=self.tried.accelerators_per_replica
        )
        tokens = tokens_per_s_within_power(
            tokens_per_s=self.tried.tokens_per_s,
            replicas=self.tried.replicas,
            replicas_within_power=replicas,
        )
        able = np.flatnonzero(self.keeps & (tokens > 0))
        if not able.size:
            return None
        row = able[np.argmax(tokens[able])]
        return WithinPower(
            row=np.array([row]),
            accelerators=float(accelerators[row]),
            replicas=float(replicas[row]),
            tokens_per_s=float(tokens[row]),
        )

    @property
    def nearest(self) -> Rows:
        """The row that misses the SLO by least; none where one keeps it, or none is known."""
        known = np.flatnonzero(self.tried.known)
        if not known.size or self.keeps.any():
            return known[:0]
        return known[[np.argmin(self.tried.over_promise[known])]]

    def _least(self, objective: str) -> Array:
        """What is to be least."""
        if objective == "cost":
            return self.usd_per_million_tokens
        if objective == "energy":
            return self.energy_j_per_token
        more = {
            "throughput": self.tried.tokens_per_s_per_accelerator,
            "speed": self.tried.tokens_per_s_per_user,
        }
        return -more[objective]


def choice_of(pods: Sequence[PodSearch]) -> ServingChoice | None:
    """The rows of all pods together; None where not one layout of any holds a request."""
    tables = [(place, pod.search.tried) for place, pod in enumerate(pods)]
    some = [(place, table) for place, table in tables if table is not None]
    if not some:
        return None
    return ServingChoice(
        pods=tuple(pods),
        tried=joined([table for _, table in some]),
        pod=np.concatenate([np.full(table.size, place, dtype=np.intp) for place, table in some]),
    )


def _settings(design: Design, sections: Sections) -> tuple[Setting, ...]:
    """What a search tries: every kind of SuperNode of a mixed pod for prompts and for answers."""
    assert isinstance(design.workload, ServingWorkload)
    assert isinstance(sections.performance, ServingPerformance)
    rooms = design.assumptions.rooms
    return settings_of(
        workload=replace(with_found_choices(design.workload, sections.performance), plan=None),
        supernode=design.supernode,
        pod=design.pod,
        fabric=sections.fabric,
        assumptions=rooms["serving"],
        of_chips=rooms["performance"],
        kinds=all_kinds(design),
    )

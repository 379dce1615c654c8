"""The constants that were fitted to measured runs, the fit, and how far its predictions may be off."""

from __future__ import annotations

import dataclasses
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.engine.fabric.collectives.shared_links import SharedLinks
from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.hardware import hardware_of
from app.engine.performance.job import Job, job_of
from app.engine.performance.step_time import step_time
from app.engine.performance.strategy import Strategy, strategy_of
from app.engine.specs import SuperNode
from app.engine.uncertainty.interval import spread
from app.engine.uncertainty.likeness import Features, distance
from app.scenarios.evaluation.residuals import residuals
from app.validation.study import Constant, Mask, Numbers, softened
from app.validation.training.case import Case

# The constants that were fitted to measured runs: which they are, and what was believed of them before.
#
# Everything else in the performance assumptions is stated from data sheets, counts or published measurements.
# The prior is what one would say without the runs; the spread is how far from it the fit may go at the cost
# of one standard deviation, in logarithms.


FITTED = (
    Constant("software_efficiency", "framework=megatron", 0.97, 0.06),
    Constant("software_efficiency", "framework=deepspeed", 0.93, 0.06),
    Constant("software_efficiency", "framework=fsdp", 0.93, 0.06),
    Constant("software_efficiency", "framework=internevo", 0.93, 0.06),
    Constant("matmul_ratio", "precision=fp8", 0.86, 0.08),
    Constant("matmul_ratio", "precision=mxfp8", 0.77, 0.08),
    Constant("matmul_ratio", "precision=nvfp4", 0.65, 0.08),
    Constant("matmul_fraction", "generation=blackwell;chip=blackwell_ultra", 0.84, 0.06),
    Constant("attention_fraction", "generation=ampere;attention_kernel=flash_1", 0.37, 0.12),
    Constant("attention_fraction", "generation=hopper;attention_kernel=flash_1", 0.20, 0.12),
    Constant("attention_fraction", "generation=ampere;attention_kernel=flash_2", 0.50, 0.12),
    Constant("attention_fraction", "generation=hopper;attention_kernel=flash_2", 0.315, 0.12),
    Constant("attention_fraction", "generation=hopper;attention_kernel=vendor_2024", 0.36, 0.12),
    Constant("attention_fraction", "generation=hopper", 0.50, 0.12),
    Constant("attention_fraction", "generation=blackwell", 0.47, 0.12),
    Constant("attention_fraction", "generation=blackwell;chip=blackwell_ultra", 0.54, 0.12),
    Constant("attention_fraction", "generation=tpu", 0.43, 0.12),
    Constant("elementwise_ratio", "framework=xla", 1.50, 0.15),
    Constant("permute_passes", "framework=xla", 60.0, 0.30),
    Constant("permute_passes", "", 12.0, 0.30),
    Constant("local_expert_kernels", "", 20.0, 0.25),
    Constant("tensor_parallel_exposed", "", 0.50, 0.25),
    Constant("scale_out_efficiency", "framework=megatron_lm", 0.60, 0.20),
)


def shipped_values(catalog: Catalog) -> dict[str, float]:
    """The values in the catalog of the constants that were fitted, by name."""
    values = {}
    for constant in FITTED:
        context = {"precision": "", **constant.conditions}
        values[constant.name] = catalog.assumption("performance", constant.assumption, context).value
    return values


def chosen_condition(catalog: Catalog, assumption: str, context: Mapping[str, str]) -> dict[str, str]:
    """The conditions of the row of an assumption that holds in a context."""
    return dict(catalog.assumption("performance", assumption, context).applies_to)


# All measured runs in a few passes of the one step-time function, as fast as a search over layouts.
#
# Runs of the same structure (shape of the scale-up fabric, experts or none) are stacked: every number of
# theirs becomes an array over the runs, and each run is a layout of its own.


@dataclass(frozen=True)
class Stack:
    """Runs of one structure; `position` is where they stand among all."""

    position: NDArray[np.intp]
    job: Job
    supernode: SuperNode
    pod: Any
    fabric: Any
    strategy: Strategy
    assumptions: PerformanceAssumptions


class Batch:
    """Runs that are predicted together, with own assumptions where they are given."""

    def __init__(self, cases: Sequence[Case]) -> None:
        self.cases = tuple(cases)
        self.measured = np.array([case.measured_tokens_per_s for case in cases])
        alike: dict[tuple[Any, ...], list[int]] = defaultdict(list)
        for index, case in enumerate(cases):
            alike[_structure(case)].append(index)
        self._stacks = [_stack_of(self.cases, members) for members in alike.values()]

    def tokens_per_s(self, overrides: Mapping[str, Numbers] | None = None) -> Numbers:
        """Tokens per second and accelerator of every run; `overrides` holds an assumption's value for
        each."""
        predicted = np.full(len(self.cases), np.nan)
        with np.errstate(all="ignore"):
            for stack in self._stacks:
                chosen = {name: values[stack.position] for name, values in (overrides or {}).items()}
                predicted[stack.position] = _predicted(
                    stack, dataclasses.replace(stack.assumptions, **chosen)
                )
        return predicted


def _predicted(stack: Stack, assumptions: PerformanceAssumptions) -> Numbers:
    workload = stack.job.workload
    hardware = hardware_of(
        workload=workload,
        supernode=stack.supernode,
        pod=stack.pod,
        fabric=stack.fabric,
        assumptions=assumptions,
    )
    step = step_time(job=stack.job, hardware=hardware, strategy=stack.strategy, assumptions=assumptions)
    tokens = workload.global_batch_sequences * workload.sequence_length
    rate: Numbers = tokens / step.step_time_s / stack.pod.accelerators_used
    return rate


def _structure(case: Case) -> tuple[Any, ...]:
    """What decides which operators there are: it cannot differ within one pass."""
    model = case.design.training.architecture
    return (
        case.design.supernode.scale_up_topology,
        _links_structure(case.fabric.shared_links),
        model.attention == "mla",
        bool(model.experts[0] > 1),
        bool(model.shared_experts[0] > 0),
        bool(model.expert_layers[0] < model.layers[0]),
    )


def _links_structure(links: SharedLinks) -> tuple[Any, ...]:
    lattice = links.lattice
    return len(links.blocks), () if lattice is None else (lattice.kind, len(lattice.lengths))


def _stack_of(cases: Sequence[Case], members: list[int]) -> Stack:
    chosen = [cases[index] for index in members]
    designs = [case.design for case in chosen]
    used = np.concatenate([design.pod.accelerators_used for design in designs])
    strategy = strategy_of(layout=_stacked([design.layout for design in designs]), accelerators_used=used)
    fabric = {
        name: np.concatenate([np.broadcast_to(getattr(case.fabric, name), (1,)) for case in chosen])
        for name in ("scale_out_bandwidth_bytes_per_s",)
    }
    links = _stacked([case.fabric.shared_links for case in chosen])
    return Stack(
        position=np.array(members, dtype=np.intp),
        job=job_of(_stacked([design.training for design in designs])),
        # what the scale-up fabric is made of has no bearing on speed, and not every system says it
        supernode=_stacked([dataclasses.replace(design.supernode, scale_up=None) for design in designs]),
        pod=SimpleNamespace(accelerators_used=used, domain_accelerators_used=None),
        fabric=SimpleNamespace(**fabric, shared_links=links),
        strategy=dataclasses.replace(strategy, shape_index=np.arange(len(members), dtype=np.intp)),
        assumptions=_stacked([design.assumptions.rooms["performance"] for design in designs]),
    )


def _stacked(parts: list[Any]) -> Any:
    """Records of arrays as one record; what is no number is taken from the first."""
    first = parts[0]
    if isinstance(first, np.ndarray):
        return np.concatenate([np.broadcast_to(part, (1,)) for part in parts])
    if isinstance(first, tuple) and first and dataclasses.is_dataclass(first[0]):
        return tuple(_stacked(list(each)) for each in zip(*parts, strict=True))
    if dataclasses.is_dataclass(first) and not isinstance(first, type):
        fields = {field.name for field in dataclasses.fields(first)}
        return type(first)(**{name: _stacked([getattr(part, name) for part in parts]) for name in fields})
    return first


# Fitting the constants to measured runs, and refitting them without some of the runs.


SOFT = 0.08
"""Error, in logarithms, from which a run counts by its size and no longer by its square."""
STEP = 1e-3
FIRST_PASSES, LATER_PASSES = 20, 4


class Fit:
    """The fit over one batch. Values are held as logarithms over the priors."""

    def __init__(self, batch: Batch, catalog: Catalog) -> None:
        self._batch = batch
        self._prior = np.array([constant.prior for constant in FITTED])
        self._spread = np.array([constant.spread for constant in FITTED])
        self._used, self._plain = _places(batch, catalog)
        self._apart = _apart(self._used)
        self._without: dict[bytes, Numbers] = {}  # values by the runs that were not looked at
        families = Counter(case.row.family for case in batch.cases)
        # Each source counts the same, however many runs it published.
        share = len(batch.cases) / max(len(families), 1)
        self._weight = np.array([np.sqrt(share / families[case.row.family]) for case in batch.cases])
        shipped = shipped_values(catalog)
        self.shipped = np.log([shipped[constant.name] / constant.prior for constant in FITTED])

    def predicted(self, values: Numbers) -> Numbers:
        """Tokens per second and accelerator of every run with these values."""
        return self._batch.tokens_per_s(self._overrides(values))

    def fitted(
        self, start: Numbers | None = None, without: Mask | None = None, passes: int = FIRST_PASSES
    ) -> Numbers:
        """Values that fit the runs best, priors being believed in; runs `without` are not looked at."""
        kept = np.ones(len(self._batch.cases), dtype=bool) if without is None else ~without
        begin = np.zeros(len(FITTED)) if start is None else start
        found = scipy.optimize.least_squares(
            self._residuals, begin, jac=self._slopes, args=(kept,), max_nfev=passes
        )
        return np.asarray(found.x, dtype=float)

    def left_out(self, *labelings: Sequence[str]) -> Numbers:
        """Each run predicted with constants that were fitted without the runs that share any label with it."""
        predicted = np.full(len(self._batch.cases), np.nan)
        names = [np.array(labels) for labels in labelings]
        for group in sorted(set(zip(*labelings, strict=True))):
            same = [labels == label for labels, label in zip(names, group, strict=True)]
            without = np.logical_or.reduce(same)
            values = self._without.get(without.tobytes())
            if values is None:  # a source that used one accelerator alone is left out like both
                values = self.fitted(self.shipped, without, LATER_PASSES)
                self._without[without.tobytes()] = values
            members = np.logical_and.reduce(same)
            predicted[members] = self.predicted(values)[members]
        return predicted

    def named(self, values: Numbers) -> dict[str, float]:
        """The constants themselves, by name."""
        return {
            constant.name: float(value)
            for constant, value in zip(FITTED, self._prior * np.exp(values), strict=True)
        }

    def _overrides(self, values: Numbers) -> dict[str, Numbers]:
        constants = self._prior * np.exp(values)
        overrides = {name: plain.copy() for name, plain in self._plain.items()}
        for position, (constant, used) in enumerate(zip(FITTED, self._used, strict=True)):
            overrides[constant.assumption][used] = constants[position]
        return overrides

    def _slopes(self, values: Numbers, kept: Mask) -> Numbers:
        """How each residual changes with each constant; those that no run shares are moved in one pass."""
        runs = int(kept.sum())
        plain = self._residuals(values, kept)[:runs]
        slopes = np.zeros((runs + len(values), len(values)))
        slopes[runs:] = np.diag(1 / self._spread)
        for together in self._apart:
            moved = values.copy()
            moved[together] += STEP
            change = (self._residuals(moved, kept)[:runs] - plain) / STEP
            for constant in together:
                slopes[:runs, constant] = np.where(self._used[constant][kept], change, 0.0)
        return slopes

    def _residuals(self, values: Numbers, kept: Mask) -> Numbers:
        error = np.log(self.predicted(values) / self._batch.measured)
        # A run that cannot be computed is an error of e cubed, not nothing.
        scaled = np.nan_to_num(error, nan=3.0) / SOFT
        return np.concatenate([(softened(scaled) * self._weight)[kept], values / self._spread])


def _apart(used: Sequence[Mask]) -> list[list[int]]:
    """The constants in groups that no run uses two of."""
    groups: list[list[int]] = []
    taken: list[Mask] = []
    for constant, runs in enumerate(used):
        for group, together in enumerate(taken):
            if not (together & runs).any():
                groups[group].append(constant)
                taken[group] = together | runs
                break
        else:
            groups.append([constant])
            taken.append(runs)
    return groups


def _places(batch: Batch, catalog: Catalog) -> tuple[list[Mask], dict[str, Numbers]]:
    """Which runs use each constant, and the values of its assumption in the runs that use another row."""
    names = {constant.assumption for constant in FITTED}
    plain: dict[str, Numbers] = {}
    rows: dict[str, list[dict[str, str]]] = {}
    for name in names:
        plain[name] = np.array(
            [getattr(case.design.assumptions.rooms["performance"], name)[0] for case in batch.cases]
        )
        rows[name] = [chosen_condition(catalog, name, case.context) for case in batch.cases]
    used = [
        np.array([row == constant.conditions for row in rows[constant.assumption]], dtype=bool)
        for constant in FITTED
    ]
    return used, plain


# How far the prediction of a run may be off: from the errors of the shipped runs.
#
# The arithmetic and the errors are the product's. A file is judged by what ships, never by its own errors, and a run
# of it as a design is that no one has run; runs that share a label with a run do not vouch for it.


class Vouchers(NamedTuple):
    """Runs whose errors are known, (n,) each: logarithms of measured over predicted."""

    features: Features
    errors: Numbers
    labels: tuple[Sequence[str], ...]


def shipped_vouchers() -> Vouchers:
    """The runs that ship, by their source."""
    table = residuals()
    return Vouchers(table.features, table.errors, ([run.family for run in table.runs],))


def own_sources(cases: Sequence[Case]) -> list[str]:
    """The source of each run that ships itself; nothing of any other, for which every shipped run may vouch."""
    shipped = {(run.id, run.accelerator_key) for run in residuals().runs}
    return [
        case.row.family if (case.row.key, case.row.text("accelerator_key")) in shipped else ""
        for case in cases
    ]


def intervals(
    cases: Sequence[Case], vouchers: Vouchers, labels: tuple[Sequence[str], ...]
) -> tuple[Numbers, Numbers]:
    """Least and most of measured over predicted that 80 % of runs would keep to.

    Parameters
    ----------
    cases : the runs
    vouchers : the runs that vouch for them
    labels : of the cases, as many as the vouchers have: those that share any with a run do not vouch for it
    """
    features = features_of(cases)
    apart = distance(features, vouchers.features)
    own = np.zeros(apart.shape, dtype=bool)
    for mine, theirs in zip(labels, vouchers.labels, strict=True):
        own |= np.array(mine)[:, None] == np.array(theirs)
    low, high = np.full((2, len(cases)), np.nan)
    for position, case_apart in enumerate(apart):
        others = ~own[position] & np.isfinite(vouchers.errors)
        if others.any():
            found = spread(
                distance=case_apart[None, others],
                errors=vouchers.errors[others],
                experts=features.experts[position : position + 1],
            )
            low[position], high[position] = found.low[0], found.high[0]
    return low, high


def features_of(cases: Sequence[Case]) -> Features:
    """What runs are compared by."""
    return Features(
        accelerators=np.array([case.row.needed("n_accelerators") for case in cases], dtype=float),
        active_parameters=np.array([case.active_parameters for case in cases]),
        sequence_length=np.array([case.row.needed("seq_len") for case in cases], dtype=float),
        experts=np.array([float(case.kind_of_model == "moe") for case in cases]),
        generation=np.array([case.context["generation"] for case in cases]),
        framework=np.array([case.context["framework"] for case in cases]),
        precision=np.array([case.context["precision"] for case in cases]),
    )

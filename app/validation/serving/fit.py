"""The constants of serving that are fitted to measured runs, the measured rows as residuals, and the fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.validation.serving.cases import Cases, Without, arrays_of, words_of
from app.validation.serving.deployment import Constants, Deployment, deployment_of, selected_rows
from app.validation.serving.predicted import least, predicted, reasons
from app.validation.serving.throughput import Answers
from app.validation.serving.throughput_case import Asked
from app.validation.study import Constant, Mask, Numbers

# The constants of serving that are fitted to measured runs: which they are, and what was believed of them before.
#
# The prior is what one would say without the runs, from counts, data sheets and other models; the spread is how far from
# it the fit may go at the cost of one standard deviation, in logarithms. Engines, generations and formats that have a
# constant of their own have it as a common value times a deviation: the common value has the prior, each deviation a
# small spread about one, so that one with few measurements is drawn towards the common value.

ENGINES = ("engine=tensorrt_llm", "engine=sglang", "engine=vllm")
GENERATIONS = ("generation=hopper", "generation=blackwell")


class Shared(NamedTuple):
    """A constant that several have each for themselves; the row without conditions has the common value."""

    assumption: str
    prior: float
    spread: float
    deviation: float
    members: tuple[str, ...]


SHARED = (
    Shared("weight_read_efficiency", 0.85, 0.07, 0.07, GENERATIONS),
    Shared(
        "decode_matmul_efficiency", 0.5, 0.25, 0.2,
        (
            "dense_format=fp8;generation=hopper", "dense_format=fp8;generation=blackwell", "dense_format=bf16",
            "dense_format=nvfp4",
        ),
    ),
    Shared(
        "decode_expert_efficiency", 0.38, 0.25, 0.2,
        (
            "expert_format=fp8;generation=hopper", "expert_format=fp8;generation=blackwell", "expert_format=bf16",
            "expert_format=fp4", "expert_format=fp4;generation=hopper",
        ),
    ),
    Shared("prefill_matmul_efficiency", 0.55, 0.2, 0.15, GENERATIONS),
    Shared("prefill_expert_efficiency", 0.45, 0.25, 0.2, GENERATIONS),
    Shared("kernel_time_s", 4.5e-06, 0.25, 0.1, ENGINES),
    Shared("expert_kernel_ratio", 1.35, 0.2, 0.2, ENGINES),
    Shared("all_reduce_latency_s", 6e-06, 0.3, 0.2, ENGINES),
    Shared("sequence_overhead_s", 1.2e-05, 0.5, 0.3, ENGINES),
    Shared("prefill_kernel_time_s", 6e-05, 0.4, 0.3, ("engine=tensorrt_llm", "engine=sglang")),
)  # fmt: skip

ALONE = (
    Constant("expert_read_efficiency", "", 0.8, 0.1),
    Constant("decode_step_overhead_s", "", 0.0006, 0.5),
    Constant("first_token_overhead_s", "", 0.03, 0.5),
    Constant("disaggregated_overhead_s", "", 0.06, 0.5),
    Constant("prefill_kernel_time_s", "engine=vllm", 4e-5, 0.4),
    Constant("kv_read_efficiency", "", 0.65, 0.2),
    Constant("latent_read_ratio", "", 0.9, 0.2),
    Constant("expert_read_overhead_bytes", "", 400000.0, 0.5),
    Constant("expert_spread", "", 1.0, 0.4),
    Constant("expert_popularity", "", 0.45, 0.4),
    Constant("permute_passes", "", 6.0, 0.5),
    Constant("decode_16_bit_efficiency", "", 0.65, 0.25),
    Constant("expert_half_width", "", 256.0, 0.5),
    Constant("prefill_attention_efficiency", "", 0.5, 0.25),
    Constant("prefill_dense_format_ratio", "dense_format=nvfp4;generation=blackwell", 0.9, 0.2),
    Constant("prefill_expert_format_ratio", "expert_format=fp4;generation=blackwell", 1.1, 0.2),
    Constant("kernel_time_ratio", "generation=blackwell", 0.8, 0.08),
    Constant("kernel_gain_per_year", "", 0.5, 0.4),
    Constant("wide_norm_kernels", "", 5.0, 0.2),
    Constant("latent_attention_kernels", "", 13.0, 0.2),
    Constant("linear_attention_kernels", "", 16.0, 0.25),
    Constant("quantise_kernels", "dense_format=fp8", 2.0, 0.4),
    Constant("quantise_kernels", "dense_format=nvfp4;generation=blackwell", 4.0, 0.4),
    Constant("all_reduce_growth", "", 0.25, 0.4),
    Constant("all_reduce_bandwidth_share", "", 0.6, 0.3),
    Constant("across_domain_latency_s", "", 2.5e-05, 0.5),
    Constant("dispatch_latency_s", "", 2e-05, 0.4),
    Constant("dispatch_bandwidth_share", "", 0.4, 0.3),
    Constant("prefill_interference", "", 1.0, 0.1),
    Constant("prefill_interference_attention_parallel", "", 1.1, 0.15),
    Constant("first_token_steps", "", 1.5, 0.3),
    Constant("first_token_prefills", "", 1.0, 0.4),
    Constant("burst_share", "", 0.06, 0.4),
    Constant("burst_attention_parallel", "", 1.5, 0.4),
    Constant("disaggregated_burst", "", 0.1, 0.5),
    Constant("disaggregated_prefill_ratio", "", 0.85, 0.25),
    Constant("kv_transfer_bandwidth_share", "", 0.5, 0.4),
)

COMMON = tuple(Constant(one.assumption, "", one.prior, one.spread) for one in SHARED)
OWN = tuple(
    Constant(one.assumption, member, one.prior, float(np.hypot(one.spread, one.deviation)))
    for one in SHARED
    for member in one.members
)
FITTED = (*ALONE, *COMMON, *OWN)
"""Every row of the assumptions that is fitted, each with one number of the fit: of OWN it is the deviation."""

SPREADS = np.array(
    [
        *(one.spread for one in (*ALONE, *COMMON)),
        *(one.deviation for one in SHARED for _ in one.members),
    ]
)
"""How far each number of the fit may be from nothing, in logarithms."""


def values_of(numbers: NDArray[np.float64]) -> dict[str, float]:
    """The constants by name; `numbers` are logarithms over the prior, of OWN over the common value."""
    common = dict(zip((one.assumption for one in COMMON), numbers[len(ALONE) :], strict=False))
    return {
        constant.name: float(
            constant.prior
            * np.exp(number + (common[constant.assumption] if at >= len(ALONE) + len(COMMON) else 0.0))
        )
        for at, (constant, number) in enumerate(zip(FITTED, numbers, strict=True))
    }


# Measured rows as residuals of a fit: latencies of a file of latencies, rates of a file of throughputs.


SOFT_TPOT, SOFT_TTFT, SOFT_RATE = 0.15, 0.35, 0.25
"""Errors, in logarithms, from which a row counts less than its square: what is known of the scatter of each."""
WEIGHT_TTFT, WEIGHT_TTFT_DISAGGREGATED, WEIGHT_RATE = 0.4, 0.3, 0.5
"""Of a row beside one of the time per token: its scatter is larger, and more of it is not the engine's."""
HIGHEST_CONCURRENCY = 256.0
"""Above it the start of a benchmark rules its time to first token."""
LOST = 3.0
"""Error, in logarithms, of a row that cannot be computed."""
SHARED_WEIGHT, LEVEL = 0.6, 30.0
"""Rows of a family and system share their weight: each counts as (rows + level)^-share."""
FEW_LOADS = np.geomspace(1 / 64, 1.0, 7)


class LatencyResiduals:
    """Times per token and to the first token of the measurements that count, one each."""

    def __init__(self, cases: Cases, catalog: Catalog) -> None:
        deployment, constants = deployment_of(cases, catalog), Constants(catalog, cases)
        together = cases.aggregated
        times = {"ttft_s": cases.ttft_s, "tpot_s": cases.tpot_s}
        bound = least(deployment, constants.with_values({}), **times)
        possible = np.array([not reason for reason in reasons(bound, **times)], dtype=bool)
        used = cases.counts & (together | cases.complete_layout) & np.isfinite(cases.tpot_s) & possible
        rows = np.flatnonzero(used)
        self._deployment: Deployment = selected_rows(deployment, rows)
        self._constants = constants.of_rows(rows)
        self.words = {name: words[rows] for name, words in words_of(cases).items()}
        self._tpot, self._ttft = np.log(cases.tpot_s[rows]), np.log(cases.ttft_s[rows])
        used_ttft = (
            ~cases.cold_start[rows]
            & np.isfinite(self._ttft)
            & (~together[rows] | (cases.concurrency[rows] <= HIGHEST_CONCURRENCY))
        )
        self.rows = (np.arange(len(rows)), np.flatnonzero(used_ttft))
        groups = [*zip(cases.family, cases.accelerator_key, together.tolist(), strict=True)]
        self._weight = _weights([groups[at] for at in rows.tolist()])
        self._ttft_weight = self._weight * np.where(together[rows], WEIGHT_TTFT, WEIGHT_TTFT_DISAGGREGATED)

    def residuals(self, values: Mapping[str, float]) -> list[Numbers]:
        """By values of the constants, of the times of `rows`."""
        found = predicted(self._deployment, self._constants.with_values(values))
        tpot = _soft(np.log(found.tpot_s) - self._tpot, SOFT_TPOT) * self._weight
        ttft = _soft(np.log(found.ttft_s) - self._ttft, SOFT_TTFT) * self._ttft_weight
        return [tpot[self.rows[0]], ttft[self.rows[1]]]


class RateResiduals:
    """Tokens per second of the rows of a file of throughputs; its latencies are those of the other file."""

    def __init__(self, asked: Sequence[Asked], catalog: Catalog) -> None:
        self._asked = [one for one in asked if one.question.kind not in ("ttft", "tpot")]
        cases = arrays_of([case for one in self._asked for case in one.cases], catalog, rows=len(self._asked))
        self._constants = Constants(catalog, cases)
        firsts = np.cumsum([0, *(len(one.cases) for one in self._asked)])[:-1]
        self.words = {name: words[firsts] for name, words in words_of(cases).items()}
        self.rows = (np.arange(len(self._asked)),)
        self._measured = np.log([one.measured for one in self._asked])
        sources = [one.row.text("source").split(":")[0] for one in self._asked]
        self._weight = WEIGHT_RATE * _weights(sources)
        self._answers = Answers(self._asked, catalog)

    def residuals(self, values: Mapping[str, float]) -> list[Numbers]:
        """By values of the constants, of all rows."""
        found = self._answers.with_assumptions(self._constants.with_values(values), loads=FEW_LOADS)
        return [_soft(np.log(found) - self._measured, SOFT_RATE) * self._weight]


def _weights(groups: Sequence[object]) -> Numbers:
    sizes = Counter(groups)
    each = np.array([np.sqrt((sizes[group] + LEVEL) ** -SHARED_WEIGHT) for group in groups])
    weights: Numbers = each / np.sqrt(np.mean(each**2))
    return weights


def _soft(error: Numbers, scale: float) -> Numbers:
    """Large errors count by their logarithm: rows that something unknown spoiled do not rule the fit."""
    scaled = np.nan_to_num(error, nan=LOST, posinf=LOST, neginf=-LOST) / scale
    softened: Numbers = np.sign(scaled) * np.sqrt(2 * np.log1p(scaled**2 / 2))
    return softened


# Fitting the constants of serving to measured runs, and again without a part of them.


STEP = 1e-3
PASSES = 12
CHORDS = 4
"""Steps for each derivative of a fit without a part: it is near the whole fit, and derivatives change little."""
DAMPING = (1.0, 0.5, 0.25, 0.1)


class Fit:
    """The fit over measured latencies and rates. Values are held as logarithms over the priors."""

    def __init__(self, latencies: LatencyResiduals, rates: RateResiduals | None = None) -> None:
        self._parts: Sequence[LatencyResiduals | RateResiduals] = [latencies, *([rates] if rates else [])]

    def fitted(self, progress: Callable[[str], None] = lambda _: None) -> Numbers:
        """Values that fit best, priors being believed in: Gauss and Newton's steps, none of which may be worse."""
        at = np.zeros(len(SPREADS))
        everything = np.ones(len(self._residuals(at)), dtype=bool)
        for number in range(PASSES):
            before = _cost(self._residuals(at))
            at = self._step(at, self._derivative(at), everything)
            after = _cost(self._residuals(at))
            progress(f"pass {number + 1}: {after:.1f}")
            if before - after < 1e-4 * before:
                break
        return at

    def without(
        self, start: Numbers, parts: Sequence[Without], progress: Callable[[str], None] = lambda _: None
    ) -> dict[str, Mapping[str, float]]:
        """Constants fitted without each part, by its label, from the whole fit on."""
        first = self._derivative(start)
        found: dict[str, Mapping[str, float]] = {}
        for part in parts:
            progress(f"fitting without {part.label}")
            kept = np.concatenate(
                [
                    *(~part.members(one.words)[rows] for one in self._parts for rows in one.rows),
                    np.ones(len(SPREADS), dtype=bool),
                ]
            )
            at, slope = start, first
            for again in (True, False):
                for _ in range(CHORDS):
                    at = self._step(at, slope, kept)
                if again:
                    slope = self._derivative(at)
            found[part.label] = values_of(at)
        return found

    def _step(self, at: Numbers, slope: Numbers, kept: Mask) -> Numbers:
        """Towards where the rows that are kept fit best by these derivatives; no step where all are worse."""
        residuals = self._residuals(at)
        move = np.linalg.lstsq(slope[kept], residuals[kept], rcond=None)[0]
        cost = _cost(residuals[kept])
        for share in DAMPING:
            tried = at - share * move
            if _cost(self._residuals(tried)[kept]) < cost:
                return tried
        return at

    def _derivative(self, at: Numbers) -> Numbers:
        base = self._residuals(at)
        columns = []
        for number in range(len(at)):
            moved = at.copy()
            moved[number] += STEP
            columns.append((self._residuals(moved) - base) / STEP)
        found: Numbers = np.stack(columns, axis=1)
        return found

    def _residuals(self, numbers: Numbers) -> Numbers:
        constants = values_of(numbers)
        parts = [residual for part in self._parts for residual in part.residuals(constants)]
        return np.concatenate([*parts, numbers / SPREADS])


def _cost(residuals: Numbers) -> float:
    return float(residuals @ residuals)

"""Measured rows as residuals of a fit: latencies of a file of latencies, rates of a file of throughputs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.validation.serving import beyond_roofline
from app.validation.serving.assumed import Constants
from app.validation.serving.cases import Cases, arrays_of, words_of
from app.validation.serving.deployment import Deployment, deployment_of
from app.validation.serving.predicted import predicted
from app.validation.serving.stacking import taken
from app.validation.serving.throughput import Answers
from app.validation.serving.throughput_case import Asked

Numbers = NDArray[np.float64]

SOFT_TPOT, SOFT_TTFT, SOFT_RATE = 0.15, 0.35, 0.25
"""Errors, in logarithms, from which a row counts less than its square: what is known of the scatter of each."""
WEIGHT_TTFT, WEIGHT_TTFT_DISAGGREGATED, WEIGHT_RATE = 0.4, 0.3, 0.5
"""Of a row beside one of the time per token: its scatter is larger, and more of it is not the engine's."""
HIGHEST_CONCURRENCY = 256.0
"""Above it the start of a benchmark rules its time to first token."""
LOST = 3.0
"""Error, in logarithms, of a row that cannot be computed."""
SHARED, LEVEL = 0.6, 30.0
"""Rows of a family and system share their weight: each counts as (rows + level)^-share."""
FEW_LOADS = np.geomspace(1 / 64, 1.0, 7)


class LatencyResiduals:
    """Times per token and to the first token of the measurements that count, one each."""

    def __init__(self, cases: Cases, catalog: Catalog) -> None:
        deployment, constants = deployment_of(cases, catalog), Constants(catalog, cases)
        together = cases.aggregated
        times = {"ttft_s": cases.ttft_s, "tpot_s": cases.tpot_s}
        bound = beyond_roofline.least(deployment, constants.with_values({}), **times)
        possible = np.array([not reason for reason in beyond_roofline.reasons(bound, **times)], dtype=bool)
        used = cases.counts & (together | cases.complete_layout) & np.isfinite(cases.tpot_s) & possible
        rows = np.flatnonzero(used)
        self._deployment: Deployment = taken(deployment, rows)
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
    """Tokens a second of the rows of a file of throughputs; its latencies are those of the other file."""

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
    each = np.array([np.sqrt((sizes[group] + LEVEL) ** -SHARED) for group in groups])
    weights: Numbers = each / np.sqrt(np.mean(each**2))
    return weights


def _soft(error: Numbers, scale: float) -> Numbers:
    """Large errors count by their logarithm: rows that something unknown spoiled do not rule the fit."""
    scaled = np.nan_to_num(error, nan=LOST, posinf=LOST, neginf=-LOST) / scale
    softened: Numbers = np.sign(scaled) * np.sqrt(2 * np.log1p(scaled**2 / 2))
    return softened

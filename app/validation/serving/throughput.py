"""Published throughputs of served models against the engine, idealised ones beside the scored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.catalog.lookup import Catalog
from app.catalog.validated import THROUGHPUTS_FILE
from app.engine.performance.serving.assumptions import ServingAssumptions
from app.engine.performance.serving.pass_weights import CORNER
from app.engine.specs.serving import Speculation
from app.validation.serving.cases import arrays_of
from app.validation.serving.deployment import (
    Constants,
    Deployment,
    constants_of,
    deployment_of,
    fitted_values,
    left_out_constants,
    selected_rows,
)
from app.validation.serving.predicted import ideal_of, most_held, predicted, sequences_held
from app.validation.serving.throughput_case import (
    AS_ABOVE,
    COLUMNS,
    DECODE,
    DEPLOYMENTS,
    MAXIMUM,
    PREFILL,
    TPOT,
    TTFT,
    Asked,
    asked_of,
    is_idealised,
)
from app.validation.study import (
    Checked,
    Compared,
    LeftOut,
    Numbers,
    Prediction,
    Row,
    Study,
    UnsupportedRowError,
)

UNKNOWN = "an input that the prediction needs is not published, or not one sequence fits the memory"

BEYOND = "beyond the roofline"
CORNER_LOSS = 2 ** (1 / CORNER)
"""How much the rounded corner of the roofline may take where reading and multiplying last equally long."""

LOADS = np.geomspace(1 / 256, 1.0, 33)
"""Shares of the sequences that memory holds, of which the one with most output is taken."""


IDEALISED = "idealised: perfect balance over the experts, which is predicted as it is served"


def _predict(rows: Sequence[Row], catalog: Catalog) -> Iterator[Checked[float] | LeftOut]:
    """Every scored row in its own unit; idealised rows alongside them, with what perfect balance gives."""
    asked: list[Asked] = []
    conditions = ""
    for row in rows:
        stated = row.text("conditions")
        conditions = conditions if stated == AS_ABOVE else stated
        if not row.scored and not is_idealised(row):
            continue
        try:
            asked.append(asked_of(row, catalog, conditions))
        except UnsupportedRowError as error:
            if row.scored:
                yield LeftOut(row, str(error))
    answers, bound = answered(asked, catalog), at_best(asked, catalog)
    for one, value, most in zip(asked, answers.tolist(), bound.tolist(), strict=True):
        known = np.isfinite(value) and value > 0
        if one.row.scored and is_beyond(one, most):
            reason = f"{BEYOND}: {one.measured:.4g}, and at the peak of the data sheet {most:.4g}"
            yield LeftOut(one.row, reason)
        elif one.row.scored:
            yield _checked(one, value) if known else LeftOut(one.row, UNKNOWN)
        elif known:
            (balanced,) = answered([one], catalog, PERFECT_BALANCE).tolist()
            yield _checked(one, value, balanced)


def is_beyond(one: Asked, best: float) -> bool:
    """Return whether a row is better than a roofline allows; a corner that is rounded in vain is allowed for."""
    shorter = one.question.kind in (TTFT, TPOT)
    return one.measured < best / CORNER_LOSS if shorter else one.measured > best * CORNER_LOSS


def at_best(asked: Sequence[Asked], catalog: Catalog) -> Numbers:
    """What no engine exceeds: memory, units and links at the peak of their data sheets, and nothing else."""
    if not asked:
        return np.empty(0)
    cases = [case for one in asked for case in one.cases]
    shipped = constants_of(catalog, arrays_of(cases, catalog, rows=len(cases)))
    return Answers(asked, catalog).with_assumptions(ideal_of(shipped))


PERFECT_BALANCE = {"expert_spread[]": 0.0, "expert_popularity[]": 0.0}
"""The constants of ranks that all have as many tokens."""


def answered(asked: Sequence[Asked], catalog: Catalog, values: Mapping[str, float] | None = None) -> Numbers:
    """What the engine says of each row, in the unit of the row; `values` in place of constants that ship."""
    if not asked:
        return np.empty(0)
    cases = [case for one in asked for case in one.cases]
    constants = Constants(catalog, arrays_of(cases, catalog, rows=len(cases)))
    return Answers(asked, catalog).with_assumptions(constants.with_values(values or {}))


class Answers:
    """The deployments of some rows, to be answered with one set of assumptions or another."""

    def __init__(self, asked: Sequence[Asked], catalog: Catalog) -> None:
        cases = [case for one in asked for case in one.cases]
        self._owner = np.array([at for at, one in enumerate(asked) for _ in one.cases], dtype=np.intp)
        questions = [asked[at].question for at in self._owner]
        self._kinds = np.array([question.kind for question in questions])
        self._tpot_limit_s = np.array([question.tpot_limit_s for question in questions])
        self._ttft_limit_s = np.array([question.ttft_limit_s for question in questions])
        self._unit = np.array([one.question.unit for one in asked])
        deployment = deployment_of(arrays_of(cases, catalog, rows=len(cases)), catalog)
        deployment = _guessing(deployment, np.array([asked[at].acceptance for at in self._owner]))
        burst = np.isin(self._kinds, (TTFT, TPOT)).astype(float)  # throughputs are those of steady traffic
        self._deployment = replace(deployment, load=replace(deployment.load, burst=burst))

    def with_assumptions(self, assumptions: ServingAssumptions, *, loads: Numbers = LOADS) -> Numbers:
        """What the engine says of each row, in the unit of the row.

        Parameters
        ----------
        assumptions : one element for each case of each row
        loads : shares of the sequences that memory holds, of which the one with most output is taken
        """
        values = np.full(len(self._owner), np.nan)
        stated = np.flatnonzero(self._kinds != MAXIMUM)
        if stated.size:
            values[stated] = _at_stated_load(
                selected_rows(self._deployment, stated),
                selected_rows(assumptions, stated),
                self._kinds[stated],
            )
        most = np.flatnonzero(self._kinds == MAXIMUM)
        if most.size:
            values[most] = _most_output(
                selected_rows(self._deployment, most),
                selected_rows(assumptions, most),
                tpot_limit_s=self._tpot_limit_s[most],
                ttft_limit_s=self._ttft_limit_s[most],
                loads=loads,
            )
        best = np.full(len(self._unit), np.nan)
        np.fmax.at(best, self._owner, values)
        found: Numbers = best * self._unit
        return found


def _at_stated_load(
    deployment: Deployment, assumptions: ServingAssumptions, kinds: NDArray[np.str_]
) -> Numbers:
    """Rates of an accelerator, or times, of the rows that say how much is in flight."""
    found = predicted(_within_memory(deployment, assumptions), assumptions)
    load = deployment.load
    by_kind = {
        DECODE: found.output_tokens_per_s / deployment.decode.accelerators,
        PREFILL: found.output_tokens_per_s
        / load.output_tokens
        * load.input_tokens
        / deployment.prefill.accelerators,
        TTFT: found.ttft_s,
        TPOT: found.tpot_s,
    }
    values = np.full(len(kinds), np.nan)
    for kind, numbers in by_kind.items():
        values[kinds == kind] = numbers[kinds == kind]
    return values


def _most_output(
    deployment: Deployment,
    assumptions: ServingAssumptions,
    *,
    tpot_limit_s: Numbers,
    ttft_limit_s: Numbers,
    loads: Numbers,
) -> Numbers:
    """Most output tokens per second and accelerator, over the loads that memory and limits of latency
    allow."""
    held = sequences_held(deployment, assumptions)
    held = np.where(held < 1, most_held(deployment, assumptions), held)
    layout = deployment.decode
    best = np.full(len(held), np.nan)
    for share in loads.tolist():
        load = replace(deployment.load, concurrency=np.maximum(share * held, 1.0))
        found = predicted(replace(deployment, load=load), assumptions)
        kept = (found.tpot_s <= tpot_limit_s) & (found.ttft_s <= ttft_limit_s) & (held >= 1)
        best = np.fmax(best, np.where(kept, found.output_tokens_per_s / layout.accelerators, np.nan))
    return best


def _within_memory(deployment: Deployment, assumptions: ServingAssumptions) -> Deployment:
    """Rows that state no load have as many sequences as the memory holds."""
    held = sequences_held(deployment, assumptions)
    asked = deployment.load.concurrency
    load = replace(deployment.load, concurrency=np.where(np.isfinite(asked), asked, np.maximum(held, 1.0)))
    return replace(deployment, load=load)


def _guessing(deployment: Deployment, acceptance: Numbers) -> Deployment:
    """Rows that say that a token was guessed ahead, and how often it stood."""
    plain = deployment.speculation
    guessed = acceptance > 0
    return replace(
        deployment,
        speculation=Speculation(
            tokens=np.where(guessed, 1.0, plain.tokens),
            acceptance=np.where(guessed, acceptance, plain.acceptance),
        ),
    )


def _checked(one: Asked, value: float, balanced: float = float("nan")) -> Checked[float]:
    row, case = one.row, one.cases[0]
    prediction = Prediction(
        key=row.key,
        family=source_of(row),
        groups={
            "metric": row.text("metric"),
            "model": case.model_key,
            "system": case.accelerator_key,
            "precision": case.precision,
        },
        measured=one.measured,
        predicted=value,
        assumed=case.assumed if row.scored else (),
    )
    return Checked(row, prediction, balanced, label="" if row.scored else IDEALISED)


def _beside(compared: Compared[float]) -> dict[str, Any]:
    """Idealised results, and published deployments that no constant was fitted to, in the units of their rows."""
    idealised, deployments = [], []
    for one in compared.figures:
        row, prediction = one.row, one.prediction
        values = {"measured": prediction.measured, "predicted": prediction.predicted}
        if one.label:
            idealised.append({"id": row.key, **values, "balanced": one.found, "label": one.label})
        elif row.text("source").startswith(DEPLOYMENTS):
            what = f"{source_of(row)}: {row.text('n')} {row.text('hardware')}, {row.text('metric')}"
            deployments.append({"id": row.key, "what": what, **values})
    return {"idealised": idealised, "deployments": deployments}


def _lines(extra: Mapping[str, Any]) -> Iterator[str]:
    """`extra` holds in the unit of their rows `idealised`, results of perfect balance over the experts, and `deployments`,
    published ones that no constant was fitted to."""
    if idealised := extra["idealised"]:
        yield from ("", "idealised, perfect balance over the experts: not scored, nor fitted")
        for one in idealised:
            share = 100 * (one["balanced"] / one["measured"] - 1)
            yield (
                f"  {one['id']}: {one['measured']:,.0f} published, {one['predicted']:,.0f} as served, "
                f"{one['balanced']:,.0f} with perfect balance, {share:+.1f} %"
            )
    if deployments := extra["deployments"]:
        yield from ("", "published deployments, none fitted")
        for one in deployments:
            share = 100 * (one["predicted"] / one["measured"] - 1)
            yield (
                f"  {one['id']}: {one['measured']:,.0f} published, {one['predicted']:,.0f} predicted, {share:+.1f} %; "
                f"{one['what']}"
            )


def source_of(row: Row) -> str:
    """The project or team that published a row: all its pages and runs are one source."""
    name = row.text("source").split(":")[0].split(",")[0].split(" (")[0]
    return re.sub(r"\s*\d{4}-\d{2}-\d{2}$", "", name)


THROUGHPUT = Study(
    kind="serving",
    file=THROUGHPUTS_FILE,
    columns=COLUMNS,
    predict=_predict,
    extra=_beside,
    more=_lines,
    constants=lambda catalog: fitted_values(catalog, left_out_constants()),
)

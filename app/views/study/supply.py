"""Lead times of the parts of a candidate, its critical path, and the price when equipment is bought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.economics.build_out.supply import part_ready_month, price_at_purchase_usd
from app.engine.trace import Origin, first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve.inputs import Inputs
from app.scenarios.study.document import StudyDocument
from app.scenarios.study.limits import Term
from app.views.economics.build_out.report import BuildOutReport
from app.views.study.report import StudyPart, StudyPrice

ROOM = "build_out"
OF_POD = {"accelerators": "Accelerators", "switches": "Switches"}
OF_BUILDING = {"transformers": "Transformers", "generators": "Generators", "chillers": "Chillers"}
"""Parts by their words among assumptions; those of the building are installed and tested before it is ready.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Awaited:
    """A part without which no work begins, in months after the order."""

    key: str
    title: str
    month: float
    low: float
    high: float
    source: str


def parts_of(study: StudyDocument, found: EvaluatedScenario, catalog: Catalog, terms: Term) -> list[Awaited]:
    """Parts with a lead time; without those of the building in a colocation, whose owner has them."""
    inputs = _inputs(study, found, catalog)
    fit_out = inputs.assumption(f"timing.{ROOM}.fit_out_months", f"{ROOM}.fit_out_months")
    parts = OF_POD | (OF_BUILDING if terms == "own" else {})
    awaited = []
    for key, title in parts.items():
        path = f"timing.{ROOM}.{key}.lead_months"
        lead = inputs.assumption(path, f"{ROOM}.lead_months", also={"part": key})
        installed = fit_out if key in OF_BUILDING else np.zeros(1)
        origin = inputs.origins[path]
        low, high = (_end(origin, side, first_of(lead)) for side in ("low", "high"))
        month, first, last = (
            first_of(part_ready_month(lead_months=np.full(1, one), fit_out_months=installed))
            for one in (first_of(lead), low, high)
        )
        awaited.append(
            Awaited(key=key, title=title, month=month, low=first, high=last, source=origin.source or "")
        )
    return awaited


def _end(origin: Origin, side: str, value: float) -> float:
    found = getattr(origin, side)
    return value if found is None else float(found)


def path_of(parts: Sequence[Awaited], report: BuildOutReport, terms: Term) -> tuple[StudyPart, ...]:
    """Parts that the work waits for, the latest first; the critical one with its delay over the next."""
    waited = sorted((*parts, *_of_site(report, terms)), key=lambda one: -one.month)
    return tuple(
        StudyPart(
            key=one.key, title=one.title, month=one.month, low=one.low, high=one.high, source=one.source,
            critical=place == 0,
            delays_months=one.month - waited[1].month if place == 0 and len(waited) > 1 else 0.0,
        )
        for place, one in enumerate(waited)
    )  # fmt: skip


def _of_site(report: BuildOutReport, terms: Term) -> Iterator[Awaited]:
    of = {term.path.rpartition(".")[2]: term for term in report.terms}
    if terms == "colocate":
        wait = of["colocation_wait_months"]
        yield Awaited(
            key="hall", title="Hall", month=wait.value, low=wait.low, high=wait.high,
            source="economics.financing.colocation_wait_months",
        )  # fmt: skip
        return
    phase = report.phases[-1]
    for key, title, month, name in (
        ("building", "Building", phase.ready_month, "construction_months"),
        ("grid", "Grid connection", phase.grid_month, "grid_months"),
    ):
        if key == "grid" and phase.bridge_w > 0:
            continue  # bridge power does not wait for it
        low, high = month, month
        if name in of:
            low, high = month + of[name].low - of[name].value, month + of[name].high - of[name].value
        yield Awaited(
            key=key, title=title, month=month, low=low, high=high, source=f"economics.build_out.{name}"
        )


def words_of(path: Sequence[StudyPart]) -> str:
    """The critical path in a sentence."""
    last, *before = path
    text = f"{last.title} comes last, after {last.month:.3g} months"
    if before:
        text += f", {last.delays_months:.3g} later than {before[0].title.lower()}"
    return f"{text}; until then nothing that has arrived works."


def price_of(
    study: StudyDocument, found: EvaluatedScenario, catalog: Catalog, purchase_month: float
) -> StudyPrice:
    """The price of a SuperNode today and when it is bought, by the change a year that is stated or
    assumed."""
    inputs = _inputs(study, found, catalog)
    path = "timing.price_change_per_year"
    change = inputs.assumption(
        path, f"{ROOM}.price_change_per_year", given=study.timing.price_change_per_year, scenario_field=path
    )
    origin = inputs.origins[path]
    now = found.evaluation.sections.cost.supernode_price_usd

    def then(rate: float) -> float:
        months = np.full(1, max(purchase_month, 0.0))
        return first_of(price_at_purchase_usd(price_usd=now, change_per_year=np.full(1, rate), months=months))

    rate = first_of(change)
    low, high = _end(origin, "low", rate), _end(origin, "high", rate)
    return StudyPrice(
        purchase_month=max(purchase_month, 0.0), now_usd=first_of(now), then_usd=then(rate), low_usd=then(low),
        high_usd=then(high), change_per_year=rate, low_per_year=low, high_per_year=high,
        stated=study.timing.price_change_per_year is not None, source=origin.source or "",
    )  # fmt: skip


def _inputs(study: StudyDocument, found: EvaluatedScenario, catalog: Catalog) -> Inputs:
    inputs = Inputs(catalog=catalog, overrides=study.common.assumptions)
    inputs.context |= dict(found.resolved.context)
    return inputs

"""The answer to how a site is built over time, and how it is best paid for."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import date

import numpy as np

from app.catalog.view import CatalogView
from app.engine.design import at_same_speed
from app.engine.economics.build_out.project import Project, Site, evaluate_project
from app.engine.economics.build_out.section import finished_site, in_anothers_building
from app.engine.economics.build_out.ways import Way, ways_to_pay
from app.engine.economics.cash_flow.worth import payback_years
from app.engine.evaluation import Sections
from app.engine.facility.power_supply.supplied import as_supplied
from app.engine.specs import Economics
from app.engine.trace import Array, first_of
from app.scenarios.document.build_out import BuildOutDocument, FinancingDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.evaluation.training_only import one_workload
from app.views.economics.build_out.report import (
    WAYS,
    BuildOutMonth,
    BuildOutPhase,
    BuildOutReport,
    BuildOutSource,
    BuildOutTerm,
    BuildOutWay,
)
from app.views.economics.build_out.terms import NO_BRIDGE, Terms, terms_of
from app.views.economics.build_out.words import notes_of, verdict_of

PURPOSE = "A build-out"


def build_out_answer(scenario: EvaluatedScenario, catalog: CatalogView) -> BuildOutReport:
    """Phases, dates, cash and emissions of a scenario by month, and every way to pay for it.

    Raises
    ------
    ScenarioError : workloads share the pod, phases that are not the whole pod, no power at any time
    """
    one_workload(scenario.resolved.design, PURPOSE)
    if np.isnan(scenario.evaluation.sections.power.utility_peak_w).any():
        raise refuse(
            f"{PURPOSE} needs the peak power of the design, which is unknown.",
            rule="unknown_input",
            path="supernode",
            value=scenario.resolved.design.supernode.key,
            hint="State the power that the evaluation lists as missing.",
        )
    terms = terms_of(scenario, catalog)
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # unknown inputs are NaN
        economics = scenario.resolved.whole.economics
        site = _site(scenario, scenario.evaluation.sections, economics)
        if not np.sum(terms.build_out.grid_w + terms.build_out.bridge_w) > 0:
            raise refuse(
                "The site has no power: no phase has a grid connection or bridge power.",
                rule="no_power",
                path="economics.build_out.phases",
                value=0,
                hint="State grid_w or bridge_w above 0, or leave both out.",
            )
        project = evaluate_project(site, terms.build_out)
        colocated = _colocated(scenario, terms)
        ways = ways_to_pay(project, colocated, economics, terms.financing)
        return _report(scenario, terms, site, ways)


def _site(scenario: EvaluatedScenario, sections: Sections, economics: Economics) -> Site:
    design = scenario.resolved.whole
    return finished_site(
        supernode=design.supernode,
        pod=design.pod,
        facility=as_supplied(design, sections.power, sections.cooling),
        economics=economics,
        reliability=sections.reliability,
        power=sections.power,
        cooling=sections.cooling,
        cost=sections.cost,
        assumptions=design.assumptions.rooms["economics"],
    )


def _colocated(scenario: EvaluatedScenario, terms: Terms) -> Project:
    """The same pod in another's building; what depends on the building is evaluated again."""
    design = scenario.resolved.design
    tenant = replace(design, economics=replace(design.economics, owns_building=np.zeros(1)))
    sections = at_same_speed(tenant, scenario.evaluation.sections)
    economics = replace(scenario.resolved.whole.economics, owns_building=np.zeros(1))
    moved = in_anothers_building(
        terms.build_out, scenario.evaluation.sections.power.utility_peak_w, terms.wait_months
    )
    return evaluate_project(_site(scenario, sections, economics), moved)


def _report(scenario: EvaluatedScenario, terms: Terms, site: Site, ways: tuple[Way, ...]) -> BuildOutReport:
    economics = scenario.document.economics
    funding = (economics.financing or FinancingDocument()).funding
    chosen = next(way for way in ways if way.key == funding)
    times = chosen.project.timeline
    begun = (economics.build_out or BuildOutDocument()).first_order
    sources = _sources(terms, chosen.project)
    energy = sum(source.kwh for source in sources)
    payback = first_of(payback_years(flow_usd=chosen.owners_flow_usd))  # columns are months here
    report = BuildOutReport(
        name=scenario.document.name,
        verdict="",
        funding=funding,
        full_power_month=_finite(times.full_power_month),
        full_power_date=date_of(begun, times.full_power_month),
        full_load_month=_finite(times.full_load_month),
        full_load_date=date_of(begun, times.full_load_month),
        needed_w=first_of(site.utility_peak_w),
        capital_usd=float(np.sum(chosen.project.uses_usd)),
        construction_interest_usd=chosen.construction_interest_usd,
        npv_usd=chosen.npv_usd,
        irr=chosen.irr,
        payback_month=_finite(payback),
        carbon_kg=sum(source.kg for source in sources),
        bridge_share=1 - sources[0].kwh / energy if energy > 0 else math.nan,
        phases=_phases(terms, chosen.project),
        ways=tuple(_way(way) for way in ways),
        sources=sources,
        months=_months(chosen),
        terms=_terms(terms),
        notes=(),
    )
    return replace(
        report, verdict=verdict_of(report, terms.has_phases), notes=notes_of(report, terms.has_phases)
    )


def date_of(first_order: date | None, month: float) -> str:
    """A month counted from the first order as a date; nothing where there is none.

    >>> date_of(date(2026, 11, 1), 14), date_of(None, 3)
    ('2028-01', '')
    """
    if first_order is None or not math.isfinite(month):
        return ""
    years, place = divmod(first_order.month - 1 + math.ceil(month), 12)
    return f"{first_order.year + years}-{place + 1:02}"


def _phases(terms: Terms, project: Project) -> tuple[BuildOutPhase, ...]:
    times, build_out = project.timeline, terms.build_out
    capital = np.sum(project.uses_usd, axis=-1)

    def at(values: Array, place: int) -> float:
        return _finite(float(np.broadcast_to(values, build_out.share.shape)[place, 0]))

    total = float(np.max(times.needed_w))
    return tuple(
        BuildOutPhase(
            name=name,
            supernodes=terms.supernodes[place],
            share=at(build_out.share, place),
            bridge=terms.bridges[place],
            start_month=at(times.start_month, place),
            ready_month=at(times.ready_month, place),
            bridge_month=at(times.bridge_month, place),
            delivery_month=at(times.delivery_month, place),
            grid_month=at(build_out.grid_month, place),
            full_load_month=at(times.full_month, place),
            end_month=at(times.end_month, place),
            needed_w=at(build_out.share, place) * total,
            grid_w=at(build_out.grid_w, place),
            bridge_w=at(build_out.bridge_w, place),
            capital_usd=float(capital[place]),
        )
        for place, name in enumerate(build_out.names)
    )


def _way(way: Way) -> BuildOutWay:
    return BuildOutWay(
        key=way.key,
        title=WAYS[way.key],
        npv_usd=way.npv_usd,
        irr=way.irr,
        equity_usd=way.equity_usd,
        borrowed_usd=way.borrowed_usd,
        construction_interest_usd=way.construction_interest_usd,
        interest_usd=way.interest_usd,
        fees_usd=way.fees_usd,
        least_cover=way.least_cover,
        full_load_cover=way.full_load_cover,
        effective_rate=way.effective_rate,
        full_load_month=_finite(way.project.timeline.full_load_month),
    )


def _months(way: Way) -> tuple[BuildOutMonth, ...]:
    project, times, debt = way.project, way.project.timeline, way.debt
    nothing = np.zeros(times.months.size)

    def site(values: Array) -> Array:
        found: Array = np.sum(values, axis=0)
        return found

    def of_debt(name: str) -> Array:
        return nothing if debt is None else site(getattr(debt, name))

    total = sum(project.operating_usd.values(), np.zeros_like(project.ebitda_usd))
    columns = {
        "needed_w": times.needed_w,
        "grid_w": times.grid_available_w,
        "bridge_w": times.bridge_used_w,
        "load": site(times.load * project.share),
        "used_hours": site(project.used_hours),
        "revenue_usd": site(project.revenue_usd),
        "operating_usd": site(total),
        "bridge_power_usd": site(project.operating_usd["bridge_power"]),
        "capital_usd": site(project.uses_usd),
        "sales_usd": site(project.sales_usd),
        "tax_usd": way.tax_usd,
        "drawn_usd": of_debt("drawn_usd"),
        "interest_usd": of_debt("interest_usd"),
        "capitalised_interest_usd": of_debt("capitalised_usd"),
        "principal_usd": of_debt("principal_usd"),
        "fees_usd": of_debt("fees_usd"),
        "owed_usd": of_debt("owed_usd"),
        "owners_flow_usd": way.owners_flow_usd,
        "cumulative_usd": np.cumsum(way.owners_flow_usd),
        "grid_kwh": site(project.grid_kwh),
        "bridge_kwh": site(project.bridge_kwh),
        "grid_kg": site(project.grid_kg),
        "bridge_kg": site(project.bridge_kg),
    }
    return tuple(
        BuildOutMonth(month=place, **{name: float(values[place]) for name, values in columns.items()})
        for place in range(times.months.size)
    )


def _sources(terms: Terms, project: Project) -> tuple[BuildOutSource, ...]:
    """The grid first, then each kind of bridge power."""
    operating = project.operating_usd
    grid_usd = float(np.sum(operating["electricity"]) + np.sum(operating["demand"]))
    found = [("grid", "Grid", float(np.sum(project.grid_kwh)), float(np.sum(project.grid_kg)), grid_usd)]
    for kind in dict.fromkeys(terms.bridges):
        if kind == NO_BRIDGE:
            continue
        of_kind = np.array([bridge == kind for bridge in terms.bridges])

        def total(values: Array, of_kind: Array = of_kind) -> float:
            return float(np.sum(values[of_kind]))

        found.append((
            kind, kind.replace("_", " ").capitalize(), total(project.bridge_kwh), total(project.bridge_kg),
            total(operating["bridge_power"]),
        ))  # fmt: skip
    return tuple(
        BuildOutSource(
            source=source, title=title, kwh=kwh, kg=kg, usd=usd, kg_per_kwh=kg / kwh if kwh > 0 else math.nan
        )
        for source, title, kwh, kg, usd in found
    )


def _terms(terms: Terms) -> tuple[BuildOutTerm, ...]:
    return tuple(
        BuildOutTerm(
            path=path,
            label=origin.label,
            value=first_of(terms.values[path]),
            kind=origin.kind,
            source=origin.source or "",
            low=math.nan if origin.low is None else origin.low,
            high=math.nan if origin.high is None else origin.high,
        )
        for path, origin in terms.origins.items()
    )


def _finite(value: float) -> float:
    return value if math.isfinite(value) else math.nan

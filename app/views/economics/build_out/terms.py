"""Build-out and financing of a scenario: what it states, else the catalog's assumptions, with their sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.catalog.view import CatalogView
from app.engine.economics.build_out.section import bought_at_once
from app.engine.economics.build_out.specs import BuildOut, Financing
from app.engine.facility.power_supply.plant import (
    full_load_kg_per_kwh,
    full_load_usd_per_kwh,
    methane_kg_per_kwh,
)
from app.engine.trace import Array, Origin, first_of
from app.scenarios.document.build_out import BuildOutDocument, FinancingDocument, PhaseDocument
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import refuse
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.resolve.inputs import Inputs

ROOM = "build_out"
AT = "economics.build_out"
FINANCING = "economics.financing"
NO_BRIDGE = "none"
OF_BRIDGE = ("bridge_lead_months", "bridge_usd_per_kw_month", "bridge_usd_per_kwh", "bridge_kg_per_kwh")
OF_FINANCING = (
    "loan_share", "interest_only_months", "upfront_fee", "commitment_fee", "target_dscr", "lease_rate", "lease_months",
    "leaseback_rate", "leaseback_months", "leaseback_buy_out",
)  # fmt: skip
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Terms as the engine takes them; `origins` says where each comes from."""

    build_out: BuildOut
    bridges: tuple[str, ...]  # kind of each phase
    supernodes: tuple[float, ...]
    financing: Financing
    wait_months: Array  # of colocation
    has_phases: bool
    origins: dict[str, Origin]
    values: dict[str, Array]


def terms_of(scenario: EvaluatedScenario, catalog: CatalogView) -> Terms:
    """Terms of a scenario.

    Raises
    ------
    ScenarioError : phases that are not the whole pod
    """
    document = scenario.document
    inputs = Inputs(catalog=catalog, overrides=document.assumptions)
    stated = document.economics.build_out
    financing = document.economics.financing or FinancingDocument()
    peak = scenario.evaluation.sections.power.utility_peak_w
    pods = first_of(scenario.resolved.whole.pod.supernodes)
    no_bridges: tuple[str, ...] = (NO_BRIDGE,)
    if stated is None:
        build_out, bridges, wait = bought_at_once(peak), no_bridges, np.zeros((1, 1))
    else:
        build_out, bridges = _phases(inputs, stated, pods, peak)
        wait = _number(inputs, financing, "colocation_wait_months", FINANCING)
    return Terms(
        build_out=_colocated(inputs, build_out, financing, has_phases=stated is not None),
        bridges=bridges,
        supernodes=tuple(float(share) * pods for share in build_out.share.ravel()),
        financing=_financing(inputs, document, financing),
        wait_months=wait,
        has_phases=stated is not None,
        origins=inputs.origins,
        values=inputs.values,
    )


def _number(inputs: Inputs, part: Any, name: str, at: str, **also: str) -> Array:
    path = f"{at}.{name}"
    found = inputs.assumption(
        path, f"{ROOM}.{name}", given=getattr(part, name), scenario_field=path, also=also
    )
    return found.reshape(1, 1)


def _phases(
    inputs: Inputs, stated: BuildOutDocument, pods: float, peak_w: Array
) -> tuple[BuildOut, tuple[str, ...]]:
    phases = stated.phases or (PhaseDocument(),) * (stated.phase_count or 1)
    share = _shares(phases, pods)
    count = len(phases)

    def column(name: str, default: Array) -> Array:
        own = [getattr(phase, name) for phase in phases]
        whole = np.broadcast_to(default, (count, 1)).ravel()
        return np.array([whole[at] if one is None else float(one) for at, one in enumerate(own)])[:, None]

    between = 0.0
    if count > 1 and any(phase.start_month is None for phase in phases):
        between = float(_number(inputs, stated, "months_between", AT)[0, 0])
    starts = column("start_month", between * np.arange(float(count))[:, None])
    if stated.grid_month is not None:
        grid = np.full((count, 1), float(stated.grid_month))
        inputs.scenario(f"{AT}.grid_month", stated.grid_month)
    elif all(phase.grid_month is not None for phase in phases):
        grid = np.zeros((count, 1))
    else:
        grid = starts + inputs.assumption(f"{AT}.grid_months", f"{ROOM}.grid_months")
    bridges = tuple(phase.bridge or stated.bridge for phase in phases)
    need = share * peak_w
    return BuildOut(
        names=tuple(phase.name or f"Phase {place + 1}" for place, phase in enumerate(phases)),
        share=share,
        start_month=starts,
        construction_months=column("construction_months", _number(inputs, stated, "construction_months", AT)),
        ramp_months=column("ramp_months", _number(inputs, stated, "ramp_months", AT)),
        grid_month=column("grid_month", grid),
        grid_w=column("grid_w", need),
        bridge_w=column("bridge_w", need) * np.array([[kind != NO_BRIDGE] for kind in bridges]),
        equipment_months=np.broadcast_to(_number(inputs, stated, "equipment_months", AT), (count, 1)),
        is_s_curve=stated.drawing == "s_curve",
        occupancy_ramp_months=np.zeros((1, 1)),
        escalator=np.full((1, 1), np.nan),
        cross_connects=np.zeros((1, 1)),
        cross_connect_usd_per_month=np.zeros((1, 1)),
        **{name: _of_bridges(inputs, stated, name, bridges) for name in OF_BRIDGE},
    ), bridges


def _of_kind(inputs: Inputs, name: str, kind: str) -> Array:
    """A figure of bridge power from those of its kind of plant at rated load, as own plant under `facility` has them."""
    if name == "bridge_usd_per_kw_month":
        return inputs.assumption(f"{AT}.{kind}.{name}", f"{ROOM}.{name}", also={"bridge": kind})

    def of(figure: str) -> Array:
        return inputs.assumption(f"{AT}.{kind}.{figure}", f"power_supply.{figure}", also={"kind": kind})

    if name == "bridge_lead_months":
        return 12 * of("lead_time_years")
    efficiency = of("efficiency")
    if name == "bridge_usd_per_kwh":
        return full_load_usd_per_kwh(
            fuel_usd_per_kwh=of("fuel_usd_per_kwh"),
            efficiency=efficiency,
            variable_om_usd_per_kwh=of("variable_om_usd_per_kwh"),
        )
    return full_load_kg_per_kwh(
        fuel_co2_kg_per_kwh=of("fuel_co2_kg_per_kwh"),
        methane_kg_per_kwh=methane_kg_per_kwh(methane_slip_share=of("methane_slip_share")),
        efficiency=efficiency,
    )


def _of_bridges(inputs: Inputs, stated: BuildOutDocument, name: str, bridges: Sequence[str]) -> Array:
    """A figure of the bridge power of every phase; zero where it has none."""
    by_kind = {NO_BRIDGE: 0.0}
    for kind in dict.fromkeys(bridges):
        if kind == NO_BRIDGE:
            continue
        own = getattr(stated, name)
        found = inputs.scenario(f"{AT}.{name}", own) if own is not None else _of_kind(inputs, name, kind)
        by_kind[kind] = first_of(found)
    return np.array([[by_kind[kind]] for kind in bridges])


def _shares(phases: Sequence[PhaseDocument], pods: float) -> Array:
    """Shares of the phases in the pod; those that state none share the rest evenly."""
    stated = [
        phase.share
        if phase.share is not None
        else None
        if phase.supernodes is None
        else phase.supernodes / pods
        for phase in phases
    ]
    known = sum(share or 0.0 for share in stated)
    open_phases = sum(share is None for share in stated)
    is_whole = abs(known - 1) <= ROUNDING
    if (not open_phases and not is_whole) or (open_phases and known >= 1 - ROUNDING):
        of_pod = f"{known * pods:,.6g} of the pod's {pods:,.0f} SuperNodes"
        raise refuse(
            f"The phases of economics.build_out are {of_pod}.",
            rule="phases",
            path=f"{AT}.phases",
            value=known,
            hint=f"State phases that add up to {pods:,.0f} SuperNodes, or leave the size of one out for the rest.",
        )
    rest = (1 - known) / open_phases if open_phases else 0.0
    return np.array([[rest if share is None else share] for share in stated])


def _colocated(
    inputs: Inputs, build_out: BuildOut, terms: FinancingDocument, *, has_phases: bool
) -> BuildOut:
    found: dict[str, Any] = {}
    if has_phases or terms.colocation_ramp_months is not None:
        found["occupancy_ramp_months"] = _number(inputs, terms, "colocation_ramp_months", FINANCING)
    if terms.colocation_escalator is not None:
        path = f"{FINANCING}.colocation_escalator"
        found["escalator"] = inputs.scenario(path, terms.colocation_escalator).reshape(1, 1)
    if terms.cross_connects:
        path = f"{FINANCING}.cross_connects"
        found["cross_connects"] = inputs.scenario(path, terms.cross_connects).reshape(1, 1)
        found["cross_connect_usd_per_month"] = _number(
            inputs, terms, "cross_connect_usd_per_month", FINANCING
        )
    return replace(build_out, **found)


def _financing(inputs: Inputs, document: ScenarioDocument, terms: FinancingDocument) -> Financing:
    """Loans follow the rate and the term of debt in the cash flow, unless they state their own."""
    debt = document.economics.finance

    def of_debt(name: str, stated: float | None, other: str, factor: float) -> Array:
        path, given = f"{FINANCING}.{name}", getattr(debt, other)
        if stated is not None:
            return inputs.scenario(path, stated).reshape(1, 1)
        found = inputs.assumption(
            path, f"scenario.{other}", given=given, scenario_field=f"economics.finance.{other}"
        )
        inputs.values[path] = found * factor
        return (found * factor).reshape(1, 1)

    return Financing(
        loan_rate=of_debt("loan_rate", terms.loan_rate, "debt_rate", 1),
        loan_months=np.maximum(np.round(of_debt("loan_months", terms.loan_months, "debt_years", 12)), 1),
        lease_in_advance=np.array([[float(terms.lease_payments == "advance")]]),
        **{name: _number(inputs, terms, name, FINANCING) for name in OF_FINANCING},
    )

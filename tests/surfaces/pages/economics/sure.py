"""Reports of how sure a design is, made up for what their pages say."""

from __future__ import annotations

from typing import Any

from app.views.uncertainty.report import (
    SobolShare,
    TornadoBar,
    UncertainFigure,
    UncertainInput,
    UncertaintyReport,
)

EMPTY: dict[str, Any] = {
    "name": "A design",
    "sampler": "latin_hypercube",
    "seed": 0,
    "samples": 4,
    "refused_share": 0.0,
    "inputs": (),
    "figures": (),
    "probabilities": (),
    "tornado": (),
    "sobol": (),
    "spider": (),
    "information": (),
    "correlations": (),
    "matters": "",
    "notes": (),
}


def report(**known: Any) -> UncertaintyReport:
    return UncertaintyReport(**{**EMPTY, **known})


def figure(path: str, p10: float, p50: float, p90: float) -> UncertainFigure:
    return UncertainFigure(path=path, label="Cost of the run", unit="USD", point=p50, p10=p10, p50=p50, p90=p90,
                           mean=p50, unknown_share=0.0, edges=(p10, p90), counts=(4,))  # fmt: skip


def uncertain_input(place: str, unit: str = "1") -> UncertainInput:
    return UncertainInput(place=place, field=place, label=place[0].upper() + place[1:], unit=unit,
                          distribution="uniform", low=0.0, typical=0.5, high=1.0, kind="column", levels=0,
                          source="stated in the scenario", origin="scenario")  # fmt: skip


def bar(path: str, place: str, swing: float) -> TornadoBar:
    return TornadoBar(
        figure=path, place=place, low_value=0.0, high_value=1.0, at_low=1.0, at_high=2.0, swing=swing
    )


def share(path: str, place: str, first: float) -> SobolShare:
    return SobolShare(figure=path, place=place, first=first, first_low=first, first_high=first,
                      total=first, total_low=first, total_high=first)  # fmt: skip

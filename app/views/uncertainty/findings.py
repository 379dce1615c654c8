"""Findings of an uncertainty analysis: main drivers, fixed inputs, assumptions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.engine.quantities import label_at
from app.engine.units import inside
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.uncertainty.fixed_layout import SAID, searched
from app.views.uncertainty.inputs import MAIN, VaryingInput, field_of, name_of
from app.views.uncertainty.report import RankCorrelation, SobolShare, TornadoBar, UncertainFigure

NAMED = 3
SMALL = 0.01
KEY_INPUTS = (
    "economics.utilisation",
    "supernode.price_usd",
    "economics.life_years",
    "economics.wacc",
    "facility.site.electricity_price_usd_per_kwh",
)
"""What decides the cost of ownership as a rule, and the input that is believed to."""


def matters(
    figures: Sequence[UncertainFigure],
    inputs: Sequence[VaryingInput],
    tornado: Sequence[TornadoBar],
    sobol: Sequence[SobolShare],
) -> str:
    """Inputs that dominate the spread of the main figure."""
    known = {figure.path for figure in figures if figure.p50 is not None}
    main = next((path for path in (*MAIN, *(figure.path for figure in figures)) if path in known), None)
    parts = spread_shares(main, tornado, sobol)
    if not parts:
        return "No input that varies moves a figure: give fields a range, as utilisation: 0.4 to 0.95."
    labels = {one.place: one.label for one in inputs}
    named = [f"{labels[place]} ({percent(part)})" for place, part in parts[:NAMED] if part >= SMALL]
    said = f"{label_at(main or '')}: {_listed(named)} {'makes' if len(named) == 1 else 'make'} most of its spread."
    electricity = dict(parts).get("facility.site.electricity_price_usd_per_kwh")
    if electricity is not None and electricity < 0.1:
        said += f" The price of electricity makes {percent(electricity)} of it."
    return said


def notes(
    scenario: EvaluatedScenario,
    figures: Sequence[UncertainFigure],
    inputs: Sequence[VaryingInput],
    correlations: Sequence[RankCorrelation],
    *,
    held: int,
    refused_share: float,
    sobol_inputs: int | None,
) -> Iterator[str]:
    """Caveats of the figures."""
    if searched(scenario):
        yield SAID
    if held:
        yield (
            f"{held} ranges of the catalog move no figure by more than 1\u202f% and are held where they stand."
            if held > 1
            else "1 range of the catalog moves no figure by more than 1\u202f% and is held where it stands."
        )
    varying = {one.place for one in inputs}
    origins = scenario.resolved.origins
    fixed = [place for place in KEY_INPUTS if place not in varying and place in origins]
    stated = [place for place in fixed if origins[place].kind == "scenario"]
    if stated:
        fields = _listed([field_of(place) for place in stated])
        yield f"Held as the scenario states it: {_listed([inside(name_of(place, None)) for place in stated])}. Ranges of {fields} would vary it."
    yield from _outside(figures)
    for one in inputs:
        if one.levels:
            yield (
                f"{one.field} decides the structure of the design: {one.levels} values of equal probability, each "
                "resolved by itself."
            )
        if one.distribution.cut_share > 0.001:
            yield (
                f"{one.label}: {percent(one.distribution.cut_share)} of its distribution lies beyond what the field can be, "
                "and is cut off."
            )
    if refused_share:
        yield f"{percent(refused_share)} of the samples are designs that cannot be; they are left out of every percentile."
    if any(pair.origin == "assumption" for pair in correlations):
        yield "Prices of hardware and of rented hours are assumed to move together; state correlations to change it."
    if sobol_inputs is not None:
        if correlations:
            yield "Sobol indices are those of independent inputs: correlations are left out of them."
        if sobol_inputs < len(inputs):
            yield f"Sobol indices are of the {sobol_inputs} inputs that move a figure most; the others are held for them."


def _outside(figures: Sequence[UncertainFigure]) -> Iterator[str]:
    """Figures that are more likely to come out on one side of what they are as the scenario stands."""
    for side, words in (("below", "more"), ("above", "less")):
        found = [one.label for one in figures if _side(one) == side]
        if found:
            listed = (
                _listed(found[:NAMED])
                if len(found) <= NAMED
                else f"{len(found)} figures, such as {found[0]},"
            )
            are = "lies" if len(found) == 1 else "lie"
            yield f"{listed} {are}, as the scenario stands, {side} 80 % of samples: ranges reach further to {words}."


def _side(figure: UncertainFigure) -> str:
    if figure.point is None or figure.p10 is None or figure.p90 is None:
        return ""
    # the year of a single design is hourly, that of samples binned: they differ by a hundred-thousandth
    slack = 1e-4 * abs(figure.point)
    return (
        "below" if figure.point < figure.p10 - slack else "above" if figure.point > figure.p90 + slack else ""
    )


def percent(share: float) -> str:
    """A share as people say it.

    >>> percent(0.734), percent(0.0021), percent(0.0001)
    ('73\u202f%', '0.2\u202f%', 'less than 0.1\u202f%')
    """
    if share < 0.001:
        return "less than 0.1\u202f%"
    return f"{100 * share:.0f}\u202f%" if share >= 0.1 else f"{100 * share:.1f}\u202f%"


def spread_shares(
    path: str | None, tornado: Sequence[TornadoBar], sobol: Sequence[SobolShare]
) -> list[tuple[str, float]]:
    """The share of each input in a figure's variance, largest first: Sobol indices where the figure has them, else
    the squares of its bars."""
    found = {one.place: max(one.first, 0.0) for one in sobol if one.figure == path}
    if not found:
        squares = {bar.place: bar.swing**2 for bar in tornado if bar.figure == path}
        whole = sum(squares.values()) or 1.0
        found = {place: square / whole for place, square in squares.items()}
    return sorted(found.items(), key=lambda part: -part[1])


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)

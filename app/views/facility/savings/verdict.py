"""Whether "more than half" is reached: by less energy, or only by not counting what renewables give."""

from __future__ import annotations

import math

import numpy as np

from app.engine.facility.savings.saved import facility_energy_ceiling, share_saved
from app.engine.trace import first_of
from app.views.facility.savings.report import SavingsAccount, SavingsVerdict
from app.views.facility.savings.values import Values
from app.views.facility.savings.words import percent

CLAIM = "Liquid cooling, renewable energy and demand-aware scheduling cut energy use by more than 50 %."


def verdict(baseline: SavingsAccount, final: SavingsAccount, values: Values) -> SavingsVerdict:
    """The claim against both readings of it."""
    claimed = values.claimed.value
    energy = _saved(baseline.energy_kwh, final.energy_kwh)
    grid = _saved(baseline.energy_kwh, final.grid_kwh)
    ceiling, with_fans = (
        first_of(facility_energy_ceiling(pue=np.array([ratio]))) for ratio in (baseline.pue, baseline.tue)
    )
    reached = "energy" if energy > claimed else "grid" if grid > claimed else "neither"
    if math.isnan(energy) or math.isnan(grid):
        reached = "unknown"
    return SavingsVerdict(
        claim=CLAIM,
        source=values.claimed.source,
        claimed_share=claimed,
        energy_share=energy,
        grid_share=grid,
        overhead_ceiling_share=ceiling,
        ceiling_with_fans_share=with_fans,
        reached_by=reached,
        sentences=_sentences(baseline, final, reached, energy, grid, ceiling, with_fans),
    )


def _saved(before: float, after: float) -> float:
    return first_of(share_saved(before=np.array([before]), after=np.array([after])))


def _sentences(
    baseline: SavingsAccount,
    final: SavingsAccount,
    reached: str,
    energy: float,
    grid: float,
    ceiling: float,
    with_fans: float,
) -> tuple[str, ...]:
    if reached == "unknown":
        return ("Not known: a figure of the design that the energy depends on is not published.",)
    answer = {
        "energy": "Reached by using less energy.",
        "grid": "Not reached by using less energy; reached only where energy from renewables is not counted.",
        "neither": "Not reached, with renewables counted or without.",
    }[reached]
    before, after, unit = _pair(baseline, final)
    lines = [
        answer,
        f"Energy at the meter: 1 − {after:,.4g} / {before:,.4g} {unit} = {percent(energy, 1)} saved.",
    ]
    if final.grid_kwh != final.energy_kwh:
        lines.append(
            f"From the grid: 1 − {after * final.grid_kwh / final.energy_kwh:,.4g} / {before:,.4g} {unit} = "
            f"{percent(grid, 1)}; the difference is energy that is used all the same, from other plants."
        )
    lines.append(
        f"The ceiling of plant and power train: at the baseline's PUE of {baseline.pue:.3f} all overhead is "
        f"1 − 1 / {baseline.pue:.3f} = {percent(ceiling, 1)}, with server fans and power supplies {percent(with_fans, 1)}. "
        "More than that must come out of the work itself."
    )
    return tuple(lines)


def _pair(baseline: SavingsAccount, final: SavingsAccount) -> tuple[float, float, str]:
    """The energies that are set against each other: for a useful token where there are tokens, else of a run."""
    if baseline.energy_j_per_token is not None and final.energy_j_per_token is not None:
        return baseline.energy_j_per_token, final.energy_j_per_token, "J a token"
    return baseline.energy_kwh / 1e3, final.energy_kwh / 1e3, "MWh a run"

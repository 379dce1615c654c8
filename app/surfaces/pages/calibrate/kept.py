"""The runs that are kept with the workspace, as the calibration page lists them."""

from __future__ import annotations

from typing import NamedTuple

from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.errors import ScenarioError
from app.surfaces.pages.designs import Designs
from app.surfaces.pages.studio.fields import FRAMEWORKS, PRECISIONS


class KeptLine(NamedTuple):
    """`own` says that the run is of the deployment of the design at hand, and corrects it."""

    id: int
    scenario: str
    deployment: str
    source: str
    measured: str
    kept_at: str
    own: bool


def kept_lines(designs: Designs, scenario: ScenarioDocument | None) -> tuple[KeptLine, ...]:
    """All kept runs, those of the deployment of a scenario first, each time the newest first."""
    here, kept = _deployment(designs, scenario), designs.own_runs()
    lines = [
        KeptLine(
            id=run.id,
            scenario=run.scenario,
            deployment=", ".join(
                (
                    run.accelerator,
                    FRAMEWORKS.get(run.framework, run.framework),
                    PRECISIONS.get(run.precision, run.precision),
                )
            ),
            source=run.source,
            measured=f"{run.measured_tokens_per_s:,.1f}",
            kept_at=f"{run.kept_at:%Y-%m-%d}",
            own=run.deployment == here,
        )
        for run in (kept.listed() if kept.has_workspace else ())
    ]
    return tuple(sorted(lines, key=lambda line: not line.own))


def _deployment(designs: Designs, scenario: ScenarioDocument | None) -> dict[str, str] | None:
    """None where there is no scenario that can be evaluated; the page says why."""
    if scenario is None:
        return None
    try:
        return designs.deployment(scenario)
    except ScenarioError:
        return None

"""What the answer to own or rent is told from: the pod, owning it, and renting on each kind of terms."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from app.catalog.lookup import Catalog
from app.engine.trace import first_of
from app.scenarios.evaluation.service import EvaluatedScenario
from app.views.economics.own_or_rent.owned import Owned, owned_of
from app.views.economics.own_or_rent.pod import PodMoney, pod_money
from app.views.economics.own_or_rent.price_paths import Path, paths_of
from app.views.economics.own_or_rent.rented import KINDS, Rented, price_of, rented_of


class Worked(NamedTuple):
    """`path` is the one of `paths` that the scenario chose; `rents` are in the order of KINDS."""

    pod: PodMoney
    owned: Owned
    paths: tuple[Path, ...]
    path: Path
    rents: tuple[Rented, ...]
    horizon: int


def worked(scenario: EvaluatedScenario, catalog: Catalog) -> Worked:
    """Owning and renting after every month, on the scenario's price path."""
    design = scenario.resolved.whole
    economics, accelerator = design.economics, design.supernode.accelerator
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):  # unknown inputs are NaN
        pod = pod_money(scenario)
        paths = paths_of(economics.renting, accelerator.name, catalog.rentals(accelerator.key, "on_demand"))
        path = next(path for path in paths if path.key == economics.renting.price_path)
        return Worked(
            pod=pod,
            owned=owned_of(pod),
            paths=paths,
            path=path,
            rents=tuple(rented_of(pod, kind, price_of(economics, kind), path) for kind in KINDS),
            horizon=max(round(first_of(economics.renting.horizon_months)), 1),
        )

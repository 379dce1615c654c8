"""What a choice of today costs if prices take another path."""

from __future__ import annotations

import numpy as np

from app.engine.economics.renting.regret import most_regret_usd, regret_usd
from app.engine.trace import first_of
from app.views.economics.own_or_rent.mixes import Mixed
from app.views.economics.own_or_rent.owned import Owned
from app.views.economics.own_or_rent.pod import PodMoney
from app.views.economics.own_or_rent.price_paths import Path
from app.views.economics.own_or_rent.rented import Rented, rented_of, usd
from app.views.economics.own_or_rent.report import RegretTable


def regrets(
    pod: PodMoney,
    owned: Owned,
    rents: tuple[Rented, ...],
    mix: tuple[Rented, Mixed] | None,
    paths: tuple[Path, ...],
    horizon: int,
) -> RegretTable:
    """Owning, each kind of terms with a price, and the mix that is best on the chosen path, on every known path."""
    known = [path for path in paths if path.is_known]
    rented = [rent for rent in rents if rent.is_known]
    own = usd(owned.total(pod.utilisation), horizon)
    rows = [[own] * len(known)]
    rows += [
        [
            usd(rented_of(pod, one.kind, one.price, path).total(pod, pod.utilisation), horizon)
            for path in known
        ]
        for one in rented
    ]
    choices = ["own", *(one.kind.key for one in rented)]
    if mix is not None:
        peak, shares = mix
        rows.append(
            [
                first_of(shares.total(pod, owned, rented_of(pod, peak.kind, peak.price, path), horizon))
                for path in known
            ]
        )
        choices.append("mix")
    cost = np.array(rows)
    regret = regret_usd(cost_usd=cost)
    most = most_regret_usd(regret_usd=regret)
    said = np.isfinite(cost).all() and len(choices) > 1
    return RegretTable(
        choices=tuple(choices),
        paths=tuple(path.key for path in known),
        cost_usd=tuple(tuple(line) for line in cost.tolist()),
        regret_usd=tuple(tuple(line) for line in regret.tolist()),
        most_regret_usd=tuple(most.tolist()),
        least_regretted=choices[int(np.argmin(most))] if said else "",
        left_out=tuple(path.key for path in paths if not path.is_known),
    )

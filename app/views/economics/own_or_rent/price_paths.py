"""The price paths that owning and renting are compared on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.catalog.values import RentalOffer
from app.engine.economics.renting import paths
from app.engine.specs import Renting
from app.engine.trace import Array, first_of
from app.views.economics.own_or_rent.owned import MONTH
from app.views.economics.own_or_rent.price_history import price_history


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Prices of MONTH over today's; all unknown where `is_known` is false."""

    key: str
    title: str
    said: str
    over_today: Array
    is_known: bool = True


def paths_of(renting: Renting, accelerator: str, offers: Sequence[RentalOffer]) -> tuple[Path, ...]:
    """Flat, decay, the jump, the jump taken back, and the dated history."""
    back = paths.undoing_share(share=renting.shock_share)
    jumps = {"shock": renting.shock_share, "shock_back": back}
    change, when = first_of(renting.price_change_per_year), first_of(renting.shock_month)
    history = price_history(accelerator, offers)
    return (
        Path(
            key="flat",
            title="Flat",
            said="Today's prices hold.",
            over_today=paths.flat_over_today(month=MONTH),
        ),
        Path(
            key="decay",
            title=f"Decay, {signed(change)} a year",
            said=f"Prices move by {signed(change)} a year, compounded month by month.",
            over_today=paths.decayed_over_today(
                month=MONTH, price_change_per_year=renting.price_change_per_year
            ),
        ),
        *(
            Path(
                key=key,
                title=f"Jump of {signed(first_of(share))}",
                said=f"Today's prices hold until month {when:g}, then those after a jump of {signed(first_of(share))}.",
                over_today=paths.shocked_over_today(
                    month=MONTH, shock_month=renting.shock_month, shock_share=share
                ),
            )
            for key, share in jumps.items()
        ),
        Path(
            key="history",
            title="Repeat history",
            said=history.said,
            over_today=paths.replayed_over_today(month=MONTH, history_index=history.index)
            if history.is_known
            else np.full_like(MONTH, np.nan),
            is_known=history.is_known,
        ),
    )


def signed(share: float) -> str:
    """A change as words: "+38 %"."""
    return f"{'+' if share >= 0 else chr(0x2212)}{abs(100 * share):.3g}\u202f%"

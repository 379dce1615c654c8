"""Catalog values kept with what was computed from them, so that it can be computed again years later.

A recording catalog notes each question that is asked of it with its answer; a pinned one gives the
answers of then. Both answer through `_answer`, so that no question is kept and then not given again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from app.catalog.assumptions import AssumptionRow, choose
from app.catalog.climate import KeptYear
from app.catalog.errors import CatalogLookupError
from app.catalog.lookup import Catalog
from app.catalog.snapshot import Snapshot
from app.catalog.values import ClimateYear, Part, Price, Rental
from app.catalog.view import CatalogView

Made = TypeVar("Made")

COUNTED_SINCE = frozenset(
    {
        "economics.cluster_engineers_per_accelerator",
        "economics.land_acres_per_mw",
        "economics.property_tax_share_per_year",
    }
)
"""Costs that were not counted at first. A snapshot with the other costs and without these is of then."""
COUNTED_ALWAYS = "economics.facility_price_usd_per_mw"


class AskedCatalog:
    """A catalog whose every question goes through one place. A question is its kind and what it is about."""

    def __init__(self, today: Catalog) -> None:
        self._today = today

    def _answer(self, kind: str, about: str, ask: Callable[[], Any]) -> Any:
        raise NotImplementedError

    @property
    def today(self) -> Catalog:
        """Today's catalog; answers read from it are not recorded."""
        return self._today

    @property
    def revision(self) -> str:
        return self._today.revision

    def keys(self, kind: str) -> tuple[str, ...]:
        return tuple(self._answer("keys", kind, lambda: self._today.keys(kind)))

    def part(self, kind: str, key: str) -> Part:
        found: Part = self._answer("part", f"{kind}/{key}", lambda: self._today.part(kind, key))
        return found

    def price(self, part_key: str) -> Price | None:
        found: Price | None = self._answer("price", part_key, lambda: self._today.price(part_key))
        return found

    def price_absence(self, part_key: str) -> str:
        return str(self._answer("price_absence", part_key, lambda: self._today.price_absence(part_key)))

    def price_estimate(self, part_key: str) -> Price | None:
        found: Price | None = self._answer(
            "price_estimate", part_key, lambda: self._today.price_estimate(part_key)
        )
        return found

    def price_item(self, key: str) -> Price:
        found: Price = self._answer("price_item", key, lambda: self._today.price_item(key))
        return found

    def rental(self, accelerator_key: str, kind: str, vendor_class: str = "") -> Rental | None:
        found: Rental | None = self._answer(
            "rental",
            "/".join(filter(None, (accelerator_key, kind, vendor_class))),
            lambda: self._today.rental(accelerator_key, kind, vendor_class),
        )
        return found

    def climate(self, key: str) -> ClimateYear:
        # A built-in year of hours is too much to keep with every revision: it is read from today's catalog,
        # and what is kept is a digest that tells whether it is still the same one. An own year may be
        # removed any day, so it is kept whole.
        kept = self._answer("climate", key, lambda: _kept(self._today.climate(key)))
        return kept.year() if isinstance(kept, KeptYear) else self._today.climate(key)

    def assumption(self, room: str, name: str, context: Mapping[str, str]) -> AssumptionRow:
        rows = self._answer("assumption", f"{room}.{name}", lambda: self._today.assumption_rows(room, name))
        # none that holds: today's catalog says so in its words
        return choose(rows, name, context) or self._today.assumption(room, name, context)

    def assumption_names(self, room: str) -> tuple[str, ...]:
        return tuple(self._answer("assumption_names", room, lambda: self._today.assumption_names(room)))


def _kept(year: ClimateYear) -> str | KeptYear:
    return KeptYear.of(year) if year.own else year.digest


class RecordingCatalog(AskedCatalog):
    """Today's catalog; `snapshot` grows with what is asked of it."""

    def __init__(self, today: Catalog) -> None:
        super().__init__(today)
        self.snapshot = Snapshot()

    def _answer(self, kind: str, about: str, ask: Callable[[], Any]) -> Any:
        if not self.snapshot.has(kind, about):
            self.snapshot.keep(kind, about, ask())
        return self.snapshot.answer(kind, about)

    def made_once(self, key: Hashable, make: Callable[[CatalogView], Made]) -> Made:
        """As today's catalog makes it; what was asked for it on the way is noted here as well."""

        def noted() -> tuple[Made, Snapshot]:
            own = RecordingCatalog(self._today)
            return make(own), own.snapshot

        made, asked = self._today.made_once(("noted", key), lambda _: noted())
        self.snapshot.keep_all(asked)
        return made


class PinnedCatalog(AskedCatalog):
    """The values of a snapshot. What it lacks is read from today's catalog, and named in `from_today`."""

    def __init__(self, today: Catalog, snapshot: Snapshot, revision: str) -> None:
        super().__init__(today)
        self.snapshot = snapshot
        self._revision = revision
        self._from_today: dict[str, None] = {}

    @property
    def revision(self) -> str:
        """That of the catalog which the snapshot was taken of."""
        return self._revision

    @property
    def from_today(self) -> tuple[str, ...]:
        """Rows that were read from today's catalog, such as "part accelerators/nvidia_h100_sxm"."""
        return tuple(self._from_today)

    def price_absence(self, part_key: str) -> str:
        # The reason was not kept at first; it is no figure, so a revision of then has none.
        is_kept = self.snapshot.has("price_absence", part_key)
        return super().price_absence(part_key) if is_kept else ""

    def assumption(self, room: str, name: str, context: Mapping[str, str]) -> AssumptionRow:
        about = f"{room}.{name}"
        is_of_then = self.snapshot.has("assumption", COUNTED_ALWAYS)
        if about in COUNTED_SINCE and is_of_then and not self.snapshot.has("assumption", about):
            today = self._today.assumption(room, name, context)
            return replace(today, value=0.0, low=None, high=None, source="not counted when this was saved")
        return super().assumption(room, name, context)

    def _answer(self, kind: str, about: str, ask: Callable[[], Any]) -> Any:
        if self.snapshot.has(kind, about):
            answer = self.snapshot.answer(kind, about)
            if kind != "climate" or isinstance(answer, KeptYear) or answer == ask():
                return answer
        answer = ask()
        self._from_today[f"{kind} {about}"] = None
        return answer


class LatestCatalog(AskedCatalog):
    """Today's values, and for rows that have left the catalog those of a snapshot; `gone` names these."""

    def __init__(self, today: Catalog, snapshot: Snapshot) -> None:
        super().__init__(today)
        self._snapshot = snapshot
        self._gone: dict[str, None] = {}

    @property
    def gone(self) -> tuple[str, ...]:
        """Rows such as "accelerators/nvidia_h100_sxm" that today's catalog does not have."""
        return tuple(self._gone)

    def _answer(self, kind: str, about: str, ask: Callable[[], Any]) -> Any:
        try:
            return ask()
        except CatalogLookupError:
            if not self._snapshot.has(kind, about):
                raise
            self._gone[about] = None
            return self._snapshot.answer(kind, about)

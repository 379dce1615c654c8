"""The catalog as the rest of the product reads it: from memory, one kind at a time, by key."""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from sqlalchemy import Connection, Engine
from sqlmodel import Session

from app.catalog import prices as choice
from app.catalog.assumptions import AssumptionRow, assumption_row, choose
from app.catalog.errors import CatalogLookupError
from app.catalog.kinds import KINDS
from app.catalog.kinds.aliases import CATALOG_KIND
from app.catalog.load import REVISION_QUERY, catalog_revision
from app.catalog.reading import Reader
from app.catalog.values import ClimateYear, Fact, Part, Price, Rental, RentalOffer
from app.db.tables import WorkspaceRow, table_of
from app.likeness import most_like

if TYPE_CHECKING:
    from app.catalog.view import CatalogView

__all__ = [
    "Catalog",
    "CatalogLookupError",
    "ClimateYear",
    "Fact",
    "Part",
    "Price",
    "Rental",
    "RentalOffer",
]

Made = TypeVar("Made")

NEAREST = 3

DATABASES_KEPT = 4
WORKSPACES_KEPT = 32
MADE_KEPT = 64
CHANGES_QUERY = f"SELECT catalog_changes FROM {table_of(WorkspaceRow).name} WHERE id ="

_opened: OrderedDict[int, Catalog] = OrderedDict()  # by identity of the engine that the catalog holds


@dataclass(eq=False, repr=False)
class Catalog:
    """Built-in rows, and those of one workspace when it is named. Kinds are read when first asked for."""

    revision: str
    reader: Reader
    _kinds: dict[str, dict[str, Part]] = field(default_factory=dict)
    _climate: dict[str, ClimateYear] = field(default_factory=dict)
    _names: dict[str, dict[str, str]] = field(default_factory=dict)
    _made: OrderedDict[Hashable, object] = field(default_factory=OrderedDict)
    _beneath: Catalog | None = None  # the built-in catalog, where this is one of a workspace
    _of_workspaces: OrderedDict[int, tuple[int, Catalog]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def open(cls, database: Engine | Session, *, workspace_id: int | None = None) -> Catalog:
        """The catalog of a migrated and seeded database.

        One catalog a process is kept for each database and revision; with a workspace, whose rows may
        change at any time, it is read again.

        Raises
        ------
        CatalogLookupError : the database holds no catalog
        """
        engine = database if isinstance(database, Engine) else _engine_of(database)
        with engine.connect() as connection:
            revision = catalog_revision(connection)
        if workspace_id is not None and revision is not None:
            return cls(revision=revision, reader=Reader(engine, workspace_id))
        return cls._kept(engine, revision)

    @classmethod
    def _kept(cls, engine: Engine, revision: str | None) -> Catalog:
        """The built-in catalog of a revision, one object a database."""
        if revision is None:
            raise CatalogLookupError("the database holds no catalog; `podwright seed` fills it")
        kept = _opened.get(id(engine))
        if kept is None or kept.revision != revision:
            kept = _opened[id(engine)] = cls(revision=revision, reader=Reader(engine, None))
            while len(_opened) > DATABASES_KEPT:
                _opened.popitem(last=False)
        else:
            _opened.move_to_end(id(engine))
        return kept

    def of(self, workspace_id: int) -> Catalog:
        """This catalog with the own rows of a workspace over it; itself, where the workspace has none."""
        return self._of(workspace_id, catalog_changes(self.reader.engine, workspace_id))

    @classmethod
    def of_workspace(cls, engine: Engine, workspace_id: int) -> Catalog:
        """The catalog of a migrated and seeded database as a workspace has it, in one look at the database.

        Raises
        ------
        CatalogLookupError : the database holds no catalog
        """
        with engine.connect() as connection:
            both = f"SELECT ({REVISION_QUERY}), ({CHANGES_QUERY} {int(workspace_id)})"
            revision, changes = connection.exec_driver_sql(both).one()
            return cls._kept(engine, revision)._of(workspace_id, int(changes or 0))

    def _of(self, workspace_id: int, changes: int) -> Catalog:
        engine, builtin = self.reader.engine, self.builtin
        if not changes:
            return builtin
        with self._lock:
            kept = self._of_workspaces.get(workspace_id)
            if kept is None or kept[0] != changes:
                found = builtin
                if Reader(engine, workspace_id).has_own():
                    revision = f"{builtin.revision}+{workspace_id}.{changes}"
                    found = Catalog(revision=revision, reader=Reader(engine, workspace_id), _beneath=builtin)
                kept = self._of_workspaces[workspace_id] = (changes, found)
                while len(self._of_workspaces) > WORKSPACES_KEPT:
                    self._of_workspaces.popitem(last=False)
            self._of_workspaces.move_to_end(workspace_id)
            return kept[1]

    @property
    def today(self) -> Catalog:
        """The catalog as it is now: itself."""
        return self

    @property
    def builtin(self) -> Catalog:
        """The built-in catalog: itself, or the one that rows of a workspace lie over."""
        return self._beneath or self

    def own_parts(self) -> tuple[Part, ...]:
        """The rows that the workspace has of its own, or over built-in ones; none in the built-in catalog."""
        return tuple(self.part(kind, key) for kind, key in self._own_keys)

    @cached_property
    def _own_keys(self) -> tuple[tuple[str, str], ...]:
        return self.reader.own_keys() if self._beneath else ()

    def kinds(self) -> tuple[str, ...]:
        """Every kind of row."""
        return tuple(KINDS)

    def keys(self, kind: str) -> tuple[str, ...]:
        """Keys of a kind, in the order of the file."""
        return tuple(self._parts(kind))

    def parts(self, kind: str) -> tuple[Part, ...]:
        """All rows of a kind, in the order of the file."""
        return tuple(self._parts(kind).values())

    def part(self, kind: str, key: str) -> Part:
        """One row.

        Raises
        ------
        CatalogLookupError : no such kind or key; the message names the nearest
        """
        parts = self._parts(kind)
        if key not in parts:
            near = tuple(self.nearest(kind, key))
            hint = f"; the nearest are {', '.join(near)}" if near else ""
            raise CatalogLookupError(f"{kind} has no {key!r}{hint}", near)
        return parts[key]

    def find(self, kind: str, name: str) -> str | None:
        """The key that a key or any other name of a part stands for: exactly, else whatever the case."""
        if name in self._parts(kind):
            return name
        known = self._known_names(kind)
        return known.get(name) or {other.lower(): key for other, key in known.items()}.get(name.lower())

    def names(self, kind: str) -> dict[str, str]:
        """Every key and every other name of the parts of a kind, and the key that each stands for."""
        return {key: key for key in self._parts(kind)} | self._known_names(kind)

    def nearest(self, kind: str, text: str, count: int = NEAREST) -> list[str]:
        """Keys whose key or other names are most like `text`, best first."""
        keys = self.names(kind)
        # several names may be of one key, so more are taken than are given back
        return list(dict.fromkeys(keys[name] for name in most_like(text, keys, 8 * count)))[:count]

    def price(self, part_key: str) -> Price | None:
        """What a part costs to buy; None without a usable published price (an estimate is not one).

        What a workspace says itself comes first, whatever its condition: its own price rows, then a range
        that it states for the part. That of a system is always of the bare system: what covers more is reduced
        to it, and says how.
        """
        price = self._chosen_price(part_key)
        if price is None or part_key not in self._parts("systems"):
            return price
        basis = choice.basis_of(price)
        if basis in choice.BARE_SHARES:
            return choice.bare_system(price, self.assumption("economics", choice.BARE_SHARES[basis], {}))
        if price.basis == choice.BARE:
            return price
        return dataclasses.replace(price, basis=choice.BARE, stated={"basis": price.basis})

    def _chosen_price(self, part_key: str) -> Price | None:
        """The row, or the range of a part, that speaks for its price."""
        rows = self.prices(part_key)
        part = self._hardware(part_key)
        stated = choice.part_range(part) if part else None
        own = choice.chosen_price(row for row in rows if row.own)
        if own or (stated and stated.own):
            return own or stated
        if part is not None and self._not_sold(part):
            return None
        return choice.chosen_price(rows) if rows else stated

    def price_absence(self, part_key: str) -> str:
        """Why a part has no price: it is not sold, or its rows are not to be relied on; "" otherwise."""
        part = self._hardware(part_key)
        if part is not None and (reason := self._not_sold(part)):
            return f"{choice.RENT_ONLY}{reason}"
        unused = [price for price in self.prices(part_key) if price.reliability == "do_not_use"]
        if not unused:
            return ""
        row = choice.newest_price(unused)
        return f"a published {row.value:,.0f} {row.unit} of {row.as_of} is not used: {row.reliability_reason or row.note}"

    def rent_only(self, part_key: str) -> str:
        """Why a part can only be rented; "" for what is sold."""
        part = self._hardware(part_key)
        return self._not_sold(part) if part is not None else ""

    def _not_sold(self, part: Part) -> str:
        """Why a part cannot be bought, as its own row or its accelerator's states; "" for what is sold."""
        accelerator = self._parts("accelerators").get(str(part.attributes.get("accelerator_key", "")))
        for row in (part, accelerator):
            if row is not None and row.attributes.get("sold", "yes") != "yes":
                return str(row.attributes.get("sold_reason", "")) or "its vendor does not sell it"
        return ""

    def price_estimate(self, part_key: str) -> Price | None:
        """An estimate of the price, to be offered as an assumption."""
        return choice.chosen_estimate(self.prices(part_key))

    def prices(self, part_key: str) -> list[Price]:
        """All price rows of a part."""
        return self._prices.get(part_key, []) if part_key else []

    def price_item(self, key: str) -> Price:
        """One price row by its own key, such as `demand_charge`.

        Raises
        ------
        CatalogLookupError : no such row
        """
        self.part("prices", key)
        return self._price_items[key]

    def rentals(self, accelerator_key: str, kind: str) -> list[RentalOffer]:
        """All dated offers of an accelerator on one kind of terms, oldest first."""
        return [offer for offer in self._rentals.get(accelerator_key, []) if offer.kind == kind]

    def rental(self, accelerator_key: str, kind: str, vendor_class: str = "") -> Rental | None:
        """Least, median and most of the newest offers; of a workspace's own, where it has any.

        `vendor_class` takes the sellers of one class alone; own offers stand in every class.
        """
        offers = [
            offer
            for offer in self.rentals(accelerator_key, kind)
            if offer.own or vendor_class in ("", offer.vendor_class)
        ]
        return choice.newest_rental([offer for offer in offers if offer.own] or offers)

    def climate(self, key: str) -> ClimateYear:
        """An hourly year with its bins.

        Raises
        ------
        CatalogLookupError : no such year, or it was left out for its licence
        """
        if key not in self._climate:
            named = {site.attributes.get("climate_key") for site in self.parts("sites")}
            if key in named and key not in self.keys("climate"):
                reason = "was left out when the catalog was seeded, as its terms need a check"
                raise CatalogLookupError(f"the climate year {key!r} {reason}")
            self.part("climate", key)
            self._climate[key] = self.reader.climate_year(key)
        return self._climate[key]

    def assumption(self, room: str, name: str, context: Mapping[str, str]) -> AssumptionRow:
        """The most specific row of an assumption that holds in `context`.

        Raises
        ------
        CatalogLookupError : the room has no such assumption, or none that holds
        """
        row = choose(self.assumption_rows(room, name), name, context)
        if row is None:
            known = self.assumption_names(room)
            near = tuple(most_like(name, known, NEAREST))
            where = f" for {dict(context)}" if name in known else ""
            hint = f"; the nearest are {', '.join(near)}" if near and name not in known else ""
            raise CatalogLookupError(f"{room} has no assumption {name!r}{where}{hint}", near)
        return row

    def made_once(self, key: Hashable, make: Callable[[CatalogView], Made]) -> Made:
        """What follows from the catalog and a key alone; the last ones are kept, and must not be changed."""
        kept = self._made.get(key)
        if kept is None:
            kept = self._made[key] = make(self)
            with self._lock:
                while len(self._made) > MADE_KEPT:
                    self._made.popitem(last=False)
        return cast(Made, kept)

    def assumptions(
        self, room: str, names: Iterable[str], context: Mapping[str, str]
    ) -> dict[str, AssumptionRow]:
        """The rows of several assumptions of a room, by name."""
        return {name: self.assumption(room, name, context) for name in names}

    def assumption_rows(self, room: str, name: str) -> list[AssumptionRow]:
        """Every row of an assumption, whatever it applies to; none where there is no such assumption."""
        return list(self._assumptions.get(room, {}).get(name, ()))

    def assumption_names(self, room: str) -> tuple[str, ...]:
        """Names of a room's assumptions, in the order of the file."""
        return tuple(self._assumptions.get(room, {}))

    @cached_property
    def _assumptions(self) -> dict[str, dict[str, list[AssumptionRow]]]:
        """Rows by room and name."""
        rooms: dict[str, dict[str, list[AssumptionRow]]] = {}
        for part in self.parts("assumptions"):
            named = rooms.setdefault(str(part.attributes["room"]), {})
            named.setdefault(part.name, []).append(assumption_row(part))
        return rooms

    @cached_property
    def _price_items(self) -> dict[str, Price]:
        """Price rows by their own key."""
        return {price.key: price for price in self.reader.prices()}

    @cached_property
    def _prices(self) -> dict[str, list[Price]]:
        """Price rows by the part they are for."""
        grouped: dict[str, list[Price]] = defaultdict(list)
        for price in self._price_items.values():
            grouped[price.part_key].append(price)
        return dict(grouped)

    @cached_property
    def _rentals(self) -> dict[str, list[RentalOffer]]:
        """Offers by accelerator, oldest first."""
        grouped: dict[str, list[RentalOffer]] = defaultdict(list)
        for offer in sorted(self.reader.rentals(), key=lambda offer: offer.date):
            grouped[offer.accelerator_key].append(offer)
        return dict(grouped)

    def _parts(self, kind: str) -> dict[str, Part]:
        if kind not in self._kinds:
            if kind not in KINDS:
                near = tuple(most_like(kind, KINDS, NEAREST))
                raise CatalogLookupError(
                    f"there is no kind {kind!r}; the nearest are {', '.join(near)}", near
                )
            self._kinds[kind] = self.reader.parts(kind)
        return self._kinds[kind]

    def _hardware(self, key: str) -> Part | None:
        for name, kind in KINDS.items():
            if kind.hardware and key in self._parts(name):
                return self._parts(name)[key]
        return None

    def _known_names(self, kind: str) -> dict[str, str]:
        """Names, and other names, of the rows of a kind."""
        if kind in self._names:
            return self._names[kind]
        known = {part.name: part.key for part in self.parts(kind)}
        for part in self.parts(kind):
            known |= {name: part.key for name in str(part.attributes.get("aliases", "")).split(";") if name}
        for alias in self.parts("aliases"):
            target = str(alias.attributes.get("target", ""))
            if target and CATALOG_KIND.get(str(alias.attributes["of"])) == kind:
                known[str(alias.attributes["alias"])] = target
        self._names[kind] = known
        return known


def catalog_changes(engine: Engine, workspace_id: int) -> int:
    """How often the own rows of a workspace have changed."""
    with engine.connect() as connection:
        return _changes(connection, workspace_id)


def _changes(connection: Connection, workspace_id: int) -> int:
    # of a whole number, nothing else could be put in
    found = connection.exec_driver_sql(f"{CHANGES_QUERY} {int(workspace_id)}").scalar()
    return int(found or 0)


def _engine_of(session: Session) -> Engine:
    bind = session.get_bind()
    return bind if isinstance(bind, Engine) else bind.engine

"""The catalog on the command line: tables for people, JSON for programs."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import orjson
from rich.console import Console
from rich.table import Table
from sqlalchemy import Engine

from app.catalog.kinds import KINDS
from app.catalog.load import LoadReport, load_catalog
from app.catalog.lookup import Catalog
from app.catalog.values import Fact, Part, Price

WIDE = 200


def show_catalog(
    catalog: Catalog,
    kind: str | None = None,
    key: str | None = None,
    *,
    as_json: bool = False,
    console: Console | None = None,
) -> None:
    """Print the kinds, the rows of one kind, or one row with its facts.

    Raises
    ------
    CatalogLookupError : no such kind or key; the message names the nearest
    """
    out = console or _console()
    if kind is None:
        _print(out, kinds_json(catalog) if as_json else _kinds_table(catalog))
    elif key is None:
        _print(out, rows_json(catalog, kind) if as_json else _rows_table(catalog, kind))
    else:
        part = catalog.part(kind, key)
        if as_json:
            _print(out, part_json(catalog, part))
        else:
            _print_part(out, catalog, part)


def seed_catalog(
    engine: Engine,
    seed_dir: Path,
    *,
    ship_climate_needing_check: bool | None = None,
    force: bool = False,
    as_json: bool = False,
    console: Console | None = None,
) -> LoadReport:
    """Load the seed files into a migrated database and print what was done.

    Raises
    ------
    SeedError : a bad row, by file, line and column
    """
    report = load_catalog(
        engine, seed_dir, ship_climate_needing_check=ship_climate_needing_check, force=force
    )
    out = console or _console()
    if as_json:
        _print(out, dataclasses.asdict(report))
    elif not report.changed:
        out.print(f"The catalog is up to date (revision {report.revision}).")
    else:
        counts = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in report.counts.items())
        out.print(f"Loaded {counts} (revision {report.revision}).")
        if report.climate_left_out:
            names = ", ".join(report.climate_left_out)
            out.print(f"Left out, as their terms need a check: {names}.")
    return report


def _console() -> Console:
    # What is piped on has no width of its own; a table cut to 80 columns would lose figures.
    console = Console()
    return console if console.is_terminal else Console(width=WIDE)


def kinds_json(catalog: Catalog) -> list[dict[str, Any]]:
    """Kinds with how many rows each has."""
    return [
        {"kind": name, "title": KINDS[name].title, "rows": len(catalog.keys(name))}
        for name in catalog.kinds()
    ]


def rows_json(catalog: Catalog, kind: str) -> list[dict[str, Any]]:
    """Rows of a kind, in short."""
    names = ("key", "name", "vendor", "year", "status")
    return [{name: getattr(part, name) for name in names} for part in catalog.parts(kind)]


def part_json(catalog: Catalog, part: Part) -> dict[str, Any]:
    """One row with everything known about it; hardware with all its prices and the one that speaks for it."""
    facts = {
        name: {**dataclasses.asdict(fact), "value_basis": fact.value_basis}
        for name, fact in part.facts.items()
    }
    found = {**dataclasses.asdict(part), "facts": facts}
    if KINDS[part.kind].hardware:
        price = catalog.price(part.key)
        found["price"] = dataclasses.asdict(price) if price else None
        found["prices"] = [dataclasses.asdict(row) for row in catalog.prices(part.key)]
    return found


def _print(out: Console, content: Any) -> None:
    if isinstance(content, Table):
        out.print(content)
    elif content is not None:
        out.file.write(orjson.dumps(content, option=orjson.OPT_INDENT_2).decode() + "\n")


def _kinds_table(catalog: Catalog) -> Table:
    table = Table("kind", "rows", "what it is", box=None)
    for row in kinds_json(catalog):
        table.add_row(row["kind"], str(row["rows"]), row["title"])
    return table


def _rows_table(catalog: Catalog, kind: str) -> Table:
    rows = rows_json(catalog, kind)
    columns = [name for name in ("key", "name", "vendor", "year", "status") if any(row[name] for row in rows)]
    table = Table(*columns, box=None)
    table.columns[0].no_wrap = True
    for row in rows:
        table.add_row(*(str(row[name] if row[name] is not None else "") for name in columns))
    return table


def _print_part(out: Console, catalog: Catalog, part: Part) -> None:
    title = " ".join(word for word in (part.vendor, part.name) if word)
    out.print(f"[bold]{title}[/bold]  {part.kind}/{part.key}", highlight=False)
    for name, value in part.attributes.items():
        if name not in {"name", "vendor"}:
            out.print(f"  {name.replace('_', ' ')}: {value}", highlight=False, markup=False)
    table = Table("fact", "value", "unit", "printed", "kind", "date", "confidence", box=None)
    table.columns[0].no_wrap = True
    for name, fact in part.facts.items():
        printed = f"{fact.printed_value} {fact.printed_unit}".strip()
        table.add_row(name, _value(fact), fact.unit, printed, fact.kind, fact.date, fact.confidence)
    out.print(table)
    if KINDS[part.kind].hardware and catalog.prices(part.key):
        out.print(_prices_table(catalog, part))
    for source in dict.fromkeys([*(fact.source for fact in part.facts.values()), part.source]):
        if source:
            out.print(f"  source: {source}", highlight=False, markup=False)


def _prices_table(catalog: Catalog, part: Part) -> Table:
    chosen = catalog.price(part.key)
    table = Table("price", "value", "unit", "condition", "as of", "kind", "source", box=None)
    for price in catalog.prices(part.key):
        mark = " (chosen)" if chosen is not None and price.key == chosen.key else ""
        table.add_row(
            price.key,
            _value(price) + mark,
            price.unit,
            price.condition,
            price.as_of,
            price.kind,
            price.source,
        )
    return table


def _value(fact: Fact | Price) -> str:
    text = f"{fact.value:.6g}"
    if fact.low is None and fact.high is None:
        return text
    ends = " to ".join("?" if end is None else f"{end:.6g}" for end in (fact.low, fact.high))
    return f"{text} ({ends})"

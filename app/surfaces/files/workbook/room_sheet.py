"""The results of one room: each figure with its unit, the formula it comes from and the source of that."""

from __future__ import annotations

from typing import Any

from app.surfaces.files.rows import FigureRow, quantity_of, room_rows
from app.surfaces.files.workbook.cost_model import CostModel
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text, unit_cell

COLUMNS = ("Figure", "Value", "Unit", "Basis", "Formula", "Source", "Place", "Low", "High")
WIDTHS = (46, 18, 14, 44, 60, 40, 44, 18, 18)
LONGEST_WORD = 24  # longer texts do not fit where numbers stand


def room_sheet(book: Book, evaluation: dict[str, Any], room: str, model: CostModel) -> None:
    """One row a figure; tables of numbers have a sheet of their own."""
    sheet = book.sheet(room.capitalize(), WIDTHS)
    sheet.header(*COLUMNS, numbers=(1, 7, 8), frozen=True)
    figures = evaluation[room]  # of the workloads of a shared pod a list, without tables
    tables = [path for path, value in figures.items() if _is_table(value)] if room != "workloads" else []
    for row in room_rows(evaluation, room):
        if not any(row.path.startswith(f"{room}.{path}[") for path in tables):
            words = row.value if isinstance(row.value, str) and len(row.value) > LONGEST_WORD else ""
            sheet.line(
                row.label,
                None if words else _value(row, model),
                unit_cell(row.unit),
                words or row.basis,
                Text(row.formula, "code"),
                row.source,
                Text(row.path, "muted"),
                *_bounds(row),
            )
    if tables:
        _tables_sheet(book, figures, room, tables)


def _bounds(row: FigureRow) -> tuple[Cell, ...]:
    """The interval of a figure. Costs follow the inputs of the workbook, and would leave theirs behind."""
    if row.low is None or row.path.startswith("cost."):
        return ()
    return Number(row.low, row.unit), Number(row.high, row.unit)


def _is_table(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)


def _value(row: FigureRow, model: CostModel) -> Cell:
    if isinstance(row.value, bool):
        return "yes" if row.value else "no"
    if isinstance(row.value, str):
        return row.value
    if row.path.startswith("cost."):
        line = model.at(row.path)
        return Formula(f"={line.name}", line.value, row.unit)
    return Number(row.value, row.unit)


def _tables_sheet(book: Book, figures: dict[str, Any], room: str, names: list[str]) -> None:
    """Numbers in two directions, such as month and hour, counted from 0 as in the JSON."""
    columns = max(len(figures[name][0]) for name in names)
    sheet = book.sheet(f"{room.capitalize()} tables", (10, *(8.0 for _ in range(columns))))
    for name in names:
        path = f"{room}.{name}"
        record = quantity_of(path)
        label, unit = (record.label, record.unit) if record else (path, "1")
        sheet.heading(f"{label}: {path}[row][column]", across=columns + 1)
        positions = range(len(figures[name][0]))
        sheet.header("", *(str(position) for position in positions), numbers=range(1, columns + 1))
        for position, row in enumerate(figures[name]):
            sheet.line(str(position), *(Number(value, unit) for value in row))
        sheet.gap()


NAME = "Bill of materials"
TOTAL_NAME = "bill_total_usd"
TIER_COLUMNS = {
    "switches": "Switches", "links": "Links below", "cables": "Cables", "cabled_ports": "Ports down", "modules": "Modules",
    "switch_modules": "of them in switches", "ports_used": "Ports used",
}  # fmt: skip
PRICE_COLUMN = 3


def bill_sheet(book: Book, evaluation: dict[str, Any], model: CostModel) -> None:
    """Counts and prices; prices are counts times unit prices, by formula."""
    sheet = book.sheet(NAME, (44, 14, 16, 18, 16, 20, 14))
    fabric = evaluation["fabric"]
    sheet.heading("SuperNodes", across=7)
    sheet.header("Item", "Count", "Unit price, USD", "Price, USD", numbers=(1, 2, 3))
    name = evaluation["inputs"]["supernode"]["name"]
    sheet.line(*_supernodes(model, name, "pod.supernodes", "servers"))
    sheet.line(*_supernodes(model, f"{name}, spare", "reliability.spare_supernodes", "spares"))
    sheet.gap()
    sheet.heading("Tiers of the scale-out fabric, over all planes", across=7)
    if not fabric["tiers"]:
        sheet.line(Text("None: the SuperNodes are not joined by a fabric.", "muted"))
        return
    sheet.header("Tier", *TIER_COLUMNS.values(), numbers=range(1, 7))
    for tier in fabric["tiers"]:
        sheet.line(
            tier["name"].capitalize(),
            *(
                Number(tier[name], look="share" if name == "ports_used" else "number")
                for name in TIER_COLUMNS
            ),
        )
    sheet.gap()
    sheet.heading("Fabric: purchases, including spares", across=7)
    sheet.header("Item", "Count", "Unit price, USD", "Price, USD", "Power, W", numbers=(1, 2, 3, 4))
    _bill(sheet, fabric)


def _supernodes(model: CostModel, name: str, count_at: str, part: str) -> tuple[Cell, ...]:
    count, price = model.at(count_at), model.at("cost.supernode_price_usd")
    whole = model.at(f"cost.capex_breakdown_usd.{part}")
    return (
        name,
        Formula(f"={count.name}", count.value, count.unit),
        Formula(f"={price.name}", price.value, price.unit),
        Formula(f"={whole.name}", whole.value, whole.unit),
    )


def _bill(sheet: Sheet, fabric: dict[str, Any]) -> None:
    first = sheet.row + 1
    for line in fabric["bill"]:
        row = sheet.row + 1  # as Excel counts
        # Nothing bought costs nothing, whatever its price.
        price = f"=IF(B{row}<=0,0,B{row}*C{row})"
        sheet.line(
            line["item"],
            Number(line["count"], look="input"),
            Number(line["unit_price_usd"], "USD", look="input"),
            Formula(price, line["price_usd"], "USD"),
            Number(line["power_w"], "W"),
        )
    prices, powers = f"D{first}:D{sheet.row}", f"E{first}:E{sheet.row}"
    total = fabric["network_price_usd"]
    # A sum passes over words, so it would take what is unknown for nothing.
    known = f'=IF(COUNT({prices})=ROWS({prices}),SUM({prices}),"unknown")'
    row = sheet.line(
        Text("Total", "total"),
        Text("", "total"),
        Text("", "total"),
        Formula(f"=SUM({prices})" if total is not None else known, total, "USD", look="total"),
        Formula(f"=SUM({powers})", fabric["network_power_w"], "W", look="total"),
    )
    sheet.book.name_cell(TOTAL_NAME, NAME, row, PRICE_COLUMN)

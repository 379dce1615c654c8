"""The bill of materials: SuperNodes, the tiers of the fabric, and what they are made of."""

from __future__ import annotations

from typing import Any

from app.surfaces.files.workbook.cost_model import CostModel
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text

NAME = "Bill of materials"
TOTAL_NAME = "bill_total_usd"
TIER_COLUMNS = {
    "switches": "Switches", "links": "Links below", "cables": "Cables", "modules": "Modules",
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
    sheet.heading("Fabric: what is bought, including spares", across=7)
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

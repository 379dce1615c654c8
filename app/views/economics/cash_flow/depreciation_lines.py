"""Lines of depreciation: each method has its own, and the chosen one is taken."""

from __future__ import annotations

import numpy as np

from app.engine.economics.cash_flow import depreciation, flows
from app.views.economics.cash_flow.year_table import Here, YearTable


def depreciation_lines(table: YearTable) -> None:
    """Annual depreciation, and gain on sale."""
    terms, years = table.answer.terms, table.years
    share = flows.year_share(life_years=np.array([terms.life_years]), years=years)
    given = {
        "price_usd": np.array([terms.equipment_usd + terms.installation_usd]),
        "residual_usd": np.array([terms.equipment_usd * terms.residual_value]),
        "bonus_depreciation": np.array([terms.bonus_depreciation]),
        "life_years": np.array([terms.life_years]),
        "years": years,
        "year_share": share,
    }
    price, kept = given["price_usd"], given["residual_usd"]
    bonus = depreciation.bonus_depreciation_usd(
        price_usd=price,
        kept_usd=np.zeros(1) if terms.depreciation == "macrs" else kept,
        bonus_depreciation=given["bonus_depreciation"],
    )
    facility_life = np.array([terms.facility_life_years])
    facility = depreciation.facility_depreciation_usd(
        facility_usd=np.array([terms.facility_usd]),
        facility_life_years=facility_life,
        year_share=flows.year_share(life_years=np.minimum(facility_life, terms.life_years), years=years),
    )
    table.head("Depreciation")
    table.line(
        "straight", "Straight line, had it been chosen",
        lambda here: f"IF({here.at('share')}>0,(basis_usd-kept_usd-bonus_usd)/life_years*{here.at('share')},0)",
        depreciation.straight_line_usd(
            depreciable_usd=price - kept - bonus, life_years=given["life_years"], year_share=share
        ).tolist(), summed=True,
    )  # fmt: skip
    table.line(
        "declining", "Declining balance, had it been chosen", _declining,
        depreciation.declining_balance_usd(
            book_usd=price - bonus, kept_usd=kept, life_years=given["life_years"], years=years
        ).tolist(), summed=True,
    )  # fmt: skip
    macrs = depreciation.macrs_usd(depreciable_usd=price - bonus, years=years)
    table.line(
        "macrs", "MACRS, had it been chosen", _macrs, np.where(share > 0, macrs, 0.0).tolist(), summed=True
    )
    table.line(
        "equipment", "Equipment",
        lambda here: f'IF(depreciation="macrs",{here.at("macrs")},IF(depreciation="declining_balance",'
        f"{here.at('declining')},{here.at('straight')}))+IF({here.at('year')}=1,bonus_usd,0)",
        depreciation.equipment_depreciation_usd(method=terms.depreciation, **given).tolist(), summed=True,
    )  # fmt: skip
    table.line(
        "facility", "Facility",
        lambda here: f"IF({here.at('share')}>0,facility_usd/facility_life_years*"
        f"MAX(0,MIN(1,MIN(life_years,facility_life_years)-({here.at('year')}-1))),0)",
        facility.tolist(), summed=True,
    )  # fmt: skip
    table.line(
        "depreciation", "Depreciation in the money of the table",
        lambda here: f"({here.at('equipment')}+{here.at('facility')})*{here.at('fixed')}",
        table.column("depreciation_usd"), summed=True,
    )  # fmt: skip
    table.line(
        "gain", "Gain over the books at the end",
        lambda here: f"IF({here.at('is_last')}=1,{here.at('sales')}-(capex_usd-SUM({here.so_far('equipment')})"
        f"-SUM({here.so_far('facility')}))*{here.at('fixed')},0)",
        table.column("gain_on_sale_usd"), summed=True,
    )  # fmt: skip


def _declining(here: Here) -> str:
    if here.year == 0:
        return "0"
    left = f"(basis_usd-bonus_usd-kept_usd-SUM({here.so_far('declining', until=here.before)}))"
    to_come = f"(life_years-({here.at('year')}-1))"
    part = f"MIN(MAX(2/life_years*({left}+kept_usd),{left}/MAX(1,{to_come})),{left})"
    return f"IF({to_come}<=0,0,IF({to_come}<=1,{left},{part}))"


def _macrs(here: Here) -> str:
    if not 1 <= here.year <= len(depreciation.MACRS_SHARES):
        return "0"
    return f"IF({here.at('share')}>0,(basis_usd-bonus_usd)*macrs_{here.year},0)"

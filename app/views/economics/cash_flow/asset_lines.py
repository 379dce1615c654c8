"""Lines of the sheet of the cash flow on what is bought, bought again, written off and worth at the end."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from app.engine.economics.cash_flow import assets, flows, write_off
from app.engine.economics.cash_flow.money import price_growth
from app.engine.trace import Array
from app.views.economics.cash_flow.inputs_sheet import ASSETS, SOLD
from app.views.economics.cash_flow.report import CashAsset
from app.views.economics.cash_flow.year_table import Here, YearTable

AGAIN = tuple(kind for kind in ASSETS if kind != "servers")
"""What may be bought again: the table ends with the life of the SuperNodes."""
BUILDING_YEARS = "(1/building_write_off_share_per_year)"


def purchase_lines(table: YearTable) -> None:
    """Purchase, what is bought again, and what is got back."""
    terms = table.answer.terms
    table.head("Purchase and residual value")
    for kind in AGAIN:
        table.line(f"again_{kind}", f"{ASSETS[kind]}, bought again", _again(kind),
                   _bought_again(table, terms.assets[kind]).tolist(), summed=True)  # fmt: skip
    table.line(
        "purchase", "Purchase",
        lambda here: f"IF({here.at('year')}=0,capex_usd,0)+" + "+".join(here.at(f"again_{kind}") for kind in AGAIN),
        table.column("purchase_usd"), summed=True,
    )  # fmt: skip
    replaced: Array = sum(
        (_bought_again(table, terms.assets[kind]) * terms.assets[kind].residual_value for kind in AGAIN),
        np.zeros(1),
    )
    table.line(
        "replaced", "Proceeds of replaced equipment",
        lambda here: "+".join(f"{here.at(f'again_{kind}')}*{kind}_residual_value" for kind in AGAIN if kind in SOLD),
        replaced.tolist(), summed=True,
    )  # fmt: skip
    sold = "+".join(f"{kind}_usd*{kind}_worth_share" for kind in ASSETS)
    end = np.array([*table.column("sales_usd"), *_later(table)]) - replaced
    table.line(
        "end", "Worth at the end",
        lambda here: f"IF({here.at('is_last')}=1,({sold}+land_usd)*{here.at('growth')},0)", end.tolist(), summed=True,
    )  # fmt: skip
    table.line("sales", "Got back", lambda here: f"{here.at('replaced')}+{here.at('end')}",
               table.column("sales_usd"), summed=True)  # fmt: skip


def _later(table: YearTable) -> list[float]:
    return [0.0] * (table.years.size - len(table.answer.years))


def _again(kind: str) -> Callable[[Here], str]:
    life = f"{kind}_life_years"
    most = f"(MAX(1,ROUNDUP(life_years/{life},0))-1)"

    def so_far(year: str) -> str:
        return f"IF({year}<life_years,MIN(INT({year}/{life}),{most}),{most})"

    def formula(here: Here) -> str:
        if here.year == 0:
            return "0"
        times = f"({so_far(here.at('year'))}-{so_far(here.last('year'))})"
        return f"IF({times}>0,{kind}_usd*{times}*{here.at('growth')},0)"

    return formula


def _growth(table: YearTable) -> tuple[Array, Array]:
    """Price index, year 0 = 1, and the worth of a nominal dollar, in the money of the table."""
    growth = price_growth(inflation=np.array([table.answer.terms.inflation]), years=table.years)
    flat = np.ones_like(growth)
    return (flat, 1 / growth) if table.answer.terms.prices == "real" else (growth, flat)


def _bought_again(table: YearTable, asset: CashAsset) -> Array:
    growth, _ = _growth(table)
    so_far = assets.replacements_so_far(
        years=table.years,
        life_years=np.array([asset.life_years]),
        horizon_years=np.array([table.answer.terms.life_years]),
    )
    return assets.replacement_usd(
        price_usd=np.array([asset.price_usd]), replaced=np.diff(so_far, prepend=0.0), growth=growth
    )


def depreciation_lines(table: YearTable) -> None:
    """What is written off of each kind, by every method; the books at the end, and the gain over them."""
    terms, years = table.answer.terms, table.years
    owned = flows.year_share(life_years=np.array([terms.life_years]), years=years)
    table.head("Depreciation")
    equipment: Array = np.zeros_like(years)
    for kind in SOLD:
        equipment = equipment + _of_equipment(table, kind, owned)
    again: dict[str, Array] = {}
    for kind in AGAIN:
        again[kind] = _of_replacements(table, kind, owned)
    equipment = equipment + again["network"] + again["storage"]
    table.line(
        "equipment", "Equipment",
        lambda here: "+".join(here.at(f"{kind}_written") for kind in SOLD)
        + "+" + "+".join(here.at(f"again_{kind}_written") for kind in AGAIN if kind in SOLD),
        equipment.tolist(), summed=True,
    )  # fmt: skip
    share = terms.building_write_off_share_per_year
    facility = (
        write_off.facility_depreciation_usd(
            facility_usd=np.array([terms.facility_usd]),
            write_off_share_per_year=np.array([share]),
            years=years,
            year_share=owned,
        )
        + again["plant"]
        + again["shell"]
    )
    left = "MAX(0,1-building_write_off_share_per_year*({year}-1))"
    table.line(
        "facility", "Facility",
        lambda here: f"IF({here.at('share')}>0,facility_usd*MIN(building_write_off_share_per_year,"
        + left.format(year=here.at("year"))
        + f")*{here.at('share')},0)+{here.at('again_plant_written')}+{here.at('again_shell_written')}",
        facility.tolist(), summed=True,
    )  # fmt: skip
    table.line(
        "depreciation", "Depreciation in the money of the table",
        lambda here: f"({here.at('equipment')}+{here.at('facility')})*{here.at('fixed')}",
        table.column("depreciation_usd"), summed=True,
    )  # fmt: skip
    _, fixed = _growth(table)
    purchase = np.array([*table.column("purchase_usd"), *_later(table)])
    replaced: Array = sum(
        (_bought_again(table, terms.assets[kind]) * terms.assets[kind].residual_value for kind in AGAIN),
        np.zeros(1),
    )
    table.line(
        "booked", "Put on the books, nominal",
        lambda here: f"({here.at('purchase')}-{here.at('replaced')})/{here.at('fixed')}",
        ((purchase - replaced) / fixed).tolist(),
    )  # fmt: skip
    table.line(
        "gain", "Gain over book value at the end",
        lambda here: f"IF({here.at('is_last')}=1,{here.at('end')}-(SUM({here.so_far('booked')})"
        f"-SUM({here.so_far('equipment')})-SUM({here.so_far('facility')}))*{here.at('fixed')},0)",
        table.column("gain_on_sale_usd"), summed=True,
    )  # fmt: skip


METHODS = {
    "straight_line": "straight line",
    "declining_balance": "declining balance",
    "macrs": "MACRS",
    "tax_life": "years of the place",
}


def _of_equipment(table: YearTable, kind: str, owned: Array) -> Array:
    """Lines of one kind by every method, and the one that is chosen."""
    terms, asset = table.answer.terms, table.answer.terms.assets[kind]
    beside = terms.installation_usd + terms.duties_usd if kind == "servers" else 0.0
    given = {
        "price_usd": np.array([asset.price_usd + beside]),
        "residual_usd": np.array([asset.price_usd * asset.residual_value]),
        "bonus_depreciation": np.array([terms.bonus_depreciation]),
        "life_years": np.array([asset.life_years]),
        "write_off_years": np.array([terms.equipment_write_off_years]),
        "years": table.years,
        "year_share": owned,
    }
    formulas = {
        "straight_line": _straight(kind),
        "declining_balance": _declining(kind),
        "macrs": _macrs(kind),
        "tax_life": _tax_life(kind),
    }
    written = write_off.equipment_depreciation_usd(method=terms.depreciation, **given)
    bonus_of_year = np.where(table.years == 1, _bonus(terms.depreciation, given), 0.0)
    for method, words in METHODS.items():
        # a method that is not chosen starts from what the chosen one keeps and takes at once, as the cells do
        values = (
            (written - bonus_of_year)
            if method == terms.depreciation
            else _other(method, terms.depreciation, given)
        )
        table.line(
            f"{kind}_{method}", f"{ASSETS[kind]}: {words}, where chosen", formulas[method], values.tolist()
        )
    table.line(
        f"{kind}_written", f"{ASSETS[kind]}: written off",
        lambda here: f'IF(depreciation="macrs",{here.at(f"{kind}_macrs")},IF(depreciation="declining_balance",'
        f'{here.at(f"{kind}_declining_balance")},IF(depreciation="tax_life",{here.at(f"{kind}_tax_life")},'
        f"{here.at(f'{kind}_straight_line')})))+IF({here.at('year')}=1,{kind}_bonus_usd,0)",
        written.tolist(), summed=True,
    )  # fmt: skip
    return written


def _bonus(method: str, given: dict[str, Array]) -> Array:
    kept = np.zeros(1) if method in write_off.WHOLE_PRICE else given["residual_usd"]
    return write_off.bonus_depreciation_usd(
        price_usd=given["price_usd"], kept_usd=kept, bonus_depreciation=given["bonus_depreciation"]
    )


def _other(method: str, chosen: str, given: dict[str, Array]) -> Array:
    """What a method would write off of the sum that the chosen one leaves to it."""
    kept = np.zeros(1) if chosen in write_off.WHOLE_PRICE else given["residual_usd"]
    left = given["price_usd"] - _bonus(chosen, given)
    if method not in write_off.WHOLE_PRICE:
        book, residual = left, kept
    else:
        book, residual = left, np.zeros(1)
    return write_off.equipment_depreciation_usd(
        method=method,
        **given | {"price_usd": book, "residual_usd": residual, "bonus_depreciation": np.zeros(1)},
    )


def _life(kind: str) -> str:
    return "life_years" if kind == "servers" else f"{kind}_life_years"


def _part_of_year(here: Here, life: str) -> str:
    return f"MIN({here.at('share')},MAX(0,MIN(1,{life}-({here.at('year')}-1))))"


def _straight(kind: str) -> Callable[[Here], str]:
    life = _life(kind)
    return lambda here: (
        f"IF({here.at('share')}>0,({kind}_basis_usd-{kind}_kept_usd-{kind}_bonus_usd)/{life}"
        f"*{_part_of_year(here, life)},0)"
    )


def _tax_life(kind: str) -> Callable[[Here], str]:
    life = "equipment_write_off_years"
    return lambda here: (
        f"IF({here.at('share')}>0,({kind}_basis_usd-{kind}_bonus_usd)/{life}*{_part_of_year(here, life)},0)"
    )


def _declining(kind: str) -> Callable[[Here], str]:
    life = _life(kind)

    def formula(here: Here) -> str:
        if here.year == 0:
            return "0"
        so_far = here.so_far(f"{kind}_declining_balance", until=here.before)
        left = f"({kind}_basis_usd-{kind}_bonus_usd-{kind}_kept_usd-SUM({so_far}))"
        to_come = f"({life}-({here.at('year')}-1))"
        part = f"MIN(MAX(2/{life}*({left}+{kind}_kept_usd),{left}/MAX(1,{to_come})),{left})"
        return f"IF({here.at('share')}=0,0,IF({to_come}<=0,0,IF({to_come}<=1,{left},{part})))"

    return formula


def _macrs(kind: str) -> Callable[[Here], str]:
    def formula(here: Here) -> str:
        if not 1 <= here.year <= len(write_off.MACRS_SHARES):
            return "0"
        return f"IF({here.at('share')}>0,({kind}_basis_usd-{kind}_bonus_usd)*macrs_{here.year},0)"

    return formula


def _of_replacements(table: YearTable, kind: str, owned: Array) -> Array:
    """What is written off, straight, of what was bought again."""
    terms, years = table.answer.terms, table.years
    asset, share = terms.assets[kind], terms.building_write_off_share_per_year
    _, fixed = _growth(table)
    write_off_years = asset.life_years if kind in SOLD else 1 / share if share > 0 else 1e9
    written = assets.replacement_written_off_usd(
        depreciable_usd=_bought_again(table, asset) * (1 - asset.residual_value) / fixed,
        age_years=(years[:, None] - 1) - years,
        write_off_years=np.array([write_off_years]),
    )
    values = np.where(owned > 0, written, 0.0)
    life = f"{kind}_life_years" if kind in SOLD else BUILDING_YEARS
    kept = f"*(1-{kind}_residual_value)" if kind in SOLD else ""

    def formula(here: Here) -> str:
        if here.year == 0:
            return "0"
        ranges = {name: here.so_far(name, until=here.before) for name in (f"again_{kind}", "fixed", "year")}
        left = f"({life}-({here.at('year')}-1-{ranges['year']}))"
        part = f"(({left}>=1)+({left}<1)*({left}>0)*{left})"
        summed = f"SUMPRODUCT({ranges[f'again_{kind}']}/{ranges['fixed']}*{part}){kept}/{life}"
        if kind not in SOLD:
            summed = f"IF(building_write_off_share_per_year>0,{summed},0)"
        return f"IF({here.at('share')}>0,{summed},0)"

    table.line(
        f"again_{kind}_written", f"{ASSETS[kind]}, bought again: written off", formula, values.tolist()
    )
    return values

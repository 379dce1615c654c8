"""The sheet that a reader changes: every number that the cash flow starts from, each in a cell with a name."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from app.engine.economics.cash_flow.write_off import MACRS_SHARES, WHOLE_PRICE
from app.views.economics.cash_flow.report import CashAsset, CashFlowAnswer, CashTerms, kind_label
from app.views.sheet import Book, Cell, Formula, Number, Sheet, Text, unit_cell

NAME = "Inputs"
VALUE = 1  # column
RESULT = "result_"  # before the names of results: some are those of Excel's own functions
WORDS = {
    "prices": ("nominal", "real"),
    "depreciation": ("straight_line", "declining_balance", "macrs", "tax_life"),
}
SHARES = (
    "servers_residual_value",
    "network_residual_value",
    "storage_residual_value",
    "building_write_off_share_per_year",
    "discount_rate",
    "utilisation",
    "tax_rate",
    "bonus_depreciation",
    "debt_share",
    "debt_rate",
)


class Share(NamedTuple):
    """A yearly cost that follows the price of something: what of, and the cells whose sum that is."""

    label: str
    of: str


OF_A_PRICE = {
    "support": Share("Annual support / price of equipment", "equipment_usd"),
    "maintenance": Share("Annual maintenance / price of the facility", "facility_usd"),
    "insurance": Share("Annual insurance / capex without land", "(capex_usd-land_usd)"),
    "property_tax": Share("Annual property tax / price of facility and land", "(facility_usd+land_usd)"),
}


class Input(NamedTuple):
    """A cell: its name in formulas, what it is, and a number, a word or a formula."""

    name: str
    label: str
    value: float | str
    unit: str = "1"
    note: str = ""
    formula: str = ""


RESULTS = (
    ("npv_usd", "Net present value, after tax", "USD"),
    ("npv_before_tax_usd", "Net present value, before tax", "USD"),
    ("irr", "Internal rate of return, after tax", "1"),
    ("equity_npv_usd", "Net present value of the owners", "USD"),
    ("equity_irr", "Internal rate of return of the owners", "1"),
    ("payback_years", "Payback", "years"),
    ("discounted_payback_years", "Payback, discounted", "years"),
    ("least_debt_service_cover", "Lowest debt service cover", "1"),
    ("levelised_usd_per_used_hour", "Levelised cost of a utilised accelerator-hour, before tax", "USD/h"),
)


def inputs_sheet(book: Book, answer: CashFlowAnswer, last_year: int) -> None:
    """Results on top, so that they are in sight while inputs are changed."""
    sheet = book.sheet(NAME, (58, 20, 18, 80), upright=True)
    sheet.heading(answer.name, "title")
    sheet.line(Text("Change a blue cell: the table and the results follow.", "note"))
    sheet.gap()
    sheet.heading("Result", across=4)
    for name, label, unit in RESULTS:
        sheet.line(label, Formula(f"={RESULT}{name}", measure(answer, name), unit), unit_cell(unit))
    for title, inputs in _groups(answer):
        sheet.gap()
        sheet.heading(title, across=4)
        for one in inputs:
            _write(sheet, one, last_year)
    sheet.gap()
    for note in (*answer.basis, *answer.notes):
        sheet.line(Text(note, "note"))
    sheet.line(
        Text(
            "Planning estimates, not guarantees: these are figures for planning, not an offer or advice.",
            "note",
        )
    )


def measure(answer: CashFlowAnswer, name: str) -> float | str | None:
    """A result as its cell shows it: what there is none of is a word, what is unknown is None."""
    value = getattr(answer.measures, name)
    if not math.isnan(value):
        return float(value)
    if math.isnan(answer.measures.npv_usd) and not (
        name == "least_debt_service_cover" and answer.terms.debt_share == 0
    ):
        return None
    return "never" if name.endswith("payback_years") else "none"


def _write(sheet: Sheet, one: Input, last_year: int) -> None:
    row = sheet.line(one.label, _cell(one), unit_cell(one.unit), Text(one.note, "muted"))
    sheet.book.name_cell(one.name, NAME, row, VALUE)
    if one.name in WORDS:
        sheet.allow(row, VALUE, {"validate": "list", "source": list(WORDS[one.name])})
    elif one.name == "life_years":
        sheet.allow(
            row,
            VALUE,
            {
                "validate": "decimal",
                "criteria": "between",
                "minimum": 0.1,
                "maximum": last_year,
                "error_title": "Life",
                "error_message": f"The table has {last_year} years.",
            },
        )
    elif one.name in SHARES:
        sheet.allow(row, VALUE, {"validate": "decimal", "criteria": "between", "minimum": 0, "maximum": 1})


def _cell(one: Input) -> Cell:
    if isinstance(one.value, str):
        return Text(one.value, "choice")
    if one.formula:
        return Formula(one.formula, one.value, one.unit)
    return Number(one.value, one.unit, look="input")


def finite_or_none(value: float) -> float | None:
    """None for what is unknown."""
    return None if math.isnan(value) else value


def _groups(answer: CashFlowAnswer) -> Iterator[tuple[str, list[Input]]]:
    terms = answer.terms
    yield "Purchases", _bought(terms)
    yield "Revenue", [
        Input("available_hours_per_year", "Available accelerator-hours per year", terms.available_hours_per_year, "h"),
        Input("utilisation", "Utilisation", terms.utilisation, note="share of the hours with paid work"),
        Input(
            "price_usd_per_accelerator_hour", "Price of a utilised accelerator-hour", terms.price_usd_per_accelerator_hour,
            "USD/h", terms.price_source,
        ),
    ]  # fmt: skip
    yield "Operating cost", list(_running(terms))
    yield "Amounts", [
        Input("prices", "Prices", terms.prices, note="nominal or real: what the rates below are"),
        Input("inflation", "Inflation", terms.inflation, "1/year"),
        Input("discount_rate", "Cost of capital", terms.discount_rate, "1/year"),
        Input("real_rate", "Cost of capital without inflation", terms.real_rate, "1/year",
              formula='=IF(prices="real",discount_rate,(1+discount_rate)/(1+inflation)-1)'),
        *(line for kind, asset in terms.assets.items() for line in _worth(kind, asset, terms.life_years)),
    ]  # fmt: skip
    yield "Tax", _tax(terms)
    yield "Debt", _debt(terms, answer.measures.level_payment_usd_per_year)


ASSETS = {
    "servers": "SuperNodes with spares", "network": "Network", "storage": "Storage",
    "plant": "Plant of the facility", "shell": "Shell of the facility",
}  # fmt: skip
SOLD = ("servers", "network", "storage")


def _worth(kind: str, asset: CashAsset, horizon_years: float) -> Iterator[Input]:
    """Age at the end and worth over the price: payments still to come, when each year is charged the same, and resale."""
    life, age_cell = _life_cell(kind), f"{kind}_age_years"
    residual = f"{kind}_residual_value" if kind in SOLD else "0"
    age = horizon_years - asset.life_years * (max(math.ceil(horizon_years / asset.life_years), 1) - 1)
    yield Input(age_cell, f"{ASSETS[kind]}, age at the end", age, "years",
                formula=f"=life_years-{life}*(MAX(1,ROUNDUP(life_years/{life},0))-1)")  # fmt: skip
    left = f"({life}-{age_cell})"
    unpaid = f"IF(ABS(real_rate)<1E-12,{left}/{life},(1-(1+real_rate)^(-{left}))/(1-(1+real_rate)^(-{life})))"
    yield Input(
        f"{kind}_worth_share", f"{ASSETS[kind]}, residual value / its price", asset.worth_share,
        note="its remaining years, when each of its years is charged the same, and what it sells for",
        formula=f"=(1-{residual}*(1+real_rate)^(-{life}))*{unpaid}+{residual}*(1+real_rate)^(-{left})",
    )  # fmt: skip


def _residual(kind: str, terms: CashTerms) -> Iterator[Input]:
    """Worth at the end of its life: a number where it is stated, else by the curve of its age."""
    asset, name, label = terms.assets[kind], f"{kind}_residual_value", ASSETS[kind]
    at_end = f"{label}, residual value at the end of its life / its price"
    if terms.residual_is_stated:
        yield Input(name, at_end, asset.residual_value)
        return
    used, decline = f"{kind}_used_value_share", f"{kind}_value_decline_per_year"
    yield Input(used, f"{label}, value once used / its price", asset.used_value_share)
    yield Input(decline, f"{label}, loss of value per year", asset.value_decline_per_year, "1/year")
    yield Input(name, at_end, asset.residual_value, formula=f"={used}*(1-{decline})^{_life_cell(kind)}")


def _life_cell(kind: str) -> str:
    return "life_years" if kind == "servers" else f"{kind}_life_years"


def _bought(terms: CashTerms) -> list[Input]:
    equipment = terms.equipment_usd
    share, duty = (
        usd / equipment if equipment else 0.0 for usd in (terms.installation_usd, terms.duties_usd)
    )
    whole = equipment + terms.installation_usd + terms.duties_usd + terms.facility_usd + terms.land_usd
    assets = terms.assets
    return [
        *(
            Input(f"{kind}_usd", ASSETS[kind], asset.price_usd, "USD", "" if kind in SOLD else "nothing in colocation")
            for kind, asset in assets.items()
        ),
        Input("equipment_usd", "Equipment: SuperNodes, spares, network, storage", equipment, "USD",
              formula="=servers_usd+network_usd+storage_usd"),
        Input("facility_usd", "Facility", terms.facility_usd, "USD", formula="=plant_usd+shell_usd"),
        Input("installation_share", "Installation / price of equipment", share),
        Input("duties_share", "Duty and sales tax / price of equipment", duty, note=f"rules of {terms.jurisdiction}"),
        Input("land_usd", "Land", terms.land_usd, "USD", "keeps its price"),
        Input("capex_usd", "Initial capex", whole, "USD",
              formula="=equipment_usd*(1+installation_share+duties_share)+facility_usd+land_usd"),
        Input("life_years", "Life of the SuperNodes, and years of the table", terms.life_years, "years"),
        *(
            Input(f"{kind}_life_years", f"Life: {ASSETS[kind].lower()}", asset.life_years, "years")
            for kind, asset in assets.items() if kind != "servers"
        ),
        *(line for kind in SOLD for line in _residual(kind, terms)),
    ]  # fmt: skip


def _running(terms: CashTerms) -> Iterator[Input]:
    load = terms.utilisation + (1 - terms.utilisation) * terms.idle_power_share
    yield Input(
        "electricity_price_usd_per_kwh",
        "Price of electricity",
        terms.electricity_price_usd_per_kwh,
        "USD/kWh",
    )
    yield Input("energy_at_full_use_kwh_per_year", "Annual energy at the meter",
                terms.energy_at_full_use_kwh_per_year, "kWh")  # fmt: skip
    yield Input("idle_power_share", "Waiting power / working power", terms.idle_power_share)
    yield Input("load_share", "Mean power / working power", load,
                formula="=utilisation+(1-utilisation)*idle_power_share")  # fmt: skip
    bases = {
        "support": terms.equipment_usd,
        "maintenance": terms.facility_usd,
        "insurance": terms.equipment_usd + terms.installation_usd + terms.duties_usd + terms.facility_usd,
        "property_tax": terms.facility_usd + terms.land_usd,
    }
    for kind, usd in terms.operating_usd_per_year.items():
        label = f"{kind_label(kind)}, a year"
        cell = f"running_{kind}_usd"
        if kind == "electricity":
            formula = "=energy_at_full_use_kwh_per_year*electricity_price_usd_per_kwh*load_share"
        elif kind == "water":
            yield Input("water_at_full_use_usd", "Annual water", usd / load, "USD")
            formula = "=water_at_full_use_usd*load_share"
        elif kind in OF_A_PRICE:
            yield Input(f"{kind}_share", OF_A_PRICE[kind].label, usd / bases[kind] if bases[kind] else 0.0)
            formula = f"={kind}_share*{OF_A_PRICE[kind].of}"
        else:
            yield Input(cell, label, usd, "USD")
            continue
        yield Input(cell, label, usd, "USD", formula=formula)


def _basis(kind: str, terms: CashTerms) -> Iterator[Input]:
    """What is written off of a kind of equipment; installation and duty go with the SuperNodes."""
    asset, name = terms.assets[kind], ASSETS[kind]
    beside = terms.installation_usd + terms.duties_usd if kind == "servers" else 0.0
    basis, kept = asset.price_usd + beside, asset.price_usd * asset.residual_value
    is_whole = terms.depreciation in WHOLE_PRICE
    also = "+equipment_usd*(installation_share+duties_share)" if kind == "servers" else ""
    yield Input(
        f"{kind}_basis_usd", f"{name}, price to write off", basis, "USD", formula=f"={kind}_usd{also}"
    )
    yield Input(
        f"{kind}_kept_usd", f"{name}, never written off", 0.0 if is_whole else kept, "USD",
        formula=f'=IF(depreciation="macrs",0,IF(depreciation="tax_life",0,{kind}_usd*{kind}_residual_value))',
    )  # fmt: skip
    bonus = min(terms.bonus_depreciation * basis, basis - (0.0 if is_whole else kept))
    yield Input(
        f"{kind}_bonus_usd", f"{name}, bonus depreciation", bonus, "USD",
        formula=f"=MIN(bonus_depreciation*{kind}_basis_usd,{kind}_basis_usd-{kind}_kept_usd)",
    )  # fmt: skip


def _tax(terms: CashTerms) -> list[Input]:
    place = f"rules of {terms.jurisdiction}"
    return [
        Input("tax_rate", "Rate of tax on profit", terms.tax_rate, note=f"0 for before tax; a loss saves tax at once; {place}"),
        Input("depreciation", "Depreciation", terms.depreciation,
              note="straight_line, declining_balance, macrs (law of the United States) or tax_life"),
        Input("bonus_depreciation", "Bonus depreciation / price of equipment", terms.bonus_depreciation),
        Input("equipment_write_off_years", "Years of writing off by tax_life", terms.equipment_write_off_years, "years", place),
        Input("building_write_off_share_per_year", "Annual depreciation of the facility / its price",
              terms.building_write_off_share_per_year, "1/year", place),
        *(line for kind in SOLD for line in _basis(kind, terms)),
        *(
            Input(f"macrs_{year}", f"MACRS, year {year}", share, note="5-year property, half-year convention" * (year == 1))
            for year, share in enumerate(MACRS_SHARES, 1)
        ),
    ]  # fmt: skip


def _debt(terms: CashTerms, level_payment: float) -> list[Input]:
    loan = terms.debt_share * (
        terms.equipment_usd + terms.installation_usd + terms.duties_usd + terms.facility_usd + terms.land_usd
    )
    return [
        Input("debt_share", "Debt share of the purchase", terms.debt_share),
        Input("debt_rate", "Interest on debt", terms.debt_rate, "1/year"),
        Input("debt_years", "Debt term, years", terms.debt_years, "years"),
        Input("nominal_debt_rate", "Interest on debt with inflation", terms.nominal_debt_rate, "1/year",
              formula='=IF(prices="real",(1+debt_rate)*(1+inflation)-1,debt_rate)'),
        Input("loan_usd", "Loan", loan, "USD", formula="=capex_usd*debt_share"),
        Input("level_payment_usd_per_year", "Annual annuity", level_payment, "USD",
              formula="=-PMT(nominal_debt_rate,debt_years,loan_usd)"),
    ]  # fmt: skip

"""Economics views."""

from __future__ import annotations

from typing import Any

from app.views.economics.build_out.answer import build_out_answer
from app.views.economics.build_out.files import FORMATS as BUILD_OUT_FORMATS
from app.views.economics.build_out.report import BuildOutReport, build_out_text
from app.views.economics.carbon.answer import carbon_answer
from app.views.economics.carbon.report import CarbonOptions, CarbonReport, carbon_text
from app.views.economics.cash_flow import CashFlowAnswer, cash_flow_answer
from app.views.economics.cash_flow.files import FORMATS as CASH_FORMATS
from app.views.economics.cash_flow.report import cash_flow_text
from app.views.economics.cost_against_time import (
    CostAgainstTime,
    CostAgainstTimeOptions,
    cost_against_time_text,
)
from app.views.economics.cost_files import FORMATS as COST_FORMATS
from app.views.economics.cost_tree import CostTree, cost_text, cost_tree
from app.views.economics.decision import Decision, DecisionOptions, decision_answer
from app.views.economics.decision.text import decision_text
from app.views.economics.difference.answer import DifferenceOptions
from app.views.economics.difference.causes import DifferenceReport, difference_text
from app.views.economics.own_or_rent import OwnOrRent, own_or_rent_answer
from app.views.economics.own_or_rent.report import own_or_rent_text
from app.views.economics.own_or_rent.terms import OwnOrRentOptions
from app.views.economics.run_methods.answer import RunMethodsOptions, run_methods_answer
from app.views.economics.run_methods.report import RunMethods, run_methods_text
from app.views.view import ALL, TWO, ExampleDesign, File, Flag, NoOptions, View, number_or_text, text_of_file


def hours_of_file(path: str) -> list[Any]:
    """Numbers of a file, apart by blanks, commas or lines."""
    text = text_of_file(path, flag="--intensity-by-hour", hint="Name a file with 24 or 288 numbers.")
    return [number_or_text(word) for word in text.replace(",", " ").split()]


COST = View[NoOptions, CostTree](
    room="economics",
    name="cost",
    operation="show_cost",
    summary="Break down the cost of ownership",
    description=(
        "Every part of what is bought and of what is paid each year, with its price, its yearly cost, its cost "
        "over the life and per utilised accelerator-hour, its share of the total cost and the source of its price; "
        "parts sum to branches and branches to the whole. `levers` say how far a utilised hour moves when one term "
        "goes from low to high of the catalog, the widest first; `buildings` is the design in a building of its "
        "own and in colocation."
    ),
    help="Break down the cost of ownership, to the utilised accelerator-hour, with its main drivers.",
    schema="CostTree",
    asks="A scenario.",
    answers="The tree, what decides, and both buildings.",
    options=NoOptions,
    answer=lambda scenario, given, options: cost_tree(scenario, given.catalog),
    report_type=CostTree,
    text=cost_text,
    files=(
        File(format=COST_FORMATS["csv"], help="Print CSV instead of text.", is_printed=True),
        File(format=COST_FORMATS["xlsx"], help="Output workbook."),
    ),
    unknown=ALL,
)

CASH_FLOW = View[NoOptions, CashFlowAnswer](
    room="economics",
    name="cash_flow",
    command="cash",
    operation="draw_up_cash_flow",
    summary="Compute the cash flow",
    description=(
        "Year by year over the life of the equipment: revenue (utilised hours at a stated price, else the rent on "
        "demand that owning avoids), running cost by kind, purchase and worth at the end, depreciation, tax, "
        "debt, and the cash of the project and of its owners; net present value, rates of return, payback, debt "
        "service cover and the levelised cost of a utilised hour. Year 0 is the day of purchase. Nothing is saved."
    ),
    help="Annual cash flow of ownership after debt and tax, with NPV and IRR.",
    schema="CashFlow",
    asks="A scenario; its terms are under `economics.finance`.",
    answers="Every year, their sums, and what they are worth.",
    options=NoOptions,
    answer=lambda scenario, given, options: cash_flow_answer(scenario),
    report_type=CashFlowAnswer,
    text=cash_flow_text,
    files=(
        File(format=CASH_FORMATS["csv"], help="Write the years as CSV; - prints them."),
        File(format=CASH_FORMATS["xlsx"], help="Write a workbook that computes."),
    ),
    unknown=ALL,
    known=("per_usd",),
)

BUILD_OUT = View[NoOptions, BuildOutReport](
    room="economics",
    name="build_out",
    command="build-out",
    operation="plan_build_out",
    summary="Plan the build-out and its financing",
    description=(
        "The site month by month by the phases of `economics.build_out`: construction, grid connection, bridge power, "
        "ramp of load, capital drawn, interest during construction, cash of the owners, energy and emissions by source, "
        "and the month of full power. `ways` sets own cash, a level and a sculpted loan, an operating lease, sale and "
        "leaseback, and colocation side by side: net present value, rate of return, least debt service cover and "
        "effective rate. Months count from the first order; null is unknown, or a month that never comes. Without a "
        "build-out all is bought at once. Nothing is saved."
    ),
    help="Phases, power, cash and emissions by month, and every way to pay for the site.",
    schema="BuildOut",
    asks="A scenario; its terms are under `economics.build_out` and `economics.financing`.",
    answers="Phases, months, ways to pay, and emissions by source.",
    options=NoOptions,
    answer=lambda scenario, given, options: build_out_answer(scenario, given.catalog),
    report_type=BuildOutReport,
    text=build_out_text,
    files=(File(format=BUILD_OUT_FORMATS["csv"], help="Write the months as CSV; - prints them."),),
    unknown=ALL,
)

OWN_OR_RENT = View[OwnOrRentOptions, OwnOrRent](
    room="economics",
    name="own_or_rent",
    command="rent",
    operation="set_owning_against_renting",
    summary="Compare owning and renting",
    description=(
        "The same useful hours owned, rented on demand, reserved, by contract, on the spot market and in capacity blocks, "
        "and with the base owned and the peak rented, over `economics.renting.horizon_months` and on the "
        "scenario's price path: totals at present value, break-even utilisation and month by term, a map of "
        "owning less renting by utilisation and duration, and what each choice costs if prices take another "
        "path. Null is unknown; a break-even that never comes is null too, and `owning_pays` or `pays_back` "
        "says never. `offers` are the dated prices of the catalog."
    ),
    help="Compare owning and renting by terms: totals, break-even, regret and dated prices.",
    schema="OwnOrRent",
    asks="A scenario, and the rental terms that owning is set against.",
    answers="Totals, where owning begins to pay, the mix, and regret.",
    options=OwnOrRentOptions,
    example={"against": "on_demand"},
    answer=lambda scenario, given, options: own_or_rent_answer(scenario, given.catalog, options),
    report_type=OwnOrRent,
    text=own_or_rent_text,
    unknown=ALL,
    flags={
        "against": Flag(
            metavar="TERMS",
            help="on_demand, reserved, contract, spot or capacity_block: what owning is set against.",
        )
    },
)

DECISION = View[DecisionOptions, Decision](
    room="economics",
    name="decision",
    command="decide",
    operation="decide",
    summary="Decide to own or rent",
    description=(
        "Own, rent or both, by five questions: how much computing there is, whether data may leave, from which "
        "use owning is cheaper (and whether that is the 70 % of a rule of thumb), what owning costs and what "
        "decides that, and what a start in the cloud costs. `summing_up` has the cheapest choice that is "
        "allowed and its break-even points. What is unknown is null, and listed under `missing` with the scenario "
        "field that states it; a break-even that is never reached is null too, and the sentences say which."
    ),
    help="Decide to own, rent or mix by five questions, each with a computed answer.",
    schema="Decision",
    asks="A scenario, and what only the reader knows.",
    answers="Five questions with their answers, and a summing-up.",
    options=DecisionOptions,
    example={"data_must_stay": False, "months_of_work": 36},
    answer=lambda scenario, given, options: decision_answer(scenario, given.catalog, options),
    report_type=Decision,
    text=decision_text,
    unknown=ALL,
    flags={
        "data_must_stay": Flag(
            name="--data-must-stay/--data-may-leave", help="Whether data may leave the premises."
        ),
        "months_of_work": Flag(metavar="MONTHS", help="Months of demand."),
    },
)

RUNS = View[RunMethodsOptions, RunMethods](
    room="economics",
    name="runs",
    command="run",
    operation="count_run",
    summary="Cost of a run by method",
    description=(
        "One run of the scenario rented on demand, by commitment, on spot and by capacity block, owned at a "
        "level cost, amortised by Epoch's method, and bought whole; with and without "
        "`economics.research_multiplier`. Each figure comes with its arithmetic in words. With `tokens_per_s`, "
        "a million served tokens by every price of an hour, and their energy: of a scenario that serves the "
        "rate is computed where none is given, and there are no methods, as it has no run. Unknown is null, "
        "nothing is saved."
    ),
    help="Cost of a run rented, owned at a levelised cost, amortised and bought, with and without research.",
    schema="RunMethods",
    asks="A scenario, and a rate of serving.",
    answers="The run by every method, and served tokens.",
    options=RunMethodsOptions,
    example={"tokens_per_s": 20_000, "accelerators": 8},
    answer=lambda scenario, given, options: run_methods_answer(scenario, given.catalog, options),
    report_type=RunMethods,
    text=run_methods_text,
    unknown=ALL,
    flags={
        "tokens_per_s": Flag(metavar="N", help="Serving rate, for the price per million tokens."),
        "accelerators": Flag(metavar="N", help="Accelerators at that serving rate."),
        "hardware_age_years": Flag(
            name="--hardware-age", metavar="YEARS", help="Age of the hardware, for the amortised method."
        ),
    },
)

COST_AGAINST_TIME = View[CostAgainstTimeOptions, CostAgainstTime](
    room="economics",
    name="cost_against_time",
    command="time",
    operation="compare_systems",
    summary="Compare systems for a job",
    description=(
        "The job of the scenario on its own SuperNode and on other systems, each in pods from a quarter to four "
        "times the accelerators, with the fastest layout found: time to finish, and cost of the run owned, "
        "rented on demand and reserved. `on_front` marks pods that no other beats in time and cost at once, "
        "`picked` one pod of each system by what they share. Unpublished values are null, and listed under "
        "`unknown` with the scenario field that states it. An equal request is answered from memory until the "
        "catalog changes."
    ),
    help="Compare systems for the job of a scenario: time to finish against cost of the run.",
    schema="CostAgainstTime",
    asks="A scenario, and how systems are compared.",
    answers="A curve a system, the scenario's own first.",
    options=CostAgainstTimeOptions,
    example={"systems": ["dgx_h100"], "paid": "on_demand"},
    answer=lambda scenario, given, options: given.searches.cost_against_time(
        scenario, given.catalog, options
    ),
    report_type=CostAgainstTime,
    text=cost_against_time_text,
    unknown=ALL,
    flags={
        "systems": Flag(
            name="--system", metavar="KEY", help="A system of the catalog; give it once for each."
        ),
        "paid": Flag(help="owned, on_demand or reserved."),
        "shared": Flag(help="Select one pod of each system by accelerators, budget or deadline."),
        "deadline_days": Flag(metavar="DAYS", help="Deadline of the run in days."),
        "budget_usd": Flag(metavar="USD", help="Budget of the run."),
    },
)

CARBON = View[CarbonOptions, CarbonReport](
    room="economics",
    name="carbon",
    operation="account_for_carbon",
    summary="Account for the carbon of a run",
    description=(
        "The run by four boundaries, from accelerator design power as model cards count it to all of it at the "
        "meter, including embodied carbon of the hardware and with the hours of waiting; the factors that multiply to the "
        "ratio of the first two; every part of it; contracts of clean energy by the year and hour by hour; a "
        "profile of the grid where `intensity_by_hour` states one; and the same run at every site of the "
        "catalog. `left_out` says what no source gives. Unknown is null, nothing is saved."
    ),
    help=(
        "Carbon of a run by every boundary, what the ratio of them is made of, by hour, in waiting, and at "
        "other sites."
    ),
    schema="RunCarbon",
    asks="A scenario, and further known values.",
    answers="Boundaries, factors, parts, waiting, hours and other sites.",
    options=CarbonOptions,
    example={"building_embodied_kg": 20_000, "intensity_by_hour": [0.02] * 8 + [0.05] * 16, "sites": False},
    answer=lambda scenario, given, options: carbon_answer(scenario, given.catalog, options),
    report_type=CarbonReport,
    text=carbon_text,
    unknown=ALL,
    flags={
        "intensity_by_hour": Flag(
            metavar="FILE",
            help="Hourly grid carbon intensity in kg/kWh: 24 numbers, or 12 months of 24, separated by blanks, commas or "
            "lines.",
            read=hours_of_file,
        ),
        "network_embodied_kg": Flag(
            name="--network-embodied", metavar="KG", help="Embodied carbon of the network."
        ),
        "storage_embodied_kg": Flag(
            name="--storage-embodied", metavar="KG", help="Embodied carbon of the storage."
        ),
        "building_embodied_kg": Flag(
            name="--building-embodied", metavar="KG", help="Embodied carbon of shell and plant."
        ),
    },
    without_flag=("sites",),
)

DIFFERENCE = View[DifferenceOptions, DifferenceReport](
    room="economics",
    name="difference",
    operation="explain_difference",
    summary="Explain a difference",
    description=(
        "The figure of `second` less that of `first`, in views whose lines add up to all of it: by category of "
        "cost or carbon; by cause, each group of inputs by its mean effect over all orders in which the groups "
        "could be changed (Shapley value), with the least and the most that it brings; and by factor. Groups "
        "that cannot be combined are taken together, and `notes` says why. With the figure `rent`, two offers "
        "are compared by what their bills are made of. Nothing is saved."
    ),
    help="Explain a difference by category, by cause and by factor.",
    schema="Difference",
    asks="Two scenarios, and the figure whose difference is explained.",
    answers="The difference by category, by cause and by factor.",
    scenarios=TWO,
    options=DifferenceOptions,
    example={"figure": "usd_per_run"},
    example_design=ExampleDesign(
        title="A small one on other terms",
        changes={"economics": {"life_years": 6, "electricity_price_usd_per_kwh": 0.12}},
    ),
    answer=lambda first, second, given, options: given.searches.difference(
        first, second, given.catalog, options
    ),
    report_type=DifferenceReport,
    text=difference_text,
    unknown=ALL,
    flags={
        "figure": Flag(
            help="usd_per_run, usd_per_million_tokens, tco, usd_per_accelerator_hour, "
            "usd_per_useful_accelerator_hour, carbon or rent.",
            default="usd_per_run",
        ),
        "first_offer": Flag(
            help="With rent: on_demand, reserved, contract, spot or capacity_block of the first."
        ),
        "second_offer": Flag(help="With rent: the same of the second."),
    },
)

VIEWS: tuple[View[Any, Any], ...] = (
    COST,
    CASH_FLOW,
    BUILD_OUT,
    OWN_OR_RENT,
    DECISION,
    RUNS,
    COST_AGAINST_TIME,
    CARBON,
    DIFFERENCE,
)

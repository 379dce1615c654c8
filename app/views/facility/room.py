"""Facility views."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from app.scenarios.errors import refuse
from app.views.facility.cooling import CoolingAnswer, CoolingOptions, cooling_answer
from app.views.facility.cooling_text import cooling_text
from app.views.facility.electrical import ElectricalAnswer, ElectricalOptions, electrical_answer
from app.views.facility.electrical_report import ElectricalReport, electrical_report, electrical_text
from app.views.facility.hours import (
    HOURS_CSV,
    HoursAnswer,
    HoursOptions,
    HoursReport,
    hours_answer,
    hours_report,
    hours_text,
)
from app.views.facility.it import ItAnswer, ItOptions, ItReport, it_answer, it_report, it_text
from app.views.facility.power_supply import (
    SUPPLY_CSV,
    PowerSupplyAnswer,
    PowerSupplyOptions,
    PowerSupplyReport,
    power_supply_answer,
    power_supply_text,
)
from app.views.facility.racks import (
    RacksAnswer,
    RacksOptions,
    RacksReport,
    racks_answer,
    racks_report,
    racks_text,
)
from app.views.facility.savings.answer import savings_answer
from app.views.facility.savings.document import SavingsOptions
from app.views.facility.savings.report import SavingsReport, savings_text
from app.views.facility.sites import RANKED_BY, SitesAnswer, SitesOptions, sites_answer, sites_text
from app.views.view import ALL, File, Flag, Requirement, View, number_or_text


def weights(text: str) -> dict[str, float]:
    """
    >>> weights("1,1,0,0")
    {'cost': 1.0, 'carbon': 1.0, 'water': 0.0, 'pue': 0.0}
    """
    try:
        return dict(zip(RANKED_BY, map(float, text.split(",")), strict=True))
    except ValueError:
        raise refuse(
            f"{text[:60]!r} are not four numbers.",
            rule="weights",
            path="--weights",
            hint=f"Write one each for {', '.join(RANKED_BY)}, such as 1,1,0,0.",
        ) from None


class HoursFormat(HoursOptions):
    """Ramp-up of the hall, and the format of the answer."""

    format: Literal["json", "csv"] = Field(
        default="json", description="json: the year in short; csv: a row an hour."
    )


def values_of_flags(given: dict[str, Any]) -> dict[str, Any]:
    """Values of steps by name, in place of pairs NAME=VALUE.

    Raises
    ------
    ScenarioError : a pair has no value
    """
    stated = dict(given)
    for pair in stated.pop("set", ()):
        name, equals, text = pair.partition("=")
        if not equals:
            raise refuse(
                f"{pair!r} has no value.", rule="pair", path="--set", value=pair, hint="Write NAME=VALUE."
            )
        stated[name.strip()] = number_or_text(text.strip())
    return stated


IT = View[ItOptions, ItAnswer](
    room="facility",
    name="it",
    operation="split_it_power",
    summary="Split IT power by component",
    description=(
        "Accelerators, CPUs, memory, NICs, fans, power supplies, switches, optics and storage, each idle, at "
        "work, at the coincident peak and as rated; the columns sum to the figures of the evaluation, and "
        'unpublished values are null with its power in "other". Step time and energy over power caps, with '
        "the layout that the design has. How far the power of the job swings, and the storage that hides it "
        "at the ramp limit of the utility."
    ),
    help="IT power of a design by component, under power caps, with its swing.",
    schema="ItPower",
    asks="A scenario, and what the feed allows.",
    answers="Components, power caps, and the swing of the job.",
    options=ItOptions,
    example={"ramp_limit_w_per_s": 100_000},
    answer=lambda scenario, given, options: it_answer(scenario, given.catalog, options),
    report=it_report,
    report_type=ItReport,
    text=lambda answer: it_text(it_report(answer)),
    unknown=("ItTotals", "NodeLoad", "PartLine", "CapPoint", "Swing"),
    problems=True,
    flags={
        "ramp_limit_w_per_s": Flag(
            name="--ramp", metavar="W_PER_S", help="Maximum ramp rate that the utility allows, per second."
        )
    },
)

ELECTRICAL = View[ElectricalOptions, ElectricalAnswer](
    room="facility",
    name="electrical",
    operation="size_electrical_chain",
    summary="Size the electrical chain",
    description=(
        "Feeds, transformers, generators, UPS, switchboards, busways and rack feeds for the hottest hour, "
        "derated for the site; batteries and fuel; for every kind of block what happens when one is lost "
        "while each node draws its rating; and what each stage loses at the mean load. Unit sizes are "
        "assumptions of the scenario."
    ),
    help="Size the electrical chain of a design, with the loss of any one block.",
    schema="ElectricalChain",
    asks="A scenario, and how its chain is sized.",
    answers="Blocks from the utility to the rack, and what losing one of each does.",
    options=ElectricalOptions,
    example={"sized_on": "rating", "standard": "nec"},
    answer=lambda scenario, given, options: electrical_answer(scenario, options),
    report=electrical_report,
    report_type=ElectricalReport,
    text=electrical_text,
    unknown=("BlockLine", "LostLine", "SchemeLoads", "StageLoss", "Standby"),
    problems=True,
    without_flag=("lost",),
    flags={
        "sized_on": Flag(name="--sized-on", metavar="LOAD", help="rating of all nodes, or peak of the job."),
        "standard": Flag(name="--standard", metavar="NAME", help="Breakers by nec or iec."),
    },
)

COOLING = View[CoolingOptions, CoolingAnswer](
    room="facility",
    name="cooling",
    operation="draw_up_cooling",
    summary="Size the cooling plant",
    description=(
        "Temperatures, flows and approaches of both loops at rated power; headers, CDUs "
        "and their exchangers at and off the design; ASHRAE's classes of water and air, and the dew points of "
        "a closed hall and of outdoor air; how long loops last when flow or chillers are lost, and what has "
        "to be on the UPS; what a network takes of the heat; and PUE, water and chillers of every plant for "
        "the same design at the same site."
    ),
    help="Size the cooling plant of a design: loops, CDUs, classes, ride-through, and every plant beside its own.",
    schema="CoolingInDetail",
    request="CoolingRequest",
    asks="A scenario, and what is added to its plant.",
    answers="Loops from the racks to the sky, CDUs, checks, and all plants side by side.",
    options=CoolingOptions,
    example={"tank_m3": 50},
    answer=lambda scenario, given, options: cooling_answer(scenario, given.catalog, options),
    report_type=CoolingAnswer,
    text=cooling_text,
    unknown=ALL,
    problems=True,
    flags={
        "tank_m3": Flag(name="--tank", metavar="M3", help="Tank of cold water for the time without chillers.")
    },
)

ALL_HOURS = File[HoursAnswer](
    format=HOURS_CSV, help="Write all 8,760 hours as CSV; - prints them.", sent_as="hours"
)

HOURS = View[HoursFormat, HoursAnswer](
    room="facility",
    name="hours",
    operation="draw_up_hours",
    summary="Compute the hours of a year",
    description=(
        "PUE, TUE, WUE and CUE over the year and in its hottest hour, with the band in which operators publish "
        "PUE; means by month and hour of the day, duration curves, and partial-load PUE. Nothing is "
        "saved."
    ),
    help="Hourly PUE, water and free cooling of a design over a year, and PUE at part load.",
    schema="FacilityHours",
    asks="A scenario, and how its hall fills.",
    answers="The year in short, as JSON; or a row an hour where `format` is csv.",
    options=HoursFormat,
    example={"ramp_months": 12},
    answer=lambda scenario, given, options: hours_answer(scenario, options),
    report=hours_report,
    report_type=HoursReport,
    text=hours_text,
    files=(ALL_HOURS,),
    flags={"ramp_months": Flag(help="Months of linear ramp-up to the full mean load.")},
    without_flag=("format",),
)

RACKS = View[RacksOptions, RacksAnswer](
    room="facility",
    name="racks",
    operation="check_racks",
    summary="Check the racks",
    description=(
        "Power against the class of cooling, heat to air, coolant, feeds, weight, floor and height of every "
        "kind of rack; how many more servers fit until which limit, and the way out; heat by height unit, to "
        "air and to liquid; and the air flow that carries what liquid leaves. Nothing is saved."
    ),
    help="Check every kind of rack: density, air, coolant, feeds, weight, floor; the first limit is named.",
    schema="FacilityRacks",
    asks="A scenario, a rack of its floor, and rules for feeds.",
    answers="Every kind of rack with its checks, the fullest first.",
    options=RacksOptions,
    example={"rack": "R01-01"},
    answer=lambda scenario, given, options: racks_answer(scenario, options),
    report=racks_report,
    report_type=RacksReport,
    text=racks_text,
    unknown=ALL,
    names={"RackFeeds": "RackFeedLine", "RackAir": "RackAirLine", "ShelfHeat": "ShelfHeatLine"},
    flags={
        "rack": Flag(name="--rack", metavar="NAME", help="The kind of rack to look at, such as R01-05."),
        "standard": Flag(name="--standard", metavar="nec|iec", help="Rules for continuous current of feeds."),
    },
    requirement=Requirement(
        flag="--require-fit", help="Exit 3 when a rack is past a limit.", holds=lambda answer: answer.fits
    ),
)

POWER_SUPPLY = View[PowerSupplyOptions, PowerSupplyAnswer](
    room="facility",
    name="power_supply",
    command="power-supply",
    operation="show_power_supply",
    summary="Compute a year of power supply",
    description=(
        "Grid, own plant, battery and contracts of `facility.power_supply`, dispatched over 8,760 hours at the prices of "
        "a market: energy, firm power, levelised cost, capital and carbon of each source, what clean energy covers in "
        "its own hour, what demand response earns and costs, and what is short. Without the field the grid alone. "
        "Nothing is saved."
    ),
    help="Grid, own plant, battery and contracts of a site over a year: energy, cost, carbon, and what is short.",
    schema="PowerSupplyYear",
    request="PowerSupplyYearRequest",
    asks="A scenario, and the format of the answer.",
    answers="The year in short, as JSON; or a row an hour where `format` is csv.",
    options=PowerSupplyOptions,
    example={"format": "json"},
    answer=lambda scenario, given, options: power_supply_answer(scenario),
    report=lambda answer: answer.report,
    report_type=PowerSupplyReport,
    text=power_supply_text,
    files=(
        File[PowerSupplyAnswer](
            format=SUPPLY_CSV, help="Write all 8,760 hours as CSV; - prints them.", sent_as="power supply"
        ),
    ),
    unknown=ALL,
    without_flag=("format",),
)

SITES = View[SitesOptions, SitesAnswer](
    room="facility",
    name="sites",
    operation="compare_sites",
    summary="Compare sites",
    description=(
        "The design at each site of the catalog whose hourly year is there: cost, carbon, water and PUE with "
        "their places, a weighed order, and which sites no other beats in cost and carbon at once. Sites "
        "whose weather is of another climate are listed without a place. Where the scenario contracts clean "
        "electricity, market-based carbon is shown next to the location-based. Nothing is saved."
    ),
    help="Compare sites for the same design by cost, carbon, water and PUE.",
    schema="SiteComparison",
    asks="A scenario, and how sites are compared.",
    answers="Every site with its figures and places, in the order asked for.",
    options=SitesOptions,
    example={"sort": "score"},
    answer=lambda scenario, given, options: sites_answer(scenario, given.catalog, options),
    report_type=SitesAnswer,
    text=sites_text,
    unknown=ALL,
    known=("warming_k",),
    flags={
        "plant": Flag(
            name="--plant", help="as_designed, cheapest (at each site), or a plant of facility.cooling."
        ),
        "sort": Flag(name="--sort", help="score, cost, carbon, water or pue."),
        "weights": Flag(
            name="--weights",
            metavar="A,B,C,D",
            help="Weights of cost, carbon, water and PUE.",
            default="1,1,1,0",
            read=weights,
        ),
    },
)

SAVINGS = View[SavingsOptions, SavingsReport](
    room="facility",
    name="savings",
    operation="show_savings",
    summary="Compute energy savings by step",
    description=(
        "The same job in an air-cooled hall, then with each of the `steps` in their order: every state is an "
        "evaluation of a changed scenario, so what each step saves of energy, grid energy, water, cost and "
        "carbon comes from the engine. Energy that is saved and grid energy that clean energy takes the place "
        "of are kept apart; clean energy counts in the hour that it is used, through a battery too. `verdict` "
        "says whether more than half is saved."
    ),
    help=(
        "What liquid cooling, warmer coolant, other power trains, caps, schedules and renewables save of the "
        "energy."
    ),
    schema="FacilitySavings",
    asks="A scenario, and the steps from its air-cooled baseline.",
    answers="The baseline, every step, the hours, and the verdict.",
    options=SavingsOptions,
    example={"steps": ["liquid_cooling", "power_cap", "renewables"], "solar_over_load": 0.6, "battery_h": 6},
    answer=lambda scenario, given, options: savings_answer(scenario, given.catalog, options),
    report_type=SavingsReport,
    text=savings_text,
    unknown=ALL,
    flags={
        "steps": Flag(
            name="--step",
            metavar="NAME",
            help="A step, such as liquid_cooling, in its order; all when left out.",
        ),
        "set": Flag(
            metavar="NAME=VALUE",
            help="Option of a step, such as flexible_share=0.3 or battery_h=8.",
            kind=list[str],
        ),
    },
    without_flag=tuple(name for name in SavingsOptions.model_fields if name != "steps"),
    stated=values_of_flags,
)

VIEWS: tuple[View[Any, Any], ...] = (IT, ELECTRICAL, COOLING, HOURS, POWER_SUPPLY, RACKS, SITES, SAVINGS)

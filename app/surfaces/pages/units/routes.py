"""The page on which units are chosen."""

from __future__ import annotations

from typing import NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from app.charts.format import HEAT, show
from app.charts.unit_choice import BASE, chosen_units, in_units, read_units
from app.db.tables import AccountRow
from app.surfaces.pages.people.asking import PeopleDep, local_path, put
from app.surfaces.pages.saved.forms import FormDep
from app.surfaces.pages.templating import TemplatesDep
from app.surfaces.pages.units.rates import exchange_rates, rate_of
from app.surfaces.pages.units.reading import UNITS_COOKIE
from app.teams.asking import asked

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


class Option(NamedTuple):
    """A choice with an example of how it reads."""

    value: str
    name: str
    example: str


class Switch(NamedTuple):
    name: str
    title: str
    note: str
    options: tuple[Option, ...]


SWITCHES = (
    (
        "bandwidth", "Bandwidth", "Memory, links, storage and collectives; all are one way and per accelerator unless stated.",
        (("bytes", "Bytes per second"), ("bits", "Bits per second")), (50e9, "B/s"),
    ),
    (
        "heat", "Heat of the cooling plant", "Heat loads and capacities. Electric power and the rating of racks stay in kW.",
        (("kw", "Kilowatts"), ("tons", "Tons of refrigeration, 3.517 kW")), (1e6, HEAT),
    ),
    (
        "temperature", "Temperature", "Differences and approaches stay in K.",
        (("celsius", "Degrees Celsius"), ("fahrenheit", "Degrees Fahrenheit")), (30.0, "degC"),
    ),
    (
        "currency", "Currency",
        "Amounts such as capex and cost of ownership. Prices per hour or kWh stay in US dollars, as their sources state them.",
        (("USD", "US dollar"), *((rate.currency, rate.name) for rate in exchange_rates().values())), (1e6, "USD"),
    ),
)  # fmt: skip
"""Name, title, note, the choices and a value that shows each."""


@router.get("/units")
def units_page(request: Request, page: TemplatesDep, next: str = "", saved: bool = False) -> HTMLResponse:
    """The choices, each with an example."""
    return page.page(
        "units.html",
        switches=switches(),
        chosen=chosen_units()._asdict(),
        next=local_path(next),
        saved=saved,
        rates=[*exchange_rates().values()],
    )


@router.post("/units")
def choose(request: Request, form: FormDep, found: PeopleDep) -> Response:
    """Keep the choice in this browser, and with the account where a person is signed in."""
    units = read_units(".".join(form.get(name) or usual for name, usual in BASE._asdict().items()))
    asking = asked()
    if asking.by == "browser" and asking.actor.account_id:
        with found.writing() as session:
            account = session.get(AccountRow, asking.actor.account_id)
            if account is not None:
                account.units = units.text
    onward = local_path(form.get("next", ""))
    response = RedirectResponse(onward if onward != "/" else "/units?saved=true", 303)
    put(response, request, UNITS_COOKIE, units.text)
    return response


def switches() -> tuple[Switch, ...]:
    """What can be chosen, with examples as they would read."""
    found = []
    for name, title, note, options, (value, unit) in SWITCHES:
        shown = []
        for key, words in options:
            one_choice = read_units(".".join((BASE._asdict() | {name: key}).values()))
            with in_units(one_choice, rate_of(one_choice)):
                shown.append(Option(key, words, show(value, unit).text))
        found.append(Switch(name, title, note, tuple(shown)))
    return tuple(found)

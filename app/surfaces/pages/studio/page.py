"""The studio's page: the form and the evaluated design."""

from __future__ import annotations

from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.charts.figure import Figure, get_path
from app.charts.workload_kind import kind_of
from app.saved.access import Resource, may
from app.scenarios.document.ranges import without_range
from app.scenarios.errors import ScenarioError
from app.scenarios.examples import published_of_another
from app.scenarios.load import build_scenario
from app.surfaces.files.formats import FORMATS, Format
from app.surfaces.pages.design_page import DesignPage, design_page
from app.surfaces.pages.designs import Designs, Evaluated, is_new
from app.surfaces.pages.saved.head import SavedHead
from app.surfaces.pages.scaling.form import typed
from app.surfaces.pages.studio.changes import Delta, change_words, delta, last_change
from app.surfaces.pages.studio.estimates import Changes, ShownEstimate, accepted, suggested, with_estimates
from app.surfaces.pages.studio.form import Choices, Values, stated_values
from app.surfaces.pages.studio.numbers import Scale
from app.surfaces.pages.studio.offers import Offer, Refusal, fix_offers, refusal
from app.surfaces.pages.studio.panel import PanelPage, defaulted, panel_page
from app.surfaces.pages.studio.rows import Form
from app.surfaces.pages.studio.state import encode_state, with_value
from app.surfaces.pages.workspace import Section, Tab, section_of, tab_of, tabs_of
from app.teams.asking import asked

OVERVIEW_CHARTS = (
    ("whole", "step_time", "performance"),
    ("half", "bandwidth", "fabric/bandwidth"),
    ("half", "memory", "performance"),
    ("whole", "topology", "fabric/topology"),
    ("whole", "power_flow", "power"),
    ("half", "tco", "cost"),
    ("half", "own_or_rent", "economics/rent"),
)
"""Charts of the overview: width, name, and the section that says more."""


class Studio(NamedTuple):
    """`values` is the scenario as typed; where it is refused, the figures are those of `base`."""

    key: str
    design: DesignPage
    panel: PanelPage
    values: Values
    base: Values
    refusals: tuple[Refusal, ...]
    offers: dict[str, list[Offer]]  # by message of the problem or decision
    suggested: dict[str, ShownEstimate]  # by place in the design
    accepted: tuple[ShownEstimate, ...]
    deltas: dict[str, Delta | None]  # of key figures, against the scenario it started as
    last_change: str
    choices: Choices
    state: str  # what addresses carry; "" for the scenario as it started
    is_new: bool
    saved: SavedHead | None  # where it is a saved scenario
    asks_for_prices: bool = False  # whether own prices may travel with an export
    projection: str = ""  # the address that projects its model, "" where it trains none

    @property
    def result_name(self) -> str:
        """The figure that stands for the result in a word or two."""
        first = self.design.key_figures[0]
        return first.shown.text if first.known else "see what is missing"

    @property
    def catalog_moved(self) -> bool:
        """Return whether the catalog is another one than the saved revision was evaluated with."""
        now = self.design.provenance.get("catalog_revision")
        return self.saved is not None and now is not None and now != self.saved.save.catalog_revision

    @property
    def exports(self) -> tuple[Format, ...]:
        """The kinds of file that it can be exported as."""
        return FORMATS

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The tabs that have something to show of it."""
        return tabs_of(serves=self.panel.serving, published=bool(self.design.published))

    def tab_of(self, place: str) -> Tab:
        """The tab of a place, with the sections that have something to show of this design."""
        whole = tab_of(place)
        return next((tab for tab in self.tabs if tab.title == whole.title), whole)

    def tools_of(self, place: str) -> tuple[tuple[str, str], ...]:
        """Pages of their own about the design, such as a search: generic jobs have nothing to calibrate."""
        tools = tab_of(place).tools
        return tuple(tool for tool in tools if not (self.panel.generic and tool[0] == "calibrate"))

    def overview(self) -> tuple[tuple[str, Figure, Section], ...]:
        """Width, figure and section of each chart of the overview."""
        drawn = {name: section.drawn for section in self.design.sections for _, name in section.placed}
        return tuple(
            (width, drawn[name][name], section_of(place))
            for width, name, place in OVERVIEW_CHARTS
            if name in drawn
        )

    def shown(self) -> dict[str, tuple[str, Scale]]:
        """Text and unit of each field."""
        rows = (row for section in self.panel.sections for row in (*section.rows, *section.more))
        return {row.field.path: (row.text, row.scale) for row in rows}

    def fault_list(self) -> list[dict[str, Any]]:
        """The faults as the page's script reads them."""
        return [
            {
                "path": fault.path,
                "message": fault.message,
                "label": fault.label,
                "offers": [offer._asdict() for offer in fault.offers],
            }
            for fault in self.refusals
        ]

    def with_offer(self, offer: Offer) -> str:
        """The address of this scenario with an offer taken."""
        values = with_value(without_range(self.values, offer.field), offer.field, offer.value)
        return f"/designs/{self.key}?s={encode_state(values)}"

    def with_estimates(self, changes: Changes) -> str:
        """The address of this scenario with estimates accepted or removed."""
        return f"/designs/{self.key}?s={encode_state(with_estimates(self.values, changes))}"


def studio(
    designs: Designs,
    key: str,
    values: Values | None = None,
    before: Values | None = None,
    *,
    keep: bool = True,
    saved: SavedHead | None = None,
) -> Studio:
    """The studio of the design `key` with the scenario `values` typed into it.

    A scenario that is refused leaves the figures of the one it started as, unless `keep` is false.
    Changes of a saved scenario count from the revision that `saved` names.

    Raises
    ------
    KeyError : there is no such design
    ScenarioError : the scenario cannot be evaluated, and `keep` is false
    """
    designs = designs.opened(key)
    started = designs.evaluated(f"{key}@{saved.revision}" if saved else key)
    base = stated_values(started.document)
    typed = base if values is None else values
    now = started
    refusals: tuple[Refusal, ...] = ()
    if typed != base:
        try:
            now = designs.evaluate(key, build_scenario(typed))
        except ScenarioError as error:
            if not keep:
                raise
            refusals = tuple(refusal(fault) for fault in error.errors)
    choices = designs.choices()
    form = Form(typed, base, now, started, choices, {fault.path: fault.message for fault in refusals})
    of_another = saved is not None and published_of_another(started.document)
    page = design_page(now._replace(published=[]) if of_another else now)
    state = "" if typed == base else encode_state(typed)
    return Studio(
        key=key,
        design=page,
        panel=panel_page(form, refusals),
        values=typed,
        base=base,
        refusals=refusals,
        offers=_offers(now),
        suggested=suggested(now),
        accepted=accepted(now),
        deltas=_deltas(page, now, started) if now is not started else {},
        last_change="" if refusals else _last_change(designs, key, now, typed, before, choices),
        choices=choices,
        state=state,
        is_new=is_new(key),
        saved=saved,
        asks_for_prices=_asks_for_prices(designs),
        projection=projection_address(key, now, state),
    )


def _asks_for_prices(designs: Designs) -> bool:
    """Return whether there are own rows, and the caller may pass their prices on."""
    asking, own = asked(), designs.catalog().own_parts()
    homes = {part.workspace_id for part in own if part.workspace_id is not None}
    return any(may(asking.actor, "share", Resource(workspace_id=home)) for home in homes)


def _offers(now: Evaluated) -> dict[str, list[Offer]]:
    shown = (*now.as_json["problems"], *now.as_json.get("decisions", ()))
    return {one["message"]: fix_offers(one) for one in shown}


def _deltas(page: DesignPage, now: Evaluated, started: Evaluated) -> dict[str, Delta | None]:
    """Changes of the key figures; none between different kinds of workload, whose figures do not compare."""
    if kind_of(now.as_json) != kind_of(started.as_json):
        return {}
    return {
        figure.path: delta(
            figure.path, get_path(now.as_json, figure.path), get_path(started.as_json, figure.path)
        )
        for figure in page.key_figures
    }


def _last_change(
    designs: Designs, key: str, now: Evaluated, typed: Values, before: Values | None, choices: Choices
) -> str:
    if before is None or before == typed:
        return ""
    try:
        other: dict[str, Any] = designs.evaluate(key, build_scenario(before)).as_json
    except ScenarioError:
        return ""
    return last_change(now.as_json, other, change_words(defaulted(typed), defaulted(before), choices))


LONGEST_STATE = 8_000  # letters, as addresses carry a scenario elsewhere


def projection_address(key: str, now: Evaluated, state: str) -> str:
    """The page that projects the model of a scenario on its design, "" where it trains none.

    Parameters
    ----------
    state : what is unsaved of the scenario; too long for an address, the design counts as it was saved
    """
    parameters = get_path(now.as_json, "performance.active_parameters")
    tokens = get_path(now.as_json, "inputs.workload.tokens")
    if parameters is None or tokens is None:
        return ""
    fields = {"parameters": typed(parameters), "tokens": typed(tokens), "design": key}
    if state and len(state) <= LONGEST_STATE:
        fields |= {"s": state, "of": key}
    return f"/scaling?{urlencode(fields)}"

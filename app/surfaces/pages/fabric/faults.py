"""The faults tab: failures, the remaining fabric, and the loss of each part by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from app.charts.fabric.left import Bundle, Place, left_figure
from app.charts.fabric.words import part_name, share_text, slower_text, tier_name
from app.charts.format import percent, show
from app.engine.trace import first_of
from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.evaluation.service import EvaluatedScenario
from app.scenarios.load import build_document
from app.surfaces.pages.fabric.opened import OpenedDep
from app.surfaces.pages.studio.fields import in_field_words
from app.surfaces.pages.templating import TemplatesDep
from app.views.fabric.faults import fabric_faults
from app.views.fabric.faults_answer import Bandwidth, FaultsAnswer, FaultsDocument

router = APIRouter(include_in_schema=False, default_response_class=HTMLResponse)


@router.get("/fabric/{key}/faults")
def faults(request: Request, opened: OpenedDep, page: TemplatesDep) -> HTMLResponse:
    """The failures are in the address, so that it can be shared."""
    form = faults_form(request.query_params)
    if opened.scenario is None:
        return page.page("fabric/faults.html", opened=opened)
    answer, no_fabric = None, ""
    try:
        answer = fabric_faults(opened.scenario, form.document or FaultsDocument())
    except ScenarioError as error:
        if error.errors[0].rule == "one_workload":
            return page.page(
                "fabric/refused.html",
                opened=opened,
                tab="faults",
                title="Failure analysis",
                words=error.errors[0].words,
            )
        if error.errors[0].rule == "no_fabric":
            no_fabric = str(error.errors[0].hint)
        else:
            form = refused(form, error.errors)
            answer = fabric_faults(opened.scenario, FaultsDocument())
    return page.page(
        "fabric/faults.html",
        status=422 if form.is_refused else 200,
        opened=opened,
        form=form,
        answer=answer,
        no_fabric=no_fabric,
        figure=_figure(answer) if answer else None,
        facts=(*_facts(answer), *_spares(opened.scenario)) if answer else (),
        share=share_text,
        slower=slower_text,
        tier=tier_name,
        part=part_name,
    )


def _figure(answer: FaultsAnswer) -> object:
    places = [
        Place(
            place.kind,
            place.first,
            place.devices,
            min(place.failed + place.cut_off, place.devices),
            place.share,
            place.unit,
            place.names,
            place.link,
        )
        for place in answer.places
    ]
    bundles = [
        Bundle(one.one, one.other, one.links, one.links_left, one.link, one.between) for one in answer.bundles
    ]
    return left_figure(places, bundles, hosts=answer.reach.hosts, cut_off=answer.reach.cut_off)


def _facts(answer: FaultsAnswer) -> tuple[tuple[str, str, str], ...]:
    """Label, value and what is shown next to it."""
    job, reach = answer.job, answer.reach
    step = show(job.step_time_s, "s").text if job.runs else "stops"
    before = show(job.step_time_whole_s, "s").text
    beside = f"{slower_text(job.slowdown)}, {before} without faults" if job.runs else job.reason
    rows = [
        ("Step time", step, beside),
        ("Worst host bandwidth", share_text(job.access_share), "of its links"),
        (
            "Worst uplink capacity",
            share_text(job.beyond_share),
            ", ".join(filter(None, ("of its way out", job.looked_at))),
        ),
        ("Hosts cut off", f"{reach.cut_off:,}", f"of {reach.hosts:,}"),
        ("Reachable pairs of hosts", share_text(reach.joined_share), ""),
        ("Failed links", f"{answer.failed.links_lost:,}", _failed(answer)),
    ]
    for label, pair in (
        ("Remaining bisection", answer.bisection),
        ("Worst pair of hosts, remaining", answer.worst_pair),
        ("Between the selected two", answer.between),
    ):
        if pair:
            rows.append((label, show(pair.left_bytes_per_s, "B/s").text, _beside(pair)))
    return tuple(rows)


def _spares(scenario: EvaluatedScenario) -> tuple[tuple[str, str, str], ...]:
    """Spares at hand, in the form of the facts."""
    supernodes = first_of(scenario.evaluation.sections.reliability.spare_supernodes_installed)
    assumed = scenario.resolved.design.assumptions.rooms["fabric"]
    shares = [
        f"{percent(first_of(share)).text} of {name}"
        for name, share in (
            ("switches", assumed.switch_spare_share),
            ("NICs", assumed.nic_spare_share),
            ("modules and fibres", assumed.spare_share),
        )
    ]
    return (
        ("Spare SuperNodes installed", show(supernodes).text, "for hosts that fail"),
        (
            "Spare parts in the store",
            shares[0],
            f"{', '.join(shares[1:])}; pieces are in the bill of materials",
        ),
    )


def _failed(answer: FaultsAnswer) -> str:
    failed = answer.failed
    if not failed.names:
        return "nothing has failed"
    more = failed.switches + failed.links - len(failed.names)
    return f"{', '.join(failed.names)}{f' and {more:,} more' if more > 0 else ''} failed"


def _beside(pair: Bandwidth) -> str:
    whole = show(pair.whole_bytes_per_s, "B/s").text
    return f"{share_text(pair.share)} of {whole}, {pair.one} and {pair.other}"


LONGEST = 2_000
LISTS = ("links", "switches", "hosts", "planes", "rails", "racks", "one_supply")
NUMBERS = ("random_links", "random_switches", "seed")
WHOLE_NUMBERS = ("planes", "rails", *NUMBERS)
BOXES = (*LISTS, *NUMBERS, "feed", "one", "other")
PLACES = {"power.racks": "racks", "power.one_supply": "one_supply", "power.feed": "feed"}


class FaultsForm(NamedTuple):
    """`document` is None where something cannot be used; `faults` belong to no box."""

    texts: dict[str, str]
    errors: dict[str, str]
    faults: tuple[str, ...]
    document: FaultsDocument | None

    @property
    def is_refused(self) -> bool:
        return bool(self.errors or self.faults)


def faults_form(typed: Mapping[str, str]) -> FaultsForm:
    """The form as the address has it."""
    texts = {box: typed.get(box, "").strip()[:LONGEST] for box in BOXES}
    form = FaultsForm(texts, {}, (), None)
    try:
        return form._replace(document=build_document(FaultsDocument, _stated(texts)))
    except ScenarioError as error:
        return refused(form, error.errors)


def refused(form: FaultsForm, faults: tuple[InputError, ...]) -> FaultsForm:
    """The form with what is wrong beside its boxes, and the rest above them."""
    errors: dict[str, str] = {}
    above = []
    for fault in faults:
        message = in_field_words(f"{fault.message} {fault.hint}".strip())
        box = _box(fault.path)
        if box:
            errors.setdefault(box, message)
        else:
            above.append(message)
    return form._replace(errors=errors, faults=tuple(above), document=None)


def _box(path: str) -> str:
    if path.startswith("between"):
        return "other" if path == "between[1]" else "one"
    root = path.partition("[")[0]
    root = PLACES.get(root, root)
    return root if root in BOXES else ""


def _stated(texts: dict[str, str]) -> dict[str, Any]:
    """What was typed as the document has it; what is no number stays text, for the document to refuse by name."""
    lists: dict[str, list[Any]] = {name: _parts(name, texts[name]) for name in LISTS}
    stated: dict[str, Any] = {name: lists[name] for name in ("links", "switches", "hosts", "planes", "rails")}
    stated |= {name: _number(texts[name]) for name in NUMBERS if texts[name]}
    if texts["feed"]:
        stated["power"] = {
            "feed": texts["feed"],
            "racks": lists["racks"] or None,
            "one_supply": lists["one_supply"],
        }
    if texts["one"] or texts["other"]:
        stated["between"] = [texts["one"], texts["other"]]
    return stated


def _parts(name: str, text: str) -> list[Any]:
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    return [_number(part) for part in parts] if name in WHOLE_NUMBERS else parts


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else text

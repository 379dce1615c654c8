"""Saved work as cards: what a scenario does, what a design is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from app.charts.format import Shown, number, percent, show, show_at
from app.charts.scaling.words import parameters_text, tokens_text
from app.charts.workload_kind import WORDS
from app.engine.quantities import short_label_at
from app.saved.errors import BadCursorError
from app.saved.records import Kind, Saved
from app.saved.store import SavedWork, Sort
from app.surfaces.pages.saved.rights import address_of
from app.teams.sharing import workspace_name

DAY_S = 86_400.0
FIGURES = {
    "performance.elapsed_time_s": "elapsed_time_s",
    "cost.usd_per_run": "usd_per_run",
    "power.utility_peak_w": "utility_peak_w",
}
"""Figures of a saved scenario, and their names in its summary."""


class SavedCard(NamedTuple):
    """`feasible` is None for what does nothing by itself: designs, projections and studies."""

    id: str
    kind: Kind
    title: str
    description: str
    eyebrow: str
    feasible: bool | None
    figures: tuple[tuple[str, Shown], ...]
    tags: tuple[str, ...]
    revision: int
    version: int
    changed_at: datetime
    deleted_at: datetime | None
    is_template: bool
    estimates: int  # accepted ones, that its figures may rest on

    @property
    def page(self) -> str:
        """Where it is looked at."""
        return address_of(self.kind, self.id)

    @property
    def address(self) -> str:
        """Where its forms are."""
        return f"/saved/{self.kind}/{self.id}"


def saved_card(saved: Saved) -> SavedCard:
    """What lists say of a saved scenario or design."""
    summary = saved.summary
    return SavedCard(
        id=saved.id,
        kind=saved.kind,
        title=saved.name,
        description=str(saved.document.get("question" if saved.kind == "study" else "description", "")),
        eyebrow=_eyebrow(saved.kind, summary, saved.document),
        feasible=summary.get("feasible") if saved.kind == "scenario" else None,
        figures=_figures(saved.kind, summary),
        tags=saved.tags,
        revision=saved.revision,
        version=saved.version,
        changed_at=saved.updated_at,
        deleted_at=saved.deleted_at,
        is_template=saved.is_template,
        estimates=len(saved.document.get("estimates") or ()),
    )


def _eyebrow(kind: Kind, summary: dict[str, Any], document: dict[str, Any]) -> str:
    if kind == "projection":
        return str(summary["law_name"])
    if kind == "scenario":
        pod = document.get("pod") or {}
        return _scenario_words({**summary, "supernodes": pod.get("supernodes")})
    if kind == "study":
        does = [
            word for word, said in (("Training", summary["trains"]), ("serving", summary["serves"])) if said
        ]
        return ", ".join([" and ".join(does).capitalize(), *filter(None, [summary["model"]])])
    if kind == "fleet":
        jobs = "Recorded jobs" if summary["trace"] else f"{number(summary['classes'])} classes"
        return ", ".join([jobs, *_counts(summary, COUNTED[:1])])
    return _design_words(summary)


def _figures(kind: Kind, summary: dict[str, Any]) -> tuple[tuple[str, Shown], ...]:
    if kind == "scenario":
        return tuple(
            (short_label_at(path), show_at(path, summary.get(name))) for path, name in FIGURES.items()
        )
    if kind == "study":
        found = [("Columns", Shown(number(summary["columns"])))]
        found += [
            (label, Shown(str(summary[name])))
            for label, name in (("First", "winner"), ("Chosen", "decided"))
            if summary[name]
        ]
        return tuple(found)
    if kind == "fleet":
        if summary["policy"] is None:
            return (("Policies", Shown(number(len(summary["policies"])))),)
        return (
            ("Productive", percent(summary["utilisation"])),
            ("95 % wait within", show(summary["wait_p95_s"], "s")),
            ("Cost", show(summary["cost_usd"], "USD")),
        )
    if kind != "projection":
        return ()
    days = summary["days"]
    found = [
        ("Parameters", Shown(parameters_text(summary["parameters"]))),
        ("Tokens", Shown(tokens_text(summary["tokens"]))),
    ]
    return (
        *found,
        *(
            ((short_label_at("performance.elapsed_time_s"), show(days * DAY_S, "s")),)
            if days is not None
            else ()
        ),
    )


def _scenario_words(summary: dict[str, object]) -> str:
    words = (_kind(summary), *_counts(summary, COUNTED[:1]), summary.get("site"))
    return ", ".join(str(word) for word in words if word)


def _kind(summary: dict[str, object]) -> str:
    """What was taken down before there were generic jobs says nothing, and is of training."""
    return WORDS[str(summary.get("workload_kind") or "training")]


def _design_words(summary: dict[str, object]) -> str:
    """Its system and how large it is, as far as the design says."""
    words = [str(summary["system"])] if summary.get("system") else []
    return ", ".join((*words, *_counts(summary, COUNTED)))


COUNTED = (("supernodes", "SuperNode", "SuperNodes"), ("accelerators", "accelerator", "accelerators"))


def _counts(summary: dict[str, object], counted: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    for name, one, many in counted:
        count = summary.get(name)
        if isinstance(count, int | float):
            yield f"{number(count)} {one if count == 1 else many}"


MOST = 60  # cards of a kind; the API lists them all


class SharedCard(NamedTuple):
    """`says` is where it comes from, or what of it is shown."""

    card: SavedCard
    page: str
    says: str


def shared_cards(work: SavedWork, kinds: Sequence[Kind]) -> tuple[SharedCard, ...]:
    """Everything of these kinds: first single revisions, then what is live, changed last first."""
    found = []
    for kind in kinds:
        for saved in work.pinned(kind):
            page = address_of(kind, saved.id, saved.revision)
            found.append(SharedCard(saved_card(saved), page, f"Revision {saved.revision}, as it was"))
        names: dict[int, str] = {}
        for saved in work.shared(kind, limit=MOST).items:
            if saved.workspace_id not in names:
                names[saved.workspace_id] = workspace_name(work, saved)
            found.append(
                SharedCard(saved_card(saved), address_of(kind, saved.id), f"From {names[saved.workspace_id]}")
            )
    return tuple(found)


AT_ONCE = 12
SORTS: tuple[tuple[Sort, str], ...] = (("updated", "Last changed"), ("name", "Name"))


class Asked(NamedTuple):
    """What a list is narrowed to; `after` is where the next cards begin."""

    q: str = ""
    tag: str = ""
    sort: str = "updated"
    after: str = ""

    @property
    def narrows(self) -> bool:
        return bool(self.q or self.tag)

    def address(self, path: str) -> str:
        """The address that asks for this."""
        fields = {
            name: text
            for name, text in self._asdict().items()
            if text and (name, text) != ("sort", "updated")
        }
        return f"{path}{'&' if '?' in path else '?'}{urlencode(fields)}" if fields else path


class Shelf(NamedTuple):
    """`tags` are those in use with their counts; `more` is the address of the cards that follow."""

    path: str
    kind: Kind
    asked: Asked
    cards: tuple[SavedCard, ...]
    tags: tuple[tuple[str, int], ...]
    more: str
    fault: str = ""

    @property
    def is_empty(self) -> bool:
        """Nothing is saved at all."""
        return not self.cards and not self.asked.narrows and not self.asked.after


def shelf(work: SavedWork, kind: Kind, path: str, asked: Asked) -> Shelf:
    """The cards that were asked for; a token that leads nowhere begins again and says so."""
    sort: Sort = "name" if asked.sort == "name" else "updated"
    asked = asked._replace(sort=sort, q=asked.q.strip())
    fault = ""
    try:
        page = work.listed(
            kind, limit=AT_ONCE, after=asked.after or None, search=asked.q, tag=asked.tag or None, sort=sort
        )
    except BadCursorError:
        fault = "This page of the list no longer exists; here is the first."
        asked = asked._replace(after="")
        page = work.listed(kind, limit=AT_ONCE, search=asked.q, tag=asked.tag or None, sort=sort)
    return Shelf(
        path=path,
        kind=kind,
        asked=asked,
        cards=tuple(saved_card(saved) for saved in page.items),
        tags=work.tags(kind),
        more=asked._replace(after=page.next).address(path) if page.next else "",
        fault=fault,
    )

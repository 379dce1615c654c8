"""The form of jobs that share a fabric, as it was typed and as it is meant."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from app.scenarios.errors import InputError, ScenarioError
from app.scenarios.load import build_document
from app.views.fabric.sharing_document import MOST_JOBS, SharingDocument

LONGEST = 2_000
BOXES = ("name", "hosts", "on", "placement", "pattern", "exposed_share")
SHOWN_AT_FIRST = 2


class JobForm(NamedTuple):
    """One job as it was typed."""

    number: int
    texts: dict[str, str]
    errors: dict[str, str]


class SharingForm(NamedTuple):
    """`document` is None where something cannot be used; `faults` belong to no box."""

    jobs: tuple[JobForm, ...]
    routing: str
    seed: str
    errors: dict[str, str]  # of routing and seed
    faults: tuple[str, ...]
    document: SharingDocument | None
    is_typed: bool = False  # whether somebody asked for these jobs

    @property
    def is_refused(self) -> bool:
        return bool(self.faults or self.errors or any(job.errors for job in self.jobs))


def sharing_form(typed: Mapping[str, str], hosts: int) -> SharingForm:
    """The form as the address has it; two jobs placed by chance on half of the hosts each where it has none."""
    given = {name: text.strip()[:LONGEST] for name, text in typed.items()}
    rows = [{box: given.get(f"{box}{number}", "") for box in BOXES} for number in range(1, MOST_JOBS + 1)]
    typed_jobs = any(row["hosts"] or row["on"] or row["name"] for row in rows)
    if not typed_jobs:
        for row in rows[:SHOWN_AT_FIRST]:
            row |= {"hosts": str(max(hosts // SHOWN_AT_FIRST, 1)), "placement": "random"}
    filled = [at for at, row in enumerate(rows) if row["hosts"] or row["on"] or row["name"]]
    shown = min(max(filled[-1] + 2, SHOWN_AT_FIRST + 1), MOST_JOBS)
    form = SharingForm(
        jobs=tuple(JobForm(at + 1, rows[at], {}) for at in range(shown)),
        routing=given.get("routing", ""),
        seed=given.get("seed", ""),
        errors={},
        faults=(),
        document=None,
        is_typed=typed_jobs or any(given.get(name) for name in ("routing", "seed")),
    )
    stated: dict[str, Any] = {"jobs": [_job(rows[at], at + 1) for at in filled]}
    stated |= {name: _number(given[name]) for name in ("routing", "seed") if given.get(name)}
    try:
        return form._replace(document=build_document(SharingDocument, stated))
    except ScenarioError as error:
        return refused(form, error.errors)


def refused(form: SharingForm, faults: tuple[InputError, ...]) -> SharingForm:
    """The form with what is wrong beside its boxes, and the rest above them."""
    filled = [job.number for job in form.jobs if job.texts["hosts"] or job.texts["on"] or job.texts["name"]]
    beside: dict[int, dict[str, str]] = {}
    errors: dict[str, str] = {}
    above = []
    for fault in faults:
        message = f"{fault.message} {fault.hint}".strip()
        found = re.match(r"jobs\[(\d+)\](?:\.(\w+))?", fault.path)
        if found is not None and int(found[1]) < len(filled):
            box = found[2] if found[2] in BOXES else "hosts"
            beside.setdefault(filled[int(found[1])], {}).setdefault(box, message)
        elif fault.path in ("routing", "seed"):
            errors[fault.path] = message
        else:
            above.append(message)
    jobs = tuple(job._replace(errors=beside.get(job.number, {})) for job in form.jobs)
    return form._replace(jobs=jobs, errors=errors, faults=tuple(above), document=None)


def _job(texts: dict[str, str], number: int) -> dict[str, Any]:
    """A job as the document has it; what is no number stays text, for the document to refuse by name."""
    job: dict[str, Any] = {"name": texts["name"] or f"Job {number}"}
    job |= {name: texts[name] for name in ("placement", "pattern") if texts[name]}
    if texts["hosts"]:
        job["hosts"] = _number(texts["hosts"])
    if texts["on"]:
        job["on"] = [part for part in re.split(r"[,;\s]+", texts["on"]) if part]
    if texts["exposed_share"]:
        job["exposed_share"] = _share(texts["exposed_share"])
    return job


def _number(text: str) -> Any:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 12 else text


def _share(text: str) -> Any:
    """Percent, as people type it."""
    plain = text.removesuffix("%").strip()
    return float(plain) / 100 if re.fullmatch(r"\d{1,6}(\.\d{0,9})?", plain) else text

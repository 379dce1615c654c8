"""The form of a fleet: what is typed is the document, rows come and go, and faults are at their inputs."""

from __future__ import annotations

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.fleet.document import FleetDocument
from app.scenarios.load import build_document
from app.scenarios.reading.yaml_text import read_yaml
from app.surfaces.pages.fleet.asking import asked_of
from app.surfaces.pages.fleet.boxes import CHECKED, GROUPS, ROWS, help_of
from app.surfaces.pages.fleet.form import Typed, form_of, typed_of, values_of, with_row, without_row
from app.surfaces.pages.fleet.result import EXAMPLE

EVERYTHING = """name: Everything
days: 10
power_share: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5, 0.25]
pue: 1.25
classes:
  - {name: One, jobs_per_hour: 1.5, sizes: [1, 2], weights: [3, 1], preemptible: false, quota: 1000, least_share: 0.5, shape: {peak_to_mean: 1, weekend: 0.5}}
served: [{name: Two, accelerators: 4, peak_replicas: 2}]
pods: [{name: Small, supernodes: 1200, accelerators: 8, idle_w: 0}]
maintenance: [{from_day: 1, hours: 2, supernodes: 1}]
rented: {accelerators: 4, usd_per_accelerator_hour: 0, busy_w: 500}
policies: [fair_share]
level: {percentile: 99, wait_hours: 2, job_class: One}
find: [mix]
"""


def typed(text: str = EXAMPLE) -> Typed:
    return typed_of(read_yaml(text).values)


@pytest.mark.parametrize("text", [EXAMPLE, EVERYTHING])
def test_the_form_says_what_the_document_says(text: str) -> None:
    wanted = build_document(FleetDocument, read_yaml(text).values)
    assert build_document(FleetDocument, values_of(typed(text))) == wanted


def test_every_field_of_the_document_has_an_input() -> None:
    boxes = {(part.part, box.name.split(".")[0]) for part in (*ROWS, *GROUPS) for box in part.boxes}
    apart = {
        "schema_version",
        "description",
        "trace",
        *(rows.name for rows in ROWS),
        *(key for key, _, _ in CHECKED),
    }
    apart |= {group.prefix for group in GROUPS}
    for part in {part.part for part in (*ROWS, *GROUPS)}:
        missing = {name for name in part.model_fields if (part, name) not in boxes}
        assert missing <= (apart if part is FleetDocument else set()), (part, missing)
    for part in (*ROWS, *GROUPS):
        assert all(help_of(part.part, box.name)[0] for box in part.boxes)


def test_rows_come_and_go() -> None:
    more = with_row(typed(), "classes")
    assert more["rows.classes"] == "3"
    assert more["classes.2.preemptible"] == "on"
    less = without_row(more, "classes", 0)
    assert (less["rows.classes"], less["classes.0.name"]) == ("2", "Training")
    assert [one["name"] for one in values_of(less)["classes"][:1]] == ["Training"]
    assert typed()["pods.0.design"] == less["pods.0.design"]


def test_faults_are_at_their_inputs_and_nothing_is_lost() -> None:
    wrong = {
        **typed(),
        "classes.1.jobs_per_hour": "-6",
        "days": "abc",
        "classes.0.sizes": "1, x",
        "level.percentile": "97",
    }
    with pytest.raises(ScenarioError) as caught:
        build_document(FleetDocument, values_of(wrong))
    form = form_of(wrong, caught.value.errors, ())
    shown = {
        one.id: one
        for section in form.sections.values()
        for row in section.rows
        for one in (*row.inputs, *row.further)
    }
    for name in ("classes.1.jobs_per_hour", "days", "classes.0.sizes", "level.percentile"):
        assert shown[name].error
        assert shown[name].text == wrong[name]
    assert not form.faults
    assert sum(bool(one.error) for one in shown.values()) == 4


@pytest.mark.parametrize(
    ("do", "seen"),
    [
        ("add.served", "rows.served"),
        ("remove.pods.0", "rows.pods"),
        ("remove.pods.x", None),
        ("add.nothing", None),
    ],
)
def test_what_a_button_does(do: str, seen: str | None) -> None:
    asked = asked_of({**typed(), "do": do}, b"")
    assert asked.document is None
    if seen is None:
        assert asked.faults
    else:
        assert asked.typed[seen] != typed()[seen]


def test_between_yaml_and_inputs() -> None:
    written = asked_of({**typed(), "do": "yaml", "days": "9"}, b"")
    assert "days: 9" in written.yaml
    filled = asked_of({"do": "fill", "yaml": written.yaml, "trace": "kept"}, b"")
    assert (filled.typed["days"], filled.typed["trace"]) == ("9", "kept")
    run = asked_of({**typed(), "do": "run", "by": "yaml", "yaml": written.yaml}, b"")
    assert run.document is not None
    assert run.document.days == 9


def test_a_trace_is_previewed_and_takes_the_place_of_classes() -> None:
    csv = "arrival_s,accelerators,duration_s\n0,4,60\n1,2,-3\n"
    seen = asked_of({**typed(), "do": "preview"}, csv.encode()).preview
    assert seen is not None
    assert (seen.format, seen.rows, seen.jobs, seen.bad_rows) == ("Podwright", 2, 1, 1)
    assert seen.columns[0] == ("arrival_s", "arrival")
    assert "Row 3" in seen.faults[0]
    run = asked_of({**typed(), "do": "run", "skip_bad_rows": "1"}, csv.encode())
    assert run.document is not None
    assert run.document.trace is not None
    assert run.document.trace.skip_bad_rows
    assert not run.document.classes
    assert (
        asked_of({**typed(), "do": "preview", "trace": "a,b\n1,2\n"}, b"").faults[0].rule == "unknown_columns"
    )

"""Scenario <-> form: nothing is lost on the way, and every field of the document has its place."""

from __future__ import annotations

import pytest

from app.scenarios.examples import Example, list_examples
from app.scenarios.examples import example as example_of
from app.scenarios.load import build_scenario
from app.surfaces.pages.designs import new_design
from app.surfaces.pages.studio.fields import (
    ADVANCED,
    GENERIC,
    all_fields,
    document_leaves,
    fields_by_path,
    is_advanced,
)
from app.surfaces.pages.studio.form import INLINE, field_text, filled_in, form_of, stated_values
from app.surfaces.pages.studio.numbers import Scale, number_of, number_text, scale_of
from app.surfaces.pages.studio.serving_fields import SERVING
from app.surfaces.pages.studio.state import MISSING, value_at, with_value

GENERIC_EXAMPLE = example_of("fft_3d_on_512_dgx_a100").read()
SERVING_EXAMPLE = example_of("deepseek_r1_on_8_h200").read()
EXAMPLES = pytest.mark.parametrize("example", list_examples(), ids=lambda example: example.key)


@EXAMPLES
def test_form_gives_the_scenario_back(example: Example) -> None:
    """What has a control is taken out of the scenario and comes back from the form's text and units alone."""
    document = example.read()
    values = stated_values(document)
    form = form_of(values)
    units = {
        field.path: ("", scale_of(field, _number(value_at(values, field.path)))) for field in all_fields()
    }
    assert build_scenario(filled_in(_emptied(values), form, units)) == document
    assert filled_in(values, form) == values


@EXAMPLES
def test_stated_values_are_the_scenario(example: Example) -> None:
    document = example.read()
    assert build_scenario(stated_values(document)) == document
    assert len(str(stated_values(document))) <= len(str(document.as_dict()))


def test_every_field_of_the_document_has_a_place() -> None:
    controls = set(fields_by_path())
    left_out = [path for path in document_leaves() if path not in controls and not is_advanced(path)]
    assert left_out == []


def test_every_control_is_a_field_of_the_document() -> None:
    known = set(document_leaves()) | {
        "parallelism",
        "workload.layout",
        "workload.requests",
        "workload.model",
        "facility.site",
        "operations.storage",
    }
    assert [path for path in fields_by_path() if path not in known] == []
    assert all(not is_advanced(path) or path in known for path in fields_by_path())
    leaves = document_leaves()
    for name in ADVANCED:
        assert any(path == name or path.startswith(name) for path in leaves), name


def test_every_control_says_what_it_is() -> None:
    for field in all_fields():
        assert field.label
        assert field.description, field.path
        if field.control in ("segments", "switch"):
            assert len(field.words) >= 2, field.path


def test_sliders_stay_within_what_the_document_takes() -> None:
    for field in all_fields():
        if field.slider is None:
            continue
        for end in field.slider:
            values = stated_values(
                GENERIC_EXAMPLE
                if field.path in GENERIC
                else SERVING_EXAMPLE
                if field.path in SERVING
                else new_design()
            )
            if field.path.startswith("parallelism."):
                values = with_value(values, "parallelism", {"tp": 1})
            value = int(end) if field.whole else end
            if field.path in ("economics.utilisation",) and end == 0:
                continue  # nought is refused by the document, and said at the field
            build_scenario(with_value(values, field.path, value))


@pytest.mark.parametrize(
    ("text", "factor", "value"),
    [
        ("15.6", 1e12, 15.6e12),
        ("8,192", 1, 8192),
        ("1.5e13", 1e12, 1.5e13),
        ("400k", 1, 400_000),
        ("80 %", 0.01, 0.8),
        ("\u22125", 1, -5),
        ("80\u202f", 1e9, 80e9),
        ("many", 1, "many"),
        ("1.2.3", 1, "1.2.3"),
    ],
)
def test_numbers_are_read_as_people_write_them(text: str, factor: float, value: float | str) -> None:
    assert number_of(text, Scale(factor, "")) == value


@pytest.mark.parametrize("value", [1.0, 0.3, 1e-6, 123456789.0, 15.6e12, 1 / 3, 2.5e-3])
def test_text_of_a_number_is_exact(value: float) -> None:
    scale = Scale(1.0, "")
    assert number_of(number_text(value, scale), scale) == pytest.approx(value, rel=1e-11)


def test_an_emptied_field_is_taken_out() -> None:
    values = stated_values(list_examples()[0].read())
    changed = filled_in(values, {"economics.wacc": "", "pod.supernodes": "1,024"})
    assert value_at(changed, "economics.wacc") is MISSING
    assert value_at(changed, "pod.supernodes") == 1024
    assert value_at(values, "pod.supernodes") == 2048


def test_a_system_takes_the_place_of_one_written_out() -> None:
    values = stated_values(
        next(item for item in list_examples() if item.key == "dense_128b_on_tpu_v5p").read()
    )
    assert field_text(fields_by_path()["supernode.system"], values) == INLINE
    changed = filled_in(values, {"supernode.system": "dgx_h100"})
    assert changed["supernode"] == {"system": "dgx_h100"}


def test_units_follow_the_size_of_the_value() -> None:
    field = fields_by_path()["workload.tokens"]
    assert scale_of(field, 15.6e12).unit == "T"
    assert scale_of(field, 1e9).unit == "G"


def _emptied(values: dict[str, object]) -> dict[str, object]:
    """The scenario without anything that has a control; written-out parts stay."""
    bare = dict(values)
    for field in all_fields():
        if field.path == "parallelism" or isinstance(value_at(bare, field.path), dict):
            continue
        bare = with_value(bare, field.path, MISSING)
    if isinstance(value_at(values, "parallelism"), dict):
        bare = with_value(bare, "parallelism", {})
    return bare


def _number(value: object) -> float | None:
    return value if isinstance(value, int | float) else None

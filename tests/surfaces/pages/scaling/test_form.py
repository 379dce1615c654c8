"""The form of a projection: what was typed, what it stands for, and what is wrong with it."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode

import pytest

from app.surfaces.pages.scaling.form import form_of, number_typed, scaling_form, typed


def test_an_address_that_asks_nothing_has_no_texts() -> None:
    assert scaling_form({"live": "1"}).texts == {}
    assert scaling_form({"law": "kaplan"}).texts == {"law": "kaplan"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("70B", 70e9),
        ("70b", 70e9),
        ("15.6T", 15.6e12),
        ("7e10", 7e10),
        ("1,000", 1000),
        ("2.05", 2.05),
        ("400k", 4e5),
    ],
)
def test_numbers_as_people_type_them(text: str, value: float) -> None:
    assert number_typed(text) == value


@pytest.mark.parametrize("value", [90.0, 0.5, 12_345.0, 15.6e12, 5.76e23, 1.2345678901e10])
def test_a_number_is_typed_back(value: float) -> None:
    assert number_typed(typed(value)) == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ({"tokens": "0"}, "tokens", "0 must be at least 1."),
        ({"flops": "many"}, "flops", "'many' must be a number."),
        ({"loss": "200"}, "loss", "200 must be at most 100."),
        ({"law": "kapplan", "flops": "1e20"}, "law", "Nearest: kaplan"),
        ({"bits": "0.5", "law": "precision", "flops": "1e20"}, "bits", "0.5 must be at least 1."),
    ],
)
def test_a_fault_is_told_at_its_field_and_the_text_stays(
    query: dict[str, str], field: str, words: str
) -> None:
    form = scaling_form(query)
    assert form.options is None
    assert words in form.error(field)
    assert not form.general_errors
    assert form.text(field) == query[field]


def test_an_address_says_the_same_again() -> None:
    query = {"law": "kaplan", "parameters": "70B", "design": "edge_node", "projection": "0" * 32}
    form = scaling_form(query)
    assert dict(parse_qsl(urlencode(form.fields))) == query
    assert form.address("/use").startswith("/scaling/use?law=kaplan&")


def test_an_unsaved_scenario_is_left_behind_with_its_design() -> None:
    carried = {"s": "1.abc", "of": "edge_node", "design": "edge_node", "flops": "1e20"}
    assert scaling_form(carried).state == "1.abc"
    assert scaling_form(carried).fields["of"] == "edge_node"
    assert scaling_form({**carried, "design": "other"}).state == ""
    assert "s" not in scaling_form({**carried, "design": "other"}).fields


def test_a_saved_projection_fills_the_form() -> None:
    form = form_of(
        {"name": "Saved", "law": "kaplan", "parameters": 7e10, "deadline_days": 90.0}, design="edge_node"
    )
    assert form.options is not None
    assert (form.options.law, form.options.parameters, form.options.deadline_days) == ("kaplan", 7e10, 90)
    assert form.design == "edge_node"

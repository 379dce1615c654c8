"""The options of a search as a form: nothing typed is lost, and what is wrong is said beside its field."""

from __future__ import annotations

import pytest

from app.scenarios.declared_fields import declared_field
from app.surfaces.pages.explore.form import search_form
from app.views.searching.options import AXES


def test_an_empty_form_searches_every_layout() -> None:
    form = search_form({})
    assert form.options is not None
    assert (form.options.objective, form.options.space, form.options.top) == ("step_time", "whole", 10)
    assert (form.held, form.query, form.errors) == (0, {}, {})


def test_fields_become_options_and_come_back_as_typed() -> None:
    typed = {"objective": "memory", "space": "usual", "top": "3", "hold.tp": "4, 8", "hold.recompute": "full",
             "hold.sequence_parallel": "true"}  # fmt: skip
    form = search_form({"s": "1.abc", **typed})
    assert form.options is not None
    assert form.options.hold == {"tp": [4, 8], "recompute": ["full"], "sequence_parallel": [True]}
    assert form.options.top == 3
    assert form.held == 3
    assert form.query == typed
    assert search_form(form.query).options == form.options


@pytest.mark.parametrize(
    ("field", "text", "said"),
    [
        ("hold.tp", "4, x", "whole numbers from 1"),
        ("hold.tp", "4,,8", "whole numbers"),
        ("hold.schedule", "gpipe", "zb_h1"),
        ("hold.data_overlap", "maybe", "true or false"),
        ("top", "many", "whole number"),
        ("top", "0", "at least 1"),
        ("deadline_days", "-2", "above 0"),
        ("deadline_days", "nan", "finite"),
        ("objective", "fame", "step_time"),
        ("space", "outer", "usual"),
    ],
)
def test_what_is_wrong_stands_beside_its_field(field: str, text: str, said: str) -> None:
    form = search_form({field: text, "hold.pp": "2"})
    assert form.options is None
    assert list(form.errors) == [field]
    assert said in form.errors[field]
    assert form.query == {field: text, "hold.pp": "2"}


def test_the_fewest_accelerators_need_a_deadline() -> None:
    assert "days" in search_form({"objective": "accelerators"}).error("deadline_days")
    assert search_form({"objective": "accelerators", "deadline_days": "7"}).errors == {}


def test_a_blank_says_what_it_stands_for() -> None:
    blank = {axis.name: axis.blank for axis in search_form({}).axes}
    assert (blank["tp"], blank["recompute"]) == ("any", "any")
    assert {name for name, words in blank.items() if words != "any"} == {
        "shard_group", "etp", "offload", "offload_to", "context", "schedule"
    }  # fmt: skip


def test_groups_of_shards_are_typed_as_words_and_numbers() -> None:
    form = search_form({"hold.shard_group": "all, 8", "hold.offload_to": "nvme"})
    assert form.options is not None
    assert form.options.hold == {"shard_group": ["all", 8], "offload_to": ["nvme"]}
    assert search_form({"hold.shard_group": "every"}).error("hold.shard_group")


def test_every_axis_has_a_label() -> None:
    assert all(declared_field(f"parallelism.{axis}").label for axis in AXES)
    assert [axis.name for axis in search_form({}).axes] == list(AXES)

"""The form of a study and its document say the same."""

from __future__ import annotations

import json
import math

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.surfaces.pages.studies.adopting import candidate_words, choices_of
from app.surfaces.pages.studies.asking import BOXES, FIRST, first_values, with_typed
from app.surfaces.pages.studies.changes import changed
from app.surfaces.pages.studies.columns import keys_of
from app.surfaces.pages.studio.state import decode_state, encode_state
from app.views.study.columns import StudyFigure
from app.views.study.report import LimitKept, Searched, StudyAnswer, StudyRow
from app.views.written import read_back, written
from tests.saved.support import study

TYPED = {
    "model": "llama_3_1_8b", "tokens": "0.2", "days": "120", "sure": "80", "capex": "60", "power": "8", "site": "",
    "site.oslo": "1", "site.dallas": "1", "system": "", "tpot": "50",
}  # fmt: skip


def test_the_home_page_asks_at_most_eight_things() -> None:
    assert len(FIRST) <= 8


def test_what_is_typed_is_what_the_document_states() -> None:
    document = build_document(StudyDocument, with_typed(first_values(), TYPED))
    training, limits = document.workload.training, document.limits
    assert training is not None
    assert (training.model, training.tokens) == ("llama_3_1_8b", 2e11)
    assert (limits.finish_within_days, limits.finish_probability) == (120, 0.8)
    assert (limits.capex_usd, limits.meter_power_w) == (60e6, 8e6)
    assert limits.tpot_s is None, "nothing is served, so its box is not there"
    assert document.candidates.sites == ("oslo", "dallas")
    assert document.candidates.systems == "search"
    assert [one.fabric.kind for one in document.candidates.networks] == ["infiniband", "roce"]


def test_an_emptied_box_takes_its_limit_away() -> None:
    values = with_typed(with_typed(first_values(), TYPED), {"days": "", "site": ""})
    document = build_document(StudyDocument, values)
    assert document.limits.finish_within_days is None
    assert document.candidates.sites == "search"
    assert document.limits.capex_usd == 60e6, "a box that is not in the form stays as it is"


def test_a_network_with_more_than_a_kind_is_kept() -> None:
    own = {"name": "Ours", "fabric": {"kind": "roce", "oversubscription": 2}}
    values = study(candidates={"networks": [own]})
    kept = with_typed(values, {"network": "", "network.Ours": "1", "network.infiniband": "1"})
    assert kept["candidates"]["networks"][0] == own
    assert [one["name"] for one in kept["candidates"]["networks"]] == ["Ours", "InfiniBand"]


@pytest.mark.parametrize("box", BOXES, ids=[box.name for box in BOXES])
def test_every_box_is_a_field_of_the_document(box: object) -> None:
    from app.surfaces.pages.studies.asking import _declared

    title, words = _declared(box.path)  # type: ignore[attr-defined]
    assert title
    assert words


def test_what_is_no_number_is_refused_by_its_own_words() -> None:
    with pytest.raises(ScenarioError) as caught:
        build_document(StudyDocument, with_typed(first_values(), {"days": "soon"}))
    (fault,) = caught.value.errors
    assert fault.path == "limits.finish_within_days"
    assert "soon" in str(fault)


def test_columns_are_kept_renamed_and_removed() -> None:
    words = '{"system": "dgx_h100", "supernodes": 4}'
    values, note = changed(study(), {"do": "keep", "name": "Small", "candidate": words})
    assert [one["name"] for one in values["chosen"]] == ["Small", "Large", "Small (2)"]
    assert note == "Kept Small (2)"
    values, _ = changed({**values, "base": "Small"}, {"do": "remove", "name": "Small"})
    assert [one["name"] for one in values["chosen"]] == ["Large", "Small (2)"]
    assert "base" not in values, "the base case went with its column"
    full = study(chosen=[{"name": f"{n}", "candidate": json.loads(words)} for n in range(12)])
    with pytest.raises(ScenarioError, match="12 columns already"):
        changed(full, {"do": "keep", "name": "One more", "candidate": words})


@pytest.mark.parametrize("do", ["", "fly"])
def test_a_form_that_asks_for_nothing_is_refused(do: str) -> None:
    with pytest.raises(ScenarioError):
        changed(study(), {"do": do})


def test_a_key_names_its_choices() -> None:
    document = build_document(StudyDocument, study())
    for column in document.chosen:
        for key in keys_of(column, document):
            choices = choices_of(key)
            assert choices is not None
            assert choices["supernodes"] == column.candidate.supernodes  # type: ignore[union-attr]
            assert json.loads(candidate_words(key, document))["system"] == "dgx_h100"
    assert choices_of("edge_node") is None


def test_a_study_in_an_address_is_the_same_study() -> None:
    assert decode_state(encode_state(study())) == study()


def test_an_answer_is_written_and_read_again() -> None:
    limit = LimitKept(
        limit="capex_usd", title="Capital cost", unit="USD", value=math.nan, bound=1e6, probability=math.nan, asked=0.5,
        kept=False, binds=True,
    )  # fmt: skip
    row = StudyRow(
        key="a", rank=0, system="dgx_h100", system_name="DGX H100", supernodes=8, domain_size=8, accelerators=64,
        network="Usual fabric", number_format="bf16", layout="TP 8", site="oslo", site_name="Oslo", terms="own",
        figures={"tco_usd": StudyFigure(value=math.nan, low=math.nan, high=math.inf)}, limits=(limit,), feasible=True,
        reason="Its price is unknown", probability=math.nan,
    )  # fmt: skip
    searched = Searched(
        designs=1,
        evaluated=1,
        refused=0,
        pruned=(),
        layouts=1,
        exact=True,
        gap=math.nan,
        smallest={},
        search_time_s=0.1,
    )
    answer = StudyAnswer(
        name="One",
        objective="usd",
        answered=False,
        verdict="None does.",
        base="",
        rows=(row,),
        searched=searched,
    )
    plain = json.loads(json.dumps(written(answer), allow_nan=False))
    again = read_back(StudyAnswer, plain)
    assert written(again) == plain
    assert math.isnan(again.rows[0].figures["tco_usd"].value)
    assert again.rows[0].figures["tco_usd"].high == math.inf
    assert again.decision is None

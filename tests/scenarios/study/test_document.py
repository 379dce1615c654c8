"""The study document: what it takes, what it refuses, and that it reads what it writes."""

from __future__ import annotations

from typing import Any

import pytest

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_document
from app.scenarios.reading.yaml_text import read_yaml
from app.scenarios.study.document import StudyDocument, study_schema

TRAINING = {
    "kind": "training", "model": "qwen3_235b_a22b", "tokens": 15e12, "sequence_length": 4096,
    "global_batch_sequences": 4096,
}  # fmt: skip


def study(**parts: Any) -> StudyDocument:
    return build_document(StudyDocument, {"workload": {"training": TRAINING}, **parts})


@pytest.mark.parametrize(
    "counts", ["search", [4, 5, 6], {"from": 2, "to": 9}], ids=["searched", "listed", "from and to"]
)
def test_a_study_reads_what_it_writes(counts: Any) -> None:
    written = study(
        limits={
            "finish_within_days": 120,
            "finish_probability": 0.8,
            "capex_usd": 60e6,
            "delivery_by": "2027-06-30",
        },
        timing={"order_date": "2027-01-01"},
        candidates={
            "systems": ["gb200_nvl72"],
            "supernodes": counts,
            "layouts": ["auto", {"tp": 8, "pp": 4}],
        },
        chosen=[{"name": "Small", "candidate": {"system": "gb200_nvl72", "supernodes": 4}}],
        base="Small",
    )
    assert build_document(StudyDocument, written.as_dict()) == written
    assert build_document(StudyDocument, read_yaml(written.as_yaml()).values) == written


@pytest.mark.parametrize(
    ("parts", "path", "words"),
    [
        ({"workload": {}}, "workload.training", "needs training, serving, or both"),
        ({"candidates": {"supernodes": [3, 3]}}, "candidates.supernodes", "names 3 twice"),
        ({"candidates": {"supernodes": {"from": 3, "to": 1}}}, "candidates.supernodes.to", "below from"),
        ({"candidates": {"supernodes": "all"}}, "candidates.supernodes", "must be 'search'"),
        ({"candidates": {"systems": ["dgx_h100", "dgx_h100"]}}, "candidates.systems", "names dgx_h100 twice"),
        ({"candidates": {"networks": [{"name": "A"}, {"name": "A"}]}}, "candidates.networks", "called 'A'"),
        ({"limits": {"finish_probability": 1.2}}, "limits.finish_probability", "must be at most 0.99"),
        ({"limits": {"tpot_s": 0.05}}, "limits.tpot_s", "has no serving"),
        ({"limits": {"delivery_by": "2029-01-01"}}, "limits.delivery_by", "no date of the order"),
        ({"limits": {"terms": ["lease"]}}, "limits.terms[0]", "must be"),
        ({"chosen": [{"name": "A"}]}, "chosen[0].candidate", "needs a candidate or a scenario"),
        (
            {"chosen": [{"name": "A", "candidate": {"system": "dgx_h100", "supernodes": 1, "network": "B"}}]},
            "chosen",
            "names the network 'B'",
        ),
    ],
)  # fmt: skip
def test_a_refusal_names_field_and_rule(parts: dict[str, Any], path: str, words: str) -> None:
    with pytest.raises(ScenarioError) as refused:
        study(**parts)
    fault = refused.value.errors[0]
    assert fault.path == path
    assert words in fault.message


def test_at_most_twelve_columns_are_kept() -> None:
    one = {"candidate": {"system": "dgx_h100", "supernodes": 1}}
    assert len(study(chosen=[{"name": f"C{place}", **one} for place in range(12)]).chosen) == 12
    with pytest.raises(ScenarioError, match="at most 12"):
        study(chosen=[{"name": f"C{place}", **one} for place in range(13)])


def test_the_schema_describes_every_part() -> None:
    schema = study_schema()
    assert schema["title"] == "Podwright study"
    for part in ("LimitsDocument", "CandidatesDocument", "ChosenDocument"):
        fields = schema["$defs"][part]["properties"]
        assert all(field.get("description") for field in fields.values()), part

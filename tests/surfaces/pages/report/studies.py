"""Two studies with their answers, for the tests of their reports and workbooks."""

from __future__ import annotations

import functools
from typing import Any

from app.catalog.ready import ready_catalog
from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.service import Service
from app.settings import get_settings
from app.surfaces.pages.report.document import report_html
from app.surfaces.pages.report.options import report_options
from app.surfaces.pages.report.study import ReportedStudy, StudySubject, reported_here
from app.views.study.answer import study_answer

TRAINED: dict[str, Any] = {
    "kind": "training", "model": "llama_3_1_8b", "tokens": 1e12, "sequence_length": 8192, "global_batch_sequences": 512,
}  # fmt: skip
SERVED: dict[str, Any] = {
    "kind": "serving", "model": "llama_3_1_8b", "precision": "fp8",
    "requests": {"input_tokens": 2048, "output_tokens": 512}, "service_level": {"tpot_s": 0.05, "ttft_s": 1},
}  # fmt: skip
STUDIES: dict[str, dict[str, Any]] = {
    "ranked": {
        "name": "8B in three weeks",
        "workload": {"training": TRAINED, "serving": SERVED},
        "limits": {"finish_within_days": 21, "finish_probability": 0.8, "capex_usd": 20e6},
        "candidates": {
            "systems": ["dgx_h100"], "supernodes": {"from": 7, "to": 9}, "sites": ["oslo", "dallas"],
            "terms": ["own", "rent_reserved"],
        },
        "timing": {"order_date": "2027-01-15"},
    },
    "kept": {  # columns kept by hand, one of them a design of its own, a limit that none keeps, and a decision
        "name": "Board of kept columns",
        "question": "Which of the pods that we looked at trains our 8B model soonest?",
        "workload": {"training": TRAINED},
        "limits": {"finish_within_days": 6, "meter_power_w": 60e3},
        "candidates": {"systems": ["dgx_h100", "dgx_h200"], "supernodes": [8, 16], "sites": ["dallas"]},
        "chosen": [
            {"name": "Eight of today", "candidate": {"system": "dgx_h100", "supernodes": 8, "site": "dallas"}},
            {"name": "Sixteen", "candidate": {"system": "dgx_h200", "supernodes": 16, "site": "dallas"}},
            {"name": "In a colocation", "candidate": {"system": "dgx_h100", "supernodes": 8, "site": "dallas", "terms": "colocate"}},
            {"name": "Edge", "scenario": "edge_node"},
        ],
        "base": "Eight of today",
        "decision": {"text": "We wait for a quote.\nThen sixteen.", "chosen": "Sixteen"},
    },
}  # fmt: skip


@functools.cache
def study(name: str) -> ReportedStudy:
    document = build_document(StudyDocument, STUDIES[name])
    return reported_here(document, study_answer(document, ready_catalog()), Service(get_settings()))


@functools.cache
def study_html(name: str, version: str, without: tuple[str, ...] = ()) -> str:
    subject = StudySubject(study(name)._replace(review=("Revision 3 was approved, by Ann.",)), without)
    return report_html(subject, report_options({"version": version, "without": ",".join(without)}))

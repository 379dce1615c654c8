"""The questions: key, words, inputs and answer of each, once for page, REST and command line."""

from __future__ import annotations

from typing import Any

from app.views.questions.compare import compare_answer
from app.views.questions.extend import extend_answer
from app.views.questions.options import (
    CompareOptions,
    ExtendOptions,
    ServeOptions,
    SiteOptions,
    SizeOptions,
    TrainOptions,
)
from app.views.questions.question import Question
from app.views.questions.serve import serve_answer
from app.views.questions.site import site_answer
from app.views.questions.size import size_answer
from app.views.questions.train import train_answer
from app.views.questions.words import COMPARE, EXTEND, SERVE, SITE, SIZE, TRAIN

INPUTS = {
    "workload.model": "model",
    "workload.tokens": "tokens",
    "supernode.system": "system",
    "facility.site": "site",
    "supernode.custom.accelerator": "accelerator",
    "supernode.custom.accelerators": "sizes",
    "workload.demand.requests_per_s": "requests_per_s",
    "workload.service_level.tpot_s": "tpot_s",
    "pod.supernodes": "supernodes",
}
"""The input that states a field of a scenario."""

QUESTIONS: tuple[Question[Any], ...] = (
    Question(
        words=TRAIN,
        options=TrainOptions,
        answer=train_answer,
        fields=INPUTS,
        example={"model": "llama_3_1_8b", "tokens": 1e12, "system": "dgx_h100", "deadline_days": 30},
    ),
    Question(
        words=SERVE,
        options=ServeOptions,
        answer=serve_answer,
        fields=INPUTS,
        example={"model": "llama_3_1_8b", "requests_per_s": 10, "tpot_s": 0.03, "system": "dgx_h100"},
    ),
    Question(
        words=COMPARE,
        options=CompareOptions,
        answer=compare_answer,
        fields=INPUTS | {"supernode.system": "systems", "pod.supernodes": "accelerators"},
        example={"model": "llama_3_1_8b", "systems": ["dgx_h100", "dgx_b200"], "accelerators": 64},
    ),
    Question(
        words=SIZE,
        options=SizeOptions,
        answer=size_answer,
        fields=INPUTS,
        example={"accelerator": "nvidia_h100_sxm", "model": "llama_3_1_70b", "sizes": [8, 32]},
    ),
    Question(
        words=SITE,
        options=SiteOptions,
        answer=site_answer,
        fields=INPUTS,
        example={"power_w": 2e6, "system": "dgx_h100", "site": "lulea"},
    ),
    Question(
        words=EXTEND,
        options=ExtendOptions,
        answer=extend_answer,
        fields=INPUTS,
        example={"system": "dgx_h100", "supernodes": 16, "added": 16, "month": 6},
    ),
)
BY_KEY = {question.key: question for question in QUESTIONS}

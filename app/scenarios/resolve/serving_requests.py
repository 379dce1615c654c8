"""What a request of a served model is, and where the cached part of its prompt waits."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.problems import TIER_WORDS
from app.engine.performance.serving.kv_cache import tiers_there
from app.engine.performance.serving.request_mix import mixture_of
from app.engine.performance.serving.sessions import former_turns, session_requests
from app.engine.specs import Requests, SuperNode
from app.engine.specs.serving import RequestClass, Sessions
from app.engine.trace import Array, first_of
from app.scenarios.document.serving_requests import (
    AnyRequestsDocument,
    LengthsDocument,
    MixDocument,
    RequestsDocument,
    SessionDocument,
    SessionsDocument,
)
from app.scenarios.errors import refuse
from app.scenarios.resolve.inputs import Inputs

PATH = "workload.requests"
STATED = ("input_tokens", "output_tokens", "input_variation", "output_variation", "shared_prefix_tokens")
SESSION_FIELDS = tuple(SessionDocument.model_fields)
DERIVED = {
    "input_tokens": "tokens of a prompt, mean",
    "output_tokens": "tokens of an answer, mean",
    "input_variation": "spread of the new tokens of prompts over their mean",
    "output_variation": "spread of the answers over their mean",
    "cached_share": "share of the prompt that is found in the prefix cache",
    "shared_prefix_tokens": "tokens at the start of a prompt that others of its class have too, mean",
    "running.tokens": "tokens of a running sequence, mean",
    "running.shared_tokens": "of these, that others of its class have too",
    "running.prefix_tokens": "tokens of the prefixes of all classes",
}
"""What formulas take of a mix, with its words."""
RULES = {
    "input_tokens": "mean over classes by share",
    "output_tokens": "mean over classes by share",
    "input_variation": "law of total variance, over the new tokens of prompts",
    "output_variation": "law of total variance",
    "cached_share": "mean over the tokens of all prompts",
    "shared_prefix_tokens": "mean over classes by share",
    "running.tokens": "mean over classes by share and answer: long answers run longer",
    "running.shared_tokens": "mean over classes by share and answer: long answers run longer",
    "running.prefix_tokens": "sum over classes: each prefix is held once",
}


def requests(inputs: Inputs, document: AnyRequestsDocument, media_tokens: float = 0.0) -> Requests:
    """The requests as stated; a prefix that all prompts share is found in the cache at least.

    Raises
    ------
    ScenarioError : more tokens are shared than a prompt has
    """
    if isinstance(document, MixDocument):
        return _mix(inputs, document)
    if isinstance(document, SessionsDocument):
        return _of_sessions(inputs, document)
    _check_prefix(document, PATH)
    stated: dict[str, Any] = {
        name: inputs.scenario(f"{PATH}.{name}", getattr(document, name)) for name in STATED
    }
    if media_tokens:
        stated["input_tokens"] = inputs.derived(
            f"{PATH}.input_tokens",
            document.input_tokens + media_tokens,
            "tokens of a prompt, with those of its media",
            f"{PATH}.input_tokens {document.input_tokens:,.6g} and {media_tokens:,.6g} of images, video or sound",
        )
    return Requests(
        **stated,
        cached_share=_cached_share(inputs, document, PATH, media_tokens),
        cache_tier=document.cache_tier,
    )


def mean_request_tokens(document: AnyRequestsDocument) -> float:
    """Tokens in and out of a request, mean."""
    if isinstance(document, MixDocument):
        return sum(one.share * (one.input_tokens + one.output_tokens) for one in document.classes)
    if isinstance(document, SessionsDocument):
        s = document.sessions
        before = first_of(
            former_turns(turns=np.full(1, s.turns), turns_variation=np.full(1, s.turns_variation))
        )
        return s.system_tokens + (before + 1) * (s.added_tokens + s.answer_tokens)
    return document.input_tokens + document.output_tokens


class Longest(NamedTuple):
    """Tokens of the longest requests, and the fields that state them."""

    input_tokens: float
    output_tokens: float
    input_field: str
    output_field: str


def longest_requests(document: AnyRequestsDocument) -> Longest:
    """The requests of most tokens: of a class, or the last turn of a session of mean turns."""
    if isinstance(document, SessionsDocument):
        s, place = document.sessions, f"{PATH}.sessions"
        former = (s.turns - 1) * (s.added_tokens + s.answer_tokens)
        return Longest(
            s.system_tokens + former + s.added_tokens,
            s.answer_tokens,
            f"{place}.turns",
            f"{place}.answer_tokens",
        )
    found, place = _longest(document)
    return Longest(found.input_tokens, found.output_tokens, f"{place}.input_tokens", f"{place}.output_tokens")


def _longest(document: RequestsDocument | MixDocument) -> tuple[LengthsDocument, str]:
    if isinstance(document, MixDocument):
        place, one = max(
            enumerate(document.classes), key=lambda item: item[1].input_tokens + item[1].output_tokens
        )
        return one, f"{PATH}.classes[{place}]"
    return document, PATH


def _of_sessions(inputs: Inputs, document: SessionsDocument) -> Requests:
    """Requests that are turns of sessions, as they are where the cache finds no more than what all share."""
    path = f"{PATH}.sessions"
    stated = {
        name: inputs.scenario(f"{path}.{name}", getattr(document.sessions, name)) for name in SESSION_FIELDS
    }
    found = session_requests(Sessions(**stated), document.cache_tier, np.zeros(1))
    for name, label in DERIVED.items():
        if "." not in name:
            rule = f"{path}: mean over turns, before anything of them is found in the cache"
            inputs.derived(f"{PATH}.{name}", first_of(getattr(found, name)), label, rule)
    return replace(found, classes=())


def _mix(inputs: Inputs, document: MixDocument) -> Requests:
    """Requests of several classes, and the one kind that formulas take."""
    found, whole = [], math.fsum(one.share for one in document.classes)
    for place, one in enumerate(document.classes):
        path = f"{PATH}.classes[{place}]"
        _check_prefix(one, path)
        stated = {name: inputs.scenario(f"{path}.{name}", getattr(one, name)) for name in STATED}
        found.append(
            RequestClass(
                name=one.name,
                share=inputs.scenario(f"{path}.share", one.share / whole),
                **stated,
                cached_share=_cached_share(inputs, one, path),
            )
        )
    mean = mixture_of(found, document.cache_tier)
    for path, label in DERIVED.items():
        part, _, name = path.rpartition(".")
        value = getattr(getattr(mean, part) if part else mean, name)
        inputs.derived(f"{PATH}.{path}", first_of(value), label, f"{PATH}.classes: {RULES[path]}")
    return mean


def _check_prefix(document: LengthsDocument, path: str) -> None:
    shared, prompt = document.shared_prefix_tokens, document.input_tokens
    if shared > prompt - 1:
        raise refuse(
            f"{shared:,.12g} tokens at the start of all prompts leave nothing of the {prompt:,.12g} of a prompt to answer.",
            rule="context",
            path=f"{path}.shared_prefix_tokens",
            value=shared,
            hint=f"State at most {max(prompt - 1, 0):,.12g}, or longer prompts in {path}.input_tokens.",
        )


def _cached_share(inputs: Inputs, document: LengthsDocument, place: str, media_tokens: float = 0.0) -> Array:
    """The greater of what is stated and of what all prompts share."""
    prompt = document.input_tokens + media_tokens
    path, least = f"{place}.cached_share", document.shared_prefix_tokens / prompt
    if least <= document.cached_share:
        return inputs.scenario(path, document.cached_share)
    return inputs.derived(
        path,
        least,
        "share of the prompt that is found in the prefix cache",
        f"{place}.shared_prefix_tokens {document.shared_prefix_tokens:,.6g} over input_tokens "
        f"{prompt:,.6g}: what all prompts share is found, so cached_share "
        f"{document.cached_share:.6g} is too little",
    )


def check_cache_tier(
    document: AnyRequestsDocument, supernode: SuperNode, of_chips: PerformanceAssumptions
) -> None:
    """Nothing where the SuperNode has the tier that cached keys and values wait in.

    Raises
    ------
    ScenarioError : it has none of it
    """
    there = tiers_there(supernode, of_chips)
    if document.cache_tier in there:
        return
    words = next(TIER_WORDS[code] for code, name in TIERS.items() if name == document.cache_tier)
    raise refuse(
        f"is {document.cache_tier}, and {supernode.name} has none: its {words.memory} for each accelerator is 0 B.",
        rule="cache_tier",
        path=f"{PATH}.cache_tier",
        value=document.cache_tier,
        hint=f"State {', '.join(there[:-1])} or {there[-1]}, or how much there is in {words.field}.",
    )

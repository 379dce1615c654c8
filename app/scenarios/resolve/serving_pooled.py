"""Prompts that are read and not answered: which models give no tokens, and what such a workload has no use for."""

from __future__ import annotations

from app.catalog.embedding_models import BOTH_WAYS, embedding_models
from app.scenarios.document.serving import ServingDocument
from app.scenarios.document.serving_layout import SplitDocument
from app.scenarios.document.serving_requests import AnyRequestsDocument, RequestsDocument
from app.scenarios.errors import InputError, ScenarioError

OUTPUT = "workload.requests.output_tokens"
RULE = "output_tokens"


def is_pooled(requests: AnyRequestsDocument) -> bool:
    """Return whether prompts are read and not answered; classes and turns of sessions always are answered."""
    return isinstance(requests, RequestsDocument) and requests.output_tokens == 0


def is_bidirectional(document: ServingDocument) -> bool:
    """Return whether tokens of a prompt see all others in the model."""
    return isinstance(document.model, str) and embedding_models().get(document.model) == BOTH_WAYS


def check_pooled(document: ServingDocument) -> None:
    """Nothing where the model answers as it is asked to.

    Raises
    ------
    ScenarioError : an embedding model is to give tokens, or prompts without answers are to be decoded; one message a fault
    """
    asked, embeds = document.requests, document.model in embedding_models()
    if not is_pooled(asked):
        if embeds:
            tokens = asked.output_tokens if isinstance(asked, RequestsDocument) else None
            message = f"{document.model} gives embeddings and no tokens."
            raise ScenarioError([_fault(OUTPUT, tokens, message, "State 0.")])
        return
    assert isinstance(asked, RequestsDocument)
    used = {
        "workload.speculation.tokens": document.speculation.tokens != 0,
        "workload.layout": isinstance(document.layout, SplitDocument),
        "workload.mode": document.mode == "disaggregated",
        "workload.service_level.tpot_s": document.service_level.tpot_s is not None,
    }
    faults = [
        _fault(
            path, None, f"{path.rpartition('.')[2]} is of answers, and output_tokens is 0.", "Leave it out."
        )
        for path, stated in used.items()
        if stated
    ]
    if is_bidirectional(document) and max(asked.cached_share, asked.shared_prefix_tokens) > 0:
        name = "cached_share" if asked.cached_share > 0 else "shared_prefix_tokens"
        faults.append(
            _fault(
                f"workload.requests.{name}",
                getattr(asked, name),
                f"Tokens of {document.model} see those after them, so nothing of a prompt can be found in a cache.",
                "Leave it out.",
            )
        )
    if faults:
        raise ScenarioError(faults)


def _fault(path: str, value: object, message: str, hint: str) -> InputError:
    return InputError(path=path, value=value, rule=RULE, message=message, hint=hint)

"""What a request of a served model is, and where the cached part of its prompt waits."""

from __future__ import annotations

from app.engine.performance.assumptions import PerformanceAssumptions
from app.engine.performance.memory_tiers import TIERS
from app.engine.performance.problems import TIER_WORDS
from app.engine.performance.serving.cache_tier import tiers_there
from app.engine.specs import Requests, SuperNode
from app.engine.trace import Array
from app.scenarios.errors import refuse
from app.scenarios.inputs import Inputs
from app.scenarios.serving.requests import RequestsDocument

PATH = "workload.requests"
STATED = ("input_tokens", "output_tokens", "input_variation", "output_variation", "shared_prefix_tokens")


def requests(inputs: Inputs, document: RequestsDocument, media_tokens: float = 0.0) -> Requests:
    """The requests as stated; a prefix that all prompts share is found in the cache at least.

    Raises
    ------
    ScenarioError : more tokens are shared than a prompt has
    """
    shared, prompt = document.shared_prefix_tokens, document.input_tokens
    if shared > prompt - 1:
        raise refuse(
            f"{shared:,.12g} tokens at the start of all prompts leave nothing of the {prompt:,.12g} of a prompt to answer.",
            rule="context",
            path=f"{PATH}.shared_prefix_tokens",
            value=shared,
            hint=f"State at most {max(prompt - 1, 0):,.12g}, or longer prompts in {PATH}.input_tokens.",
        )
    stated = {name: inputs.scenario(f"{PATH}.{name}", getattr(document, name)) for name in STATED}
    if media_tokens:
        stated["input_tokens"] = inputs.derived(
            f"{PATH}.input_tokens",
            prompt + media_tokens,
            "tokens of a prompt, with those of its media",
            f"{PATH}.input_tokens {prompt:,.6g} and {media_tokens:,.6g} of images, video or sound",
        )
    return Requests(
        **stated,
        cached_share=_cached_share(inputs, document, prompt + media_tokens),
        cache_tier=document.cache_tier,
    )


def _cached_share(inputs: Inputs, document: RequestsDocument, prompt: float) -> Array:
    """The greater of what is stated and of what all prompts share."""
    path, least = f"{PATH}.cached_share", document.shared_prefix_tokens / prompt
    if least <= document.cached_share:
        return inputs.scenario(path, document.cached_share)
    return inputs.derived(
        path,
        least,
        "share of the prompt that is found in the prefix cache",
        f"{PATH}.shared_prefix_tokens {document.shared_prefix_tokens:,.6g} over input_tokens "
        f"{prompt:,.6g}: what all prompts share is found, so cached_share "
        f"{document.cached_share:.6g} is too little",
    )


def check_cache_tier(
    document: RequestsDocument, supernode: SuperNode, of_chips: PerformanceAssumptions
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

"""What a request is, and tokens that are guessed ahead."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from app.scenarios.fields import Part, Whole

Tokens = Annotated[float, Field(ge=1, le=100_000_000)]
CacheTier = Literal["accelerator", "host", "peer", "nvme"]
Variation = Annotated[float, Field(ge=0, le=100)]


class RequestsDocument(Part):
    """Means over the requests; a variation is the standard deviation over the mean."""

    input_tokens: Tokens = Field(default=1024, description="Tokens of a prompt, mean.")
    output_tokens: Tokens = Field(default=1024, description="Tokens of an answer, mean.")
    input_variation: Variation = Field(
        default=1, description="Spread of the prompts: 0 all alike, 1 as an exponential distribution."
    )
    output_variation: Variation = Field(
        default=1, description="Spread of the answers: 0 all alike, 1 as an exponential distribution."
    )
    cached_share: Annotated[float, Field(ge=0, lt=1)] = Field(
        default=0, description="Share of the prompt that the prefix cache holds already, 0 to below 1."
    )
    shared_prefix_tokens: Annotated[float, Field(ge=0, le=100_000_000)] = Field(
        default=0,
        description="Tokens at the start of all prompts alike: held once for each attention replica, and found in the "
        "prefix cache.",
    )
    cache_tier: CacheTier = Field(
        default="accelerator",
        description="Memory that the rest of the cached prompts waits in, and comes back from before prefill: the "
        "accelerators' own, the host, peer (other accelerators of the domain, as performance.peer_memory_bytes says), or "
        "the NVMe drives of the node.",
    )


class SpeculationDocument(Part):
    """Speculative decoding or multi-token prediction: tokens guessed ahead and checked together."""

    tokens: Annotated[Whole, Field(ge=0, le=16)] = Field(
        default=0, description="Tokens guessed in each step, 0 for none."
    )
    acceptance: Annotated[float, Field(ge=0, le=1)] = Field(
        default=0.7, description="Chance that a guessed token stands, given those before it do."
    )

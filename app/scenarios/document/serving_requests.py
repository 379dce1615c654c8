"""Requests and speculative decoding."""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, model_validator

from app.scenarios.fields import PERCENT, Display, Either, Key, Line, Part, Share, Value, Whole, Word, fault

Tokens = Annotated[float, Field(ge=1, le=100_000_000)]


def _none_or_one(value: float) -> float:
    if 0 < value < 1:
        raise fault(
            "output_tokens",
            "is below one token",
            hint="state 0 for prompts that are not answered, or at least 1",
        )
    return value


TokensOrNone = Annotated[float, Field(ge=0, le=100_000_000), AfterValidator(_none_or_one)]
CacheTier = Literal["accelerator", "host", "peer", "nvme", "pool"]
Variation = Annotated[float, Field(ge=0, le=100)]
TIER: Any = Field(
    title="Prefix cache tier",
    default="accelerator",
    description="Memory that the rest of the cached prompts waits in, and comes back from before prefill: the "
    "accelerators' own, the host, peer (other accelerators of the domain, as the assumption on memory of peers says), "
    "the NVMe drives of the node, or the memory pool of the SuperNode, where any of its instances finds it.",
)


class LengthsDocument(Part):
    """Prompts and answers. Means over the requests; a variation is the standard deviation over the mean."""

    input_tokens: Annotated[Tokens, Display(unit="tokens_each")] = Field(
        title="Input tokens", default=1024, description="Tokens of a prompt, mean."
    )
    output_tokens: Annotated[Tokens, Display(unit="tokens_each")] = Field(
        title="Output tokens", default=1024, description="Tokens of an answer, mean."
    )
    input_variation: Variation = Field(
        title="Input token variation (CV)",
        default=1,
        description="Spread of the prompts: 0 all alike, 1 as an exponential distribution.",
    )
    output_variation: Variation = Field(
        title="Output token variation (CV)",
        default=1,
        description="Spread of the answers: 0 all alike, 1 as an exponential distribution.",
    )
    cached_share: Annotated[Annotated[float, Field(ge=0, lt=1)], PERCENT] = Field(
        title="Prefix cache hit rate",
        default=0,
        description="Share of the prompt that the prefix cache holds already, 0 to below 1.",
    )
    shared_prefix_tokens: Annotated[
        Annotated[float, Field(ge=0, le=100_000_000)], Display(unit="tokens_each")
    ] = Field(
        title="Shared prompt prefix",
        default=0,
        description="Tokens at the start of all prompts alike: held once for each attention replica, and found in the "
        "prefix cache.",
    )


class RequestsDocument(LengthsDocument):
    """Requests of one kind."""

    output_tokens: Annotated[TokensOrNone, Display(unit="tokens_each")] = Field(
        title="Output tokens",
        default=1024,
        description="Tokens of an answer, mean; 0 where prompts are read and not answered, as for embeddings and rerankers.",
    )
    cache_tier: CacheTier = TIER
    images: Annotated[float, Field(ge=0, le=10_000)] = Field(
        title="Images per prompt",
        default=0,
        description="Images of a prompt, mean; their tokens come on top of input_tokens.",
    )
    image_pixels: Annotated[float, Field(ge=1, le=1e9)] | None = Field(
        title="Pixels per image",
        default=None,
        description="Pixels of an image or of a frame of video, width times height; 1,048,576 when left out.",
    )
    image_tokens: Annotated[float, Field(ge=1, le=100_000)] | None = Field(
        title="Tokens per image",
        default=None,
        description="Tokens of an image or frame, in place of its pixels; by the rule of the model when left out.",
    )
    video_frames: Annotated[float, Field(ge=0, le=1_000_000)] = Field(
        title="Video frames per prompt",
        default=0,
        description="Frames of video of a prompt, mean, as they are sampled.",
    )
    audio_s: Annotated[float, Field(ge=0, le=100_000)] = Field(
        title="Audio per prompt", default=0, description="Sound of a prompt in seconds, mean."
    )

    @model_validator(mode="after")
    def _sizes_are_of_something(self) -> Self:
        stated = next(
            (name for name in ("image_pixels", "image_tokens") if getattr(self, name) is not None), None
        )
        if stated and not self.images and not self.video_frames:
            raise fault(
                "images",
                f"{stated} is of images, and there are none",
                hint="state images or video_frames, or leave it out",
                field=stated,
            )
        if self.image_pixels is not None and self.image_tokens is not None:
            raise fault(
                "images",
                "states both image_pixels and image_tokens",
                hint="state one",
                field="image_tokens",
            )
        return self


class RequestClassDocument(LengthsDocument):
    """One class of the requests, with means and variations of its own; its prefix is that of its own prompts."""

    name: Line = Field(description="Name of the class.")
    share: Annotated[float, Field(gt=0, le=1)] = Field(
        description="Share of the requests; shares of all classes sum to 1."
    )


class MixDocument(Part):
    """Requests of several classes, which share the pod."""

    classes: Annotated[tuple[RequestClassDocument, ...], Field(strict=False, min_length=2, max_length=20)] = (
        Field(description="Classes of requests with their shares.")
    )
    cache_tier: CacheTier = TIER

    @model_validator(mode="after")
    def _shares_and_names(self) -> Self:
        total = math.fsum(one.share for one in self.classes)
        if not math.isclose(total, 1, abs_tol=1e-3):
            raise fault(
                "sums_to_one",
                f"has shares that sum to {total:.6g}",
                hint="let the shares of all classes sum to 1",
                field="classes",
            )
        names = [one.name for one in self.classes]
        twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
        if twice is not None:
            raise fault(
                "twice", f"has two classes called {twice}", hint="give each its own name", field="classes"
            )
        return self


class SessionDocument(Part):
    """A session: turns whose prompts are all that was before, and the gaps between them. Means over the sessions."""

    turns: Annotated[float, Field(ge=1, le=10_000)] = Field(
        title="Turns per session", description="Prompts of a session, each with its answer."
    )
    turns_variation: Annotated[float, Field(ge=0, le=10)] = Field(
        title="Turn count variation (CV)",
        default=0,
        description="Spread of the turns over their mean: 0 all sessions alike.",
    )
    system_tokens: Annotated[Annotated[float, Field(ge=0, le=100_000_000)], Display(unit="tokens_each")] = (
        Field(
            title="System prompt and tools",
            default=0,
            description="Tokens at the start of all sessions alike: system prompt and tools.",
        )
    )
    added_tokens: Annotated[Tokens, Display(unit="tokens_each")] = Field(
        title="Input tokens per turn", description="Tokens that a user or a tool adds each turn."
    )
    answer_tokens: Annotated[Tokens, Display(unit="tokens_each")] = Field(
        title="Output tokens per turn", description="Tokens that the model answers each turn."
    )
    variation: Variation = Field(
        title="Turn token variation (CV)",
        default=1,
        description="Spread of the tokens that are added and answered: 0 all alike, 1 as an exponential distribution.",
    )
    gap_s: Annotated[Annotated[float, Field(ge=0, le=1e7)], Display(unit="s_of_a_wait")] = Field(
        title="Time between turns",
        description="Time from an answer to the next prompt: a user who reads and thinks, or a tool that runs.",
    )
    gap_variation: Annotated[float, Field(ge=0, le=10)] = Field(
        title="Turn gap variation (CV)",
        default=1,
        description="Spread of the gaps over their mean: 0 all alike, 1 as an exponential distribution.",
    )
    kept_share: Annotated[Share, PERCENT] = Field(
        title="Session affinity",
        default=1,
        description="Share of the turns after the first that go to the attention replica that answered before: 1 with a router "
        "that keeps sessions, 1 over the replicas with one that looks at their load alone. Other turns find their context in a "
        "memory pool alone.",
    )


class SessionsDocument(Part):
    """Requests that are turns of sessions: what a prefix cache finds of their prompts is computed."""

    sessions: SessionDocument = Field(description="Sessions of several turns, as of a chat or an agent.")
    cache_tier: CacheTier = TIER


def _requests_kind(value: Any) -> str:
    if isinstance(value, MixDocument) or (isinstance(value, dict) and "classes" in value):
        return "<classes>"
    if isinstance(value, SessionsDocument) or (isinstance(value, dict) and "sessions" in value):
        return "<sessions>"
    return "<plain>"


AnyRequestsDocument = Annotated[
    Annotated[RequestsDocument, Tag("<plain>")]
    | Annotated[MixDocument, Tag("<classes>")]
    | Annotated[SessionsDocument, Tag("<sessions>")],
    Discriminator(_requests_kind),
]


Task = Literal["mixed", "chat", "code", "math"]


class SpeculationDocument(Part):
    """Speculative decoding or multi-token prediction: tokens guessed ahead and checked together."""

    tokens: Annotated[
        Annotated[
            Annotated[Literal["auto"], Word] | Annotated[Annotated[Whole, Field(ge=0, le=16)], Value], Either
        ],
        Display(unit="tokens_each"),
    ] = Field(
        title="Draft tokens per step",
        default=0,
        description="Tokens guessed in each step, 0 for none; auto is the length of 0 to 8 with the shortest time per "
        "token at the load.",
    )
    task: Task = Field(
        title="Speculation task",
        default="mixed",
        description="Task of the requests: it sets the acceptance rate where none is stated.",
    )
    acceptance: Annotated[Annotated[float, Field(ge=0, le=1)] | None, PERCENT] = Field(
        title="Acceptance rate",
        default=None,
        description="Chance that a guessed token stands, given those before it do; by task when left out.",
    )
    draft_model: Key | None = Field(
        title="Draft model",
        default=None,
        description="Catalog key of a smaller model that guesses; a module of one layer of the model itself, as of "
        "multi-token prediction and EAGLE, when left out.",
    )

"""What a request is, and tokens that are guessed ahead."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from app.scenarios.fields import Either, Key, Part, Value, Whole, Word, fault

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
CacheTier = Literal["accelerator", "host", "peer", "nvme"]
Variation = Annotated[float, Field(ge=0, le=100)]


class RequestsDocument(Part):
    """Means over the requests; a variation is the standard deviation over the mean."""

    input_tokens: Tokens = Field(default=1024, description="Tokens of a prompt, mean.")
    output_tokens: TokensOrNone = Field(
        default=1024,
        description="Tokens of an answer, mean; 0 where prompts are read and not answered, as for embeddings and rerankers.",
    )
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

    images: Annotated[float, Field(ge=0, le=10_000)] = Field(
        default=0, description="Images of a prompt, mean; their tokens come on top of input_tokens."
    )
    image_pixels: Annotated[float, Field(ge=1, le=1e9)] | None = Field(
        default=None,
        description="Pixels of an image or of a frame of video, width times height; 1,048,576 when left out.",
    )
    image_tokens: Annotated[float, Field(ge=1, le=100_000)] | None = Field(
        default=None,
        description="Tokens of an image or frame, in place of its pixels; by the rule of the model when left out.",
    )
    video_frames: Annotated[float, Field(ge=0, le=1_000_000)] = Field(
        default=0, description="Frames of video of a prompt, mean, as they are sampled."
    )
    audio_s: Annotated[float, Field(ge=0, le=100_000)] = Field(
        default=0, description="Sound of a prompt in seconds, mean."
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
                hint="state one of them",
                field="image_tokens",
            )
        return self


Task = Literal["mixed", "chat", "code", "math"]


class SpeculationDocument(Part):
    """Speculative decoding or multi-token prediction: tokens guessed ahead and checked together."""

    tokens: Annotated[
        Annotated[Literal["auto"], Word] | Annotated[Annotated[Whole, Field(ge=0, le=16)], Value], Either
    ] = Field(
        default=0,
        description="Tokens guessed in each step, 0 for none; auto is the length of 0 to 8 with the shortest time per "
        "token at the load.",
    )
    task: Task = Field(
        default="mixed",
        description="What is asked for: it decides how many guesses stand where acceptance does not.",
    )
    acceptance: Annotated[float, Field(ge=0, le=1)] | None = Field(
        default=None,
        description="Chance that a guessed token stands, given those before it do; by task when left out.",
    )
    draft_model: Key | None = Field(
        default=None,
        description="Catalog key of a smaller model that guesses; a module of one layer of the model itself, as of "
        "multi-token prediction and EAGLE, when left out.",
    )

"""Requests of several classes as the one kind that formulas take: means and spreads of the mixture, and what runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from app.engine.performance.serving.footprint import mean_sequence_tokens
from app.engine.quantities import quantity
from app.engine.specs import Requests
from app.engine.specs.serving import RequestClass, RunningSequence
from app.engine.trace import Array, plain

_MIXTURE = "definition: mean of a mixture"
_TOTAL_VARIANCE = "definition: law of total variance"


@quantity(unit="tokens", source=_MIXTURE)
def mean_tokens(*, tokens: tuple[Array, ...], shares: tuple[Array, ...]) -> Array:
    """Tokens, mean over classes of requests."""
    weighted = [value * share for value, share in zip(tokens, shares, strict=True)]
    return sum(weighted[1:], start=weighted[0])


@quantity(unit="1", source=_TOTAL_VARIANCE)
def mixture_variation(
    *, means: tuple[Array, ...], variations: tuple[Array, ...], shares: tuple[Array, ...]
) -> Array:
    """Standard deviation over the mean of a mixture.

    Within classes and between them: sqrt(sum s m^2 (1 + v^2) - M^2) / M.
    """
    mean = mean_tokens(tokens=means, shares=shares)
    squares = tuple(value**2 * (1 + variation**2) for value, variation in zip(means, variations, strict=True))
    weighted = [square * share for square, share in zip(squares, shares, strict=True)]
    square = sum(weighted[1:], start=weighted[0])
    return np.sqrt(np.maximum(square - mean**2, 0.0)) / mean


def mixture_of(classes: Sequence[RequestClass], cache_tier: str) -> Requests:
    """Requests of classes as one kind.

    Spread of the input is that of the new tokens of a prompt, which prefill takes; the share found in the cache is
    over tokens; a running sequence is of a class as long as its answers take.
    """
    shares = tuple(one.share for one in classes)
    inputs, outputs = tuple(one.input_tokens for one in classes), tuple(one.output_tokens for one in classes)
    new = tuple(one.input_tokens * (1 - one.cached_share) for one in classes)
    mean_input = mean_tokens(tokens=inputs, shares=shares)
    mean_output = mean_tokens(tokens=outputs, shares=shares)
    decoding = tuple(one.share * one.output_tokens / mean_output for one in classes)
    return Requests(
        input_tokens=mean_input,
        output_tokens=mean_output,
        input_variation=mixture_variation(
            means=new, variations=tuple(one.input_variation for one in classes), shares=shares
        ),
        output_variation=mixture_variation(
            means=outputs, variations=tuple(one.output_variation for one in classes), shares=shares
        ),
        cached_share=1 - mean_tokens(tokens=new, shares=shares) / mean_input,
        shared_prefix_tokens=mean_tokens(
            tokens=tuple(one.shared_prefix_tokens for one in classes), shares=shares
        ),
        cache_tier=cache_tier,
        classes=tuple(classes),
        running=RunningSequence(
            tokens=mean_tokens(
                tokens=tuple(
                    mean_sequence_tokens(input_tokens=one.input_tokens, output_tokens=one.output_tokens)
                    for one in classes
                ),
                shares=decoding,
            ),
            shared_tokens=mean_tokens(
                tokens=tuple(one.shared_prefix_tokens for one in classes), shares=decoding
            ),
            prefix_tokens=sum(
                (one.shared_prefix_tokens for one in classes[1:]), start=classes[0].shared_prefix_tokens
            ),
        ),
    )


def with_cached_share(requests: Requests, cached_share: Array) -> Requests:
    """The requests with another share of the input found in the cache, none of it as a shared prefix.

    Of classes a lower share scales what each finds, a higher one what each misses.
    """
    old, new = plain(requests.cached_share), plain(cached_share)
    found = new / np.where(old > 0, old, 1.0)
    missed = (1 - new) / (1 - old)

    def of(one: RequestClass) -> RequestClass:
        lower = np.where(old > 0, one.cached_share * found, new)
        share = np.where(new <= old, lower, 1 - (1 - one.cached_share) * missed)
        return replace(one, cached_share=share)

    return replace(requests, cached_share=cached_share, classes=tuple(of(one) for one in requests.classes))

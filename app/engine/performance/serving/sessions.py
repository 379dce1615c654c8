"""Sessions of several turns: prompts that grow, and how much of them the tiers of a prefix cache still hold.

The prompt of a turn is everything before it: system prompt, what users or tools added, and the answers. Between turns a
session waits for its user or tool, and its keys and values stay until others push them out, least recently used first.
Che's approximation takes the time after which they are out as one number for all, the characteristic time of the cache:
that at which what has waited for less fills the cache. Here contexts grow, so that what waits is weighed by its length.

References
----------
.. [1] Che, Tung, Wang 2002, IEEE JSAC 20 1305-1314 (hierarchical web caching; the characteristic time)
.. [2] Fricker, Robert, Roberts 2012, arXiv 1202.3974 (why the approximation holds)
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import gammainc, gammaincc

from app.engine.performance.serving.request_mix import mixture_of
from app.engine.quantities import alias, quantity
from app.engine.specs import RequestClass, Requests
from app.engine.specs.serving import Sessions
from app.engine.trace import Array, plain

_CHE = (
    "[1] Che, Tung, Wang 2002, IEEE JSAC 20 1305-1314 (characteristic time of a cache); [2] Fricker, Robert, Roberts "
    "2012, arXiv 1202.3974"
)
_TURNS = "definition: mean over the turns of sessions"

NEWTON = 12
"""Steps towards a characteristic time: from below, each at least twice as near as the one before."""
LEAST_SPREAD = 0.05
"""Of gaps over their mean: where all are alike the characteristic time still varies by chance."""
KEPT, MISSED = "Context found", "Context lost"
"""Requests whose context the cache still holds, first turns with them, and those whose context it lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """What the tiers of a prefix cache hold of sessions at a load, the accelerators' own memory first."""

    hit_shares: tuple[Array, ...]  # of turns after the first, that find their context in each tier
    times_s: tuple[Array, ...]  # characteristic time down to each tier
    held_tokens: tuple[Array, ...]  # tokens of contexts down to each tier
    requests: Requests  # as one kind, with what is found


@quantity(unit="1", source=_TURNS)
def former_turns(*, turns: Array, turns_variation: Array) -> Array:
    """Turns of its session before a request, mean over requests.

    (m (1 + c^2) - 1) / 2 of sessions with m turns and the variation c: long sessions bring more requests.
    """
    return np.maximum((turns * (1 + turns_variation**2) - 1) / 2, 0.0)


@quantity(unit="1", source=_TURNS)
def former_turns_square(*, turns: Array, turns_variation: Array) -> Array:
    """Square of the turns before a request, mean over requests; of turns with a gamma law."""
    spread = 1 + turns_variation**2
    third = 2 * turns**2 * spread * (1 + 2 * turns_variation**2)
    return np.maximum((third - 3 * turns * spread + 1) / 6, 0.0)


@quantity(unit="1", source=_TURNS)
def later_turn_share(*, turns: Array) -> Array:
    """Share of the requests that are no first turn."""
    return 1 - 1 / turns


@quantity(unit="tokens", source=_TURNS)
def former_tokens(*, former_turns: Array, added_tokens: Array, answer_tokens: Array) -> Array:
    """Tokens of former turns in a prompt, mean over requests."""
    return former_turns * (added_tokens + answer_tokens)


@quantity(unit="tokens", source="definition")
def later_context_tokens(*, former_tokens: Array, later_turn_share: Array) -> Array:
    """Tokens of former turns in the prompt of a turn after the first."""
    some = np.where(later_turn_share > 0, later_turn_share, 1.0)
    return np.where(later_turn_share > 0, former_tokens / some, 0.0)


@quantity(unit="1", source="definition: law of total variance")
def missed_variation(
    *, context_tokens: Array, square_turns: Array, later_turn_share: Array, sessions: Array, added_tokens: Array,
    answer_tokens: Array,
) -> Array:  # fmt: skip
    """Standard deviation over the mean of the new tokens of a prompt whose context was lost.

    Parameters
    ----------
    square_turns : square of the turns before a request, mean over requests
    sessions : variation of what a turn adds and answers
    """
    turn = added_tokens + answer_tokens
    some = np.where(later_turn_share > 0, later_turn_share, 1.0)
    between = np.maximum(square_turns / some * turn**2 - context_tokens**2, 0.0)
    within = sessions**2 * (
        added_tokens**2 + (added_tokens**2 + answer_tokens**2) * context_tokens / np.maximum(turn, 1e-12)
    )
    return np.sqrt(between + within) / (context_tokens + added_tokens)


@quantity(unit="s", source=_CHE, leaf=True)
def characteristic_time_s(
    *,
    held_tokens: Array,
    requests_per_s: Array,
    turn_tokens: Array,
    former_turns: Array,
    gap_s: Array,
    gap_variation: Array,
    kept_share: Array,
) -> Array:
    """Time for which a cache keeps what is not used.

    Of a request with q former turns on average, its context of q + 1 turns waits: q turns of it until the next turn
    comes or the time is over, and one, that of sessions that are over, all of it. Where the next turn goes to another
    replica, as it does but for the share k, what is left behind waits all of it too. T with
    rate x tokens of a turn x (q (k E[min(gap, T)] + (1 - k) T) + T) = tokens held, by Newton's method from below.

    Parameters
    ----------
    held_tokens : of contexts that the cache has room for [tokens]
    gap_s : between answer and next prompt, gamma-distributed
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        whole = held_tokens / (requests_per_s * turn_tokens)
    reached = np.where(np.isinf(whole), 1.0, whole)
    found = reached / (1 + former_turns)
    for _ in range(NEWTON):
        waited = kept_share * waited_s(found, gap_s, gap_variation) + (1 - kept_share) * found
        over = former_turns * waited + found - reached
        slope = former_turns * (1 - kept_share * gap_below(found, gap_s, gap_variation)) + 1
        found = found - over / slope
    return np.where(np.isinf(whole), np.inf, np.maximum(found, 0.0))


def gap_below(time_s: Array, gap_s: Array, gap_variation: Array) -> Array:
    """Share of gaps that last no longer than a time; none where the time is 0."""
    varies = gap_s > 0
    shape = np.maximum(gap_variation, LEAST_SPREAD) ** -2.0
    some = np.where(varies, gap_s, 1.0)
    share = np.where(varies, gammainc(shape, shape * time_s / some), np.where(time_s >= gap_s, 1.0, 0.0))
    return np.where(np.isnan(time_s), np.nan, np.where(time_s > 0, share, 0.0))


def waited_s(time_s: Array, gap_s: Array, gap_variation: Array) -> Array:
    """Mean of the shorter of a gap and a time: E[min(G, T)] = g P(a + 1, x) + T Q(a, x) of a gamma law."""
    varies = gap_s > 0
    shape = np.maximum(gap_variation, LEAST_SPREAD) ** -2.0
    at = shape * time_s / np.where(varies, gap_s, 1.0)
    mean = gap_s * gammainc(shape + 1, at) + np.where(np.isfinite(time_s), time_s, 0.0) * gammaincc(shape, at)
    return np.where(varies, mean, np.minimum(gap_s, time_s))


@quantity(unit="1", source=_CHE, leaf=True)
def hit_share(
    *, found: Array, held_tokens: Array, turns: Array, turn_tokens: Array, gap_s: Array, gap_variation: Array,
    concurrency: Array, kept_share: Array,
) -> Array:  # fmt: skip
    """Share of the turns after the first that find their context in a tier of the cache.

    Those whose gap is shorter than the characteristic time down to the tier, and longer than down to the one above it,
    at the rate of requests that so much reuse allows. Turns that go to another replica find theirs in a pool alone.
    """
    return found


@quantity(unit="s", source=_CHE, leaf=True)
def time_found_s(*, found: Array, held_tokens: Array) -> Array:
    """Characteristic time down to a tier of the cache, at the rate of requests that the reuse allows."""
    return found


def hits_by_tier(times_s: tuple[Array, ...], sessions: Sessions, *, pooled: bool) -> tuple[Array, ...]:
    """Share of turns after the first that find their context in each tier; bare values.

    Parameters
    ----------
    pooled : whether the last tier is a pool, where turns that go to another replica find their context too
    """
    below = [gap_below(time, sessions.gap_s, sessions.gap_variation) for time in times_s]
    kept = plain(sessions.kept_share)
    shares = [
        kept * (share - above) for share, above in zip(below, [0.0 * below[0], *below[:-1]], strict=True)
    ]
    if pooled:
        shares[-1] = shares[-1] + (1 - kept) * below[-1]
    return tuple(shares)


def session_requests(
    sessions: Sessions, cache_tier: str, hit_share: Array, *, answers_found: bool = True
) -> Requests:
    """Requests of sessions as one kind, of which so many later turns find their context in the cache.

    Parameters
    ----------
    answers_found : whether the last answer is found with the rest; instances that only prefill never had it
    """
    s = sessions
    before = former_turns(turns=s.turns, turns_variation=s.turns_variation)
    later = later_turn_share(turns=s.turns)
    context = later_context_tokens(
        former_tokens=former_tokens(
            former_turns=before, added_tokens=s.added_tokens, answer_tokens=s.answer_tokens
        ),
        later_turn_share=later,
    )
    missed = later * (1 - hit_share)
    kept = 1 - missed
    again = later * hit_share / kept  # of requests that miss nothing: those that are no first turn
    first = s.system_tokens + s.added_tokens
    new = s.added_tokens if answers_found else s.added_tokens + again * s.answer_tokens
    common = {
        "output_tokens": s.answer_tokens,
        "output_variation": s.variation,
        "shared_prefix_tokens": s.system_tokens,
    }
    classes = (
        RequestClass(
            name=KEPT,
            share=kept,
            input_tokens=first + again * context,
            input_variation=s.variation,
            cached_share=1 - new / (first + again * context),
            **common,
        ),
        RequestClass(
            name=MISSED,
            share=missed,
            input_tokens=first + context,
            input_variation=missed_variation(
                context_tokens=context,
                square_turns=former_turns_square(turns=s.turns, turns_variation=s.turns_variation),
                later_turn_share=later,
                sessions=s.variation,
                added_tokens=s.added_tokens,
                answer_tokens=s.answer_tokens,
            ),
            cached_share=s.system_tokens / (first + context),
            **common,
        ),
    )
    return replace(mixture_of(classes, cache_tier), running=None, sessions=sessions)


@quantity(unit="tokens", source="definition")
def finished_tokens(*, former_turns: Array, added_tokens: Array, answer_tokens: Array) -> Array:
    """Tokens of a context as its turn ends, system prompt aside, mean over requests."""
    return (former_turns + 1) * (added_tokens + answer_tokens)


@quantity(unit="tokens", source=_CHE)
def idle_room_tokens(
    *, fitting: Array, running: Array, running_bytes: Array, idle_bytes: Array, idle_tokens: Array
) -> Array:
    """Tokens of waiting contexts that the accelerators hold, beside the sequences that run.

    Parameters
    ----------
    fitting : running sequences that memory has room for, whatever the engine lets in
    running_bytes, idle_bytes : of a running sequence and of a waiting context on an accelerator [B]
    """
    return np.maximum(fitting - running, 0.0) * running_bytes / idle_bytes * idle_tokens


@quantity(unit="tokens", source=_CHE)
def tier_room_tokens(
    *,
    above_tokens: Array,
    capacity_bytes: Array,
    accelerators: Array,
    context_bytes: Array,
    idle_tokens: Array,
) -> Array:
    """Tokens of waiting contexts that the cache holds down to a tier: what is pushed out of one goes to the next.

    Parameters
    ----------
    capacity_bytes : memory of the tier for each accelerator [B]
    context_bytes : of one context in all, each key and value once [B]
    """
    return above_tokens + capacity_bytes * accelerators / context_bytes * idle_tokens


@quantity(
    unit="tokens", source="[1] Zuo et al. 2025, arXiv 2506.12708 (what is computed is stored in the pool)"
)
def pool_room_tokens(
    *,
    above_tokens: Array,
    capacity_bytes: Array,
    accelerators: Array,
    context_bytes: Array,
    idle_tokens: Array,
) -> Array:
    """Tokens of waiting contexts that a pool holds for a replica, its part of it: what is above lies in the pool too.

    Parameters
    ----------
    capacity_bytes : memory of the pool for each accelerator [B]
    context_bytes : of one context in all, each key and value once [B]
    """
    return np.maximum(above_tokens, capacity_bytes * accelerators / context_bytes * idle_tokens)


@quantity(
    unit="1",
    source="[1] Little 1961, Operations Research 9 383-387 (L = lambda W)",
    at="performance.sessions_alive",
    key=True,
)
def sessions_alive(*, requests_per_s: Array, turns: Array, end_to_end_s: Array, gap_s: Array) -> Array:
    """Active sessions: between their first prompt and their last answer, on the whole pod."""
    return requests_per_s / turns * (turns * end_to_end_s + (turns - 1) * gap_s)


@quantity(unit="1", source="definition")
def later_found_share(*, hit_shares: tuple[Array, ...]) -> Array:
    """Share of the turns after the first that find their context in any tier of the prefix cache."""
    return sum(hit_shares[1:], start=hit_shares[0])


@quantity(unit="1", source=_CHE, at="performance.context_hit_share", key=True)
def found_context_share(*, hit_shares: tuple[Array, ...]) -> Array:
    """Context hit rate of the prefix cache: share of the turns after the first, over all tiers."""
    return sum(hit_shares[1:], start=hit_shares[0])


prefix_hit_share = alias(
    "prefix_hit_share",
    "Prefix cache hit rate",
    of="cached_share",
    at="performance.prefix_hit_share",
    source=_CHE,
    note="Share of the tokens of all prompts, the system prompt included.",
    key=True,
)
cache_time_s = alias(
    "cache_time_s",
    "Characteristic time of the prefix cache",
    of="time_s",
    at="performance.cache_time_s",
    unit="s",
    source=_CHE,
    note="A context that waits longer is gone from its last tier.",
    key=True,
)

"""Runs whose first tokens waited for something that is no part of serving: compilation, loading, capture.

Such a run has a time to first token of seconds although all requests in flight together could be prefilled,
even at a poor share of the peak, in a fraction of that. It is left out of the score of TTFT, and nothing is
ever predicted from it.
"""

from __future__ import annotations

from app.engine.trace import Array

SHORTEST_S = 3.0
"""Starts that are slow for other reasons end sooner; compilation and loading take seconds."""
POOR_SHARE = 0.15
"""Of the 16-bit peak: less than any engine's prefill reaches."""
TIMES_OVER = 2.0


def is_cold_start(
    *,
    ttft_s: Array,
    tpot_s: Array,
    output_tokens: Array,
    prompts_flop: Array,
    peak_flop_per_s: Array,
    cache_bytes: Array,
    cache_room_bytes: Array,
) -> Array:
    """1 where all prompts in flight, prefilled one after another at a poor rate, explain less than half of the wait.

    A wait for a free place is no cold start: one of the length of whole answers, or where the memory cannot
    hold all sequences in flight (`cache_room_bytes` is what the weights leave free).
    """
    burst_s = prompts_flop / (POOR_SHARE * peak_flop_per_s)
    answer_s = tpot_s * output_tokens
    waited = (ttft_s > SHORTEST_S) & (ttft_s > TIMES_OVER * burst_s) & (ttft_s < answer_s)
    return (waited & (cache_bytes <= cache_room_bytes)).astype(float)

"""How the benchmark that most measured latencies come from was run, where the rows themselves do not say.

Rows with a date and its lengths are of SemiAnalysis InferenceX, whose client and launch scripts are public
(github.com/SemiAnalysisAI/InferenceX, `benchmarks/` and `utils/bench_serving/`, Apache-2.0, read at commits of 2025 and
2026): ten prompts for each request in flight, as many sent at once as may be in flight; lengths spread evenly between
0.8 of the printed ones and those; keys and values in 8 bit but for gpt-oss and SGLang on Hopper, which are left to the
engine; SGLang on Blackwell looks for new requests at every thirtieth decode step, at every tenth with fewer than 16 in flight
(--scheduler-recv-interval), and prefills in chunks of 32,768 tokens, of 16,384 in four bits (--chunked-prefill-size);
with multi-token prediction three modules where attention is tensor parallel, one where it is data parallel.
"""

from __future__ import annotations

from typing import Literal

LENGTHS = ((1024, 1024), (1024, 8192), (8192, 1024))
MEAN_LENGTH = 0.9
"""Of the printed length, RANDOM_RANGE_RATIO being 0.8."""

KEPT_AS_THE_ENGINE_DOES = ("gpt_oss_20b", "gpt_oss_120b")
SIXTEEN_BIT = ("bf16", "fp16")

MANY = 16
"""Requests in flight from which SGLang was launched to look for new ones less often."""

GUESSED, GUESSED_DATA_PARALLEL = 3.0, 1.0
ACCEPTANCE = 0.65
"""Chance that a guessed token stands: fitted to the rows with multi-token prediction."""

TEN_WAVES, FEW_WAVES = 1.0, 1.9
"""Weight of the common start in the mean time to first token. Rows without a date are of another benchmark, whose
runs are shorter: fitted to them."""

TIGHT_MEMORY_FRACTION = 0.95
"""Of the memory, that engines were given where their usual share would have held fewer than were in flight."""


def polled_steps(*, engine: str, generation: str, concurrency: float, known: bool) -> float:
    """Decode steps that a request waits until the engine looks for it: half of those between two looks."""
    if not known or engine != "sglang" or generation != "blackwell":
        return 0.0
    return (30.0 if concurrency >= MANY else 10.0) / 2


def chunk_tokens(*, engine: str, form: str, known: bool) -> float:
    """Tokens that are prefilled in one pass; not a number is what the engine does unasked."""
    if not known or engine != "sglang":
        return float("nan")
    return 16384.0 if form in ("nvfp4", "mxfp4") else 32768.0


def is_known(*, input_tokens: float, output_tokens: float, dated: bool) -> bool:
    """Return whether a row is of the benchmark whose scripts are known."""
    return dated and (input_tokens, output_tokens) in LENGTHS


def kv_format(*, model: str, engine: str, generation: str, form: str, known: bool) -> Literal["fp8"] | None:
    """The format of keys and values that a row was launched with; None is what the engine does unasked."""
    if not known or form in SIXTEEN_BIT or generation not in ("hopper", "blackwell"):
        return None
    if generation == "hopper" and (model in KEPT_AS_THE_ENGINE_DOES or engine == "sglang"):
        return None
    return "fp8"

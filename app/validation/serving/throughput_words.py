"""What a row of throughputs asks for, from the words of its metric and its conditions."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.validation.rows import Row, UnsupportedRowError

MAXIMUM, PREFILL, DECODE, TTFT, TPOT = "maximum", "prefill", "decode", "ttft", "tpot"

METRIC = re.compile(
    r"(?P<what>output|prefill|decode) tok/s (per )?(?P<per>GPU|NPU|\d+-GPU node|total)(?P<whole> end to end)?$"
)
SYSTEM = re.compile(r"(?P<scenario>Offline|Server|Interactive) tok/s \(system\)$")
TIME = re.compile(r"(median )?(?P<what>TTFT|TPOT) ms")
LAYOUT = re.compile(r"(?P<kind>TP|DEP)(?P<ranks>\d+)$")
CUTS = re.compile(r"(?P<mode>agg|disagg); TP(?P<tp>\d+) moeTP(?P<moe_tp>\d+) moeEP(?P<moe_ep>\d+)")
SPECULATION = re.compile(r"MTP[^;]*?(?P<share>\d+)\s*% acceptance")
NO_SPECULATION = re.compile(r"no MTP")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
AS_ABOVE = "as above"
IDEALISED = "idealised"
MILLISECOND = 1e-3

DEPLOYMENTS = ("CloudMatrix384", "deepseek-ai", "SGLang team")
"""Beginnings of the sources of published deployments that are never fitted: they are compared with."""

SERVER_LIMITS = {
    "llama2-70b": (0.2, 2.0),
    "llama2-70b-interactive": (0.04, 0.45),
    "mixtral-8x7b": (0.2, 2.0),
    "llama3.1-405b": (0.175, 6.0),
    "llama3.1-405b-interactive": (0.08, 4.5),
    "llama3.1-8b": (0.1, 2.0),
    "llama3.1-8b-interactive": (0.03, 0.5),
    "deepseek-r1": (0.08, 2.0),
    "deepseek-r1-interactive": (0.015, 1.5),
}
"""Seconds a token and to the first that MLPerf's Server scenario allows at the 99th percentile (mlcommons/inference,
loadgen/mlperf.conf)."""


class Question(NamedTuple):
    """A quantity; `unit` is the row's unit over tokens a second and accelerator, or over seconds."""

    kind: str
    unit: float
    tpot_limit_s: float = float("inf")
    ttft_limit_s: float = float("inf")
    whole: bool = False  # of a deployment with prefill and decode, of which the metric names one


def question_of(row: Row, accelerators: int) -> Question:
    """What the metric of a row means.

    Raises
    ------
    UnsupportedRowError : it is no throughput and no latency of a served model
    """
    metric = row.text("metric")
    if found := METRIC.match(metric):
        per = found["per"]
        each = accelerators if per == "total" else int(re.match(r"\d*", per)[0] or 1)  # type: ignore[index]
        kind = MAXIMUM if found["what"] == "output" else found["what"]
        return Question(kind, float(each), whole=bool(found["whole"]))
    if found := SYSTEM.match(metric):
        if found["scenario"] in ("Server", "Interactive"):
            name, interactive = mlperf_model(row.text("model"))
            limited = f"{name}-interactive" if interactive or found["scenario"] == "Interactive" else name
            if limited not in SERVER_LIMITS:
                raise UnsupportedRowError(f"no latency limits are known of MLPerf's {limited}")
            return Question(MAXIMUM, float(accelerators), *SERVER_LIMITS[limited])
        return Question(MAXIMUM, float(accelerators))
    if found := TIME.match(metric):
        return Question(found["what"].lower(), 1 / MILLISECOND)
    raise UnsupportedRowError(f"{metric!r} is neither a throughput nor a latency of a served model")


def mlperf_model(name: str) -> tuple[str, bool]:
    """A model of MLPerf without its accuracy, and whether it is the interactive one.

    >>> mlperf_model("llama2-70b-99.9"), mlperf_model("llama3_1-405b-interactive-99")
    (('llama2-70b', False), ('llama3.1-405b', True))
    """
    bare = re.sub(r"-99(\.9)?$", "", name)
    found = re.sub(r"-interactive$", "", bare)
    return found.replace("llama3_1", "llama3.1"), bare != found


def precision_word(row: Row) -> str:
    """The format of the weights, of the row's several the first; "x (y on Z)" is y on hardware Z."""
    text = row.text("precision").lower()
    if (other := re.match(r"(\w+) \((\w+) on (\w+)\)", text)) and other[3] in row.text("hardware").lower():
        return other[2]
    return text.split(" ")[0]


def acceptance_of(conditions: str) -> float:
    """Share of the guessed tokens that stand; 0 where nothing is guessed.

    >>> acceptance_of("EP320, MTP 1 token at 70% acceptance"), acceptance_of("EP48, no MTP; 2.7x H100")
    (0.7, 0.0)
    """
    found = None if NO_SPECULATION.search(conditions) else SPECULATION.search(conditions)
    return int(found["share"]) / 100 if found else 0.0


def is_idealised(row: Row) -> bool:
    """A result of perfect balance over the experts, which nobody served."""
    words = f"{row.text('conditions')} {row.text('unscored_reason')}".lower()
    return IDEALISED in words

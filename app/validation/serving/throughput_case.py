"""One row of throughputs as deployments that the engine predicts: one, or some of which the best is meant."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.validation.serving.case import Case, case_of
from app.validation.serving.engine_words import engine_of, precision_assumed, precision_of
from app.validation.serving.words import Cut, accelerator_key, model_key
from app.validation.study import Row, UnsupportedRowError

# What a row of throughputs asks for, from the words of its metric and its conditions.

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
    """A quantity; `unit` is the row's unit over tokens per second and accelerator, or over seconds."""

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
    """A result of perfect balance over the experts, which no one served."""
    words = f"{row.text('conditions')} {row.text('unscored_reason')}".lower()
    return IDEALISED in words


# One row of throughputs as deployments that the engine predicts: one, or some of which the best is meant.

COLUMNS = (
    "id", "hardware", "n", "model", "precision", "engine", "isl", "osl", "concurrency_or_batch", "metric",
    "value", "conditions",
)  # fmt: skip

MLPERF_TOKENS = {
    "llama_2_70b": (285, 294),
    "mixtral_8x7b": (285, 145),
    "llama_3_1_405b": (9428, 685),
    "llama_3_1_8b": (778, 128),
    "deepseek_v3": (800, 3886),
}
"""Mean tokens in and out of MLPerf's data sets, which its rows do not state. Out: 294.45, 144.84, 684.68 and 3,886.23
tokens a sample, as the rules of MLPerf Inference v4.1 to v5.1 demand within a tenth (mlcommons/inference, accuracy
targets of each model; the last recalled, its reference run answers 4,043), and of Llama 3.1 8B 8,167,644 characters over
13,368 samples, which is its limit of 128 tokens. In: recalled of OpenOrca, which is all of the first data set and a third
of the second, and of what MLCommons says of the others; not confirmed."""

COPIES, SERVER = 32, 8
"""Redundant experts in published deployments over more than a server: DeepSeek (arXiv 2412.19437, section 3.4), SGLang
(blog of 2025-05-05: 288 experts of 256) and CloudMatrix384 (arXiv 2506.12708: 320 of 256 and 32 shared) have 32."""

KEPT_TOKENS = re.compile(r"KV (\d+)")

ROOMY = 64  # ranks of decode instances that hold any model, where prefill is measured
MANY = 1000  # instances of the other kind, so that only one kind is the limit
ANSWER_TOKENS = 1000  # so long that almost all requests in flight are being decoded
BATCH_TOKENS = 16384  # a rank and pass of prefill, where a row does not say
QUEUED = 4  # passes of prefill that wait, so that no rank is ever idle
DECODING_SHARE = 0.75
"""Of a deployment of which a row says only the whole; nine of twelve nodes in the source of those rows."""


@dataclass(frozen=True)
class Asked:
    """A row, and the deployments of which the best answers it."""

    row: Row
    question: Question
    cases: tuple[Case, ...]
    measured: float
    acceptance: float


def asked_of(row: Row, catalog: Catalog, conditions: str) -> Asked:
    """A row as deployments; `conditions` are the row's own, or of the row that it refers to.

    Raises
    ------
    UnsupportedRowError : the row cannot be predicted; the message says why
    """
    count = row.needed("n")
    question = question_of(row, count)
    measured = row.number("value")
    if not measured or measured < 0:
        raise UnsupportedRowError("no value is given")
    acceptance = acceptance_of(conditions)
    if question.kind in (MAXIMUM, PREFILL, DECODE) or not CUTS.match(conditions):
        base = _base(row, catalog)
        of_kind = {MAXIMUM: _maximum, PREFILL: _prefill}.get(question.kind, _decode)
        cases = of_kind(base, row, conditions, count, question)
    else:
        cases = (case_of(_latency_row(row, conditions, count), catalog),)
    return Asked(row, question, cases, measured, acceptance)


def _base(row: Row, catalog: Catalog) -> Case:
    """What all kinds of rows say alike; the layout is put in by each."""
    date = DATE.search(row.text("source"))
    cells = row.cells | {"precision": precision_word(row), "measured": date[0] if date else ""}
    model = model_key(mlperf_model(row.text("model"))[0].split("/R1")[0], catalog)
    accelerator, assumed = accelerator_key(re.sub(r"\s*\(.*", "", row.text("hardware")), catalog)
    engine = engine_of(Row(key=row.key, cells=cells))
    vendor = catalog.part("accelerators", accelerator).vendor
    precision = precision_of(Row(key=row.key, cells=cells), model, vendor)
    said = (
        *engine.assumed, *precision_assumed(Row(key=row.key, cells=cells), model), *((assumed,) if assumed else ()),
    )  # fmt: skip
    tokens = row.count("isl"), row.count("osl")
    if kept := KEPT_TOKENS.search(row.text("conditions")):
        tokens = tokens[0] or int(kept[1]), tokens[1]
    if tokens[0] is None:
        if model not in MLPERF_TOKENS or "mlperf" not in row.text("source").lower():
            raise UnsupportedRowError("isl is not given")
        tokens = MLPERF_TOKENS[model]
        said = (*said, f"{tokens[0]} tokens in and {tokens[1]} out, the means of the data set")
    return Case(
        row=row,
        model_key=model,
        accelerator_key=accelerator,
        engine=engine.name,
        era=engine.era,
        engine_year=engine.year,
        precision=precision,
        decode=Cut(1, 1, 1, 1),
        decode_instances=1,
        prefill=None,
        prefill_instances=1,
        complete=True,
        input_tokens=tokens[0] or 0,
        output_tokens=tokens[1] or 0,
        concurrency=1,
        speculation=False,
        ttft_s=float("nan"),
        tpot_s=float("nan"),
        assumed=said,
    )


def _maximum(base: Case, row: Row, conditions: str, count: int, _: Question) -> tuple[Case, ...]:
    """The layout that is stated, else every tensor parallelism of one node; concurrency is found later."""
    if not base.output_tokens:
        raise UnsupportedRowError("osl is not given")
    if found := LAYOUT.match(conditions):
        ranks = int(found["ranks"])
        return (replace(base, decode=_ranks(ranks) if found["kind"] == "DEP" else Cut(ranks, 1, 1, 1)),)
    sizes = [size for size in (1, 2, 4, 8) if size <= count]
    return tuple(replace(base, decode=Cut(size, 1, 1, 1)) for size in sizes)


def _prefill(base: Case, row: Row, _: str, count: int, question: Question) -> tuple[Case, ...]:
    """One prefill instance that never waits for work, and room to decode whatever it ends."""
    ranks = count
    said = base.assumed
    if question.whole:
        ranks = round(count * (1 - DECODING_SHARE))
        said = (*said, f"{ranks} of {count} accelerators prefill")
    batch = row.text("concurrency_or_batch").split(" ")[0]
    tokens = int(batch) if batch.isdigit() else BATCH_TOKENS
    waiting = QUEUED * max(tokens / base.input_tokens, 1.0) * ranks
    return (
        replace(
            base,
            prefill=_ranks(ranks, row),
            prefill_instances=1,
            decode=_ranks(ROOMY),
            decode_instances=MANY,
            output_tokens=2,
            concurrency=waiting,
            assumed=said,
        ),
    )


def _decode(base: Case, row: Row, conditions: str, count: int, question: Question) -> tuple[Case, ...]:
    """One decode instance, with as many prefill instances as it could ask for.

    Answers are long, and prompts so much shorter that the mean context is the one that the row states.
    """
    ranks = count
    said = base.assumed
    if question.whole:
        ranks = round(count * DECODING_SHARE)
        said = (*said, f"{ranks} of {count} accelerators decode")
    batch = row.text("concurrency_or_batch")
    context = base.input_tokens + base.output_tokens / 2
    answer = min(ANSWER_TOKENS, round(context))
    if not batch.isdigit():
        said = (*said, "as many sequences as the memory holds")
    return (
        replace(
            base,
            prefill=_ranks(min(ranks, 32)),
            prefill_instances=MANY,
            decode=_ranks(ranks, row),
            decode_instances=1,
            input_tokens=max(round(context - answer / 2), 1),
            output_tokens=answer,
            concurrency=float(int(batch) * ranks) if batch.isdigit() else float("inf"),
            assumed=said,
        ),
    )


def _ranks(count: int, row: Row | None = None) -> Cut:
    """Data-parallel attention with whole experts spread over all ranks, and with the copies of a row's deployment."""
    copied = row is not None and count > SERVER and row.text("source").startswith(DEPLOYMENTS)
    return Cut(1, count, 1, count, redundant_experts=COPIES if copied else 0)


def _latency_row(row: Row, conditions: str, count: int) -> Row:
    """The row in the columns of a file of latencies."""
    found = CUTS.match(conditions)
    assert found is not None  # asked by the caller
    tensor, expert_tensor, expert = (int(found[name]) for name in ("tp", "moe_tp", "moe_ep"))
    ranks = max(tensor, expert_tensor * max(expert, 1))
    cells = {
        "mode": found["mode"],
        "model": row.text("model"),
        "system": row.text("hardware"),
        "engine": row.text("engine"),
        "precision": precision_word(row),
        "isl": row.text("isl"),
        "osl": row.text("osl"),
        "concurrency": row.text("concurrency_or_batch"),
        "ttft_ms" if row.text("metric").startswith("TTFT") else "tpot_ms": row.text("value"),
    }
    if found["mode"] == "agg":
        cells |= {
            "tp": str(tensor),
            "dp": str(ranks // tensor),
            "moe_tp": str(expert_tensor),
            "moe_ep": str(expert),
        }
    else:
        # what the decode instances leave over prefills; an even split where nothing is over
        prefill = count % ranks or ranks
        cells |= {
            "p_tp": str(prefill), "p_ep": str(prefill if expert > 1 else 1), "p_workers": "1",
            "d_tp": str(tensor), "d_dp": str(ranks // tensor), "d_ep": str(expert),
            "d_workers": str(max((count - prefill) // ranks, 1)),
        }  # fmt: skip
    return Row(key=row.key, cells=cells)

"""Engines, their versions and number formats, as files write them and as the assumptions know them."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

from app.validation.study import Row, UnsupportedRowError

ENGINES = {
    "trtllm": "tensorrt_llm",
    "trt-llm": "tensorrt_llm",
    "tensorrt": "tensorrt_llm",
    "trt": "tensorrt_llm",
    "sglang": "sglang",
    "vllm": "vllm",
}
"""What the name of an engine, or of a stack around one, holds; the first that fits."""

STAND_INS = {
    "atom": "vllm",
    "rtp-llm": "vllm",
    "lmdeploy": "vllm",
    "tgi": "vllm",
    "text-generation-inference": "vllm",
    "lightllm": "vllm",
    "mindie": "vllm",
    "deepseek": "sglang",
    "cloudmatrix": "sglang",
}
"""Engines without constants of their own: the one that is built most like them."""

ERA_FROM = "2026-01-15"
"""Engines measured from this day on are of the later era: constants were fitted on both sides of it."""
EARLIER, LATER = "2025", "2026"

VERSIONS = {
    "tensorrt_llm": (
        ((0, 5, 1), "2025-12-15"), ((0, 7, 0), "2026-01-07"), ((0, 8, 1), "2026-01-29"),
        ((1, 0, 0), "2025-07-15"), ((1, 1, 0), "2025-12-15"), ((1, 2, 0), "2026-01-07"), ((1, 3, 0), "2026-03-07"),
    ),
    "sglang": (
        ((0, 5, 1), "2025-08-25"), ((0, 5, 5), "2025-12-19"), ((0, 5, 6), "2025-12-31"), ((0, 5, 8), "2026-02-08"),
        ((0, 5, 9), "2026-03-09"),
    ),
    "vllm": (
        ((0, 11, 2), "2025-12-08"), ((0, 12, 0), "2025-12-15"), ((0, 15, 1), "2026-02-25"), ((0, 16, 0), "2026-03-01"),
        ((0, 17, 0), "2026-03-11"), ((0, 18, 0), "2026-03-27"), ((0, 19, 0), "2026-04-03"),
    ),
}  # fmt: skip
"""Versions that constants were fitted to, in order, and since when they were measured with.

TensorRT-LLM has two lines of numbers: its own, and those of Dynamo's containers with it. Source: the first day of
each in `serving_latency.csv`; recalled for those that have none there (1.0.0, 0.5.1, 0.12.0).
"""
NEWEST_DATE = "2026-04-22"

FOUR_BIT_WEIGHTS = ("int4", "w4a16", "awq", "gptq", "4bit")
"""Weights in whole numbers of four bits with scales, multiplied in 16 bit."""
IN_EIGHT_BIT = ("w4a8", "w4afp8")
"""The same, multiplied in 8 bit: of the formats that are known, MXFP4 holds as many bytes and is multiplied so."""

PRECISIONS = {
    "fp8": "fp8",
    "float8": "fp8",
    "e4m3": "fp8",
    "w8a8_fp8": "fp8",
    "mxfp8": "mxfp8",
    "fp4": "nvfp4",
    "nvfp4": "nvfp4",
    "mxfp4": "mxfp4",
    "w4a16_mxfp4": "mxfp4",
    "w4a8_mxfp4": "mxfp4",
    "bf16": "bf16",
    "fp16": "bf16",
    "float16": "bf16",
    "bfloat16": "bf16",
    "half": "bf16",
    "int8": "int8",
    "w8a8": "int8",
    "fp8_block": "fp8_block",
    "w8a16": "w8a16",
    "w4a16_g32": "w4a16_g32",
    **dict.fromkeys(FOUR_BIT_WEIGHTS, "w4a16"),
    **dict.fromkeys(IN_EIGHT_BIT, "mxfp4"),
}
"""Number formats of files, in the words of scenarios; what follows after an underscore is how it was quantised."""
MXFP4_ONLY = ("gpt_oss_20b", "gpt_oss_120b")
"""Models whose weights are published in MXFP4 alone: a row that names another format means the activations."""
FOUR_BIT_EXPERTS = ("deepseek_v4_pro", "deepseek_v4_flash")
"""Models whose experts are published in four bits and the rest in FP8 (expert_dtype of config.json): a row that says FP8
means the rest."""
CHECKPOINTS = {
    **dict.fromkeys(("deepseek_v3", "deepseek_v3_2", "kimi_k2", "minimax_m2_5"), "fp8"),
    **dict.fromkeys(FOUR_BIT_EXPERTS, "fp8"),
    **dict.fromkeys(MXFP4_ONLY, "mxfp4"),
    "kimi_k2_5": "w4a16_g32",
}
PUBLISHED_IN = "bf16"
"""Formats of published checkpoints (quantization_config of their config.json); of all others 16 bit."""
IN_NAMES = ("nvfp4", "mxfp4", "fp4", "fp8", "bf16", "w8a8", "int8", *FOUR_BIT_WEIGHTS, *IN_EIGHT_BIT)


class Engine(NamedTuple):
    """The engine of a row; `assumed` says what was put in place of what is not known."""

    name: str
    version: str
    era: str
    year: float
    assumed: tuple[str, ...]


def engine_of(row: Row) -> Engine:
    """The engine of a row, its era and its date.

    Raises
    ------
    UnsupportedRowError : no constants are known for it, nor for one like it
    """
    stated = row.text("engine")
    words = stated.lower()
    version = row.text("engine_version")
    if not version and len(parts := stated.split(maxsplit=1)) == 2:
        version = parts[1]
    assumed: tuple[str, ...] = ()
    name = next((engine for word, engine in ENGINES.items() if word in words), None)
    if name is None:
        name = next((engine for word, engine in STAND_INS.items() if word in words), None)
        if name is None:
            known = ", ".join(VERSIONS)
            said = f"the engine {stated!r} is not known" if stated else "the engine is not stated"
            raise UnsupportedRowError(f"{said}; known are {known}, and stacks around them")
        assumed = (f"engine {stated} as {name}",)
    date = row.text("measured")
    if is_newer(name, version) or (not version_of(version) and date > NEWEST_DATE):
        newest = ".".join(str(number) for number in _line(name, version_of(version))[-1][0])
        assumed += (f"{name} {version or 'of ' + date} is newer than any known: constants of {newest}",)
    day = date if re.match(r"\d{4}-\d{2}-\d{2}", date) else day_of(name, version)
    if not day:
        day = NEWEST_DATE
        assumed += (f"neither version nor date of {name}: as of {day}",)
    return Engine(name, version, LATER if day >= ERA_FROM else EARLIER, year_of(day), assumed)


def day_of(engine: str, version: str) -> str:
    """Since when a version was measured with: that of the newest listed one that is not newer; empty if unknown.

    >>> day_of("vllm", "0.12.0"), day_of("vllm", "0.16.1"), day_of("sglang", "nightly-dev-20260216-d3"), day_of("vllm", "")
    ('2025-12-15', '2026-03-01', '2026-02-16', '')
    """
    if found := re.search(r"(20\d\d)-?(\d\d)-?(\d\d)", version):
        return "-".join(found.groups())
    numbers = version_of(version)
    if not numbers:
        return ""
    line = _line(engine, numbers)
    older = [day for known, day in line if known <= numbers]
    return older[-1] if older else line[0][1]


def is_newer(engine: str, version: str) -> bool:
    """Return whether no constants were fitted to a version so new.

    >>> is_newer("vllm", "0.20.1"), is_newer("vllm", "0.19.0"), is_newer("tensorrt_llm", "0.9.0")
    (True, False, True)
    """
    numbers = version_of(version)
    return bool(numbers) and numbers > _line(engine, numbers)[-1][0]


def version_of(text: str) -> tuple[int, ...]:
    """The leading numbers of a version; none where it has none.

    >>> version_of("1.2.0rc6.post3"), version_of("v0.5.9"), version_of("nightly-5b8c")
    ((1, 2, 0), (0, 5, 9), ())
    """
    found = re.match(r"v?(\d+)\.(\d+)(?:\.(\d+))?", text)
    return tuple(int(number or 0) for number in found.groups()) if found else ()


def year_of(day: str) -> float:
    """A day as a year and its share.

    >>> year_of("2026-01-01"), round(year_of("2025-07-02"), 2)
    (2026.0, 2025.5)
    """
    try:
        date = datetime.date.fromisoformat(day[:10])
    except ValueError:
        return year_of(NEWEST_DATE)
    return date.year + (date.timetuple().tm_yday - 1) / 365.25


def precision_of(row: Row, model: str, vendor: str) -> str:
    """The number format of a row, by the name of its model where its own column is empty, else that of the checkpoint.

    Four bits without a name are those of the checkpoint or the vendor: MXFP4 of gpt-oss and AMD, else NVFP4.

    Raises
    ------
    UnsupportedRowError : no constants are known for it
    """
    stated = _format_word(row) or CHECKPOINTS.get(model, PUBLISHED_IN)
    if stated not in PRECISIONS:
        raise UnsupportedRowError(f"the precision {stated!r} is not known; known are {', '.join(PRECISIONS)}")
    if model in MXFP4_ONLY and stated != "bf16":
        return "mxfp4"
    form = "fp4" if _four_bit_experts(stated, model) else stated
    return "mxfp4" if form == "fp4" and vendor == "AMD" else PRECISIONS[form]


def _four_bit_experts(stated: str, model: str) -> bool:
    return model in FOUR_BIT_EXPERTS and PRECISIONS[stated] == "fp8"


def precision_assumed(row: Row, model: str) -> tuple[str, ...]:
    """What was put in place of a format that nothing is known of, or that is not all that a checkpoint has.

    >>> precision_assumed(Row("1", {"precision": "W4AFP8"}), "qwen3_8b")
    ('precision w4afp8 as mxfp4, multiplied as the hardware multiplies that',)
    >>> precision_assumed(Row("1", {"precision": "FP8-Block"}), "qwen3_8b")
    ()
    >>> precision_assumed(Row("1", {"model": "DeepSeek-R1"}), "deepseek_v3")
    ('precision not stated: fp8, as the checkpoint is published',)
    """
    written = _format_word(row)
    stated = written or CHECKPOINTS.get(model, PUBLISHED_IN)
    said = () if written else (f"precision not stated: {stated}, as the checkpoint is published",)
    if _four_bit_experts(stated, model):
        return (
            *said,
            "experts in four bits, as the checkpoint is published",
        )
    if stated in IN_EIGHT_BIT:
        return (*said, f"precision {stated} as mxfp4, multiplied as the hardware multiplies that")
    return said


def _format_word(row: Row) -> str:
    """The format that a row states, or the name of its model; how it was quantised is left out."""
    word = re.sub(r"[^a-z0-9]+", "_", row.text("precision").lower()).strip("_")
    if word:
        longest = sorted(PRECISIONS, key=len, reverse=True)
        return next((known for known in longest if f"{word}_".startswith(f"{known}_")), word)
    name = row.text("model").lower()
    return next((word for word in IN_NAMES if re.search(rf"(?<![a-z0-9]){word}(?![a-z0-9])", name)), "")


def _line(engine: str, numbers: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], str], ...]:
    """The versions to compare with: an engine may be numbered in two lines, distinguished by the first
    number."""
    versions = VERSIONS[engine]
    major = numbers[0] if numbers else versions[-1][0][0]
    alike = tuple(known for known in versions if known[0][0] == major)
    return alike or tuple(known for known in versions if known[0][0] == versions[-1][0][0])

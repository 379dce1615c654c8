"""How files spell the names of models and accelerators: what a name says besides, and what is left without it."""

from __future__ import annotations

import re
from typing import NamedTuple

FORMATS_AND_TUNING = (
    r"nvfp4|mxfp[468]|fp4|fp8|bf16|fp16|int8|int4|awq|gptq|w8a8|w4a16|w4a8|w4afp8|[wa]|g\d+|\d-?bit|kv|quantized|dynamic|"
    r"static|block|per-?tensor|per-?channel|instruct|chat|it|pt|sft|thinking|think|reasoning|preview|exp|dynamo|base|hf|"
    r"mtp|eagle3?"
)
"""What a checkpoint's name says besides the model: its number format and its tuning."""
TUNING = re.compile(rf"[-_ .]({FORMATS_AND_TUNING})$", re.IGNORECASE)
ENDINGS = re.compile(rf"[-_ .]({FORMATS_AND_TUNING}|v\d(\.\d)?|\d{{4}}|20\d{{6}})$", re.IGNORECASE)
"""The same, its version and its date."""

MODEL_MAKERS = re.compile(
    r"^(nvidia|meta|amd|google|openai|microsoft|mistralai|moonshotai|zai)[-_ ]", re.IGNORECASE
)
ACTIVE = re.compile(r"[-_ ]a\d+(\.\d+)?b$", re.IGNORECASE)
SIZE = re.compile(r"[-_ ](?P<size>\d+(\.\d+)?)(?P<unit>[bt])$", re.IGNORECASE)

MAKERS = re.compile(
    r"^(nvidia|amd|google|aws|huawei|intel|cerebras|cambricon)?[-_ ]*(geforce|instinct|cloud|habana)?[-_ ]*"
)
FAMILIES = re.compile(r"^(ascend|tpu|rubin)[-_ ]*(?=\w)")
BESIDES = re.compile(
    r"hgx|dgx|oam|gpu|nodes?|superchip|blackwell|hopper|ampere|edition|tensor|core|hbm\w*|gddr\w*|nvl\d+|x\d+|\d+x"
)
"""Words of an accelerator's name that do not tell it from others: server, memory, generation, count."""
MEMORY = re.compile(r"(\d+)gb?")
BOARDS = re.compile(r"sxm|pcie|nvl")
FORMS = ("", "sxm", "80", "sxm80", "server", "x", "ironwood")


class System(NamedTuple):
    """A system by its words; the memory in GB where the name says it."""

    words: str
    memory_gb: float | None


def plain(name: str) -> str:
    """A name by its letters and digits alone; numbers that stand side by side stay apart.

    >>> plain("Llama-3.1-8B") == plain("llama_3_1_8b") == plain("Llama3.1 8B"), plain("kimi_k2_5")
    (True, 'kimik2.5')
    """
    words = re.sub(r"[^a-z0-9]+", " ", name.lower()).strip()
    return re.sub(r" ", "", re.sub(r"(?<=\d) (?=\d)", ".", words))


def shorter_models(name: str, endings: re.Pattern[str] = ENDINGS) -> list[str]:
    """A name, and what is left of it without its organisation and its endings, longest first.

    >>> shorter_models("nvidia/Qwen3-8B-Instruct-FP8")
    ['nvidia/Qwen3-8B-Instruct-FP8', 'Qwen3-8B-Instruct-FP8', 'Qwen3-8B-Instruct', 'Qwen3-8B']
    """
    rest = re.split(r"/|--", name)[-1]
    names = [name, rest]
    while (shorter := endings.sub("", rest)) != rest:
        names.append(rest := shorter)
    names += [bare for one in names[1:] if (bare := MODEL_MAKERS.sub("", one)) != one]
    return list(dict.fromkeys(names))


def model_spellings(name: str) -> set[str]:
    """How a known name of a model may be spelt: also without its organisation, tuning and active parameters.

    Its version and its date stay: DeepSeek-V2 is no DeepSeek, and Mistral-Large-2407 not the last of its name.
    """
    names = shorter_models(name, TUNING)
    return {plain(one) for one in names} | {plain(ACTIVE.sub("", one)) for one in names}


def sized(name: str) -> tuple[str, float] | None:
    """A name without the parameters that it ends with, and how many they are; None where it says none.

    >>> sized("DeepSeek-R1-671B"), sized("Kimi-K2-1T-A32B"), sized("GLM-5")
    (('DeepSeek-R1', 671000000000.0), ('Kimi-K2', 1000000000000.0), None)
    """
    bare = ACTIVE.sub("", name)
    if not (found := SIZE.search(bare)):
        return None
    unit = 1e9 if found["unit"].lower() == "b" else 1e12
    return bare[: found.start()], float(found["size"]) * unit


def shorter_systems(name: str) -> list[System]:
    """An accelerator by the words that tell it from others, then by fewer of them.

    >>> [one.words for one in shorter_systems("8xNVIDIA H100-SXM5-80GB")], shorter_systems("A100-40GB")[0].memory_gb
    (['h100sxm', 'h100'], 40.0)
    """
    text = re.sub(r"\(.*?\)", " ", name.lower())
    text = re.sub(r"^\d+\s*x[-_ ]*(?=[a-z])|(?<=\d)x\d{1,3}$", "", text.strip())
    words = [
        re.sub(r"^sxm\d$", "sxm", word) for word in re.split(r"[^a-z0-9]+", MAKERS.sub("", text)) if word
    ]
    memory = next((float(found[1]) for word in words if (found := MEMORY.fullmatch(word))), None)
    kept = [word for word in words if not BESIDES.fullmatch(word) and not MEMORY.fullmatch(word)]
    counted = [word for word in kept if not re.fullmatch(r"\d{1,3}", word)]
    bare = [word for word in counted if not BOARDS.fullmatch(word)]
    tried = dict.fromkeys(plain(" ".join(some)) for some in (kept, counted, bare))
    return [System(words, memory) for words in tried if words]


def system_spellings(name: str) -> set[str]:
    """How a known name of an accelerator may be spelt: also without its maker and its family."""
    bare = MAKERS.sub("", name.lower())
    return {plain(name), plain(bare), plain(FAMILIES.sub("", bare))}

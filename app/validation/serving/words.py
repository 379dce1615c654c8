"""The parts and cuts of a deployment by the words of a row."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.validation.study import Row, UnsupportedRowError

# How files spell the names of models and accelerators: what a name says besides, and what is left without it.

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
    """An accelerator by the words that tell it from others, then by fewer.

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


# Models and accelerators of a file by the keys of the catalog.

SIZE_TOLERANCE = 0.05  # sizes in names are rounded, or with modules that guess tokens ahead
MEMORY_TOLERANCE = 0.12  # names say what is on the board, or what the vendor's label says


def model_key(name: str, catalog: Catalog) -> str:
    """The key of a model; quantised, tuned and dated checkpoints are the model that they were made of.

    Raises
    ------
    UnsupportedRowError : the catalog has no such model
    """
    if not name:
        raise UnsupportedRowError("the model is not stated")
    names = shorter_models(name)
    for tried in names:
        if found := _model(tried, catalog):
            return found
    for tried in names:
        if (of_size := sized(tried)) and (found := _model(of_size[0], catalog)):
            published = catalog.part("models", found).facts["published_parameters"].value
            if abs(of_size[1] / published - 1) <= SIZE_TOLERANCE:
                return found
    near = ", ".join(catalog.nearest("models", name))
    raise UnsupportedRowError(f"the model {name!r} is not in the catalog; the nearest are {near}")


def accelerator_key(name: str, catalog: Catalog) -> tuple[str, str]:
    """The key of an accelerator, or of that of a server or rack, and what was assumed to find it.

    Raises
    ------
    UnsupportedRowError : the catalog has no such accelerator
    """
    if not name:
        raise UnsupportedRowError("the system is not stated")
    if found := catalog.find("accelerators", name):
        return found, ""
    if key := _spelt(catalog, "accelerators").get(plain(name)):
        return key, f"system {name} as {key}"
    for tried in shorter_systems(name):
        if key := _accelerator(tried, catalog):
            return key, f"system {name} as {key}"
    system = catalog.find("systems", name) or _spelt(catalog, "systems").get(plain(name))
    if system and (chip := str(catalog.part("systems", system).attributes.get("accelerator_key", ""))):
        return chip, f"system {name} as {chip}"
    near = ", ".join(catalog.nearest("accelerators", name))
    raise UnsupportedRowError(f"the system {name!r} is not in the catalog; the nearest are {near}")


def _model(name: str, catalog: Catalog) -> str | None:
    return catalog.find("models", name) or _spelt(catalog, "models").get(plain(name))


def _accelerator(tried: System, catalog: Catalog) -> str | None:
    """By its words, or with what they leave out; only one with the memory that the name says."""
    spelt = _spelt(catalog, "accelerators")
    stated = tried.memory_gb
    forms = (*((f"{stated:.0f}", f"sxm{stated:.0f}") if stated else ()), *FORMS)
    for form in forms:
        key = spelt.get(tried.words + form)
        if key and (stated is None or _holds(catalog, key, stated * 1e9)):
            return key
    return None


def _holds(catalog: Catalog, key: str, stated_bytes: float) -> bool:
    label = catalog.part("accelerators", key).facts.get("memory_label_bytes")
    return label is not None and abs(stated_bytes / label.value - 1) <= MEMORY_TOLERANCE


SPELLINGS: dict[str, Callable[[str], set[str]]] = {
    "models": model_spellings,
    "accelerators": system_spellings,
    "systems": system_spellings,
}


@lru_cache(maxsize=12)
def _spelt(catalog: Catalog, kind: str) -> dict[str, str]:
    """Every spelling of the names of a kind that is of one key alone."""
    found: dict[str, set[str]] = {}
    for name, key in catalog.names(kind).items():
        for spelling in SPELLINGS[kind](name):
            found.setdefault(spelling, set()).add(key)
    return {spelling: keys.pop() for spelling, keys in found.items() if len(keys) == 1}


# How a row says that accelerators share a model, in the words of the engine.
#
# Files write layouts in several ways. `tp`, `dp`, `moe_tp` and `moe_ep` are those of the whole instance; but
# where a launcher multiplied its tensor by its expert parallelism, eight accelerators are written 64/1/8/8
# (or 1/64/8/8 with data-parallel attention), and four with data-parallel attention 4/4/1/16. The batch of a
# rank, where it is given, says which.

WIDEST_TENSOR_PARALLEL, ONE_NODE = 16, 8
"""Attention is cut over one node, or two; more is the size of a whole deployment."""


class Cut(NamedTuple):
    """The cuts of one instance, as in ServingLayout, and what was assumed."""

    tensor_parallel: int
    data_parallel: int
    pipeline_parallel: int
    expert_parallel: int
    assumed: tuple[str, ...] = ()
    redundant_experts: int = 0

    @property
    def accelerators(self) -> int:
        return self.tensor_parallel * self.data_parallel * self.pipeline_parallel


def aggregated_cut(row: Row, *, experts: bool) -> tuple[Cut, int]:
    """The layout of one instance, and how many instances the row's concurrency is shared by.

    Raises
    ------
    UnsupportedRowError : the row states no layout, or the size of a whole deployment in place of one
    """
    tensor, pipeline = row.needed("tp"), row.count("pp") or 1
    data, stated = row.count("dp") or 1, bool(row.text("dp"))
    expert_tensor, expert = row.count("moe_tp") or 1, row.count("moe_ep") or 1
    side = math.isqrt(tensor * data)
    squared = side > 1 and side * side == tensor * data and stated
    if experts and squared and expert_tensor == expert == side:
        return (Cut(1, side, pipeline, side) if data > 1 else Cut(side, 1, pipeline, side)), 1
    if experts and squared and tensor == data and expert == tensor * data:
        return Cut(1, side, pipeline, side), 1
    sharing = _sharing(row)
    if experts and data == 1 and not stated and sharing == tensor > 1:
        # each rank has its own sequences: attention is data parallel
        tensor, data = 1, tensor
    _refuse_deployment(tensor)
    replicas = sharing if data == 1 and not experts and sharing > 1 else 1
    if not experts:
        return Cut(tensor, data, pipeline, 1), replicas
    assumed: tuple[str, ...] = ()
    if data == 1 and (not stated or expert_tensor == 1):
        data, assumed = _replicas(tensor, expert_tensor * expert, "moe_tp x moe_ep")
    ranks = tensor * data
    expert = min(expert, ranks)
    if ranks % expert:
        raise UnsupportedRowError(f"moe_ep {expert} does not divide the {ranks} ranks of tp and dp")
    return Cut(tensor, data, pipeline, expert, assumed), replicas


def pool_cut(row: Row, prefix: str, *, experts: bool) -> Cut:
    """The layout of one prefill (`p_`) or decode (`d_`) instance.

    Raises
    ------
    UnsupportedRowError : the row states none, or the size of a whole deployment in place of one
    """
    tensor, data = row.needed(f"{prefix}tp"), row.count(f"{prefix}dp") or 1
    expert = row.count(f"{prefix}ep") or 1
    assumed: tuple[str, ...] = ()
    if tensor > WIDEST_TENSOR_PARALLEL and data == 1 and prefix == "d_":
        tensor, data = 1, tensor
        assumed = (f"{data} ranks of decode with data-parallel attention",)
        expert = data if experts else 1
    _refuse_deployment(tensor)
    ranks = tensor * data
    if not experts:
        return Cut(tensor, data, 1, 1, assumed)
    if data == 1 and not row.text(f"{prefix}dp"):
        data, implied = _replicas(tensor, expert, f"{prefix}ep")
        ranks, assumed = tensor * data, assumed + implied
    # files copy the spread of the prefill instances into that of decode
    copied = prefix == "d_" and 1 < expert < ranks and expert == row.count("p_ep")
    if copied or (expert == 1 and data > ONE_NODE):
        expert = ranks
        assumed += (f"experts over all {ranks} ranks of {'decode' if prefix == 'd_' else 'prefill'}",)
    expert = math.gcd(min(expert, ranks), ranks)
    return Cut(tensor, data, 1, expert, assumed)


def _replicas(tensor: int, expert_ranks: int, said: str) -> tuple[int, tuple[str, ...]]:
    """Replicas of attention: experts and attention are cut over the same ranks, so tp x dp = moe_tp x moe_ep.

    >>> _replicas(1, 8, "moe_tp x moe_ep")
    (8, ('8 replicas of attention: moe_tp x moe_ep 8 over tp 1',))
    >>> _replicas(8, 8, "moe_tp x moe_ep"), _replicas(8, 0, "moe_tp x moe_ep")
    ((1, ()), (1, ()))
    """
    if expert_ranks <= tensor or expert_ranks % tensor:
        return 1, ()
    replicas = expert_ranks // tensor
    return replicas, (f"{replicas} replicas of attention: {said} {expert_ranks} over tp {tensor}",)


def _sharing(row: Row) -> int:
    """Number of ranks or instances that share the concurrency, by the batch of one; 1 where nothing says."""
    concurrency, batch = row.number("concurrency"), row.number("batch")
    if not concurrency or not batch or concurrency <= batch:
        return 1
    return round(concurrency / batch)


def _refuse_deployment(tensor: int) -> None:
    uneven = tensor > ONE_NODE and bool(tensor & (tensor - 1))
    if tensor > WIDEST_TENSOR_PARALLEL or uneven:
        raise UnsupportedRowError(
            f"tp {tensor} is the number of accelerators of a whole deployment, which says nothing of its layout"
        )

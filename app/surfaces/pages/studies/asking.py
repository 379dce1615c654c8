"""The requirements of a study as a form: boxes by place in the document, and the document by what is
typed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from pydantic import BaseModel

from app.catalog.lookup import Catalog
from app.scenarios.errors import InputError
from app.scenarios.study.document import Objective, StudyDocument
from app.scenarios.study.limits import FabricKind, Term
from app.surfaces.pages.studio.choices import DESIGN, Choice
from app.surfaces.pages.studio.numbers import Scale, number_of, number_text
from app.surfaces.pages.studio.state import MISSING, value_at, with_value
from app.views.questions.scenarios import training

MODEL, TOKENS = "qwen3_235b_a22b", 15e12
MOST_TYPED = 200
OBJECTIVES: dict[Objective, str] = {"usd": "Cost", "time": "Time", "power": "Power", "carbon": "Carbon"}
TERMS: dict[Term, str] = {
    "own": "Own", "colocate": "Own, in a colocation", "rent_reserved": "Rent, reserved",
    "rent_on_demand": "Rent, on demand",
}  # fmt: skip
FABRICS: dict[FabricKind, str] = {
    "infiniband": "InfiniBand", "roce": "RoCE", "scheduled_ethernet": "Scheduled Ethernet",
    "ultra_ethernet": "Ultra Ethernet",
}  # fmt: skip
FORMATS = {"bf16": "BF16", "fp16": "FP16", "fp8": "FP8", "mxfp8": "MXFP8", "nvfp4": "NVFP4"}
SIZES = {"as_sold": "As sold", "search": "1 to 1,024"}
USUAL_NETWORKS: tuple[FabricKind, ...] = ("infiniband", "roce")
MODEL_PATH = "workload.training.model"

Control = Literal["number", "select", "checks", "date", "text"]


class Box(NamedTuple):
    """One input.

    `first` ones are asked on the home page; `any_words` is what an empty one stands for.
    """

    name: str
    path: str
    control: Control
    scale: Scale = Scale(1.0, "")
    first: bool = False
    title: str = ""  # that of the document where it is ""
    any_words: str = ""


UTILISATION = Box(
    "utilisation", "common.economics.utilisation", "number", Scale(0.01, "%"), any_words="as assumed"
)
BOXES: tuple[Box, ...] = (
    Box("model", MODEL_PATH, "select", first=True),
    Box("tokens", "workload.training.tokens", "number", Scale(1e12, "T"), first=True),
    Box("days", "limits.finish_within_days", "number", Scale(1.0, "days"), first=True),
    Box("sure", "limits.finish_probability", "number", Scale(0.01, "%"), first=True, title="With probability"),
    Box("capex", "limits.capex_usd", "number", Scale(1e6, "M USD"), first=True, title="Capital cost at most"),
    Box("power", "limits.meter_power_w", "number", Scale(1e6, "MW"), first=True, title="Power at the meter at most"),
    Box("site", "candidates.sites", "checks", first=True, any_words="All with a known price of electricity"),
    Box("system", "candidates.systems", "checks", first=True, any_words="All on sale with known prices"),
    Box("objective", "objective", "select"),
    Box("network", "candidates.networks", "checks", any_words="The usual one of each system"),
    Box("sizes", "candidates.domain_sizes", "select"),
    Box("terms", "candidates.terms", "checks", any_words="Own"),
    Box("format", "candidates.number_formats", "checks", any_words="That of the workload"),
    Box("tco", "limits.tco_usd", "number", Scale(1e6, "M USD")),
    Box("run", "limits.run_usd", "number", Scale(1e6, "M USD")),
    Box("pue", "limits.pue", "number"),
    Box("water", "limits.water_m3_per_year", "number", Scale(1.0, "m³/year")),
    Box("carbon", "limits.carbon_kg", "number", Scale(1e3, "t")),
    Box("floor", "limits.floor_m2", "number", Scale(1.0, "m²")),
    Box("ttft", "limits.ttft_s", "number", Scale(1.0, "s")),
    Box("tpot", "limits.tpot_s", "number", Scale(1e-3, "ms")),
    Box("served", "limits.served_tokens_per_s", "number", Scale(1.0, "tokens/s")),
    Box("by", "limits.delivery_by", "date"),
    Box("others", "limits.probability", "number", Scale(0.01, "%")),
    UTILISATION,
)  # fmt: skip
FIRST = tuple(box for box in BOXES if box.first)


class Input(NamedTuple):
    """A box with what stands in it. `chosen` are the choices of a list of checks; none is any."""

    box: Box
    label: str
    help: str
    text: str
    choices: tuple[Choice, ...]
    chosen: tuple[str, ...]
    error: str = ""

    @property
    def summary(self) -> str:
        """Of a list of checks, in few words."""
        names = {choice.key: choice.name for choice in self.choices}
        words = [names.get(key, key) for key in self.chosen]
        if not words:
            return self.box.any_words
        return ", ".join(words[:2]) + (f" and {len(words) - 2} more" if len(words) > 2 else "")


Choices = Mapping[str, Sequence[Choice]]


def inputs_of(
    values: dict[str, Any],
    catalog: Catalog,
    offered: Choices,
    errors: Sequence[InputError] = (),
    *,
    first: bool = False,
) -> tuple[tuple[Input, ...], tuple[str, ...]]:
    """The boxes of a document, and the faults that belong to no box. Boxes of work that it does not do are
    left out; `first` gives those of the home page alone.
    """
    found, beside = [], set()
    for box in FIRST if first else BOXES:
        if _is_elsewhere(box, values):
            continue
        fault = next((one for one in errors if _is_of(one.path, box.path)), None)
        beside |= {one.path for one in errors if _is_of(one.path, box.path)}
        stated = value_at(values, box.path)
        title, words = _declared(box.path)
        found.append(
            Input(
                box=box,
                label=box.title or title,
                help=words,
                text=_text(box, stated),
                choices=_choices(box, catalog, offered),
                chosen=_chosen(box, stated),
                error=fault.words if fault else "",
            )
        )
    return tuple(found), tuple(str(one) for one in errors if one.path not in beside)


def first_values() -> dict[str, Any]:
    """The study that a form begins with: a deadline, as without any limit the smallest pod is the cheapest
    answer."""
    return {
        "name": "Untitled study",
        "workload": {"training": training(MODEL, TOKENS)},
        "limits": {"finish_within_days": 120, "finish_probability": 0.8},
        "candidates": {
            "systems": "search",
            "sites": "search",
            "networks": [_network(one) for one in USUAL_NETWORKS],
        },
    }


def with_typed(values: dict[str, Any], form: Mapping[str, str]) -> dict[str, Any]:
    """The document with what a form states; boxes that it does not have stay as they are.

    A list of checks is in a form where its name is, as `NAME=` from a hidden box, each check as `NAME.KEY`.
    """
    for box in BOXES:
        if box.name in form and not _is_elsewhere(box, values):
            values = with_value(values, box.path, _stated(box, form, values))
    if form.get("question", "").strip():  # of an address that leads here: the form has no box for it
        values = with_value(values, "question", form["question"].strip()[:MOST_TYPED])
    return values


def _stated(box: Box, form: Mapping[str, str], values: dict[str, Any]) -> Any:
    text = form[box.name].strip()[:MOST_TYPED]
    if box.control == "number":
        return number_of(text, box.scale) if text else MISSING
    if box.control != "checks":
        return text or MISSING
    keys = [name.partition(".")[2] for name in form if name.startswith(f"{box.name}.") and form[name]]
    if box.name == "network":
        there = {_network_key(one): one for one in value_at(values, box.path) or ()} if keys else {}
        return [there.get(key) or _network(key) for key in keys] or MISSING
    if box.name in ("system", "site"):
        return keys or "search"
    return keys or MISSING


def _network(kind: str) -> dict[str, Any]:
    return {"name": FABRICS.get(kind, kind), "fabric": {"kind": kind}}  # type: ignore[call-overload]


def _network_key(network: Any) -> str:
    """Kind of a network where it states no more than that, else its name."""
    if not isinstance(network, dict):
        return ""
    kind = (network.get("fabric") or {}).get("kind")
    return kind if kind and network == _network(kind) else str(network.get("name", ""))


def _chosen(box: Box, stated: Any) -> tuple[str, ...]:
    if not isinstance(stated, list | tuple):
        return ()
    return tuple(_network_key(one) if box.name == "network" else str(one) for one in stated)


def _choices(box: Box, catalog: Catalog, offered: Choices) -> tuple[Choice, ...]:
    words: Mapping[Any, str] | None = {
        "objective": OBJECTIVES, "terms": TERMS, "network": FABRICS, "format": FORMATS, "sizes": SIZES,
    }.get(box.name)  # type: ignore[assignment]  # fmt: skip
    if words is not None:
        return tuple(Choice(str(key), name, "") for key, name in words.items())
    kind = {"model": "models", "system": "systems", "site": "sites"}.get(box.name, "")
    return tuple(one for one in offered.get(kind, ()) if not one.key.startswith(DESIGN)) if kind else ()


def _text(box: Box, stated: Any) -> str:
    if stated is MISSING or box.control == "checks":
        return {"objective": "usd", "sizes": "as_sold"}.get(box.name, "")
    if box.control == "number" and isinstance(stated, int | float) and not isinstance(stated, bool):
        return number_text(stated, box.scale)
    return stated if isinstance(stated, str) else ""


def _is_elsewhere(box: Box, values: dict[str, Any]) -> bool:
    """Return whether a box is of work that the document does not do, or of a model that is written out."""
    trains = value_at(values, "workload.training") is not MISSING
    serves = value_at(values, "workload.serving") is not MISSING
    if box.path == MODEL_PATH and isinstance(value_at(values, box.path), dict):
        return True
    needs_training = box.path.startswith("workload.training") or box.name in ("days", "sure", "run", "format")
    return (needs_training and not trains) or (box.name in ("ttft", "tpot", "served") and not serves)


def _is_of(fault: str, path: str) -> bool:
    return fault == path or fault.startswith((f"{path}.", f"{path}["))


def _declared(path: str) -> tuple[str, str]:
    """Title and description of a field of the document."""
    part: type[BaseModel] = StudyDocument
    names = path.split(".")
    for name in names[:-1]:
        kinds = [part.model_fields[name].annotation, *get_args(part.model_fields[name].annotation)]
        part = next(kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel))
    field = part.model_fields[names[-1]]
    return field.title or names[-1], field.description or ""

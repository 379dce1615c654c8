"""The transformer of a row: of a public model as the catalog has it, of any other from the columns.

Files give layers, widths and heads, and the number of parameters; whether the MLP is gated, the embedding
tied and how wide a head is follow from that number: of the usual designs the nearest is taken. What numbers
cannot say (latent attention, windows, dense first layers) is known of a model that the row names, where every
size that the row states is that of the catalog.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any, NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.model_shape import FIELDS, Shape
from app.catalog.values import Part
from app.scenarios.document.architecture import InlineArchitecture
from app.scenarios.resolve.workload import shape_of
from app.validation.serving.words import model_key
from app.validation.study import Row, UnsupportedRowError

USUAL_VOCABULARY = 50_257  # of GPT-2, which files from before 2021 leave out
WIDTH_OF_A_LAYER = 128  # width over layers of the usual dense transformer
HEAD_WIDTHS = (64, 80, 96, 128, 192, 256)
# What a design must explain of the parameters, as a share of them, to be believed over a plainer one:
# printed numbers are rounded to a percent or so, and position tables are counted or not.
UNUSUAL = {
    "head_dim": 0.004,
    "tied_embedding": 0.002,
    "one shared expert": 0.004,
    "more shared experts": 0.012,
}


NEAR = 0.05
"""Vocabularies are padded, and parameters rounded: as a share, how far either may be from the catalog's."""
BY_LAYER = ("attention_layers", "expert_layers", "window_layers", "linear_layers")
"""Layers of a kind; a model with fewer layers has them in the same proportion."""
KINDS_OF_ATTENTION = ("mha", "gqa", "mqa", "mla")
NOT_OF_AN_INLINE_MODEL = ("published_parameters",)  # they are those of the whole model


class Model(NamedTuple):
    """A model as a scenario states it, the row with the sizes that it leaves out, and what was taken."""

    stated: str | dict[str, Any]
    row: Row
    assumed: tuple[str, ...]


def model_of(row: Row, catalog: Catalog) -> Model:
    """The public model that a row names, if it is one; else what its columns say.

    Raises
    ------
    UnsupportedRowError : a dimension that nothing else says is missing, or cannot be
    """
    part = _named(row, catalog)
    found = _public(row, part) if part is not None else None
    return found or Model(architecture(row), row, ())


def _named(row: Row, catalog: Catalog) -> Part | None:
    if not row.text("model_name"):
        return None
    try:
        return catalog.part("models", model_key(row.text("model_name"), catalog))
    except UnsupportedRowError:
        return None


def _public(row: Row, part: Part) -> Model | None:
    """A model of the catalog, cut or with another vocabulary where the row says so; None if it is another."""
    shape = shape_of(part)
    numbers = shape.numbers
    if not _is_that_model(row, part, shape):
        return None
    layers, words = row.count("layers") or numbers["layers"], row.count("vocab") or numbers["vocabulary"]
    whole, usual = layers == numbers["layers"], abs(words / numbers["vocabulary"] - 1) <= NEAR
    said = [f"architecture of {part.name} in the catalog"]
    if not whole:
        said.append(f"{layers:,.0f} layers in place of {numbers['layers']:,.0f}")
    if not usual:
        said.append(f"vocabulary {words:,.0f} as stated")
    stated: str | dict[str, Any] = part.key
    if not (whole and usual):
        if shape.attention not in KINDS_OF_ATTENTION:
            return None
        kinds = {name: round(numbers[name] * layers / numbers["layers"]) for name in BY_LAYER}
        stated = {
            name: bool(value) if InlineArchitecture.model_fields[name].annotation is bool else int(value)
            for name, value in (numbers | kinds | {"layers": layers, "vocabulary": words}).items()
            if name not in NOT_OF_AN_INLINE_MODEL
        } | {"name": part.name, "attention": shape.attention}
    cells = {name: f"{row.count(name) or numbers[name]:.0f}" for name in ("layers", "hidden", "heads")}
    return Model(stated, replace(row, cells=row.cells | cells), (", ".join(said),))


def _is_that_model(row: Row, part: Part, shape: Shape) -> bool:
    """Return whether nothing that a row states speaks against the model that it names."""
    numbers = shape.numbers
    if any(math.isnan(numbers[name]) for name in FIELDS if name not in NOT_OF_AN_INLINE_MODEL):
        return False  # the catalog lacks something that the columns may say
    stated = {
        column: row.count(column)
        for column in ("hidden", "heads", "kv_heads", "ffn_hidden", "experts", "topk")
    }
    experts = stated["experts"] if (stated["experts"] or 0) > 1 else None
    if experts is None and row.text("arch").lower() == "dense" and numbers["experts"]:
        return False
    same: dict[str, tuple[int | None, tuple[float, ...]]] = {
        column: (stated[column], (numbers[column],)) for column in ("hidden", "heads")
    }
    shared = numbers["shared_experts"]  # which some count with the routed ones
    same["experts"] = experts, (numbers["experts"], numbers["experts"] + shared)
    used = stated["topk"] if experts is not None else None
    same["topk"] = used, (numbers["experts_per_token"], numbers["experts_per_token"] + shared)
    same["ffn_hidden"] = stated["ffn_hidden"], (numbers["feed_forward_hidden"], numbers["expert_hidden"])
    if shape.attention != "mla":  # whose key and value heads are counted as one or as all
        same["kv_heads"] = stated["kv_heads"], (numbers["kv_heads"],)
    if any(value is not None and value not in known for value, known in same.values()):
        return False
    total, published = row.number("params_b"), part.facts.get("published_parameters")
    if stated["hidden"] is None and total and published is not None:
        return abs(total * 1e9 / published.value - 1) <= NEAR
    return True


def sizes(row: Row) -> dict[str, int]:
    """Layers, width and heads of a row; of a dense model without any by its parameters.

    The usual proportions: N = 12 L h^2 with h = 128 L, heads 128 wide.

    Raises
    ------
    UnsupportedRowError : a dimension that nothing else says is missing
    """
    billions = row.number("params_b")
    printed = [row.count(name) for name in ("layers", "hidden", "heads")]
    if any(printed) or billions is None or row.count("experts"):
        return {name: row.needed(name) for name in ("layers", "hidden", "heads")}
    exact = (billions * 1e9 / 12 / WIDTH_OF_A_LAYER**2) ** (1 / 3)
    layers = max(1, 8 * round(exact / 8) or round(exact))  # heads are shared out in eights
    return {"layers": layers, "hidden": WIDTH_OF_A_LAYER * layers, "heads": layers}


def architecture(row: Row) -> dict[str, Any]:
    """The inline architecture of a row, from its columns alone.

    Raises
    ------
    UnsupportedRowError : a dimension that nothing else says is missing, or cannot be
    """
    if row.text("arch").lower() not in ("dense", "moe", ""):
        raise UnsupportedRowError(f"{row.text('arch')} models are not built")
    measures = sizes(row)
    plain: dict[str, Any] = {
        "name": row.text("model_name")[:200] or row.key,
        **measures,
        "kv_heads": row.count("kv_heads") or measures["heads"],
        "vocabulary": row.count("vocab") or USUAL_VOCABULARY,
    }
    if plain["heads"] % plain["kv_heads"]:
        raise UnsupportedRowError(f"kv_heads {plain['kv_heads']} does not divide heads {plain['heads']}")
    total, active = row.number("params_b"), row.number("active_params_b")
    experts, tokens = row.count("experts"), row.needed("seq_len")
    wide = row.count("ffn_hidden") or 4 * plain["hidden"]
    designs: list[dict[str, Any]] = [
        plain | {"head_dim": head, "mlp_matrices": matrices, "tied_embedding": tied} | feed_forward
        for matrices, tied, head, feed_forward in itertools.product(
            (2, 3) if wide == 4 * plain["hidden"] else (3, 2),
            (False, True),
            _head_widths(plain),
            _feed_forward(row, wide, experts, plain["layers"]),
        )
    ]
    if total is None:
        return designs[0]
    return min(
        designs,
        key=lambda design: _miss(design, total * 1e9, (active or total) * 1e9, tokens) + _unusual(design),
    )


def _head_widths(plain: dict[str, Any]) -> list[int]:
    even = plain["hidden"] / plain["heads"]
    usual = [int(even)] if even == int(even) else []
    return usual + [width for width in HEAD_WIDTHS if width != even]


def _feed_forward(row: Row, wide: int, experts: int | None, layers: int) -> list[dict[str, Any]]:
    if experts is None or experts == 1:
        return [{"feed_forward_hidden": wide}]
    used = row.needed("topk")
    return [
        {
            "experts": experts,
            "experts_per_token": used,
            "shared_experts": shared,
            "expert_hidden": wide,
            "expert_layers": layers,
        }
        for shared in (0, 1, 2)
    ]


def _unusual(design: dict[str, Any]) -> float:
    """How much is asked of a design for what few models have."""
    shared = design.get("shared_experts", 0)
    even = design["head_dim"] * design["heads"] == design["hidden"]
    return (
        (0 if even else UNUSUAL["head_dim"])
        + (UNUSUAL["tied_embedding"] if design["tied_embedding"] else 0)
        + (UNUSUAL["one shared expert"] if shared == 1 else 0)
        + (UNUSUAL["more shared experts"] if shared > 1 else 0)
    )


def _miss(design: dict[str, Any], total: float, active: float, tokens: int) -> float:
    """How far the parameters of a design are from the printed ones, total and active, as a share.

    Models with a plain MLP are of the time of learned positions, a table as long as a sequence.
    """
    width, layers, head = design["hidden"], design["layers"], design["head_dim"]
    attention = 2 * width * head * (design["heads"] + design["kv_heads"])
    matrix = width * design["mlp_matrices"]
    embedding = (1 if design["tied_embedding"] else 2) * design["vocabulary"] * width
    if "experts" in design:
        expert = matrix * design["expert_hidden"]
        held = (design["experts"] + design["shared_experts"]) * expert + width * design["experts"]
        used = (design["experts_per_token"] + design["shared_experts"]) * expert + width * design["experts"]
    else:
        held = used = matrix * design["feed_forward_hidden"]
    whole = embedding + layers * (attention + held)
    reached = embedding + layers * (attention + used)
    tables = (0, tokens * width) if design["mlp_matrices"] == 2 else (0,)
    return min(
        float(abs((whole + table) / total - 1) + abs((reached + table) / active - 1)) for table in tables
    )

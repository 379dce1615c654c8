"""The form of an own model: fields in the order in which a model is described, with their faults and its size."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from app.catalog.lookup import Catalog
from app.catalog.model_config import ModelConfig
from app.catalog.model_shape import ATTENTION
from app.catalog.own.cells import figure_cells, text_of
from app.catalog.own.columns import SOURCE_COLUMNS, own_columns
from app.catalog.own.entries import VALUE_KINDS, Entry, Fault, FaultError, OwnSource
from app.catalog.own.known import Known
from app.catalog.own.parsing import check_source
from app.catalog.own.planning import planned
from app.catalog.values import Part
from app.charts.format import Shown, show
from app.scenarios.document.model_counts import ModelDescription, describe_model
from app.surfaces.pages.catalog.own.form import SOURCE_LABELS, entries_of_form, own_cells
from app.surfaces.pages.catalog.words import MARKS

KIND = "models"
LONGEST_KEY = 64
OWN_SOURCE = "Own model"
YES_NO = (("1", "Yes"), ("0", "No"))
ATTENTION_WORDS = {
    "mha": "Multi-head (MHA)",
    "gqa": "Grouped-query (GQA)",
    "mqa": "Multi-query (MQA)",
    "mla": "Multi-head latent (MLA)",
    "mha_relative": "Multi-head with relative positions",
    "gqa+swa": "Grouped-query with sliding windows",
    "gqa+gated-delta": "Grouped-query with gated delta layers",
    "gqa+mamba2": "Grouped-query with Mamba-2 layers",
    "csa/hca (compressed mqa)": "Compressed (CSA/HCA); size not counted",
}


class Input(NamedTuple):
    """One field: its column, label and help; `choices` where few values are possible, `blank` for an empty one."""

    name: str
    label: str
    help: str
    unit: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    blank: str = ""
    required: bool = False
    wide: bool = False


class Group(NamedTuple):
    """Fields that belong together; `optional` groups are closed until they are needed."""

    id: str
    title: str
    help: str
    inputs: tuple[Input, ...]
    optional: bool = False


GROUPS = (
    Group("name", "Name", "", (
        Input("name", "Model name", "Shown wherever the model can be chosen.", required=True),
        Input("key", "Key", "Name in scenarios and programs; made from the model name if left empty."),
    )),
    Group("shape", "Shape", "", (
        Input("layers", "Layers", "Transformer blocks, recurrent ones included.", required=True),
        Input("hidden", "Hidden size", "Width of the residual stream.", required=True),
        Input("vocabulary", "Vocabulary", "Rows of the embedding.", "tokens", required=True),
        Input("context_tokens", "Context length", "Longest sequence; not checked if left empty.", "tokens"),
        Input("tied_embedding", "Tied embedding", "Input and output embedding share weights.", "", YES_NO, "Default: no"),
        Input("prediction_modules", "Multi-token-prediction layers", "Extra layers that predict further tokens."),
    )),
    Group("attention", "Attention", "", (
        Input("attention", "Kind of attention", "Follows from the heads if left open.", "",
              tuple((word, ATTENTION_WORDS.get(kind, word)) for kind, word in ATTENTION.items()), "From the heads"),
        Input("heads", "Query heads", "Heads of one layer.", required=True),
        Input("kv_heads", "Key and value heads", "As many as query heads if left empty; 1 for MQA and MLA."),
        Input("head_dim", "Head size", "Hidden size / query heads if left empty."),
        Input("query_key_norm", "Query and key norm", "Norms of queries and keys per layer, 0 to 2."),
    )),
    Group("feed-forward", "Feed-forward", "MLP of the layers without experts.", (
        Input("feed_forward_hidden", "Feed-forward size", "Required unless every layer has experts."),
        Input("mlp_matrices", "MLP matrices", "3 for a gated MLP (SwiGLU), else 2.", "",
              (("3", "3, gated"), ("2", "2, plain")), "Default: 3, gated"),
    )),
    Group("experts", "Experts", "Only for mixture-of-experts models.", (
        Input("experts", "Routed experts", "Experts of one layer."),
        Input("experts_per_token", "Experts per token", "Required with routed experts."),
        Input("expert_hidden", "Expert size", "MLP width of one expert; required with routed experts."),
        Input("expert_layers", "Layers with experts", "All layers if left empty."),
        Input("shared_experts", "Shared experts", "Experts that every token uses."),
    ), optional=True),
    Group("latent", "Latent attention (MLA)", "Only for multi-head latent attention.", (
        Input("latent_kv_rank", "Latent rank of keys and values", "Required with MLA."),
        Input("latent_query_rank", "Latent rank of queries", "None if left empty."),
        Input("latent_nope_dim", "Latent head size without position", "Required with MLA."),
        Input("latent_rope_dim", "Latent head size with position", "Required with MLA."),
        Input("latent_value_dim", "Latent value size", "Required with MLA."),
    ), optional=True),
    Group("layers", "Window, sparse and recurrent layers", "Only for hybrid models.", (
        Input("window_layers", "Layers with sliding window", "Together with the window."),
        Input("window_tokens", "Window", "Tokens that a sliding window reaches back.", "tokens"),
        Input("attention_layers", "Layers with attention", "Layers less recurrent layers if left empty."),
        Input("linear_layers", "Recurrent layers", "Linear attention or Mamba; needs the next two fields."),
        Input("linear_layer_parameters", "Parameters of a recurrent layer", "Without its MLP."),
        Input("linear_state_elements", "State of a recurrent layer", "Elements kept per sequence."),
        Input("sparse_tokens", "Tokens read by sparse attention", "All tokens if left empty.", "tokens"),
        Input("index_elements", "Index key", "Elements per token and layer that sparse attention selects by."),
        Input("index_heads", "Index heads", "Heads of that index."),
    ), optional=True),
    Group("source", "Source", "Every value of the catalog has a source; for a model of your own these defaults will do.", (
        Input("source", SOURCE_LABELS["source"], "A paper, a model card, or your own design.", required=True),
        Input("value_kind", SOURCE_LABELS["value_kind"], "Source of the values.", "",
              tuple((word, MARKS[word]) for word in VALUE_KINDS), "Choose", required=True),
        Input("as_of", SOURCE_LABELS["as_of"], "2026, 2026-11 or 2026-11-22.", required=True),
        Input("url", SOURCE_LABELS["url"], "Optional."),
        Input("licence", SOURCE_LABELS["licence"], "Optional."),
    )),
)  # fmt: skip
LABELS = {one.name: one.label for group in GROUPS for one in group.inputs}
INPUTS = tuple(LABELS)
NEEDED_WITH = {
    "experts": ("experts_per_token", "expert_hidden"),
    "mla": ("latent_kv_rank", "latent_nope_dim", "latent_rope_dim", "latent_value_dim"),
    "linear_layers": ("linear_layer_parameters", "linear_state_elements"),
    "window_layers": ("window_tokens",),
}
"""Fields that become required by another."""

_COMPOUND = sorted((name for name in LABELS if "_" in name), key=len, reverse=True)
_SIMPLE = ("layers", "heads", "hidden", "experts", "vocabulary", "attention", "source", "url", "key")
_NAMES = re.compile(
    rf"(?<![\w.])(?:({'|'.join(_COMPOUND)})|({'|'.join(_SIMPLE)})(?= is\b| \d|: | and \w+_))(?!\w)"
)


class Size(NamedTuple):
    """One figure beside the form; `needs` are labels of what is missing where it is unknown."""

    id: str
    label: str
    shown: Shown | None
    needs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The scenario that asked for the model, and where its page is."""

    design: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelForm:
    """Everything that the page shows."""

    key: str  # of the own row that is changed; "" for a new one
    version: int
    typed: Mapping[str, str]
    faults: Mapping[str, str]  # by field; "" for those of no field
    sizes: tuple[Size, ...]
    derived: tuple[tuple[str, str, str], ...]  # label, value, rule
    attention: str  # lower case; "" where it is unknown
    start: Start
    begun_from: str = ""  # name of the model whose values were copied
    config: ModelConfig | None = None
    config_text: str = ""
    moved: bool = False
    choices: tuple[tuple[str, str], ...] = ()

    @property
    def groups(self) -> tuple[Group, ...]:
        """Groups in their order, without the key of a row that has one."""
        if not self.key:
            return GROUPS
        kept = tuple(one for one in GROUPS[0].inputs if one.name != "key")
        return (GROUPS[0]._replace(inputs=kept), *GROUPS[1:])

    def is_open(self, group: Group) -> bool:
        """Return whether a group is shown opened: it is always needed, filled in, or at fault."""
        needed = group.id == "latent" and self.attention == "mla"
        told = any(self.typed.get(one.name) or self.faults.get(one.name) for one in group.inputs)
        return not group.optional or needed or told

    def is_required(self, one: Input) -> bool:
        """Return whether a field must be filled in, given the others."""
        by = (
            with_name
            for with_name, names in NEEDED_WITH.items()
            if one.name in names
        )  # fmt: skip
        return one.required or any(
            self.attention == "mla" if name == "mla" else self.typed.get(name, "") not in ("", "0")
            for name in by
        )

    @property
    def summary(self) -> tuple[tuple[str, str, str], ...]:
        """(field, label, message) of every fault, in the order of the form."""
        order = [*INPUTS, ""]
        known = sorted(self.faults, key=lambda name: order.index(name) if name in order else len(order))
        return tuple((name, LABELS.get(name, ""), self.faults[name]) for name in known)


def starting_values(
    catalog: Catalog, today: datetime.date, begin_from: str = "", name: str = ""
) -> dict[str, str]:
    """Contents of a new form: the source of an own model, and the shape of a known one where it begins with
    that."""
    typed = {"source": OWN_SOURCE, "value_kind": "assumption", "as_of": today.isoformat(), "name": name[:200]}
    part = Known(catalog).part(KIND, begin_from) if begin_from else None
    if part is not None:
        typed |= shape_cells(part)
        typed |= {"source": f"{OWN_SOURCE}, after {part.name}", "name": name[:200] or f"{part.name} (own)"}
    return typed


def stored_values(catalog: Catalog, key: str) -> dict[str, str]:
    """Inputs of an own row, with its first source."""
    part = Known(catalog).part(KIND, key)
    if part is None:
        return {}
    return {name: text for name, text in {**own_cells(part), "name": part.name}.items() if name in LABELS}


def shape_cells(part: Part) -> dict[str, str]:
    """The fields of the form that a row of the catalog fills in, its name and source left out."""
    columns = own_columns(KIND)
    found = {column: text_of(part, field) for column, field in columns.text.items()}
    for column in columns.figures:
        if column.field in part.facts:
            found |= figure_cells(column, part.facts[column.field])
    skipped = {"name", "key", *SOURCE_COLUMNS}
    return {name: text for name, text in found.items() if name in LABELS and name not in skipped and text}


def typed_values(form: Mapping[str, str]) -> dict[str, str]:
    """The fields of the form as they were typed."""
    return {name: form.get(name, "").strip() for name in INPUTS}


def model_form(
    typed: Mapping[str, str], *, key: str = "", version: int = 0, start: Start | None = None,
    faults: Mapping[str, str] | None = None, begun_from: str = "", config: ModelConfig | None = None,
    config_text: str = "", moved: bool = False, choices: tuple[tuple[str, str], ...] = (),
) -> ModelForm:  # fmt: skip
    """The form with the size that its values amount to."""
    described = describe_model(_numbers(typed))
    return ModelForm(
        key=key,
        version=version,
        typed=typed,
        faults=faults or {},
        sizes=sizes(described),
        derived=tuple(
            (LABELS.get(one.field, one.field), f"{one.value:g}", in_labels(one.rule))
            for one in described.assumed
            if one.field in LABELS
        ),
        attention=described.attention.lower(),
        start=start or Start(),
        begun_from=begun_from,
        config=config,
        config_text=config_text,
        moved=moved,
        choices=choices,
    )


def sizes(described: ModelDescription) -> tuple[Size, ...]:
    """Parameters, cache and arithmetic of a token; each that is unknown names the fields it lacks."""
    counts = described.counts
    lacking = dict.fromkeys(LABELS.get(fault.field, fault.field) for fault in described.faults)
    needs = ", ".join(lacking)
    length = f"{counts.sequence_tokens:,} tokens"
    lines = (
        ("parameters", "Total parameters", counts.parameters, "1"),
        ("active", "Active parameters", counts.active_parameters, "1"),
        ("kv", "KV cache per token, 16 bit", counts.kv_cache_bytes_per_token, "B"),
        ("forward", f"Forward FLOP per token at {length}", counts.forward_flop_per_token, "FLOP"),
        ("training", f"Training FLOP per token at {length}", counts.training_flop_per_token, "FLOP"),
    )
    return tuple(
        Size(
            id,
            label,
            None if value is None else show(value, unit),
            "" if value is not None else needs or "Shape",
        )
        for id, label, value, unit in lines
    )


def key_for(catalog: Catalog, typed: Mapping[str, str]) -> str:
    """The key that was typed, or a free one made from the model's name.

    A name without Latin letters or digits becomes own_model.
    """
    if typed.get("key"):
        return typed["key"]
    plain = re.sub(r"[^a-z0-9]+", "_", typed.get("name", "").lower()).strip("_")[:LONGEST_KEY].strip("_")
    known, base = Known(catalog), plain or "own_model"
    found, number = base, 2
    while known.has(KIND, found):
        found, number = f"{base}_{number}", number + 1
    return found


def entries_and_faults(
    catalog: Catalog, key: str, typed: Mapping[str, str]
) -> tuple[list[Entry], dict[str, str]]:
    """The lines that a form comes to, and every fault of it by field, in the words of the form."""
    described = describe_model(_numbers(typed))
    filled = dict(typed)
    if not filled.get("attention"):
        filled["attention"] = described.attention
    found = key or key_for(catalog, typed)
    entries = entries_of_form(catalog, KIND, key, {**filled, "key": found})
    faults: dict[str, str] = {}
    told = [
        Fault(column=one.field, value="", rule=one.rule, message=one.message, hint=one.hint)
        for one in described.faults
    ]
    if not typed.get("name"):
        told.insert(
            0, Fault(column="name", value="", rule="missing", message="name is missing", hint="Fill it in.")
        )
    if not key and Known(catalog).has(KIND, found):
        told.append(Fault(column="key", value=found, rule="unique", message=f"Key {found} is taken by another model.",
                          hint="Choose another, or leave it empty."))  # fmt: skip
    told += _source_faults(typed)
    told += [fault for line in planned(entries, catalog, replace=True).refused for fault in line.faults]
    for fault in told:
        column = fault.column if fault.column in LABELS else ""
        if column not in faults:
            faults[column] = words_of(fault)
    if not typed.get("heads") and not typed.get("kv_heads"):
        faults.pop("kv_heads", None)  # follows from the query heads, which are told
    if faults.get("") and len(faults) > 1:
        del faults[""]  # follows from what is wrong with the fields
    return entries, faults


def faults_of(faults: Iterable[Fault]) -> dict[str, str]:
    """Faults by field, the first of each."""
    found: dict[str, str] = {}
    for fault in faults:
        found.setdefault(fault.column if fault.column in LABELS else "", words_of(fault))
    return found


def words_of(fault: Fault) -> str:
    """A fault in the labels of the form."""
    message, hint = in_labels(fault.message).rstrip("."), in_labels(fault.hint)
    if fault.rule == "missing" and fault.column in LABELS:
        _, _, reason = message.partition(": ")
        message = "A value is required" + (f": {reason}" if reason else "")
        hint = "" if hint == "Fill it in." else hint
    return f"{message}. {hint}".strip()


def in_labels(text: str) -> str:
    """A message with the labels of the form in place of the names of columns.

    >>> in_labels("heads 5 is not a multiple of kv_heads 2")
    'Query heads 5 is not a multiple of Key and value heads 2'
    """
    return _NAMES.sub(lambda match: LABELS[match[0]], text)


def _numbers(typed: Mapping[str, str]) -> dict[str, str]:
    skipped = {"name", "key", *SOURCE_COLUMNS}
    return {name: text for name, text in typed.items() if name in LABELS and name not in skipped and text}


def _source_faults(typed: Mapping[str, str]) -> Sequence[Fault]:
    """Every fault of the source: the check names one at a time."""
    valid = {"source": OWN_SOURCE, "url": "", "confidence": "", "as_of": "2026", "value_kind": "assumption"}
    given = {name: typed.get(name, "") for name in SOURCE_COLUMNS}
    found: list[Fault] = []
    for _ in valid:
        cited = {"citation" if name == "source" else name: text for name, text in given.items()}
        try:
            check_source(OwnSource(**cited), has_figures=True)
        except FaultError as error:
            found.append(dataclasses.replace(error.fault))
            given[error.fault.column] = valid[error.fault.column]
        else:
            break
    return found

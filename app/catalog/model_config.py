"""Hugging Face `config.json` -> fields of a model row, with what was read, assumed and left out.

Families differ in names and defaults; both are tables here. Whatever the text holds, the answer is a
`ModelConfig`: faults are listed in it, and no exception is raised.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MOST_BYTES = 1_000_000
MOST_LAYERS = 10_000
LARGEST = 1_000_000_000_000
NESTED = ("text_config", "llm_config", "language_config", "language_model_config", "thinker_config")

NAMES: dict[str, tuple[str, ...]] = {
    "layers": ("num_hidden_layers", "n_layer", "num_layers", "n_layers"),
    "hidden": ("hidden_size", "n_embd", "d_model", "dim"),
    "heads": ("num_attention_heads", "n_head", "num_heads", "n_heads"),
    "kv_heads": ("num_key_value_heads", "n_head_kv", "num_kv_heads", "multi_query_group_num"),
    "head_dim": ("head_dim", "attention_head_dim", "kv_channels"),
    "vocabulary": ("vocab_size", "padded_vocab_size"),
    "context_tokens": ("max_position_embeddings", "n_positions", "max_seq_len", "seq_length", "n_ctx"),
    "experts": ("n_routed_experts", "num_local_experts", "num_experts", "moe_num_experts"),
    "experts_per_token": ("num_experts_per_tok", "num_experts_per_token", "top_k_experts", "moe_top_k", "moe_topk", "moe_k", "experts_per_token"),
    "shared_experts": ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts"),
    "latent_query_rank": ("q_lora_rank",),
    "latent_kv_rank": ("kv_lora_rank",),
    "latent_nope_dim": ("qk_nope_head_dim",),
    "latent_rope_dim": ("qk_rope_head_dim",),
    "latent_value_dim": ("v_head_dim",),
    "sparse_tokens": ("index_topk",),
    "index_elements": ("index_head_dim",),
    "index_heads": ("index_n_heads",),
    "prediction_modules": ("num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers"),
}  # fmt: skip
"""Field -> keys that state it, the usual one first."""

FEED_FORWARD = ("intermediate_size", "ffn_hidden_size", "n_inner", "ffn_dim", "inner_dim")
TIED = frozenset(
    [
        "gpt2",
        "gpt_bigcode",
        "bloom",
        "falcon",
        "mpt",
        "opt",
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "gemma4",
        "gemma4_text",
        "gemma3n_text",
        "cohere",
        "cohere2",
        "mamba",
        "falcon_mamba",
        "lfm2",
        "lfm2_moe",
        "smollm3",
        "starcoder2",
        "granitemoehybrid",
    ]
)
UNTIED = frozenset(
    [
        "llama",
        "llama4",
        "llama4_text",
        "mistral",
        "mistral3",
        "ministral3",
        "mixtral",
        "qwen2",
        "qwen2_moe",
        "qwen3",
        "qwen3_moe",
        "qwen3_next",
        "qwen3_5",
        "qwen3_5_text",
        "qwen3_5_moe",
        "qwen3_5_moe_text",
        "deepseek_v2",
        "deepseek_v3",
        "deepseek_v32",
        "kimi_k2",
        "kimi_linear",
        "gpt_oss",
        "glm",
        "glm4",
        "glm4_moe",
        "glm4_moe_lite",
        "glm_moe_dsa",
        "chatglm",
        "phi",
        "phi3",
        "phimoe",
        "gpt_neox",
        "gptj",
        "mamba2",
        "jamba",
        "nemotron",
        "nemotron_h",
        "minimax",
        "minimax_text_01",
        "minimax_m1",
        "minimax_m2",
        "granite",
        "granitemoe",
        "bamba",
        "falcon_h1",
        "olmo",
        "olmo2",
        "olmo3",
        "olmoe",
        "dbrx",
        "stablelm",
        "exaone4",
        "ernie4_5",
        "ernie4_5_moe",
        "seed_oss",
        "hunyuan_v1_moe",
    ]
)
"""Whether embeddings are tied where the configuration does not say, by `model_type`."""

TWO_MATRICES = frozenset(
    [
        "gpt2",
        "gpt_bigcode",
        "gpt_neox",
        "gptj",
        "bloom",
        "falcon",
        "mpt",
        "opt",
        "phi",
        "nemotron",
        "nemotron_h",
        "starcoder2",
    ]
)
FOUR_TIMES = frozenset(["gpt2", "gpt_bigcode", "gptj", "gpt_neox", "bloom", "falcon", "mpt"])
HEAD_OF_256 = frozenset(["gemma", "gemma2", "gemma3", "gemma3_text"])
NORMED = ("qwen3", "gemma3", "gemma4", "olmo2", "olmo3")
RECURRENT = frozenset({"linear_attention", "mamba", "mamba2", "recurrent"})
STRUCTURE = re.compile(
    r"hidden|head|layer|expert|rank|window|kernel|ffn|mlp|moe|ssm|mamba|linear_|embd|_dim|vocab|lora|altup|laurel|conv"
)
HARMLESS = re.compile(
    r"act|drop|bias|norm_eps|epsilon|initializer|rope|loss|router_|scor|group|seq_aux|dtype|cache|_id$|token_id|output_|"
    r"normaliz|norm_topk|routed_scaling|topk_method|ep_size|pretraining|head_mask|proj_|summary|scale|chunk_size|rescale|"
    r"swiglu|logit|softcap|query_pre|layer_norm|layernorm|qk_norm|alibi|parallel_attn|time_step|rms_norm|max_window|"
    r"use_|residual|_bits|hidden_states|architect|n_head_kv|embd_pdrop|qk_head_dim|vision|audio"
)


@dataclass(kw_only=True)
class ModelConfig:
    """What a configuration says of a model.

    `values` are fields of a row; `read` says from which key each came, `assumed` by which rule those came that
    no key states, `unread` what the engine does not compute with, and `faults` what is wrong, by key.
    """

    name: str = ""
    family: str = ""
    values: dict[str, int | str] = field(default_factory=dict)
    read: dict[str, str] = field(default_factory=dict)
    assumed: dict[str, str] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def read_model_config(content: str | bytes | Mapping[str, Any]) -> ModelConfig:
    """Read the text, or the values, of a `config.json`."""
    found = ModelConfig()
    values = content if isinstance(content, Mapping) else _values(content, found)
    if found.faults:
        return found
    if not isinstance(values, Mapping):
        found.faults.append("A configuration is a JSON object with keys and values.")
        return found
    _Reading(values, found).run()
    return found


def _values(content: str | bytes, found: ModelConfig) -> Any:
    if len(content) > MOST_BYTES:
        found.faults.append(f"The configuration has more than {MOST_BYTES:,} bytes.")
        return None
    try:
        text = content.decode("utf-8-sig") if isinstance(content, bytes) else content
        return json.loads(text, object_pairs_hook=_once, parse_constant=_not_finite)
    except UnicodeDecodeError:
        found.faults.append("The configuration is not UTF-8 text.")
    except json.JSONDecodeError as error:
        found.faults.append(
            f"The text is not JSON: {error.msg} in line {error.lineno}, column {error.colno}."
        )
    except RecursionError:
        found.faults.append("The configuration is nested too deeply.")
    except ValueError as error:
        found.faults.append(f"The configuration cannot be read: {str(error)[:200]}.")
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"{key[:60]!r} is stated twice")
        found[key] = value
    return found


def _not_finite(word: str) -> Any:
    raise ValueError(f"{word} is not a number that JSON has")


class _Reading:
    """One configuration being read."""

    def __init__(self, values: Mapping[str, Any], found: ModelConfig) -> None:
        self.found = found
        self.used: set[str] = {"model_type", "architectures", *NESTED}
        nested = next((values[name] for name in NESTED if isinstance(values.get(name), Mapping)), None)
        if nested is not None and isinstance(nested.get("text_config"), Mapping):
            nested = nested["text_config"]
        outer = str(values.get("model_type") or "")[:60]
        self.config: dict[str, Any] = dict(values)
        if nested is not None:
            self.config |= dict(nested)
            found.unread.append("Parts beside the language model (vision, audio) are not counted.")
        for part in ("attn_config", "ffn_config"):
            if isinstance(values.get(part), Mapping):
                self.used.add(part)
                self.config |= {f"{part}.{name}": value for name, value in values[part].items()}
        self.family = str(self.config.get("model_type") or outer)[:60].lower().replace("-", "_")
        found.family = self.family
        name = self.config.get("_name_or_path") or values.get("_name_or_path")
        found.name = name.strip()[:200] if isinstance(name, str) and name.isprintable() else ""

    def run(self) -> None:
        """Fill in everything that can be read."""
        for target in ("layers", "hidden", "heads", "vocabulary", "context_tokens"):
            self.take(target, *NAMES[target])
        if not self.known("layers"):
            listed = self.config.get("layer_types") or self.config.get("layers_block_type")
            if isinstance(listed, list) and 0 < len(listed) <= MOST_LAYERS:
                self.put("layers", len(listed), "length of layer_types")
        layers = self.known("layers")
        if layers > MOST_LAYERS:
            self.found.faults.append(f"num_hidden_layers is {layers:,}, more than {MOST_LAYERS:,}.")
            return
        self.attention()
        self.mlp()
        self.experts()
        self.layer_kinds()
        self.recurrent()
        self.tied()
        self.take("prediction_modules", *NAMES["prediction_modules"])
        if any(self.family.startswith(name) for name in NORMED) or self.config.get("use_qk_norm") is True:
            self.put(
                "query_key_norm", 1, f"models of the family {self.family or 'stated'} norm queries and keys"
            )
        quantised = self.config.get("quantization_config")
        if isinstance(quantised, Mapping):
            method = str(quantised.get("quant_method", "stated"))[:40]
            self.found.unread.append(
                f"quantization_config ({method}): the number format is chosen in the scenario, not in the model."
            )
        self.used.add("quantization_config")
        self.leftover()
        self.required()

    def number(self, key: str, *, least: int = 0) -> int | None:
        """The whole number under a key; a fault where there is something else."""
        if key not in self.config or self.config[key] is None:
            return None
        self.used.add(key)
        value = self.config[key]
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.found.faults.append(f"{key} is {_short(value)}, not a number.")
        elif not math.isfinite(value) or value % 1:
            self.found.faults.append(f"{key} is {_short(value)}, not a whole number.")
        elif not least <= value <= LARGEST:
            self.found.faults.append(f"{key} is {_short(value)}; it must be {least} to {LARGEST:,}.")
        else:
            return int(value)
        return None

    def first(self, *keys: str) -> int | None:
        """The number under the first of several keys that is there."""
        for key in keys:
            if self.config.get(key) is not None:
                return self.number(key)
        return None

    def take(self, target: str, *keys: str) -> int | None:
        """Read a field from the first key that is there."""
        for key in keys:
            if self.config.get(key) is not None:
                value = self.number(key)
                if value is not None:
                    self.found.values[target] = value
                    self.found.read[target] = key
                return value
        return None

    def put(self, target: str, value: int | str, rule: str) -> None:
        """State a field that no key states by itself."""
        if target not in self.found.values:
            self.found.values[target] = value
            self.found.assumed[target] = rule

    def known(self, target: str) -> int:
        value = self.found.values.get(target, 0)
        return value if isinstance(value, int) else 0

    def sequence(self, *keys: str) -> list[Any] | None:
        """The list under the first of several keys that holds one, of sensible length."""
        for key in keys:
            value = self.config.get(key)
            if isinstance(value, list) and len(value) <= MOST_LAYERS:
                self.used.add(key)
                return value
        return None

    def attention(self) -> None:
        heads, hidden = self.known("heads"), self.known("hidden")
        self.used |= {"multi_query", "new_decoder_architecture"}
        if self.family == "falcon" and not self.config.get("new_decoder_architecture"):
            if self.config.get("multi_query", True):
                self.put("kv_heads", 1, "multi_query of Falcon")
        else:
            self.take("kv_heads", *NAMES["kv_heads"], "attn_config.kv_n_heads")
        if self.config.get("multi_query") is True and self.family == "gpt_bigcode":
            self.put("kv_heads", 1, "multi_query")
        if self.config.get("kv_lora_rank") is not None:
            for target in (
                "latent_query_rank",
                "latent_kv_rank",
                "latent_nope_dim",
                "latent_rope_dim",
                "latent_value_dim",
            ):
                self.take(target, *NAMES[target])
            for target in ("sparse_tokens", "index_elements", "index_heads"):
                self.take(target, *NAMES[target])
            self.used |= {*NAMES["head_dim"]}
            self.found.values.pop("kv_heads", None)
            self.found.read.pop("kv_heads", None)
            self.put("kv_heads", 1, "latent attention keeps one latent for all heads")
            self.put("attention", "MLA", "kv_lora_rank is stated")
            return
        self.take("head_dim", *NAMES["head_dim"])
        if self.family in HEAD_OF_256:
            self.put("head_dim", 256, "default of Gemma")
        elif self.family in ("qwen3", "qwen3_moe"):
            self.put("head_dim", 128, "default of Qwen3")
        elif heads and hidden and hidden % heads == 0:
            self.put("head_dim", hidden // heads, "hidden size / heads")
        if heads:
            self.put("kv_heads", heads, "as many as query heads where nothing else is stated")
        kv_heads = self.known("kv_heads")
        kind = "MHA" if kv_heads == heads else "MQA" if kv_heads == 1 else "GQA"
        self.put("attention", kind, "heads and key and value heads")

    def mlp(self) -> None:
        hidden = self.known("hidden")
        if self.family in ("llama4", "llama4_text"):
            self.take("feed_forward_hidden", "intermediate_size_mlp")
        elif self.family.startswith("mamba") or self.family == "falcon_mamba":
            self.put("feed_forward_hidden", 0, "Mamba layers have no MLP")
        else:
            self.take("feed_forward_hidden", *FEED_FORWARD)
        if hidden and self.family in FOUR_TIMES:
            self.put(
                "feed_forward_hidden", 4 * hidden, f"four times the hidden size, default of {self.family}"
            )
        matrices = 2 if self.family in TWO_MATRICES else 3
        self.put("mlp_matrices", matrices, "gated MLP" if matrices == 3 else f"plain MLP of {self.family}")

    def experts(self) -> None:
        self.take("experts", *NAMES["experts"], "ffn_config.moe_num_experts")
        if not self.known("experts"):
            self.found.values.pop("experts", None)
            return
        self.take("experts_per_token", *NAMES["experts_per_token"], "ffn_config.moe_top_k")
        self.take(
            "expert_hidden", "moe_intermediate_size", "expert_ffn_hidden_size", "ffn_config.ffn_hidden_size"
        )
        if "expert_hidden" not in self.found.values:
            self.take("expert_hidden", *FEED_FORWARD)
        inner = self.known("expert_hidden")
        if inner == 0:
            self.found.values.pop("expert_hidden", None)
        self.take("shared_experts", *NAMES["shared_experts"])
        shared = self.first(
            "shared_expert_intermediate_size",
            "moe_shared_expert_intermediate_size",
            "shared_intermediate_size",
        )
        if shared is not None and inner:
            self.found.values["shared_experts"] = round(shared / inner)
            self.found.read["shared_experts"] = "size of the shared expert"
            if shared % inner:
                self.found.unread.append(
                    "The shared expert is no whole multiple of an expert; the nearest is taken."
                )
        if self.family in ("llama4", "llama4_text"):
            self.put("shared_experts", 1, "Llama 4 has one shared expert")
        self.expert_layers(self.known("layers"))

    def expert_layers(self, layers: int) -> None:
        """Layers with experts, by whichever of the ways to say it is used."""
        every = range(layers)
        kinds = self.sequence("mlp_layer_types")
        listed = self.sequence("moe_layers", "moe_layer_freq")
        if kinds is not None:
            return self.put("expert_layers", sum(kind == "sparse" for kind in kinds), "mlp_layer_types")
        if listed is not None and "moe_layers" in self.used:
            return self.put("expert_layers", len(set(map(str, listed))), "moe_layers")
        if listed is not None:
            return self.put("expert_layers", sum(one in (1, True) for one in listed), "moe_layer_freq")
        if self.config.get("hybrid_override_pattern") is not None:
            return None
        dense = self.first("first_k_dense_replace") or 0
        step = self.first(
            "moe_layer_freq", "decoder_sparse_step", "interleave_moe_layer_step", "expert_layer_period"
        )
        step, offset = step or 1, self.first("expert_layer_offset")
        only_dense = self.sequence("mlp_only_layers") or []
        start = dense if "moe_layer_freq" in self.config else 0
        if offset is not None:
            sparse = [place for place in every if place % step == offset % step]
        elif start or "moe_layer_freq" in self.config:
            sparse = [place for place in every if place >= dense and place % step == 0]
        else:
            sparse = [
                place
                for place in every
                if place >= dense and (place + 1) % step == 0 and place not in only_dense
            ]
        self.put("expert_layers", len(sparse), "layers less those with a dense MLP")
        return None

    def layer_kinds(self) -> None:
        """Layers with windows and recurrent layers."""
        layers = self.known("layers")
        kinds = self.sequence("layer_types", "layers_block_type")
        pattern = self.config.get("hybrid_override_pattern")
        if isinstance(pattern, str) and len(pattern) <= MOST_LAYERS:
            return self.pattern(pattern)
        window = self.first("sliding_window", "sliding_window_size", "attention_chunk_size")
        context = self.known("context_tokens")
        if kinds is not None:
            words = [str(kind) for kind in kinds]
            recurrent = sum(word in RECURRENT for word in words)
            slides = sum(word in ("sliding_attention", "chunked_attention") for word in words)
            convolutions = sum(word == "conv" for word in words)
            if convolutions:
                self.found.unread.append(f"{convolutions} convolution layers are not computed with.")
            if recurrent:
                self.put("linear_layers", recurrent, "layer_types")
                self.put("attention_layers", len(words) - recurrent - convolutions, "layer_types")
        else:
            recurrent = self.recurrent_layers(layers)
            if recurrent:
                self.put("linear_layers", recurrent, "the stated interval of attention layers")
                self.put("attention_layers", max(layers - recurrent, 0), "layers less recurrent layers")
            slides = self.sliding_layers(layers, window)
        if slides and window and (not context or window < context):
            self.put("window_layers", slides, "layers that reach back over a window")
            self.put("window_tokens", window, "the stated window")
        return None

    def sliding_layers(self, layers: int, window: int | None) -> int:
        if not window:
            return 0
        pattern = self.first("sliding_window_pattern", "_sliding_window_pattern")
        if self.config.get("use_sliding_window") is False or self.family.startswith(("qwen2", "qwen3")):
            kept = self.first("max_window_layers") or 0
            return max(layers - kept, 0) if self.config.get("use_sliding_window") is True else 0
        if pattern is None and self.family in ("gemma3", "gemma3_text"):
            pattern = 6
        if pattern is None and self.family in ("gemma2", "gpt_oss"):
            pattern = 2
        if pattern is None and self.family in ("cohere2", "llama4", "llama4_text"):
            pattern = 4
        return layers - layers // pattern if pattern else layers

    def recurrent_layers(self, layers: int) -> int:
        """Recurrent layers where no list says which are."""
        if self.family in ("mamba", "mamba2", "falcon_mamba"):
            return layers
        kinds = self.sequence("attn_type_list")
        if kinds is not None:
            return sum(kind == 0 for kind in kinds)
        kimi = self.config.get("linear_attn_config")
        if isinstance(kimi, Mapping) and isinstance(kimi.get("kda_layers"), list):
            return len(kimi["kda_layers"])
        places = self.sequence("attn_layer_indices")
        if places is not None:
            return max(layers - len(places), 0)
        interval = self.first("full_attention_interval", "attn_layer_period")
        self.first("attn_layer_offset")
        return layers - layers // interval if interval else 0

    def pattern(self, pattern: str) -> None:
        """Nemotron-H: a letter a layer, each of which holds one block alone."""
        self.used.add("hybrid_override_pattern")
        recurrent, attention, plain, sparse = (pattern.count(letter) for letter in "M*-E")
        self.found.values["layers"] = len(pattern)
        self.put("linear_layers", recurrent, "hybrid_override_pattern")
        self.put("attention_layers", attention, "hybrid_override_pattern")
        if sparse:
            self.put("expert_layers", sparse, "hybrid_override_pattern")
        inner, others = self.known("feed_forward_hidden"), len(pattern) - sparse
        mean = round(inner * plain / others) if others else 0
        self.found.values["feed_forward_hidden"] = mean
        self.found.assumed["feed_forward_hidden"] = (
            f"mean over layers: {plain} of {others} have an MLP of {inner:,}"
        )

    def recurrent(self) -> None:
        """Parameters and state of one recurrent layer."""
        if not self.known("linear_layers"):
            self.found.values.pop("linear_layers", None)
            return
        hidden = self.known("hidden")
        found = (
            self.gated_delta(hidden) or self.mamba2(hidden) or self.mamba1(hidden) or self.kimi_delta(hidden)
            or self.lightning(hidden)
        )  # fmt: skip
        if found is None:
            self.found.unread.append("Sizes of the recurrent layers cannot be read; state them by hand.")
            return
        parameters, state, rule = found
        self.put("linear_layer_parameters", parameters, rule)
        self.put("linear_state_elements", state, rule)

    def gated_delta(self, hidden: int) -> tuple[int, int, str] | None:
        keys = [
            f"linear_{name}"
            for name in ("num_key_heads", "num_value_heads", "key_head_dim", "value_head_dim")
        ]
        sizes = [self.number(key) for key in keys]
        kernel = self.first("linear_conv_kernel_dim") or 4
        if not all(sizes):
            return None
        key_heads, value_heads, key_dim, value_dim = (size or 0 for size in sizes)
        keyed, valued = key_heads * key_dim, value_heads * value_dim
        mixed = 2 * keyed + valued
        parameters = (
            hidden * (mixed + 2 * valued + 2 * value_heads) + mixed * kernel + 2 * value_heads + value_dim
        )
        rule = "gated delta rule: projections, convolution, gates and output"
        attention, recurrent = self.known("attention_layers"), self.known("linear_layers")
        if self.config.get("attn_output_gate", self.family.startswith(("qwen3_next", "qwen3_5"))):
            gate = hidden * self.known("heads") * self.known("head_dim")
            parameters += round(gate * attention / recurrent)
            rule += "; the output gate of attention layers is counted here too"
        self.used.add("attn_output_gate")
        return parameters, value_heads * key_dim * value_dim + mixed * (kernel - 1), rule

    def mamba2(self, hidden: int) -> tuple[int, int, str] | None:
        own = self.family == "mamba2"
        heads = self.first("mamba_num_heads", "mamba_n_heads", *(["num_heads"] if own else []))
        width = self.first("mamba_head_dim", *(["head_dim"] if own else []))
        if width is None and self.config.get("mamba_d_head") not in (None, "auto"):
            width = self.first("mamba_d_head")
        state = self.first("ssm_state_size", "mamba_d_state", "state_size")
        groups = self.first("mamba_n_groups", "n_groups") or 1
        kernel = self.first("conv_kernel", "mamba_d_conv") or 4
        expand = self.first("mamba_expand", "expand") or 2
        if heads and not width:
            width = expand * hidden // heads
        if not heads or not width or not state:
            return None
        inner = heads * width
        mixed = inner + 2 * groups * state
        parameters = (
            hidden * (inner + mixed + heads) + mixed * (kernel + 1) + 3 * heads + inner + inner * hidden
        )
        return (
            parameters,
            inner * state + mixed * (kernel - 1),
            "Mamba-2: projections, convolution, gates and output",
        )

    def mamba1(self, hidden: int) -> tuple[int, int, str] | None:
        state = self.first("mamba_d_state", "state_size")
        if not state:
            return None
        kernel = self.first("mamba_d_conv", "conv_kernel") or 4
        expand = self.first("mamba_expand", "expand") or 2
        inner = expand * hidden
        rank = None
        for key in ("mamba_dt_rank", "time_step_rank"):
            if isinstance(self.config.get(key), int):
                rank = self.number(key)
            self.used.add(key)
        rank = rank or math.ceil(hidden / 16)
        parameters = (
            2 * hidden * inner + inner * (kernel + 1) + inner * (rank + 2 * state)
            + rank * inner + inner + inner * state + inner + inner * hidden
        )  # fmt: skip
        return (
            parameters,
            inner * (state + kernel - 1),
            "Mamba: projections, convolution, selection and output",
        )

    def kimi_delta(self, hidden: int) -> tuple[int, int, str] | None:
        config = self.config.get("linear_attn_config")
        self.used.add("linear_attn_config")
        if not isinstance(config, Mapping):
            return None
        sizes = [config.get(name) for name in ("num_heads", "head_dim")]
        if not all(isinstance(size, int) and not isinstance(size, bool) and 0 < size < 1e6 for size in sizes):
            return None
        heads, width = (int(size) for size in sizes if isinstance(size, int))
        inner = heads * width
        parameters = (
            4 * hidden * inner + 2 * (hidden * width + width * inner) + hidden * heads + 3 * inner * 4
        )
        return (
            parameters,
            heads * width * width + 9 * inner,
            "Kimi delta attention: projections, gates and output",
        )

    def lightning(self, hidden: int) -> tuple[int, int, str] | None:
        inner = self.known("heads") * self.known("head_dim")
        if not self.family.startswith("minimax") or not inner:
            return None
        state = inner * self.known("head_dim")
        return 5 * hidden * inner, state, "lightning attention: query, key, value, gate and output"

    def tied(self) -> None:
        stated = self.config.get("tie_word_embeddings")
        stated = self.config.get("tie_embeddings") if stated is None else stated
        self.used |= {"tie_word_embeddings", "tie_embeddings"}
        if isinstance(stated, bool):
            self.found.values["tied_embedding"] = int(stated)
            self.found.read["tied_embedding"] = "tie_word_embeddings"
        elif stated is not None:
            self.found.faults.append(f"tie_word_embeddings is {_short(stated)}, neither true nor false.")
        elif self.family in TIED:
            self.put("tied_embedding", 1, f"default of {self.family}")
        elif self.family in UNTIED:
            self.put("tied_embedding", 0, f"default of {self.family}")
        else:
            self.put("tied_embedding", 0, "not stated, and the family is unknown: taken as separate")

    def leftover(self) -> None:
        """Keys about the shape that nothing was read from."""
        if self.family not in TIED | UNTIED:
            family = f"The family {self.family}" if self.family else "A configuration without model_type"
            self.found.unread.append(f"{family} is unknown here: only the common names were read.")
        if self.config.get("block_configs") is not None:
            self.found.unread.append("block_configs: layers that differ one by one are not computed with.")
        if self.family.startswith("gemma3n") or self.config.get("altup_num_inputs") is not None:
            self.found.unread.append("Per-layer embeddings of Gemma 3n are not counted.")
        common = {key for keys in NAMES.values() for key in keys} | {*FEED_FORWARD}
        left = [
            key
            for key, value in self.config.items()
            if key not in self.used | common
            and STRUCTURE.search(key)
            and not HARMLESS.search(key)
            and isinstance(value, int | list)
            and not isinstance(value, bool)
            and value not in (0, [])
        ]
        self.found.unread += [f"{key[:60]} is not read." for key in sorted(left)[:40]]

    def required(self) -> None:
        for target in ("layers", "hidden", "heads", "vocabulary"):
            if (
                target == "heads"
                and self.known("layers")
                and self.known("layers") == self.known("linear_layers")
            ):
                self.found.values["heads"] = self.known("heads") or 1
                self.put("kv_heads", 1, "no layer has attention")
                self.put("head_dim", 1, "no layer has attention")
                self.found.values["attention"] = "MHA"
                self.found.values["kv_heads"] = self.found.values["heads"]
            elif not self.known(target) and not any(
                key in fault for key in NAMES[target] for fault in self.found.faults
            ):
                names: Sequence[str] = NAMES[target]
                self.found.faults.append(f"{names[0]} is missing (also read: {', '.join(names[1:])}).")


def _short(value: Any) -> str:
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > LARGEST:
        return "very large" if value > 0 else "far below 0"
    text = value if isinstance(value, str) else str(value)
    return "".join(letter if letter.isprintable() else "?" for letter in text[:40])

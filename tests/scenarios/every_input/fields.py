"""All fields of a scenario, as its document declares them, and other values that each may take."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from app.scenarios.declared_fields import _kinds, _literals, _models, bounds_of
from app.scenarios.document.scenario import ScenarioDocument

NUMBERS = (2, 1, 3, 4, 8, 0.5, 0.1, 0.9, 16, 64, 1000, 1e5, 1e7, 1e9, 1e11, 1e13, 1e15, 0.02, 1e-6, 24)
WORDS = {
    "switch": ("sn5600", "qm8700"), "spine_switch": ("th5", "qm9700"), "core_switch": ("th5", "qm9700"),
    "nic": ("cx6_hdr", "bf3_b3220"), "system": ("dgx_h200", "dgx_b200"),
    "accelerator": ("nvidia_h200_sxm", "nvidia_b200_sxm"), "fabric": ("nvlink4_8", "nvlink5_72"),
    "model": ("llama_3_1_8b", "llama_3_1_70b", "mixtral_8x7b"), "climate": ("stockholm", "singapore"),
    "draft_model": ("llama_3_1_8b",), "version": ("0.5.0", "0.4.0"), "as_of": ("2025-01-01",), "shape": ([8, 16],),
    "market": ("fr",), "code": ("JPY",), "hourly_weights": ([1.0] * 23 + [9.0],), "grid_points": ([512, 512, 512],),
    "face_bytes": ([1e6, 1e6, 1e6],), "jurisdiction": ("no", "us_ca"), "first_order": ("2027-01-01",),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Leaf:
    """A field without parts: its path with [] for lists, and the kind of part that each step is."""

    path: str
    info: FieldInfo
    within: tuple[type[BaseModel], ...]

    @property
    def name(self) -> str:
        return self.path.rsplit(".", 1)[-1]

    def others(self, value: Any) -> Iterator[Any]:
        """Values other than the one there, likely ones first."""
        kinds, found = {*_kinds(self.info.annotation)}, []
        low, high = bounds_of(self.info)
        if bool in kinds:
            found += [True, False]
        if int in kinds or float in kinds:
            if isinstance(value, int | float) and not isinstance(value, bool) and value:
                found += [value * factor for factor in (1.3, 2, 0.5, 4, 0.25, 1.01)] + [value + 1, value - 1]
            found += list(NUMBERS)
            if low is not None and high is not None:
                found += [low + (high - low) * share for share in (0.3, 0.6)]
        found += _literals(self.info.annotation)
        if str in kinds:
            found += WORDS.get(self.name, ("Another",))
        whole = float not in kinds and int in kinds
        for one in [round(one) if whole and isinstance(one, float) else one for one in found]:
            is_number = isinstance(one, int | float) and not isinstance(one, bool)
            if is_number and ((low is not None and one < low) or (high is not None and one > high)):
                continue
            if one != value:
                yield one
        yield from WORDS.get(self.name, ()) if self.name in WORDS else ()


def leaves(
    model: type[BaseModel] = ScenarioDocument, path: str = "", within: tuple[type[BaseModel], ...] = ()
) -> Iterator[Leaf]:
    """Every leaf of the document; of an alternative, the leaves of each of its kinds."""
    for name, info in model.model_fields.items():
        at = f"{path}.{name}" if path else name
        parts = [one for one in dict.fromkeys(_models(info.annotation)) if one not in within]
        for part in parts:
            yield from leaves(part, at, (*within, part))
        if not parts or _is_also_plain(info):
            yield Leaf(at, info, (*within, model))


def _is_also_plain(info: FieldInfo) -> bool:
    """A field that takes a word or a number in place of a part."""
    return bool({str, int, float} & {*_kinds(info.annotation)}) and not re.search(
        r"(dict|tuple)\[", str(info.annotation)
    )

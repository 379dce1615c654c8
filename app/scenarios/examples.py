"""The worked examples that ship with Podwright: `seed_data/examples/*.yaml`."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.catalog.gallery import reference_designs
from app.paths import seed_data
from app.scenarios.document.scenario import ScenarioDocument
from app.scenarios.load import read_scenario

# The order in which people meet them: published runs first, then what they may want next.
ORDER = (
    "llama_3_1_405b_on_2048_dgx_h100",
    "gpt_3_175b_on_128_dgx_a100",
    "deepseek_v3_on_256_hgx_h800",
    "dense_128b_on_tpu_v5p",
    "llama_3_1_405b_on_gb200_nvl72",
    "llama_3_1_70b_on_trn2_ultraserver",
    "deepseek_r1_on_gb200_nvl72",
    "deepseek_r1_on_cloudmatrix384",
    "deepseek_r1_on_8_h200",
    "training_and_serving_on_8_dgx_h200",
    "fft_3d_on_512_dgx_a100",
    "seismic_stencil_on_8_gb200_nvl72",
    "edge_node",
)


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: its key in addresses, and its file."""

    key: str
    path: Path

    def read(self) -> ScenarioDocument:
        """The scenario itself, read once a process."""
        return _read(self.path)


_read = functools.cache(read_scenario)


@functools.cache
def list_examples() -> tuple[Example, ...]:
    """All examples in reading order; ones that `ORDER` does not name come last."""
    found = {path.stem: path for path in sorted((seed_data() / "examples").glob("*.yaml"))}
    keys = [key for key in ORDER if key in found] + [key for key in found if key not in ORDER]
    return tuple(Example(key, found[key]) for key in keys)


def example(key: str) -> Example:
    """One example, or a reference design of the gallery.

    Raises
    ------
    KeyError : there is no example of that name
    """
    found = {example.key: example for example in list_examples()}
    return found[key] if key in found else Example(key, reference_designs()[key].path)


NOT_OF_A_RUN = frozenset(("name", "description", "illustrative", "published", "estimates", "uncertainty"))
"""Parts of a scenario that published figures do not depend on."""


def published_of_another(document: ScenarioDocument) -> bool:
    """Return whether a scenario carries the published figures of a worked example, and has other inputs than
    that."""
    same = [one for one in _published() if document.published and one.published == document.published]
    return bool(same) and all(_inputs(one) != _inputs(document) for one in same)


def _inputs(document: ScenarioDocument) -> dict[str, Any]:
    values: dict[str, Any] = document.model_dump(mode="json", exclude_unset=True, exclude=set(NOT_OF_A_RUN))
    return values


@functools.cache
def _published() -> tuple[ScenarioDocument, ...]:
    found = (one.read() for one in list_examples())
    return tuple(document for document in found if document.published)

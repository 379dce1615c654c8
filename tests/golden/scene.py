"""What recorders work with: an application, its surfaces, and which entries are wanted."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.golden.surfaces import Surfaces, designs

FEW = (
    "edge_node",
    "deepseek_r1_on_8_h200",
    "training_and_serving_on_8_dgx_h200",
    "fft_3d_on_512_dgx_a100",
)
"""One design of each kind of workload, for what takes long."""
ON_EXAMPLES = (
    r"economics/(cost_against_time|\{key\}/time)|figures/domain_sizes|/domain-studies|/explore/domains|rest POST .*supernode-sizes",
    r"^page (POST /studio/explain|/designs/\{key\}/explain)",
    r"^cli (explain|search|economics (uncertainty|difference)|facility (cooling|savings|sites))",
)
"""Not recorded of the gallery."""
ON_FEW = (
    r"^cli .* --",
    r"^cli (economics (time|difference)|serving cost|fabric (cables|supernode-sizes))|^page .*/explore/supernode-sizes",
    r"/exports/\w+\?what=(scenario|evaluation)(?<!json\?what=evaluation)",
    r"uncertainty text/csv|samples\.csv|hours/file|uncertainty/(sobol|report)|hours format=",
    r"/fabric/cables(/diff)? (format=|\w+/)|/cables/file",
    r"/economics/(\{key\}/)?difference|/export/",
)
"""What takes seconds and gives again what is recorded of all designs: another form, another surface."""


HEADLINES = ("performance.mfu", "serving.cost_per_million_output_tokens_usd", "cost.total_usd")


@dataclass(frozen=True, slots=True)
class Entry:
    """One text of the record."""

    surface: str
    view: str
    design: str
    text: str = field(repr=False)
    answered: bool = field(default=True, compare=False)
    """Whether it is an answer rather than a refusal."""
    seconds: float = field(default=0.0, compare=False)

    @property
    def key(self) -> tuple[str, str, str]:
        return self.surface, self.view, self.design


@dataclass
class Scene:
    """An application in this process, and a folder for files of commands.

    `wanted` is a pattern of `surface view design`; what cannot match it is not computed.
    """

    client: Any
    surfaces: Surfaces
    folder: Path
    wanted: str = ""
    designs: dict[str, bool] = field(default_factory=designs)

    def wants(self, surface: str, view: str, design: str) -> bool:
        """Whether an entry is to be computed: it matches the pattern, and is not left to other designs."""
        matches = bool(re.search(self.wanted, f"{surface} {view} {design}".strip()))
        return matches and not self.is_left_out(surface, view, design)

    def is_left_out(self, surface: str, view: str, design: str) -> bool:
        """Whether a view is recorded of other designs than this one."""
        name = f"{surface} {view}"
        if design in self.designs and design not in FEW and _matches(ON_FEW, name):
            return True
        return self.designs.get(design, False) and _matches(ON_EXAMPLES, name)

    def may_want(self, design: str, *surfaces: str) -> bool:
        """Whether the pattern may match entries of these surfaces whose views are known only once they are made."""
        return any(
            name in self.wanted or bool(re.search(self.wanted, f"{name} {design}".strip()))
            for name in surfaces
        )

    @functools.cache  # noqa: B019 - a scene lasts as long as its process
    def document(self, design: str) -> dict[str, Any]:
        """The scenario of a design, as its file states it."""
        from app.scenarios.examples import example

        found: dict[str, Any] = example(design).read().as_dict()
        return found

    @functools.cache  # noqa: B019
    def headline(self, design: str) -> str:
        """The figure that is explained where one is."""
        answer = self.client.post("/api/v1/evaluations", json=self.document(design)).json()
        for path in HEADLINES:
            section, _, name = path.partition(".")
            if name in (answer.get(section) or {}):
                return path
        section = next(name for name, value in answer.items() if isinstance(value, dict) and value)
        return f"{section}.{next(iter(answer[section]))}"

    def example(self, path: str) -> Any:
        """The first example body that the API's documentation has of an operation."""
        return self.surfaces.example_body(self.surfaces.operations["POST", path])

    __hash__ = object.__hash__


def _matches(patterns: tuple[str, ...], text: str) -> bool:
    return any(re.search(pattern, text) for pattern in patterns)

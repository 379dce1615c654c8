"""Plain values -> YAML 1.2 text that `yaml_text` reads back the same."""

from __future__ import annotations

import io
from typing import Any

from ruamel.yaml import YAML


def write_yaml(values: dict[str, Any]) -> str:
    """A document as text, in the order of its fields."""
    yaml = YAML(typ="safe", pure=True)
    yaml.default_flow_style = False
    yaml.sort_base_mapping_type_on_output = False  # type: ignore[assignment]
    yaml.width = 100
    stream = io.StringIO()
    yaml.dump(values, stream)
    return stream.getvalue()

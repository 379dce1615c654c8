"""The compose file keeps to the Compose specification, and the image is made of what is there."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from pathlib import Path

import jsonschema_rs
import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = json.loads((ROOT / "tests/vendor/compose-spec/compose-spec.json").read_text(encoding="utf-8"))


@pytest.fixture
def compose():
    return YAML(typ="safe", pure=True).load(ROOT / "docker-compose.yml")


def test_compose_file_keeps_to_the_specification(compose):
    assert list(jsonschema_rs.validator_for(SCHEMA).iter_errors(compose)) == []


def test_the_check_would_find_a_mistake(compose):
    wrong = copy.deepcopy(compose)
    wrong["services"]["podwright"]["ports"] = "8000"
    assert not jsonschema_rs.validator_for(SCHEMA).is_valid(wrong)


def test_database_lies_on_a_named_volume_and_the_port_on_loopback(compose):
    service = compose["services"]["podwright"]
    volume, folder = service["volumes"][0].split(":")
    assert volume in compose["volumes"]
    assert f"PODWRIGHT_DATA_DIR={folder}" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])


def test_image_copies_what_the_wheel_is_made_of():
    steps = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = set(re.findall(r"^COPY (.+?) \S+$", steps, flags=re.MULTILINE))
    names = {name for line in copied for name in line.split()}
    assert all((ROOT / name).exists() for name in names)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert names >= set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"])

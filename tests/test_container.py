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

from app.settings import Settings
from scripts.bill_of_software import locked

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


def test_it_serves_others_only_with_a_secret_and_has_time_to_end(compose):
    """The container listens on all its addresses: without a secret compose itself says what to do."""
    service = compose["services"]["podwright"]
    assert "PODWRIGHT_HOST=0.0.0.0" in (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert service["environment"]["PODWRIGHT_SECRET"].startswith("${PODWRIGHT_SECRET:?")
    assert int(service["stop_grace_period"].removesuffix("s")) > Settings().shutdown_seconds
    assert "/healthz" in service["healthcheck"]["test"][-1]
    assert set(service["environment"]) <= {f"PODWRIGHT_{name.upper()}" for name in Settings.model_fields}


def test_it_runs_with_as_few_rights_as_it_needs(compose):
    service = compose["services"]["podwright"]
    assert service["read_only"]
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert re.search(r"^USER (?!root)", (ROOT / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE)


def test_image_copies_what_the_wheel_is_made_of():
    steps = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    copied = set(re.findall(r"^COPY ((?!--from).+?) \S+$", steps, flags=re.MULTILINE))
    names = {name for line in copied for name in line.split()}
    assert all((ROOT / name).exists() for name in names)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert names >= set(project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"])


def test_the_cluster_is_of_the_same_image_and_publishes_nothing(compose):
    """Who reaches a scheduler can run code on its workers."""
    cluster = {
        name: service
        for name, service in compose["services"].items()
        if service.get("profiles") == ["cluster"]
    }
    assert set(cluster) == {"scheduler", "worker"}
    for service in cluster.values():
        assert service["image"] == compose["services"]["podwright"]["image"]
        assert "ports" not in service
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
    assert "tcp://scheduler:8786" in cluster["worker"]["command"]
    assert "distributed" in locked("image")


def test_postgresql_has_a_volume_and_no_password_of_its_own(compose):
    """Without its profile, Podwright starts without it."""
    service = compose["services"]["postgres"]
    assert service["profiles"] == ["postgres"]
    assert service["volumes"] == ["postgres:/var/lib/postgresql/data"]
    assert "postgres" in compose["volumes"]
    assert service["environment"]["POSTGRES_PASSWORD"] == "${POSTGRES_PASSWORD:-}"
    assert service["healthcheck"]["test"][1] == "pg_isready"
    assert "ports" not in service
    waits = compose["services"]["podwright"]["depends_on"]["postgres"]
    assert waits == {"condition": "service_healthy", "required": False}

"""The house stays in order: a wrong arrow between rooms is found, and the engine is pure.

`make check`, with which `make test` begins, looks at the arrows themselves.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.purity import impurities

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "app" / "engine"
ENGINE_FILES = sorted(ENGINE.rglob("*.py"))


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def skeleton(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty package for every room that the contracts name, existing or planned; to be copied."""
    folder = tmp_path_factory.mktemp("house") / "skeleton"
    folder.mkdir()
    configuration = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(configuration, encoding="utf-8")
    for contract in tomllib.loads(configuration)["tool"]["importlinter"]["contracts"]:
        for container in contract.get("containers", []):
            for room in re.findall(r"\w+", " ".join(contract["layers"])):
                package = folder.joinpath(*container.split("."), room)
                package.mkdir(parents=True, exist_ok=True)
                (package / "__init__.py").touch()
                (package.parent / "__init__.py").touch()
    assert lint_imports(folder).returncode == 0
    return folder


ARROWS = {
    "engine reads catalog": ("app.engine.arrow", "app.catalog"),
    "engine reads settings": ("app.engine.arrow", "app.settings"),
    "early room reads a late one": ("app.engine.fabric.arrow", "app.engine.economics"),
    "catalog reads scenarios": ("app.catalog.arrow", "app.scenarios"),
    "charts read the database": ("app.charts.arrow", "app.db"),
    "scenarios read charts": ("app.scenarios.arrow", "app.charts"),
    "document reads load": ("app.scenarios.document.arrow", "app.scenarios.load"),
    "views read what is saved": ("app.views.arrow", "app.saved"),
    "fabric reads facility": ("app.views.fabric.arrow", "app.views.facility"),
    "pages read main": ("app.surfaces.pages.arrow", "app.main"),
    "pages read REST": ("app.surfaces.pages.arrow", "app.surfaces.rest"),
}
"""Imports that may not be."""


@pytest.fixture(scope="module")
def found(skeleton: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """What is said of a skeleton of the house with every wrong arrow in it."""
    house = shutil.copytree(skeleton, tmp_path_factory.mktemp("wrong") / "house")
    for module, imported in ARROWS.values():
        file = house.joinpath(*module.split(".")).with_suffix(".py")
        assert file.parent.is_dir(), "an arrow from nowhere is found by no one"
        with file.open("a") as text:
            text.write(f"import {imported}\n")
    looked = lint_imports(house)
    assert looked.returncode == 1
    return looked.stdout


@pytest.mark.parametrize(("module", "imported"), ARROWS.values(), ids=ARROWS)
def test_a_wrong_arrow_is_found(module: str, imported: str, found: str) -> None:
    assert f"{module} -> {imported} (l." in found


def test_a_room_that_nobody_placed_is_found(skeleton: Path, tmp_path: Path) -> None:
    house = shutil.copytree(skeleton, tmp_path / "house")
    (house / "app" / "cellar").mkdir()
    (house / "app" / "cellar" / "__init__.py").touch()
    assert lint_imports(house).returncode == 1


@pytest.mark.parametrize("path", ENGINE_FILES, ids=lambda path: str(path.relative_to(ENGINE)))
def test_engine_is_pure(path: Path) -> None:
    assert impurities(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        "import os",
        "import time",
        "import datetime",
        "import random",
        "import fastapi",
        "import plotly.graph_objects as go",
        "from pathlib import Path",
        "from sqlmodel import Session",
        "from app.catalog import assumptions",
        "from app import settings",
        "from . import trace",
        "import scipy.io",
        "from scipy import io",
        "import scipy\nscipy.io.loadmat",
        "open('x')",
        "print(1)",
        "import numpy as np\nnp.load('x')",
        "import numpy as np\nnp.random.rand(3)",
        "import numpy as np\nnp.random.seed(3)",
        "from numpy.random import rand\nrand(3)",
        "import numpy as np\nnp.random.default_rng()",
        "import numpy as np\nnp.random.default_rng(None)",
        "from numpy.random import default_rng\ndefault_rng(seed=None)",
        "from scipy.stats import qmc\nqmc.Sobol(3)",
        "from scipy import stats\nstats.norm.rvs(size=3)",
        "def f():\n    global x\n    x = 1",
    ],
)
def test_an_impurity_is_found(source: str) -> None:
    assert impurities(source)


@pytest.mark.parametrize(
    "source",
    [
        "import math",
        "from collections.abc import Callable",
        "import numpy as np\nfrom scipy.optimize import brentq\nnp.sqrt(2)",
        "from app.engine.trace import Array",
        "import numpy as np\ndef draw(seed):\n    return np.random.default_rng(seed).normal()",
        "from scipy.stats import qmc\ndef draw(seed):\n    return qmc.Sobol(3, rng=seed).random(8)",
        "import numpy as np\ndef f(generator: np.random.Generator):\n    return generator.normal()",
    ],
)
def test_pure_code_passes(source: str) -> None:
    assert impurities(source) == []

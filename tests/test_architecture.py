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


@pytest.mark.parametrize(
    ("module", "line"),
    [
        pytest.param("engine/arrow.py", "import app.catalog", id="engine reads catalog"),
        pytest.param("engine/arrow.py", "import app.settings", id="engine reads settings"),
        pytest.param(
            "engine/fabric/arrow.py", "import app.engine.economics", id="early room reads a late one"
        ),
        pytest.param("catalog/arrow.py", "import app.scenarios", id="catalog reads scenarios"),
        pytest.param("charts/arrow.py", "import app.db", id="charts read the database"),
        pytest.param("scenarios/arrow.py", "import app.charts", id="scenarios read charts"),
        pytest.param("scenarios/document/arrow.py", "import app.scenarios.load", id="document reads load"),
        pytest.param("views/arrow.py", "import app.saved", id="views read what is saved"),
        pytest.param("views/fabric/arrow.py", "import app.views.facility", id="fabric reads facility"),
        pytest.param("surfaces/pages/arrow.py", "import app.main", id="pages read main"),
        pytest.param("surfaces/pages/arrow.py", "import app.surfaces.rest", id="pages read REST"),
        pytest.param("cellar/__init__.py", "", id="room nobody placed"),
    ],
)
def test_a_wrong_arrow_is_found(module: str, line: str, skeleton: Path, tmp_path: Path) -> None:
    """On a skeleton of the house: every room, empty but for one import that may not be."""
    house = shutil.copytree(skeleton, tmp_path / "house")
    room = (house / "app" / module).parent
    assert room.is_dir() == (module != "cellar/__init__.py"), "an arrow from nowhere is found by nobody"
    room.mkdir(exist_ok=True)
    (house / "app" / module).write_text(f"{line}\n")
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

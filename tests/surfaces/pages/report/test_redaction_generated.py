"""Redaction over seeded teams: names with unusual letters, names that are common words, names that contain each other."""

from __future__ import annotations

import csv
import dataclasses
import html
import io
import json
import random
import re
import unicodedata
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import openpyxl
import pytest

from app.saved.team_catalog.service import TeamCatalog
from app.scenarios.load import build_document
from app.scenarios.study.document import StudyDocument
from app.settings import Settings
from app.surfaces.files.work import Work
from app.surfaces.pages.report.design import DesignSubject
from app.surfaces.pages.report.document import report_html
from app.surfaces.pages.report.options import report_options
from app.surfaces.pages.report.pack import Pack
from app.surfaces.pages.report.pictures import DRAWINGS, Pictures
from app.surfaces.pages.report.study import reported
from app.surfaces.pages.report.study_workbook import study_xlsx
from app.views.study.answer import study_answer
from tests.surfaces.pages.report.own_rows import ALL, Own, holds, team_of, texts, work_of
from tests.surfaces.pages.report.studies import TRAINED
from tests.surfaces.pages.report.test_study_redaction import WithCatalog

pytestmark = pytest.mark.slow

SEEDS = range(12)
WITH_PDF, WITH_STUDY = (3,), (1, 4, 7, 10)
SYLLABLES = (
    "zor",
    "vax",
    "quib",
    "drel",
    "myx",
    "flon",
    "brak",
    "thul",
    "jex",
    "wump",
    "skarn",
    "glif",
    "ebb",
    "ozk",
)
UNUSUAL = "øßłñžİщ界őµ\u0131ﬁ" + "e\u0301"
COMMON = ("pod", "Rack", "power", "spine", "Node", "cost", "Site", "training", "GPU", "leaf", "Model", "Year")
"""Words that files have anyway: nothing is broken where one is the name of an own row."""
CSV_FILES = ("racks.csv", "site.csv", "assumptions.csv", "questions.csv")


class Made(NamedTuple):
    """A team of one seed; `secrets` are in no other text, each own name but the common ones has one of them."""

    own: Own
    secrets: tuple[str, ...]
    common: tuple[str, ...]


class Names:
    """Coined names of many shapes."""

    def __init__(self, seed: int) -> None:
        self.pick = random.Random(f"redaction {seed}")
        self.secrets: list[str] = []
        self.common: list[str] = []
        self.made: list[str] = []

    def coined(self) -> str:
        found = "".join(self.pick.sample(SYLLABLES, 3))
        self.secrets.append(found)
        return found

    def unusual(self) -> str:
        """Half of it before and half after a letter that is not of ASCII: each half is searched for."""
        first, letter, second = self.coined(), self.pick.choice(UNUSUAL), self.coined()
        return f"{first.capitalize()}{letter}{second}"

    def punctuated(self) -> str:
        first, second, number = self.coined().capitalize(), self.coined(), self.pick.randint(2, 99)
        return self.pick.choice((
            f"{first} & {second}", f"{first}'s <{number}>", f"{first}/{second}+", f'"{first}" {number}', f"{first} (v{number}.1)",
            f"={first}-{second}", f"{first}, {second}; {number} %", f"{first}.{second}_{number}", f"{first} – {second.upper()}",
        ))  # fmt: skip

    def nested(self) -> str:
        """Contains a name that there is, as a word of its own, or with letters before or after it."""
        inside = self.pick.choice(self.made or [self.coined()])
        return self.pick.choice(
            (f"{inside} XL", f"Neo {inside.upper()}", f"{inside}ium", f"pre{inside}", f"{inside}-{inside}")
        )

    def usual(self) -> str:
        left = [one for one in COMMON if one not in self.common]
        self.common.append(self.pick.choice(left))
        return self.common[-1]

    def name(self) -> str:
        shapes = (self.coined, self.unusual, self.punctuated, self.nested, self.usual)
        found = self.pick.choices(shapes, weights=(2, 3, 4, 4, 2))[0]()
        self.made += [found] if found not in self.common else []
        return found

    def key(self) -> str:
        return self.pick.choice(
            (self.coined(), f"{self.coined()}_{self.pick.randint(1, 9)}", f"pod_{self.coined()}")
        )

    def usd(self, low: float, high: float) -> float:
        return round(self.pick.uniform(low, high), 1)


def made(seed: int) -> Made:
    names = Names(seed)
    fields = {one.name: one for one in dataclasses.fields(Own)}
    keys = {name: names.key() for name in fields if name.startswith("key_")}
    if seed % 3 == 0:
        del keys["key_accelerator"]
    given = {
        name: names.name()
        for name, one in fields.items()
        if one.type == "str" and not name.startswith("key_")
    }
    given |= {
        "url": f"https://{names.coined()}.example/{names.coined()}",
        "accelerator": names.name() if seed % 3 else "",
    }
    prices = {"system_usd": names.usd(1.2e5, 4.8e5), "switch_usd": names.usd(2e4, 9e4),
              "electricity_usd": round(names.pick.uniform(0.031, 0.29), 4)}  # fmt: skip
    return Made(Own(**keys, **given, **prices), tuple(names.secrets), tuple(names.common))  # type: ignore[arg-type]


def folded(text: str) -> str:
    """A text as a search could read it: entities and escapes read, letters without their marks."""
    plain = html.unescape(re.sub(r"\\u([0-9a-fA-F]{4})", lambda one: chr(int(one[1], 16)), text))
    return "".join(one for one in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(one))


@pytest.fixture(scope="module", params=SEEDS)
def drawn(
    request: pytest.FixtureRequest, seeded_data_dir: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[int, Made, TeamCatalog, Work]:
    """A seed with its team and design, made once for all tests of it."""
    found = made(request.param)
    team = team_of(found.own, seeded_data_dir, tmp_path_factory.mktemp(f"own{request.param}"))
    return (
        request.param,
        found,
        team,
        work_of(found.own, team, random.Random(request.param).choice((2, 8, 32))),
    )


def leaks(found: Made, parts: Iterator[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    held = ((name, holds(folded(text), found.secrets, found.own.prices)) for name, text in parts)
    return [(name, some) for name, some in held if some]


def test_names_of_every_shape_are_generated() -> None:
    every = [made(seed) for seed in SEEDS]
    names = [name for one in every for name in one.own.names]
    assert len({one for made in every for one in made.common}) >= 6
    assert any(not name.isascii() for name in names)
    assert any(set("&<\"'") & set(name) for name in names)
    assert (
        sum(
            a != b and a.casefold() in b.casefold()
            for one in every
            for a in one.own.names
            for b in one.own.names
        )
        > 20
    )
    for one in every:
        for name in one.own.names:
            assert holds(folded(name), one.secrets, ()) or name in one.common or name.startswith("pod_"), name


def test_nothing_own_is_in_a_pack(drawn: tuple[int, Made, TeamCatalog, Work], chromium_path: str) -> None:
    seed, found, team, work = drawn
    settings = Settings(chromium=chromium_path) if seed in WITH_PDF else None
    pack = Pack(work, team.catalog(), ALL, settings)
    content = pack.written()
    assert leaks(found, texts("pack", content)) == []
    assert leaks(found, iter([("name", pack.name)])) == []
    whole = Pack(work, team.catalog()).written()
    assert leaks(found, texts("pack", whole)), "without redaction they are there"
    assert_whole(content, whole)


def assert_whole(content: bytes, as_it_is: bytes) -> None:
    """Every file is there, can be read, and has the columns that it has without redaction."""
    with zipfile.ZipFile(io.BytesIO(content)) as pack, zipfile.ZipFile(io.BytesIO(as_it_is)) as other:
        assert pack.testzip() is None
        files = [
            [name for name in one.namelist() if not name.startswith("racks/") and name != "drawings.pdf"]
            for one in (pack, other)
        ]
        assert files[0] == files[1]
        assert len(set(pack.namelist())) == len(pack.namelist())
        for name in pack.namelist():
            if name.endswith(".svg"):
                assert len(list(ElementTree.fromstring(pack.read(name)).iter())) > 5, name
        for name in CSV_FILES:
            heads = [next(csv.reader(io.StringIO(one.read(name).decode()))) for one in (pack, other)]
            assert heads[0] == heads[1], name
        figures = [
            {
                line[0]
                for line in csv.reader(io.StringIO(one.read("site.csv").decode()))
                if not line[0].startswith("racks.")
            }
            for one in (pack, other)
        ]
        assert figures[0] == figures[1]
        with zipfile.ZipFile(io.BytesIO(pack.read("netbox.zip"))) as netbox:
            assert netbox.testzip() is None
            assert len(set(netbox.namelist())) == len(netbox.namelist())
        quote = openpyxl.load_workbook(io.BytesIO(pack.read("quote.xlsx")))
        assert quote.sheetnames == openpyxl.load_workbook(io.BytesIO(other.read("quote.xlsx"))).sheetnames


@pytest.mark.parametrize(
    ("drawn", "version"),
    # every fourth in full, as that evaluates all rooms
    [*((seed, "board") for seed in SEEDS), *((seed, "full") for seed in SEEDS[::4])],
    indirect=["drawn"],
)
def test_nothing_own_is_in_a_report(drawn: tuple[int, Made, TeamCatalog, Work], version: str) -> None:
    _, found, team, work = drawn
    options = report_options({"version": version, "without": ",".join(ALL)})
    text = report_html(DesignSubject(work, team.catalog(), ALL), options)
    assert leaks(found, texts("report.html", text.encode())) == []
    assert text.rstrip().endswith("</html>")
    for tag in ("table", "section", "svg"):
        assert text.count(f"<{tag}") == text.count(f"</{tag}>"), tag


def test_nothing_own_is_in_pictures(drawn: tuple[int, Made, TeamCatalog, Work]) -> None:
    _, found, team, work = drawn
    pictures = Pictures(work, team.catalog(), ALL)
    for name in ("step_time", *DRAWINGS):
        assert leaks(found, texts(f"{name}.svg", pictures.svg(name, "light").encode())) == []


@pytest.mark.parametrize("drawn", WITH_STUDY, indirect=True)  # every third, as a study evaluates many designs
def test_nothing_own_is_in_the_workbook_of_a_study(drawn: tuple[int, Made, TeamCatalog, Work]) -> None:
    seed, found, team, _ = drawn
    own, catalog, names = found.own, team.catalog(), Names(-seed)
    document = build_document(StudyDocument, {
        "name": names.punctuated(), "question": names.unusual(),
        "workload": {"training": {**TRAINED, "model": own.key_model}},
        "candidates": {"systems": [own.key_system], "supernodes": [4], "sites": [own.key_site, "oslo"],
                       "networks": [{"name": names.nested(), "fabric": {"switch": own.key_switch}}]},
        "chosen": [{"name": names.punctuated(), "candidate": {"system": own.key_system, "supernodes": 4, "site": own.key_site}}],
        "decision": {"text": f"{names.coined()}\n{names.unusual()}"},
    })  # fmt: skip
    study = reported(document, study_answer(document, catalog), WithCatalog(catalog), note=own.note)
    secrets = found._replace(secrets=(*found.secrets, *names.secrets))
    assert leaks(secrets, texts("study.xlsx", study_xlsx(study, ALL))) == []
    assert len(leaks(secrets, texts("study.xlsx", study_xlsx(study)))) > 1, "without redaction they are there"


def test_a_common_word_is_left_out_where_it_is_a_word(drawn: tuple[int, Made, TeamCatalog, Work]) -> None:
    _, found, team, work = drawn
    pack = Pack(work, team.catalog(), ALL)
    with zipfile.ZipFile(io.BytesIO(pack.written())) as files:
        quote = openpyxl.load_workbook(io.BytesIO(files.read("quote.xlsx")))
        cells = {str(cell) for sheet in quote for line in sheet.iter_rows(values_only=True) for cell in line}
        readme = files.read("README.txt").decode()
    assert found.own.system not in cells
    assert found.own.switch not in cells
    assert not readme.startswith(f"{found.own.design}:")
    assert json.dumps(sorted(cells))

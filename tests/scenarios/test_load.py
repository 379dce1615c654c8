"""Text and files: what is refused, how it is said, and that nothing else ever comes out."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.scenarios.errors import ScenarioError
from app.scenarios.load import build_scenario, parse_scenario, read_scenario
from tests.scenarios.support import SMALLEST, scenario

YAML_TEXT = """\
name: no
workload:
  kind: training
  model: llama_3_1_8b
  tokens: 15.6e12
  sequence_length: 8192
  global_batch_sequences: 1024
supernode: {system: dgx_h100}
"""
JSON_TEXT = json.dumps(SMALLEST)


def refused(text: str, format: Any = "yaml") -> str:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(text, format=format)
    assert len(caught.value.errors) == 1, str(caught.value)
    return str(caught.value)


def test_yaml_is_read_as_yaml_1_2() -> None:
    taken = parse_scenario(YAML_TEXT)
    assert taken.workload.tokens == 15.6e12
    assert taken.name == "no"


def test_a_yaml_1_1_directive_changes_nothing() -> None:
    assert parse_scenario("%YAML 1.1\n---\n" + YAML_TEXT) == parse_scenario(YAML_TEXT)


@pytest.mark.parametrize(
    ("written", "value"),
    [("0x10", 16), ("0o20", 16), ("+16", 16), ("1.6e1", 16), ("16.", 16)],
)
def test_numbers_of_the_core_schema(written: str, value: int) -> None:
    assert parse_scenario(YAML_TEXT.replace("8192", written)).workload.sequence_length == value


@pytest.mark.parametrize("written", ["1_000", "'8192'", "8_1.5", "2024-01-01", "1:30"])
def test_what_is_no_number_in_yaml_1_2_is_text(written: str) -> None:
    assert "must be a whole number" in refused(YAML_TEXT.replace("8192", written))


def test_json_and_yaml_agree() -> None:
    assert parse_scenario(JSON_TEXT, format="json") == parse_scenario(JSON_TEXT)


def test_faults_name_the_line() -> None:
    message = refused(YAML_TEXT.replace("15.6e12", "0"))
    assert message == "workload.tokens (line 5): 0 must be above 0. Expected: tokens of the whole run."
    assert "workload (line 2)" not in message
    assert refused(YAML_TEXT.replace("  tokens: 15.6e12\n", "")).startswith(
        "workload.tokens (line 2): is required."
    )


@pytest.mark.parametrize("number", ["1e400", "-1e400", ".nan", ".inf", "-.INF", "9" * 500])
def test_numbers_that_are_not_finite_are_refused_in_yaml(number: str) -> None:
    message = refused(YAML_TEXT.replace("15.6e12", number))
    assert message.startswith("workload.tokens (line 5): ")
    assert "is not a finite number below 1.8e308. Write a number, or leave it out." in message


@pytest.mark.parametrize("number", ["1e400", "-1e400", "NaN", "Infinity", "-Infinity", "9" * 5000])
def test_numbers_that_are_not_finite_are_refused_in_json(number: str) -> None:
    message = refused(JSON_TEXT.replace("1000000000000.0", number), "json")
    assert message.startswith(f"workload.tokens: {number[:30]}")
    assert "is not a finite number" in message


@pytest.mark.parametrize("format", ["yaml", "json"])
@pytest.mark.parametrize("opening", ["[", '{"a":', '{"a": [', "[[], "])
def test_deep_nesting_is_refused_without_a_stack(opening: str, format: str) -> None:
    assert "nested deeper than 64 levels" in refused(opening * 100_000, format)


def test_deep_block_nesting_is_refused() -> None:
    assert "nested deeper than 64 levels" in refused("- " * 100_000)


def test_deep_plain_values_are_refused() -> None:
    values: Any = 1
    for _ in range(100_000):
        values = {"a": values}
    with pytest.raises(ScenarioError, match="nested deeper than 64 levels"):
        build_scenario(values)


def test_an_alias_bomb_is_refused() -> None:
    bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in range(1, 10):
        bomb += f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 10)}]\n"
    message = refused(bomb)
    assert "holds more than 20,000 values, aliases counted as what they stand for" in message
    assert message.startswith("line 5")  # 10^4 values stand in line 4: refused before the next grows


@pytest.mark.parametrize("tag", ["!", "!!", "!<", "&a !", "- x!"])
def test_a_tag_without_an_end_is_refused_before_the_parser_counts_its_letters(tag: str) -> None:
    message = refused(f"name: a\n{tag}{'a' * 900_000}")
    assert message.startswith("line 2, column ")
    assert "more than 1,000 characters after a !" in message
    assert parse_scenario(YAML_TEXT.replace("name: no", "name: wow! really!")).name == "wow! really!"


def test_aliases_are_read() -> None:
    text = YAML_TEXT.replace("model: llama_3_1_8b", "model: &model llama_3_1_8b") + "description: *model\n"
    assert parse_scenario(text).description == "llama_3_1_8b"


@pytest.mark.parametrize("text", ["a: &a [*a]", "a: *b", "&a {b: *a}"])
def test_an_alias_to_nothing_or_to_itself_is_refused(text: str) -> None:
    assert "is an alias without an anchor before it, or inside its own anchor" in refused(text)


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("name: [1, 2", "line 1, column", "The text is not YAML"),
        ("name: a: b", "line 1, column 8", "mapping values are not allowed here"),
        ("name: x\n  - y: {", "line 2", "The text is not YAML"),
        ("name: 'open", "line 1", "The text is not YAML"),
        ("\tname: x", "line 1", "The text is not YAML"),
        ("name: \x07", "", "The text is not YAML"),
        ('name: "\\UFFFFFFFF"', "", "The text is not YAML"),
        ("--- {}\n--- {}", "line 2, column 1", "holds a second document"),
        ("name: !!python/name:os.system x", "line 1", "holds the tag"),
        ("name: !secret x", "line 1", "holds the tag"),
        ("name: !!binary aGk=", "line 1", "holds the tag"),
        ("1: x", "line 1, column 1", "holds a key that is not text"),
        ("? [a]\n: x", "line 1", "holds a key that is not text"),
        ("name: x\nname: y", "line 2, column 1", "is given twice"),
    ],
)
def test_malformed_yaml_is_one_message_with_its_place(text: str, place: str, words: str) -> None:
    message = refused(text)
    assert place in message
    assert words in message


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("{", "line 1, column 2", "The text is not JSON"),
        ('{"a": 1,}', "line 1, column", "The text is not JSON"),
        ('{\n "a": b}', "line 2, column 7", "expecting value"),
        ('{"a": "open', "line 1", "The text is not JSON"),
        ("{} {}", "line 1, column 4", "extra data"),
        ('{"a": 01}', "line 1", "The text is not JSON"),
        ('{"name": "x", "name": "y"}', "name", "is given twice"),
    ],
)
def test_malformed_json_is_one_message_with_its_place(text: str, place: str, words: str) -> None:
    message = refused(text, "json")
    assert place in message
    assert words in message


@pytest.mark.parametrize("text", ["3", "[]", "text", "null"])
@pytest.mark.parametrize("format", ["yaml", "json"])
def test_a_text_that_is_no_mapping_is_refused(text: str, format: str) -> None:
    expected = "not JSON" if (text, format) == ("text", "json") else "not a mapping of fields"
    assert expected in refused(text, format)


@pytest.mark.parametrize("text", ["", "  \n\n", "\ufeff"])
def test_an_empty_text_is_refused(text: str) -> None:
    assert "The text is empty" in refused(text)


@pytest.mark.slow
def test_a_large_text_is_refused() -> None:
    assert "larger than 1,000,000 bytes" in refused("x" * 1_000_001)
    assert "more than 20,000 values" in refused("[" + "1," * 30_000 + "1]")
    assert "more than 20,000 values" in refused("[" + "1," * 30_000 + "1]", "json")


def test_a_file_is_read_by_its_name(tmp_path: Path) -> None:
    for name, text in (("a.yaml", YAML_TEXT), ("a.yml", YAML_TEXT), ("a.json", JSON_TEXT), ("a", JSON_TEXT)):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        assert read_scenario(path).supernode.system == "dgx_h100"


def test_a_byte_order_mark_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + YAML_TEXT.encode())
    assert read_scenario(path).name == "no"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "The text is empty"),
        (YAML_TEXT.encode("utf-16"), "is UTF-16. Save it as UTF-8."),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "is a binary file"),
        (b"name: x\nb: \xff\xfa", "line 2: The text is not UTF-8."),
        (b"#" * 1_000_001, "larger than 1,000,000 bytes"),
    ],
)
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    with pytest.raises(ScenarioError) as caught:
        read_scenario(path)
    assert words in str(caught.value)


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    for path, words in (
        (tmp_path / "none.yaml", "does not exist"),
        (tmp_path, "is a directory"),
        (tmp_path / ("x" * 5000), "cannot be read"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(ScenarioError, match=words):
            read_scenario(path)


def test_a_file_without_an_end_is_refused() -> None:
    with pytest.raises(ScenarioError, match="larger than 1,000,000 bytes"):
        read_scenario("/dev/zero")


def test_text_that_no_file_can_hold_is_refused() -> None:
    assert "is no text" in refused(JSON_TEXT.replace("llama_3_1_8b", "\\ud800"), "json")
    with pytest.raises(ScenarioError, match="has a key that is not text"):
        build_scenario({**SMALLEST, "\ud800": 1})
    with pytest.raises(ScenarioError, match="has a key that is not text"):
        build_scenario({**SMALLEST, 3: 1})


plain = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=20)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=12), inner, max_size=4)
    ),
    max_leaves=12,
)
places = st.sampled_from(
    [
        "name", "schema_version", "workload", "workload__kind", "workload__model", "workload__tokens",
        "workload__model__layers", "supernode", "supernode__system", "supernode__override",
        "supernode__override__accelerator", "pod", "pod__fabric", "pod__accelerators_used", "parallelism",
        "parallelism__recompute", "facility__site", "operations__spares", "operations__storage",
        "economics__wacc", "assumptions", "published",
    ]
)  # fmt: skip


def is_taken_or_refused(values: Any, text: str | None = None, format: Any = "yaml") -> None:
    try:
        taken = parse_scenario(text, format=format) if text is not None else build_scenario(values)
    except ScenarioError as error:
        str(error).encode("utf-8")
        for fault in error.errors:
            assert fault.message
            json.dumps(fault.as_dict(), allow_nan=False).encode("utf-8")
    else:
        assert build_scenario(taken.as_dict()) == taken


@pytest.mark.slow
@settings(max_examples=250, deadline=None)
@given(places, plain)
def test_any_value_anywhere_is_taken_or_refused(place: str, value: Any) -> None:
    if "model__" in place:
        place, value = "workload__model", {place.rsplit("__", 1)[-1]: value}
    is_taken_or_refused(scenario(**{place: value}))


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60), st.sampled_from(["yaml", "json"]))
def test_any_text_is_taken_or_refused(text: str, format: str) -> None:
    is_taken_or_refused(None, text, format)


@settings(max_examples=250, deadline=None)
@given(
    st.text(alphabet="{}[]:,-?&*!|>'\"%@`#~ab01.eE+ \n\t\\", max_size=40), st.sampled_from(["yaml", "json"])
)
def test_any_punctuation_is_taken_or_refused(text: str, format: str) -> None:
    is_taken_or_refused(None, text, format)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(YAML_TEXT)), st.binary(max_size=8))
def test_any_bytes_in_a_file_are_taken_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, noise: bytes
) -> None:
    content = YAML_TEXT.encode()
    path = tmp_path_factory.mktemp("noise") / "a.yaml"
    path.write_bytes(content[:at] + noise + content[at:])
    with contextlib.suppress(ScenarioError):
        read_scenario(path)

"""The kinds of value that a scenario field can hold, and the base of every part of the document."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
)
from pydantic.fields import FieldInfo
from pydantic_core import PydanticCustomError

UNSEEN: Final = (
    "\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
)
"""Characters that steer text instead of being read: directions, joiners, separators, tags; beside controls."""
BLANKS: Final = "\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
"""Blanks that look like others."""
LINE: Final = f"^[^\x00-\x20{UNSEEN}{BLANKS}](?:[^\x00-\x1f{UNSEEN}{BLANKS}]*[^\x00-\x20{UNSEEN}{BLANKS}])?$"
"""One line of text without blanks around it."""
PARAGRAPH: Final = f"^[^\x00-\x09\x0b-\x1f{UNSEEN}{BLANKS}]*$"
"""Lines of text."""
WORDS: Final = f"^[^\x00-\x08\x0e-\x1b{UNSEEN}]*[^\x00-\x20{UNSEEN}{BLANKS}][^\x00-\x08\x0e-\x1b{UNSEEN}]*$"
"""Text that is not blank. Unusual blanks are replaced by spaces when it is stored."""
KEY: Final = "^[a-z0-9][a-z0-9_]{0,79}$"
DESIGN_ID: Final = "^[0-9a-f]{32}$"


class Part(BaseModel):
    """A part of the document: unknown keys, NaN, infinity and values of the wrong type are refused."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False, frozen=True, strict=True)


@dataclass(frozen=True, slots=True)
class Display:
    """How a field is shown, beside its title: metadata of its annotation.

    Parameters
    ----------
    unit : unit or scale of a number, where its name does not end in it
    percent : a fraction that is shown as a percentage
    is_prefix : the title of a part stands before the titles of its fields
    """

    unit: str = ""
    percent: bool = False
    is_prefix: bool = False


PERCENT: Final = Display(percent=True)
PREFIX: Final = Display(is_prefix=True)


def fault(rule: str, message: str, *, hint: str = "", field: str = "") -> PydanticCustomError:
    """An error in words of our own; `field` names the field below the part that was checked."""
    context = {"message": message, "hint": hint, "field": field, "rule": rule}
    return PydanticCustomError("fault", "{message}", context)


def each_once(values: tuple[str, ...]) -> tuple[str, ...]:
    """Names that are listed, none twice."""
    twice = next((value for place, value in enumerate(values) if value in values[:place]), None)
    if twice is not None:
        raise fault("twice", f"names {twice} twice", hint="name each once")
    return values


def matches(pattern: str, text: str) -> bool:
    """Return whether a whole text is as a pattern of a schema says; Python's $ would let a line end follow.

    >>> matches(KEY, "dgx_h100"), matches(KEY, "dgx_h100\\n")
    (True, False)
    """
    return re.fullmatch(pattern.removesuffix("$"), text) is not None


def schema_pattern(pattern: str) -> FieldInfo:
    """Puts a pattern into the schema; the validator alongside it checks it with words of ours."""
    return Field(json_schema_extra={"pattern": pattern})  # type: ignore[no-any-return]


def _whole(value: Any) -> Any:
    # 2e3 is a float in YAML and JSON, and a fine count.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _key(value: str) -> str:
    if matches(KEY, value):
        return value
    suggestion = re.sub(r"[^a-z0-9]+", "_", value.lower()).strip("_")[:80]
    raise fault(
        "key_syntax",
        "is not a catalog key: keys are lower-case letters, digits and underscores",
        hint=f"perhaps {suggestion}" if suggestion else "podwright catalog lists the keys",
    )


def _design_id(value: str) -> str:
    if matches(DESIGN_ID, value):
        return value
    raise fault(
        "design_id",
        "is not the id of a saved design: ids are 32 digits and letters a to f",
        hint="the page of the design shows its id",
    )


def _line(value: str) -> str:
    if matches(LINE, value):
        return value
    raise fault("plain_text", "must be one line of printable text without blanks around it")


def _paragraph(value: str) -> str:
    if matches(PARAGRAPH, value):
        return value
    raise fault("plain_text", "must be printable text")


def _word_or_value(value: Any) -> str:
    return "<word>" if isinstance(value, str) else "<value>"


Whole = Annotated[int, BeforeValidator(_whole)]
"""What every count of a request is: to JSON Schema, 3.0 is an integer."""
Count = Annotated[Whole, Field(ge=1, le=1_000_000)]
CountOrZero = Annotated[Whole, Field(ge=0, le=1_000_000)]
Number = Annotated[float, Field(ge=-1e30, le=1e30)]
Positive = Annotated[float, Field(gt=0, le=1e30)]
NotNegative = Annotated[float, Field(ge=0, le=1e30)]
Share = Annotated[float, Field(ge=0, le=1), PERCENT]
LinkGbitPerSecond = Annotated[float, Field(gt=0, le=1_000_000)]
Key = Annotated[str, AfterValidator(_key), schema_pattern(KEY)]
DesignId = Annotated[str, AfterValidator(_design_id), schema_pattern(DESIGN_ID)]
Line = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_line), schema_pattern(LINE)]
Paragraph = Annotated[str, Field(max_length=4000), AfterValidator(_paragraph), schema_pattern(PARAGRAPH)]

# For a field that takes a word or something else: telling them apart first keeps it to one message a fault.
Either = Discriminator(_word_or_value)
Word = Tag("<word>")
Value = Tag("<value>")

Precision = Literal["bf16", "fp16", "fp8", "mxfp8", "nvfp4", "int8"]
ScaleUpTopology = Literal["switched", "mesh", "torus"]
ScaleUpMedium = Literal["auto", "copper", "linear_copper", "active_copper", "lpo", "pluggable", "co_packaged"]
NodeCooling = Literal["air", "liquid", "hybrid"]

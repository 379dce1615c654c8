"""Models and accelerators of a file by the keys of the catalog."""

from __future__ import annotations

import re

from app.catalog.lookup import Catalog
from app.validation.rows import UnsupportedRowError

ENDINGS = re.compile(
    r"[-_ ](nvfp4|mxfp4|mxfp8|fp4|fp8|bf16|fp16|int8|int4|awq|gptq|w8a8|w4a16|kv|dynamic|block|instruct|chat|it|"
    r"thinking|preview|dynamo|base|hf|v\d(\.\d)?|\d{4})$",
    re.IGNORECASE,
)
"""What a checkpoint's name says besides the model: its number format, its tuning, the month of its release."""

MAKERS = ("nvidia", "amd", "google", "aws", "huawei", "intel")
FORMS = ("", "_sxm", "_80", "_sxm_80", "_server")


def model_key(name: str, catalog: Catalog) -> str:
    """The key of a model; quantised, tuned and dated checkpoints are the model that they were made of.

    Raises
    ------
    UnsupportedRowError : the catalog has no such model
    """
    if not name:
        raise UnsupportedRowError("the model is not stated")
    for tried in _shorter(name):
        if found := catalog.find("models", tried):
            return found
    near = ", ".join(catalog.nearest("models", name))
    raise UnsupportedRowError(f"the model {name!r} is not in the catalog; the nearest are {near}")


def accelerator_key(name: str, catalog: Catalog) -> tuple[str, str]:
    """The key of an accelerator, and what was assumed to find it.

    Raises
    ------
    UnsupportedRowError : the catalog has no such accelerator
    """
    if not name:
        raise UnsupportedRowError("the system is not stated")
    if found := catalog.find("accelerators", name):
        return found, ""
    plain = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
    without = re.sub(r"_(sxm\d?|nvl\d*|hgx|dgx|oam|pcie)$", "", plain)
    keys = catalog.keys("accelerators")
    for base in dict.fromkeys((plain, without)):
        for maker in ("", *(f"{maker}_" for maker in MAKERS)):
            for form in FORMS:
                if (key := f"{maker}{base}{form}") in keys:
                    return key, f"system {name} as {key}"
        if found := catalog.find("accelerators", base):
            return found, f"system {name} as {found}"
    near = ", ".join(catalog.nearest("accelerators", name))
    raise UnsupportedRowError(f"the system {name!r} is not in the catalog; the nearest are {near}")


def _shorter(name: str) -> list[str]:
    """A name, and what is left of it without its organisation and its endings, longest first."""
    names = [name]
    rest = name.rsplit("/", maxsplit=1)[-1]
    while True:
        names.append(rest)
        shorter = ENDINGS.sub("", rest)
        if shorter == rest:
            return list(dict.fromkeys(names))
        rest = shorter

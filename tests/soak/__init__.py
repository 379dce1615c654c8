"""What takes its time: `make soak`. With PODWRIGHT_TEST_SOAK=short the same checks, with less of each."""

import os
from typing import TypeVar

Amount = TypeVar("Amount", int, float)

VARIABLE = "PODWRIGHT_TEST_SOAK"
IS_SHORT = {"long": False, "short": True}[os.environ.get(VARIABLE) or "long"]


def lasting(long: Amount, *, short: Amount) -> Amount:
    """How long something lasts, or how often it is done, in this run."""
    return short if IS_SHORT else long

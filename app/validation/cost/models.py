"""Which published model a row speaks of: its run as it is kept in the figures of growth."""

from __future__ import annotations

import re

from app.catalog.growth import NotableModel, growth_data

OTHER = frozenset({"turbo", "mini", "nano", "flash", "lite", "pro", "xl"})
"""Words after a name that make it that of another model."""


def model_in(subject: str) -> NotableModel | None:
    """The model whose name the subject begins with; the longest name, or the only one that goes on as the subject.

    >>> model_in("Llama 3.1 405B, end to end").key, model_in("GPT-4 (three methods)").key, model_in("A new model")
    ('llama_3_1_405b', 'gpt_4_mar_2023', None)
    """
    asked = _chunks(_without_brackets(subject)), _chunks(subject)
    found = [
        (len(name), model)
        for model in growth_data().models
        for name in (_chunks(model.name), _chunks(_without_brackets(model.name)))
        if name
        and any(
            words[: len(name)] == name and not OTHER.intersection(words[len(name) : len(name) + 1])
            for words in asked
        )
    ]
    if found:
        return max(found, key=lambda one: one[0])[1]
    head = _chunks(re.split(r"[(,;:]", subject)[0])
    going_on = [model for model in growth_data().models if head and _chunks(model.name)[: len(head)] == head]
    return going_on[0] if len(going_on) == 1 else None


def _chunks(name: str) -> tuple[str, ...]:
    """Words of a name, whatever joins them."""
    return tuple(re.findall(r"[a-z0-9.]+", name.lower()))


def _without_brackets(name: str) -> str:
    return re.sub(r"\(.*?\)", " ", name)

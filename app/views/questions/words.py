"""Key, title and a few words of each question, apart from what answers it: the home page lists them."""

from __future__ import annotations

from typing import NamedTuple


class Words(NamedTuple):
    key: str
    title: str
    asks: str


TRAIN = Words("train", "Train a model", "How many SuperNodes, how long, at what cost")
SERVE = Words("serve", "Serve a model", "How many SuperNodes for a load, latency, cost per token")
COMPARE = Words("compare", "Compare hardware", "The same work on up to three systems")
SIZE = Words("size", "Size a SuperNode", "The scale-up domain of least cost")
SITE = Words("site", "Plan a site", "What fits into its power, and what it costs")
EXTEND = Words("extend", "Extend a cluster", "Speed, cost and re-cabling of more SuperNodes")
QUESTION_WORDS = (TRAIN, SERVE, COMPARE, SIZE, SITE, EXTEND)

"""Questions that a room answers as it is: the words of each, and the address of the room with its scenario
and options.

A worked example is the design where one is asked about; every room says what it shows of another.
"""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

EXAMPLE = "llama_3_1_405b_on_2048_dgx_h100"
FASTEST = "Which SuperNode trains Llama 3.1 405B fastest under 20 MW?"


class RoomQuestion(NamedTuple):
    key: str
    title: str
    asks: str
    address: str


ROOM_QUESTIONS = (
    RoomQuestion(
        "fastest",
        FASTEST,
        "Three systems in Ashburn, every size searched",
        "/studies/new?"
        + urlencode(
            {
                "question": FASTEST,
                "model": "llama_3_1_405b",
                "tokens": "15.6",
                "days": "",
                "sure": "",
                "power": "20",
                "objective": "time",
                "system": "",
                "system.gb200_nvl72": "1",
                "system.dgx_b200": "1",
                "system.dgx_h100": "1",
                "site": "",
                "site.ashburn": "1",
                "network": "",
                "network.infiniband": "1",
            }
        ),
    ),
    RoomQuestion(
        "mfu",
        "Why is MFU 41 %?",
        "Where a step on 16,384 H100 loses the rest",
        f"/operations/{EXAMPLE}/goodput",
    ),
    RoomQuestion(
        "own_or_rent",
        "Own or rent for 18 months?",
        "2,048 DGX H100 at today’s prices",
        f"/economics/{EXAMPLE}/decision?months_of_work=18",
    ),
    RoomQuestion(
        "breaks_first",
        "What breaks first at 100,000 GPUs?",
        "Interruptions by component, and useful time",
        f"/operations/{EXAMPLE}/size?accelerators=100000",
    ),
    RoomQuestion(
        "least_carbon",
        "Where to build for least carbon?",
        "The same pod at every site of the catalog",
        f"/facility/{EXAMPLE}/sites?sort=carbon",
    ),
)

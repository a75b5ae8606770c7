"""The main job in its order: take in, plan, send or replay, analyse, write.

Whatever was answered is stored before the next step begins, so that every step
may be the last one of this start.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from judgebench.blind import order
from judgebench.errors import BudgetStop, JudgeConfigError, JudgebenchError
from judgebench.judges import config, prices
from judgebench.judges.ask import Answer
from judgebench.judges.budget import Limits
from judgebench.judges.config import ReplayChoice
from judgebench.judges.prompts import prompt_version
from judgebench.judges.transports.base import Transport, run
from judgebench.judges.transports.live import LiveTransport
from judgebench.judges.wire import Settled
from judgebench.model import (
    Judge,
    Locator,
    Mode,
    Price,
    RawReply,
    Reason,
    Request,
    Result,
)
from judgebench.pipeline import unread
from judgebench.pipeline.analyse import Analysis
from judgebench.pipeline.choices import Choices, Reading
from judgebench.pipeline.facts import RunFacts, facts_of, read_facts
from judgebench.pipeline.finish import Judged, Taken, judged
from judgebench.pipeline.intake import Intake
from judgebench.pipeline.plan import Cell, Identity, make_pass, plan
from judgebench.pipeline.prepare import Prepared, Preparer
from judgebench.pipeline.scene import Scene, World, find_judge, open_scene
from judgebench.pipeline.send import Progress, SendReport, Skip, send_pass
from judgebench.rubrics.load import parse_rubric
from judgebench.store.rows import PassRow, PlanChange
from judgebench.store.store import Store
from judgebench.store.writer import Writer
from judgebench.text import canonical_json, digest

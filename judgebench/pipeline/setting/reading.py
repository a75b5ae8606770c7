"""How the judgments of a stored pass are read; a page needs no more than this of a pass."""

import json

from judgebench.pipeline.setting.choices import Reading
from judgebench.store.passes import PassRow


def reading_of(row: PassRow) -> Reading:
    """How the judgments of a stored pass are read."""
    return Reading(**json.loads(row.choices))

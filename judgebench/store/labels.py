"""What people gave and were shown: files of marks, draws, looks, items set apart for tuning."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from judgebench.store.database import Database
from judgebench.store.people import DrawRow, GivenRow, HumanFileRow, LookRow, PacketRow, TuneLookRow


class LabelStore(Database):
    """An open file, for what people gave and were shown."""

    def put_human_file(self, row: HumanFileRow) -> None:
        """Note that a file of marks by people was taken in."""
        self._do("put_human_file", **asdict(row))

    def put_given(
        self, run: str, file: str, given: Sequence[GivenRow], *, given_at: str
    ) -> None:  # fmt: skip
        """Note which marks a file gave; that they are taken back later does not delete them."""
        if not given:
            return
        names = ("item", "arm", "other", "criterion", "rater", "mark")
        item, arm, other, criterion, rater, mark = (
            [getattr(one, name) for one in given] for name in names
        )
        self._do(
            "put_given", run=run, file=file, given_at=given_at, items=item, arms=arm, others=other,
            criteria=criterion, raters=rater, marks=mark,
        )  # fmt: skip

    def set_blind(self, run: str, sha256: str, blind: str) -> None:
        """Note of a file that was taken in whether its people saw which arm was which."""
        self._do("set_blind", run=run, sha256=sha256, blind=blind)

    def take_back_file(self, run: str, sha256: str, *, withdrawn_at: str) -> None:
        """Note that a file and its marks count no more; both stay."""
        self._do("take_back_file", run=run, sha256=sha256, withdrawn_at=withdrawn_at)
        self._do("take_back_given", run=run, file=sha256, withdrawn_at=withdrawn_at)

    def take_back_mark(
        self, run: str, file: str, given: GivenRow, *, withdrawn_at: str
    ) -> None:  # fmt: skip
        """Note that one mark counts no more, because it was taken back or given anew."""
        self._do(
            "take_back_mark", run=run, file=file, item=given.item, arm=given.arm,
            criterion=given.criterion, rater=given.rater, withdrawn_at=withdrawn_at,
        )  # fmt: skip

    def put_packet_draw(
        self, run: str, draw: str, packets: Sequence[PacketRow], *, seed: int, drawn_at: str
    ) -> None:
        """Keep answers that were drawn for people to mark, and those that could have been."""
        self._do(
            "put_packet_draw", run=run, draw=draw, seed=seed, drawn_at=drawn_at,
            items=[one.item for one in packets], arms=[one.arm for one in packets],
            strata=[one.stratum for one in packets],
            probabilities=[one.probability for one in packets],
            populations=[one.population for one in packets],
            chosen=[one.chosen for one in packets],
        )  # fmt: skip

    def put_tuning(self, run: str, *, share: float, split_at: str, shown: str) -> None:
        """Note when labels were split and what had been shown by then; the first time stays."""
        self._do("put_tuning", run=run, share=share, split_at=split_at, shown=shown)

    def put_tune_look(self, row: TuneLookRow) -> None:
        """Note one more look at labels while a rubric is tuned."""
        self._do("put_tune_look", **asdict(row))

    def put_draw(self, row: DrawRow) -> None:
        """Keep items that were drawn for people to mark."""
        self._do("put_draw", **asdict(row) | {"items": list(row.items)})

    def put_look(self, row: LookRow) -> None:
        """Note that marks by people were shown beside a pass; every time is kept."""
        self._do("put_look", **asdict(row))

    def put_splits(self, run: str, splits: Mapping[str, str], *, assigned_at: str) -> None:
        """Assign items to tuning or reporting; an item that has a split keeps it."""
        self._do(
            "put_splits", run=run, items=list(splits), splits=list(splits.values()),
            assigned_at=assigned_at,
        )  # fmt: skip

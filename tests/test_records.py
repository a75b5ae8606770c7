"""Records do what the standard library's frozen dataclasses do."""

import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import field
from typing import Any

import pytest

from judgebench import records

FORMS = [{"slots": True}, {}]


class Checked:
    """What a class may bring of its own."""

    def __post_init__(self) -> None:
        """Refuse, and fill a field."""
        if self.count < 0:  # type: ignore[attr-defined]
            raise ValueError("below zero")
        object.__setattr__(self, "twice", 2 * self.count)  # type: ignore[attr-defined]


def both(build: Callable[[Any], type], form: dict[str, bool]) -> tuple[type, type]:
    """The class as the standard library makes it, and as ours does."""
    options = {"frozen": True, "kw_only": True, **form}
    return build(dataclasses.dataclass(**options)), build(records.dataclass(**options))


def full(decorator: Any) -> type:  # noqa: ANN401 - a decorator
    """Fields of each kind."""

    @decorator
    class Full:
        """A field of each kind."""

        name: str
        count: int = 3
        marks: list[int] = field(default_factory=list)
        aside: str = field(default="", compare=False, repr=False)
        fixed: int = field(default=7, init=False)
        made: tuple[int, ...] = field(default_factory=tuple, init=False)
        twice: int = field(init=False)

        __post_init__ = Checked.__post_init__

    return Full


def derived(decorator: Any) -> type:  # noqa: ANN401 - a decorator
    """A class and its child."""

    @decorator
    class Base:
        """A first class."""

        a: int
        b: int = 2

    @decorator
    class Derived(Base):
        """Sets a default of its parent anew, and adds one."""

        b: int = 5
        c: str

    return Derived


def empty(decorator: Any) -> type:  # noqa: ANN401 - a decorator
    """Nothing to set."""

    @decorator
    class Empty:
        """No field at all."""

    return Empty


def own_methods(decorator: Any) -> type:  # noqa: ANN401 - a decorator
    """What the class defines stays."""

    @decorator
    class Own:
        """Says itself what it is and equals."""

        a: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return False

        def __hash__(self) -> int:
            return 11

    return Own


def own_field(decorator: Any) -> type:  # noqa: ANN401 - a decorator
    """One field."""

    @decorator
    class One:
        """Nothing else."""

        a: float

    return One


GIVEN: list[tuple[Callable[[Any], type], list[dict[str, object]]]] = [
    (full, [{"name": "x"}, {"name": "x", "aside": "y"}, {"name": "x", "count": 4, "marks": [1]}]),
    (derived, [{"a": 1, "c": "z"}, {"a": 1, "b": 5, "c": "z"}, {"a": 2, "b": 1, "c": ""}]),
    (empty, [{}]),
    (own_methods, [{"a": 1}, {"a": 2}]),
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("build", "given"), GIVEN)
def test_like_the_standard_library(
    build: Callable[[Any], type], given: list[dict[str, object]], form: dict[str, bool]
) -> None:
    """Fields, text, equality and copies."""
    standard, ours = both(build, form)
    theirs, mine = [standard(**one) for one in given], [ours(**one) for one in given]
    assert [repr(one) for one in mine] == [repr(one) for one in theirs]
    assert [dataclasses.asdict(one) for one in mine] == [dataclasses.asdict(one) for one in theirs]
    assert [a == b for a in mine for b in mine] == [a == b for a in theirs for b in theirs]
    assert all(a != b for a, b in zip(mine, theirs, strict=True))
    assert [repr(dataclasses.replace(one)) for one in mine] == [repr(one) for one in theirs]
    assert [repr(copy.copy(one)) for one in mine] == [repr(one) for one in theirs]
    assert hasattr(mine[0], "__dict__") == hasattr(theirs[0], "__dict__")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("build", "given", "error"),
    [
        (full, {}, TypeError),
        (full, {"name": "x", "other": 1}, TypeError),
        (full, {"name": "x", "fixed": 1}, TypeError),
        (full, {"name": "x", "count": -1}, ValueError),
        (derived, {"a": 1}, TypeError),
    ],
)
def test_what_is_refused(
    build: Callable[[Any], type],
    given: dict[str, object],
    error: type[Exception],
    form: dict[str, bool],
) -> None:
    """Missing, unknown and fixed fields, and the class's own check: by both."""
    for one in both(build, form):
        with pytest.raises(error):
            one(**given)


@pytest.mark.parametrize("form", FORMS)
def test_nothing_is_set_or_deleted(form: dict[str, bool]) -> None:
    """Frozen: the same error as the standard library's."""
    for one in both(derived, form):
        made = one(a=1, c="z")
        with pytest.raises(dataclasses.FrozenInstanceError, match="a"):
            made.a = 2
        with pytest.raises(dataclasses.FrozenInstanceError, match="a"):
            del made.a
        with pytest.raises(TypeError):
            one(1, 2, 3)
        assert made.a == 1


@pytest.mark.parametrize("form", FORMS)
def test_equal_records_are_one_key(form: dict[str, bool]) -> None:
    """Hashes follow what is compared."""
    _, ours = both(derived, form)
    assert len({ours(a=1, c="z"), ours(a=1, c="z"), ours(a=2, c="z")}) == 2
    _, own = both(own_methods, form)
    assert hash(own(a=1)) == 11


@pytest.mark.parametrize("form", FORMS)
def test_the_same_nan_is_equal(form: dict[str, bool]) -> None:
    """As tuples of fields are: by identity first."""
    nan = float("nan")
    for one in both(own_field, form):
        assert one(a=nan) == one(a=nan)
        assert one(a=nan) != one(a=float("nan"))


@pytest.mark.parametrize("form", FORMS)
def test_a_default_is_made_for_each(form: dict[str, bool]) -> None:
    """No list is shared."""
    _, ours = both(full, form)
    first, second = ours(name="x"), ours(name="x")
    first.marks.append(1)
    assert second.marks == []


@records.dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """Goes to another process."""

    values: tuple[float, ...]
    code: str | None = None


def test_pickled() -> None:
    """Both ways."""
    sent = Sent(values=(1.0, 2.5), code="x")
    assert pickle.loads(pickle.dumps(sent)) == sent  # noqa: S301 - our own bytes


def test_the_rest_is_the_standard_library() -> None:
    """Ordered, positional and mutable classes."""

    @records.dataclass(frozen=True, order=True)
    class Ordered:
        a: int

    @records.dataclass
    class Mutable:
        a: int

    assert Ordered(1) < Ordered(2)
    changed = Mutable(1)
    changed.a = 2
    assert changed == Mutable(2)
